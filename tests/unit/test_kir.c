// The IR's text form: what is written comes back, and judges the same; what is damaged is refused
// with its place.

#include "api/check.h"
#include "base/input.h"
#include "base/output.h"
#include "formats/formats.h"
#include "greatest_main.h"
#include "history/history.h"
#include "ir/kir.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/story.h"
#include "tests/support/effort.h"
#include "tests/support/random_ir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_HISTORIES = 200, HISTORIES = 700, LONG_HISTORIES = 12000 }; // at each level

static uint64_t histories (void) {
  return effort (FEW_HISTORIES, HISTORIES, LONG_HISTORIES);
}

static struct ir *read_text (const char *text, size_t length, struct error *error) {
  // A block of just that length, so that a sanitizer sees a read beyond.
  char *copy = mem_alloc (length);
  memcpy (copy, text, length);
  struct input *input = input_open_memory ("test.kir", copy, length);
  struct ir *ir = kir_read (input, error);
  input_close (input);
  mem_free (copy);
  return ir;
}

static struct ir *through_text (const struct ir *ir) {
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  struct ir *back = NULL;
  size_t length;
  if (kir_write (ir, output, &error)) {
    const char *text = output_memory (output, &length);
    back = read_text (text, length, &error);
    if (!back)
      fprintf (stderr, "%s\n%.*s", error.text, (int) length, text);
  }
  output_discard (output);
  return back;
}

static enum verdict verdict_of (struct check_result *result) {
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

// --- Round trips -------------------------------------------------------------

#define DIFFER(what)                                                                                                   \
  do {                                                                                                                 \
    if (what)                                                                                                          \
      return #what;                                                                                                    \
  } while (0)

static const char *difference_of_nodes (const struct asg *a, const struct asg *b) {
  DIFFER (a->nodes != b->nodes);
  DIFFER (a->chains != b->chains);
  DIFFER (a->optionals != b->optionals);
  DIFFER (!a->so_before != !b->so_before);
  DIFFER (memcmp (a->chain_first, b->chain_first, (a->chains + 1) * sizeof *a->chain_first));
  DIFFER (memcmp (a->node_chain, b->node_chain, a->nodes * sizeof *a->node_chain));
  DIFFER (memcmp (a->optional, b->optional, a->nodes));
  for (uint32_t node = 1; node < a->nodes; node++) {
    DIFFER (a->history->txn_ids.data[a->node_txn[node]] != b->history->txn_ids.data[b->node_txn[node]]);
    DIFFER (a->so_before && a->so_before[node] != b->so_before[node]);
  }
  return NULL;
}

static const char *difference_of_columns (const struct asg *a, const struct asg *b) {
  DIFFER (a->keys != b->keys);
  DIFFER (a->installs != b->installs);
  DIFFER (a->reads != b->reads);
  DIFFER (a->choices.count != b->choices.count);
  DIFFER (a->faults.count != b->faults.count);
  DIFFER (memcmp (a->key_first, b->key_first, (a->keys + 1) * sizeof *a->key_first));
  for (uint32_t i = 0; i < a->installs; i++) {
    DIFFER (a->install_node[i] != b->install_node[i]);
    DIFFER ((asg_install_unrecorded (a, i) == UNRECORDED_NONE) != (asg_install_unrecorded (b, i) == UNRECORDED_NONE));
    DIFFER ((a->install_value[i] == VALUE_ABSENT) != (b->install_value[i] == VALUE_ABSENT));
  }
  DIFFER (memcmp (a->node_first_read, b->node_first_read, (a->nodes + 1) * sizeof *a->node_first_read));
  for (uint32_t read = 0; read < a->reads; read++) {
    DIFFER (a->read_key[read] != b->read_key[read]);
    DIFFER ((a->read_flags ? a->read_flags[read] : 0) != (b->read_flags ? b->read_flags[read] : 0));
    DIFFER ((asg_read_unrecorded (a, read) == UNRECORDED_NONE) != (asg_read_unrecorded (b, read) == UNRECORDED_NONE));
    DIFFER (a->read_source[read] != b->read_source[read]);
  }
  for (size_t i = 0; i < a->choices.count; i++) {
    DIFFER (a->choices.data[i].read != b->choices.data[i].read);
    DIFFER (a->choices.data[i].initial != b->choices.data[i].initial);
    DIFFER (a->choices.data[i].last - a->choices.data[i].first != b->choices.data[i].last - b->choices.data[i].first);
  }
  return NULL;
}

static const char *difference_of_claims (const struct asg *a, const struct asg *b) {
  DIFFER (a->unrecorded.count != b->unrecorded.count);
  DIFFER (a->orders.count != b->orders.count);
  for (size_t i = 0; i < a->orders.count; i++) {
    const struct known_order *x = &a->orders.data[i], *y = &b->orders.data[i];
    DIFFER (x->before != y->before || x->after != y->after || x->by_absence != y->by_absence || x->reader != y->reader);
  }
  DIFFER (a->implied.count != b->implied.count);
  for (size_t i = 0; i < a->implied.count; i++)
    DIFFER (a->implied.data[i].reader != b->implied.data[i].reader
            || a->implied.data[i].other != b->implied.data[i].other);
  DIFFER (a->forced.count != b->forced.count);
  for (size_t i = 0; i < a->forced.count; i++)
    DIFFER (a->forced.data[i] != b->forced.data[i]);
  return NULL;
}

static bool locks (const struct history *h, uint32_t op) {
  return h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

static bool any_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (locks (h, op))
      return true;
  return false;
}

typedef VEC (uint32_t) ops;

// The operations that places are given for, in an order that does not depend on where they stand.
static ops events_of (const struct asg *asg, uint32_t node) {
  ops events = VEC_EMPTY;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    VEC_PUSH (events, asg->read_op[read]);
  for (uint32_t key = 0; key < asg->keys; key++) {
    const uint32_t install = asg_install_of (asg, key, node);
    if (install == UINT32_MAX)
      continue;
    VEC_PUSH (events, asg->install_first_op[install]);
    VEC_PUSH (events, asg->install_last_op[install]);
    for (size_t i = 0; i < asg->unrecorded.count; i++)
      if (asg->unrecorded.data[i].node == node && asg->history->op_keys.data[asg->unrecorded.data[i].op] == key)
        VEC_PUSH (events, asg->unrecorded.data[i].op);
  }
  return events;
}

static const char *difference_of_events (const struct asg *a, const struct asg *b) {
  DIFFER (a->events != b->events);
  const char *found = NULL;
  if (!a->events)
    return NULL;
  DIFFER (a->nodes > 1 && any_locks (a->history) != any_locks (b->history));
  for (uint32_t read = 0; read < a->reads; read++)
    DIFFER (locks (a->history, a->read_op[read]) != locks (b->history, b->read_op[read]));
  for (uint32_t node = 1; node < a->nodes; node++) {
    ops x = events_of (a, node), y = events_of (b, node);
    DIFFER (x.count != y.count);
    for (size_t i = 0; i < x.count; i++)
      for (size_t k = 0; k < x.count; k++)
        if ((x.data[i] < x.data[k]) != (y.data[i] < y.data[k]))
          found = "operations stand in another order";
    VEC_FREE (x);
    VEC_FREE (y);
  }
  return found;
}

static const char *difference_of_times (const struct ir *a, const struct ir *b) {
  DIFFER (!a->time_before != !b->time_before);
  DIFFER (a->slots != b->slots);
  for (uint32_t node = 0; a->time_before && node < a->asg->nodes; node++) {
    DIFFER (a->time_before[node] != b->time_before[node]);
    DIFFER (a->time_after[node] != b->time_after[node]);
  }
  return NULL;
}

static const char *difference (const struct ir *a, const struct ir *b) {
  DIFFER (a->level != b->level);
  const char *found = difference_of_nodes (a->asg, b->asg);
  found = found ? found : difference_of_columns (a->asg, b->asg);
  found = found ? found : difference_of_claims (a->asg, b->asg);
  found = found ? found : difference_of_events (a->asg, b->asg);
  return found ? found : difference_of_times (a, b);
}

static struct asg *build_for (const struct history *h, const struct level *level, enum own_writes own_writes) {
  const bool events = level_needs_events (level);
  return asg_build (h,
                    &(struct asg_options){ .merge_equal_reads = !events, .events = events, .own_writes = own_writes });
}

static const char *compare (const struct history *h, const struct brute_options *drawn, const struct level *level) {
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.clock_skew = drawn->clock_skew;
  options.threads = 1;
  options.own_writes = (enum own_writes) story_own_writes (h, drawn);
  struct asg *asg = build_for (h, level, options.own_writes);
  if (asg->unsupported) { // a list that is not defined
    asg_free (asg);
    return NULL;
  }
  struct ir *ir = lower_asg (asg, level, drawn->clock_skew);
  struct ir *back = through_text (ir);
  const char *wrong = back ? difference (ir, back) : "it does not come back";
  if (!wrong && verdict_of (check_history (h, &options)) != verdict_of (check_ir (back, &options)))
    wrong = "another verdict";
  ir_free (back);
  ir_free (ir);
  asg_free (asg);
  return wrong;
}

// Two equal reads with an unrecorded delete between them, which a later read settles: the text has
// them as one read, and so has the graph.
TEST reads_of_a_settled_unrecorded (void) {
  static const char text[] = "krait 1\ns1 T1 { put x 1 } commit\ns2 T2 { get x -> nil; del x; get x -> 1 } commit\n";
  struct error error = { 0 };
  struct brute_options drawn;
  brute_options_default (&drawn);
  struct history *h = history_read_memory ("text", text, sizeof text - 1, &format_kht, &error);
  ASSERTm (error.text, h);
  for (size_t i = 0; level_at (i); i++) {
    const char *wrong = compare (h, &drawn, level_at (i));
    ASSERT_EQm (wrong, NULL, wrong);
  }
  history_free (h);
  PASS ();
}

TEST random_histories_judge_the_same (enum random_ops kind, bool often_unknown) {
  const struct random_mixture mixture = { .ops = kind, .often_unknown = often_unknown };
  for (uint64_t index = 0; index < histories (); index++) {
    struct brute_options drawn;
    struct history *h = random_history_of (11, index, &mixture, &drawn);
    for (size_t i = 0; level_at (i); i++) {
      const char *wrong = compare (h, &drawn, level_at (i));
      if (wrong)
        printf ("history %" PRIu64 ", %s: %s\n", index, level_at (i)->name, wrong);
      ASSERT (!wrong);
    }
    history_free (h);
  }
  PASS ();
}

// The locks of aborted transactions, of reads without a result and of own reads count too, though
// these are not in the file.
TEST histories_that_lock_out_of_sight (void) {
  unsigned hidden = 0;
  const struct level *level = level_find ("cursor-stability");
  for (uint64_t index = 0; index < 20 * histories (); index++) {
    struct brute_options drawn;
    struct history *h = random_history (14, index, &drawn);
    if (any_locks (h)) {
      struct asg *asg = build_for (h, level, OWN_MUST);
      bool in_file = false;
      for (uint32_t read = 0; read < asg->reads; read++)
        in_file |= locks (h, asg->read_op[read]);
      hidden += !in_file;
      asg_free (asg);
      const char *wrong = compare (h, &drawn, level);
      ASSERT_EQm (wrong, NULL, wrong);
    }
    history_free (h);
  }
  ASSERT (hidden > 20);
  PASS ();
}

TEST chains_do_not_matter (void) {
  for (uint64_t index = 0; index < 500; index++) {
    struct random_ir made;
    if (!random_ir_make (&made, 12, index, level_find ("serializable")))
      continue;
    struct ir *back = through_text (made.ir);
    ASSERT (back);
    struct ir *plain = lower_asg (made.asg, made.ir->level, 0);
    ASSERT_EQ (NULL, difference (plain, back));
    ir_free (plain);
    ir_free (back);
    random_ir_free (&made);
  }
  PASS ();
}

// --- Given edges -------------------------------------------------------------

// The same history, in which B reads from A on a key that nobody else touches.
static struct history *with_marker (const struct history *h, uint32_t a, uint32_t b) {
  struct history *copy = history_new ("marked");
  const char *why = NULL;
  for (uint32_t key = 0; key < history_keys (h); key++)
    history_key (copy, atoms_get (&h->keys, key), &why);
  for (uint32_t value = 0; value < atoms_count (&h->values); value++)
    history_value (copy, atoms_get (&h->values, value), &why);
  copy->init = h->init;
  copy->init_default = h->init_default;
  for (size_t i = 0; i < h->init_keys.count; i++)
    history_set_init_key (copy, h->init_keys.data[i], h->init_values.data[i], &why);
  const struct atom name =
    h->key_type == KEYS_BYTES ? atom_bytes ("the marker", 10) : atom_unsigned (UINT64_C (0xffffffffffff));
  const uint32_t marker = history_key (copy, name, &why);
  const uint32_t mark = history_value (copy, atom_bytes ("the mark", 8), &why);
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const struct txn_header header = {
      .session = h->session_labels.data[h->txn_sessions.data[t]],
      .has_id = true,
      .id = h->txn_ids.data[t],
      .status = (enum txn_status) h->txn_status.data[t],
      .begin = history_begin_time (h, t),
      .end = history_end_time (h, t),
    };
    history_begin_txn (copy, &header, &why);
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      history_add_op (copy, (enum op_kind) h->op_kinds.data[op], 0, h->op_keys.data[op], h->op_values.data[op],
                      h->op_aux.data[op], &why);
    if (t == a || t == b)
      history_add_op (copy, t == a ? OP_PUT : OP_GET, 0, marker, mark, AUX_NONE, &why);
  }
  history_finish (copy);
  return copy;
}

static bool draw_edge (struct prng *random, const struct asg *asg, struct ir_edge *edge) {
  if (asg->nodes < 3)
    return false;
  edge->from = prng_between (random, 1, asg->nodes - 1);
  edge->to = prng_between (random, 1, asg->nodes - 1);
  return edge->from != edge->to && !asg->optional[edge->from] && !asg->optional[edge->to];
}

TEST a_given_edge_is_like_a_read (void) {
  unsigned tried = 0, refused = 0;
  for (uint64_t index = 0; index < 2 * histories (); index++) {
    struct brute_options drawn;
    struct prng random = prng_fork (13, index);
    struct history *h = random_history (13, index, &drawn);
    struct check_options options;
    check_options_default (&options);
    options.clock_skew = drawn.clock_skew;
    options.threads = 1;
    options.steps.guess = prng_chance (&random, 50);
    options.steps.saturation = prng_chance (&random, 50);
    options.level = level_at (prng_below (&random, 3));
    struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true });
    struct ir *ir = lower_asg (asg, options.level, drawn.clock_skew);
    struct ir_edge edge;
    // else the initial state could have the mark too
    if (h->init != INIT_ANY && draw_edge (&random, asg, &edge)) {
      VEC_PUSH (ir->edges, edge);
      struct ir *back = through_text (ir);
      ASSERT (back && back->edges.count == 1);
      struct history *marked = with_marker (h, asg->node_txn[edge.from], asg->node_txn[edge.to]);
      const enum verdict expected = verdict_of (check_history (marked, &options));
      tried++;
      refused += expected == VERDICT_INVALID && verdict_of (check_history (h, &options)) == VERDICT_VALID;
      if (verdict_of (check_ir (back, &options)) != expected)
        FAILm ("the edge judges otherwise than the read");
      history_free (marked);
      ir_free (back);
    }
    ir_free (ir);
    asg_free (asg);
    history_free (h);
  }
  ASSERT (tried > histories () / 4);
  ASSERT (refused > histories () / 100); // some edges do turn valid histories invalid
  PASS ();
}

// With an edge, the IR and the file judge the same, at every level.
TEST a_given_edge_comes_back (void) {
  for (uint64_t index = 0; index < histories () / 4; index++)
    for (size_t i = 0; level_at (i); i++) {
      struct brute_options drawn;
      struct prng random = prng_fork (15, index);
      struct history *h = random_history (15, index, &drawn);
      struct check_options options;
      check_options_default (&options);
      options.threads = 1;
      struct asg *asg = build_for (h, level_at (i), OWN_MUST);
      struct ir *ir = lower_asg (asg, level_at (i), 0);
      struct ir_edge edge;
      if (draw_edge (&random, asg, &edge)) {
        VEC_PUSH (ir->edges, edge);
        struct ir *back = through_text (ir);
        ASSERT (back);
        ASSERT_EQm (level_at (i)->name, verdict_of (check_ir (ir, &options)), verdict_of (check_ir (back, &options)));
        ir_free (back);
      }
      ir_free (ir);
      asg_free (asg);
      history_free (h);
    }
  PASS ();
}

// --- By hand -----------------------------------------------------------------

#define HEAD "kir 1\nlevel strong-session-serializable\npoints 1 so=0>0 ww=0>0 wr=0>0 rw=0>0\n"
#define STRICT_HEAD "kir 1\nlevel strict-serializable\npoints 1 so=0>0 rt=0>0 ww=0>0 wr=0>0 rw=0>0\n"

#define CS_HEAD "kir 1\nlevel cursor-stability\npoints 1 ww=0>0 wr=0>0 rw=0>0\n"
#define AXIOMATIC_HEAD "kir 1\nlevel rc-ax\npoints 1 so=0>0 ww=0>0 wr=0>0 rw=0>0\n"
#define RU_HEAD "kir 1\nlevel ru\npoints 1 ww=0>0\n"
#define TWO HEAD "txn T1 s1\ntxn T2 s2\n"
#define RR_TWO "kir 1\nlevel rr\npoints 1 ww=0>0 wr=0>0 rw=0>0\ntxn T1 s1\ntxn T2 s2\n"
#define UNKNOWN_THREE                                                                                                  \
  HEAD "txn T1 s1\ntxn T2 s1\ntxn T3 s2 unknown\ntxn T4 s3 unknown\nkey k0 init=absent T1=v0 T2=v1\n"

static enum verdict verdict_of_text (const char *text) {
  struct error error = { 0 };
  struct check_options options;
  check_options_default (&options);
  struct ir *ir = read_text (text, strlen (text), &error);
  if (!ir) {
    fprintf (stderr, "%s\n", error.text);
    return VERDICT_UNKNOWN;
  }
  const enum verdict verdict = verdict_of (check_ir (ir, &options));
  ir_free (ir);
  return verdict;
}

TEST files_by_hand (void) {
  static const struct {
    const char *text;
    enum verdict verdict;
  } files[] = {
    { HEAD, VERDICT_UNKNOWN },
    { HEAD "\n# nothing\n   # at all\ntxn T1 s1 # alone\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0\nread T2 k0=v0\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0\nread T2 k0=absent\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\ntxn T2 s2\nkey k0 init=absent T1=v0\nread T2 k0=absent\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s2\nkey k0 init=absent T1=v0\nread T2 k0=absent\nedge T1 T2\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\ntxn T2 s2\nkey k0 init=absent T1=v0\nread T2 k0=absent\nedge T2 T1\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s2\ntxn T3 s3\nedge T1 T2\nedge T2 T3\nedge T3 T1\n", VERDICT_INVALID },
    { HEAD "txn T2 s2\ntxn T1 s1\ntxn T4 s2\nkey k0 init=absent T4=v0\nread T1 k0=v0\nread T2 k0=v0\n",
      VERDICT_INVALID },
    { HEAD "txn T1 s1\nkey k0 init=v3 T1=v0\nread T1 k0=v3\n", VERDICT_VALID },
    { HEAD "txn T1 s1\nkey k0 init=v3 T1=v0\nread T1 k0=v4\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\nkey k0 init=open T1=v0\nread T1 k0=v4\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=open\nread T1 k0=v4\nread T2 k0=v5\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\nkey k0 init=absent T1=v0\nown T1 k0=v0 read=v0\n", VERDICT_VALID },
    { HEAD "txn T1 s1\nkey k0 init=absent T1=v0\nown T1 k0=v0 read=v1\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\nkey k0 init=absent T1=v0\nown T1 k0=v1 read=v0\n", VERDICT_INVALID },
    { HEAD "txn T1 s1 unknown\ntxn T2 s2\nkey k0 init=absent T1=v0\nread T2 k0=v0\n", VERDICT_VALID },
    { STRICT_HEAD "txn T1 s1\n", VERDICT_UNKNOWN },
    { STRICT_HEAD "txn T1 s1 begin=- end=0\ntxn T2 s2 begin=0 end=-\nkey k0 init=absent T1=v0\nread T2 k0=absent\n",
      VERDICT_INVALID },
    { STRICT_HEAD "txn T1 s1 begin=- end=1\ntxn T2 s2 begin=0 end=-\nkey k0 init=absent T1=v0\nread T2 k0=absent\n",
      VERDICT_VALID },
    { STRICT_HEAD "txn T1 s1 unknown begin=- end=0\ntxn T2 s2 begin=0 end=-\ntxn T3 s3 begin=0 end=-\n"
                  "key k0 init=absent T1=v0\nread T2 k0=absent\nread T3 k0=v0\n",
      VERDICT_VALID },
    { RU_HEAD "txn T1 s1\nkey k0 init=absent T1=v0\nread T1 k0=v7\nown T1 k0=v0 read=v1\n", VERDICT_VALID },
    { RU_HEAD "txn T1 s1\ntxn T2 s2\nedge T1 T2\nedge T2 T1\n", VERDICT_INVALID },
    // Dead versions, what a range did not return, anything but a value.
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=v0 T1=absent\nread T2 k0=absent range\n", VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=v0 T1=absent\nread T2 k0=!absent\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=v0 T1=v1\nread T2 k0=!v0\n", VERDICT_VALID },
    { RR_TWO "key k0 init=absent T1=v0\nkey k1 init=absent T2=v0\nread T1 k1=absent range\nread T2 k0=absent range\n",
      VERDICT_VALID },
    { RR_TWO "key k0 init=absent T1=v0\nkey k1 init=absent T2=v0\nread T1 k1=absent\nread T2 k0=absent\n",
      VERDICT_INVALID },
    // An unrecorded delete: it wrote, or the reads behind it took place.
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=v0 T1=absent?\nread T1 k0=absent undeleted\nread T2 k0=absent\n",
      VERDICT_VALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=v0 T1=absent?\nread T1 k0=absent undeleted\nread T2 k0=v0\n",
      VERDICT_INVALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=absent?\nread T1 k0=absent undeleted\nread T2 k0=absent\n",
      VERDICT_VALID },
    // Version orders.
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0 T2=v1\norder k0 T2 T1\n", VERDICT_INVALID },
    { HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0 T2=v1\norder k0 T1 T2 unlisted\n", VERDICT_VALID },
    { RU_HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0 T2=v1\norder k0 T1 T2\norder k0 T2 T1\n",
      VERDICT_INVALID },
    { RU_HEAD "txn T1 s1\ntxn T2 s1\nkey k0 init=absent T1=v0 T2=v1\norder k0 T1 T2\norder k0 T2 T1 unlisted\n",
      VERDICT_VALID },
    // Unknown outcomes.
    { UNKNOWN_THREE "order k0 T2 T1 if T3\n", VERDICT_VALID },
    { UNKNOWN_THREE "order k0 T2 T1 if T3\nin T3\n", VERDICT_INVALID },
    { UNKNOWN_THREE "order k0 T2 T1 if T3\nin T4\n", VERDICT_VALID },
    { UNKNOWN_THREE "order k0 T2 T1 if T3\nin T4\nin T3 if T4\n", VERDICT_INVALID },
    { UNKNOWN_THREE "in T3\nin T4\n", VERDICT_VALID },
    { UNKNOWN_THREE "in T3\nin T4\norder k0 T1 T2 if T3\norder k0 T2 T1 if T4\n", VERDICT_INVALID },
    { UNKNOWN_THREE "in T3\nread T3 k0=v9\n", VERDICT_INVALID },
    { UNKNOWN_THREE "read T3 k0=v9\n", VERDICT_VALID },
    { UNKNOWN_THREE "in T4\nin T3 if T4\nread T3 k0=v9\n", VERDICT_INVALID },
    // What is wrong by itself.
    { TWO "wrong T1 result\n", VERDICT_INVALID },
    { TWO "key k0 init=absent\nwrong T1 element k0=v1\n", VERDICT_INVALID },
    { TWO "key k0 init=absent\nwrong T1 list k0\n", VERDICT_INVALID },
    { TWO "key k0 init=absent T1=absent\nown T1 k0=absent read=!absent\n", VERDICT_INVALID },
    { RU_HEAD "txn T1 s1\nkey k0 init=absent\nwrong T1 result\nwrong T1 element k0=v1\n", VERDICT_VALID },
    { RU_HEAD "txn T1 s1\nkey k0 init=absent\nwrong T1 list k0\n", VERDICT_INVALID },
    { HEAD "txn T1 s1 unknown\nwrong T1 result\n", VERDICT_UNKNOWN },
    { HEAD "txn T1 s1 unknown\nwrong T1 result\nin T1\n", VERDICT_INVALID },
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    ASSERT_EQm (files[i].text, files[i].verdict, verdict_of_text (files[i].text));
  PASS ();
}

#define CS_TWO CS_HEAD "txn T1 s1\ntxn T2 s2\n"
#define UPDATES "key k0 init=absent T1=v0@2 T2=v1@2\n"
#define AXIOMATIC_TWO AXIOMATIC_HEAD "txn T1 s1\ntxn T2 s2\nkey k0 init=absent T1=v0@1\nkey k1 init=absent T1=v0@2\n"

TEST files_with_places (void) {
  static const struct {
    const char *text;
    enum verdict verdict;
  } files[] = {
    { CS_HEAD, VERDICT_UNKNOWN },
    { CS_HEAD "locks\n", VERDICT_UNKNOWN },
    { CS_HEAD "locks\nkey k0 init=absent\n", VERDICT_UNKNOWN },
    { CS_HEAD "locks\ntxn T1 s1\n", VERDICT_VALID },
    // A lost update; only reads that lock hold a cursor if there are any, in the file or not.
    { CS_TWO UPDATES "read T1 k0=absent at=1\nread T2 k0=absent at=1\n", VERDICT_INVALID },
    { CS_TWO UPDATES "locks\nread T1 k0=absent at=1\nread T2 k0=absent at=1\n", VERDICT_VALID },
    { CS_TWO UPDATES "locks\nread T1 k0=absent at=1 lock\nread T2 k0=absent at=1\n", VERDICT_VALID },
    { CS_TWO UPDATES "locks\nread T1 k0=absent at=1 lock\nread T2 k0=absent at=1 lock\n", VERDICT_INVALID },
    // The last read before the first write holds the cursor.
    { CS_TWO "key k0 init=absent T1=v0@3 T2=v1@2\nread T1 k0=absent at=0\nread T1 k0=v1 at=2\nread T2 k0=absent at=1\n",
      VERDICT_VALID },
    { CS_TWO "key k0 init=absent T1=v0@3 T2=v1@2\nread T1 k0=v1 at=0\nread T1 k0=absent at=2\nread T2 k0=absent at=1\n",
      VERDICT_INVALID },
    { CS_TWO "key k0 init=absent T1=v0@2-9 T2=v1@2-2\nread T1 k0=absent at=1\nread T2 k0=absent at=1\n",
      VERDICT_INVALID },
    { CS_TWO "key k0 init=absent T1=v0@0-4294967294\nread T2 k0=v0 at=4294967295\n", VERDICT_VALID },
    { CS_TWO "key k0 init=absent T1=v0@2\nown T1 k0=v0 read=v0\nread T1 k0=absent at=1\n", VERDICT_VALID },
    { CS_TWO "key k0 init=absent T1=v0@2\nown T1 k0=v0 read=v1\nread T1 k0=absent at=1\n", VERDICT_INVALID },
    { CS_TWO "key k0 init=absent T1=v0@2-4\nown T1 k0=v1 read=v0\nown T1 k0=v2 read=absent\n", VERDICT_INVALID },
    { CS_HEAD "txn T1 s1 unknown\nkey k0 init=absent T1=v0@2-4\nown T1 k0=v1 read=v0\n", VERDICT_UNKNOWN },
    // External reads behind own writes, as --own-writes has it; an own fact says nothing about
    // them.
    { CS_TWO "key k0 init=absent T1=v0@2-4\nread T1 k0=absent at=3\nown T1 k0=v0 read=v0\n", VERDICT_VALID },
    { CS_TWO "key k0 init=absent T1=v0@2-4\nread T1 k0=absent at=3\nown T1 k0=v0 read=v1\n", VERDICT_INVALID },
    // An unrecorded delete before the write: only if it wrote, the read behind it holds no cursor.
    { CS_TWO "key k0 init=v0 T1=v2@4?2 T2=v1@2\nread T1 k0=v0 at=3\nread T2 k0=v0 at=1\n", VERDICT_VALID },
    { CS_TWO "key k0 init=v0 T1=v2@4 T2=v1@2\nread T1 k0=v0 at=3\nread T2 k0=v0 at=1\n", VERDICT_INVALID },
    // A read that is part of another operation holds no cursor.
    { CS_TWO "key k0 init=v0 T1=v2@4 T2=v1@2\nread T1 k0=v0 at=3 part\nread T2 k0=v0 at=1\n", VERDICT_VALID },
    { CS_TWO "key k0 init=v0 T1=v2@4 T2=v1@2\nread T1 k0=v0 at=4 part\nread T2 k0=v0 at=2 part\n", VERDICT_VALID },
    // The reads of one operation are one event.
    { AXIOMATIC_TWO "read T2 k0=v0 at=1 part\nread T2 k1=absent at=1 part range\n", VERDICT_VALID },
    { AXIOMATIC_TWO "read T2 k0=v0 at=1 part\nread T2 k1=absent at=2 part range\n", VERDICT_INVALID },
    // What an earlier read saw, a later one may not miss.
    { AXIOMATIC_TWO "read T2 k0=v0 at=1\nread T2 k1=absent at=2\n", VERDICT_INVALID },
    { AXIOMATIC_TWO "read T2 k1=absent at=1\nread T2 k0=v0 at=2\n", VERDICT_VALID },
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    ASSERT_EQm (files[i].text, files[i].verdict, verdict_of_text (files[i].text));
  PASS ();
}

TEST bad_files_are_refused_with_their_place (void) {
  static const struct {
    const char *text, *error;
  } files[] = {
    { "", "test.kir: expected a line with kir, found the end of the file" },
    { "kit 1", "test.kir:1:1: expected kir, found kit" },
    { "kir 2", "test.kir:1:5: expected version 1, found 2" },
    { "kir 1 1", "test.kir:1:7: expected the end of the line, found 1" },
    { "kir 1\n", "test.kir: expected a line with level, found the end of the file" },
    { "kir 1\nlevel", "test.kir:2:6: expected the name of a level, found the end of the line" },
    { "kir 1\nlevel sure", "test.kir:2:7: no level has this name" },
    { "kir 1\nlevel ser\nedges", "test.kir:3:1: expected points, found edges" },
    { "kir 1\nlevel ser\npoints 2", "test.kir:3:8: expected 1, found 2" },
    { "kir 1\nlevel ser\npoints 1 ww=0>0 wr=0>0", "test.kir:3:23: expected rw=0>0, found the end of the line" },
    { "kir 1\nlevel ser\npoints 1 ww=0>0 wr=0>0 rw=0>0 so=0>0",
      "test.kir:3:31: expected the end of the line, found so" },
    { HEAD "transaction",
      "test.kir:4:1: expected txn, key, read, own, wrong, order, in, edge or locks, found transaction" },
    { HEAD "txn", "test.kir:4:4: expected a transaction such as T7, found the end of the line" },
    { HEAD "txn 1 s1", "test.kir:4:5: expected a transaction such as T7, found 1" },
    { HEAD "txn T s1", "test.kir:4:5: expected a transaction such as T7, found T" },
    { HEAD "txn T18446744073709551616 s1",
      "test.kir:4:5: expected a transaction such as T7, found T18446744073709551616" },
    { HEAD "txn T1", "test.kir:4:7: expected a session such as s1, found the end of the line" },
    { HEAD "txn T1 1", "test.kir:4:8: expected a session such as s1, found 1" },
    { HEAD "txn T1 s1 maybe", "test.kir:4:11: the level has no real time" },
    { HEAD "txn T1 s1 begin=- end=0", "test.kir:4:11: the level has no real time" },
    { HEAD "txn T1 s1\ntxn T1 s2", "test.kir:5:5: this transaction stands above already" },
    { STRICT_HEAD "txn T1 s1 maybe", "test.kir:4:11: expected begin=, found maybe" },
    { STRICT_HEAD "txn T1 s1 begin=0", "test.kir:4:18: expected end=, found the end of the line" },
    { STRICT_HEAD "txn T1 s1 begin=x end=1", "test.kir:4:17: expected a time slot, or -, found x" },
    { STRICT_HEAD "txn T1 s1 begin=0 end=4294967295", "test.kir:4:23: expected a time slot, or -, found 4294967295" },
    { STRICT_HEAD "txn T1 s1 begin=0x end=1", "test.kir:4:18: expected the end of the word, found x" },
    { STRICT_HEAD "txn T1 s1 begin=1 end=1", "test.kir:4:11: the transaction ends before it begins" },
    { STRICT_HEAD "txn T1 s1 begin=0 end=1 unknown", "test.kir:4:25: expected the end of the line, found unknown" },
    { TWO "key", "test.kir:6:4: expected a key such as k0, found the end of the line" },
    { TWO "key x", "test.kir:6:5: expected a key such as k0, found x" },
    { TWO "key k1 init=absent", "test.kir:6:5: keys are numbered one after the other, from k0" },
    { TWO "key k0", "test.kir:6:7: expected init=, found the end of the line" },
    { TWO "key k0 init=", "test.kir:6:8: expected init=, found init" },
    { TWO "key k0 init=4", "test.kir:6:13: expected a value such as v4, or absent, found 4" },
    { TWO "key k0 init=v4294967296", "test.kir:6:13: expected a value such as v4, or absent, found v4294967296" },
    { TWO "key k0 init=open\nkey k1 init=absent", "test.kir:7:13: the initial state is open for all keys or for none" },
    { TWO "key k0 init=absent T3=v0", "test.kir:6:20: no transaction of this name stands above" },
    { TWO "key k0 init=absent T1", "test.kir:6:22: expected =, found the end of the line" },
    { TWO "key k0 init=absent T1=v0 T1=v1", "test.kir:6:26: this transaction installs the key already" },
    { TWO "key k0 init=absent\nread T1", "test.kir:7:8: expected a key such as k0, found the end of the line" },
    { TWO "key k0 init=absent\nread T1 k1=v0", "test.kir:7:9: no key of this name stands above" },
    { TWO "key k0 init=absent\nread T1 k0", "test.kir:7:11: expected =, found the end of the line" },
    { TWO "key k0 init=absent\nread T1 k0=open", "test.kir:7:12: expected a value such as v4, or absent, found open" },
    { TWO "key k0 init=absent\nread T1 k0=v0 v1", "test.kir:7:15: expected the end of the line, found v1" },
    { TWO "key k0 init=absent\nown T1 k0=v0 read=v1", "test.kir:7:8: this transaction does not install the key" },
    { TWO "key k0 init=absent T1=v0\nown T1 k0=v0 v1", "test.kir:7:14: expected read=, found v1" },
    { TWO "edge T1", "test.kir:6:8: expected a transaction such as T7, found the end of the line" },
    { TWO "edge T1 T3", "test.kir:6:9: no transaction of this name stands above" },
    { TWO "edge T1 T2x", "test.kir:6:11: expected the end of the word, found x" },
    { TWO "edge T1 T1", "test.kir:6:9: an edge from a transaction to itself" },
    { TWO "edge T1 T2 T1", "test.kir:6:12: expected the end of the line, found T1" },
    { HEAD "txn T1 s1\ntxn T2 s2 unknown\nedge T1 T2",
      "test.kir:6:9: an edge at a transaction whose outcome is unknown" },
    // Places where the level does not ask for them.
    { TWO "key k0 init=absent T1=v0@1", "test.kir:6:25: the level does not ask where operations stand" },
    { TWO "key k0 init=absent\nread T1 k0=v0 at=1", "test.kir:7:15: the level does not ask where operations stand" },
    { TWO "locks", "test.kir:6:1: the level does not ask where operations stand" },
    // Places where it does.
    { CS_TWO "locks x", "test.kir:6:7: expected the end of the line, found x" },
    { CS_TWO "key k0 init=absent T1=v0",
      "test.kir:6:25: expected @ and the place of the write, found the end of the line" },
    { CS_TWO "key k0 init=absent T1=v0 T2=v0@1",
      "test.kir:6:25: expected @ and the place of the write, found the end of the word" },
    { CS_TWO "key k0 init=absent T1=x@1", "test.kir:6:23: expected a value such as v4, or absent, found x" },
    { CS_TWO "key k0 init=absent T1=@1", "test.kir:6:23: expected a value such as v4, or absent, found @" },
    { CS_TWO "key k0 init=absent @1=v0", "test.kir:6:20: expected a transaction such as T7, found @" },
    { CS_TWO "key k0 init=absent T1@1=v0", "test.kir:6:22: expected =, found @" },
    { CS_TWO "key k0 init=absent T1=v0@", "test.kir:6:26: expected a place such as 5, found the end of the line" },
    { CS_TWO "key k0 init=absent T1=v0@x", "test.kir:6:26: expected a place such as 5, found x" },
    { CS_TWO "key k0 init=absent T1=v0@4294967296", "test.kir:6:26: expected a place such as 5, found 4294967296" },
    { CS_TWO "key k0 init=absent T1=v0@1x", "test.kir:6:27: expected the end of the word, found x" },
    { CS_TWO "key k0 init=absent T1=v0@1- T2=v0@1",
      "test.kir:6:28: expected a place such as 5, found the end of the word" },
    { CS_TWO "key k0 init=absent T1=v0@1-2-3", "test.kir:6:29: expected the end of the word, found -3" },
    { CS_TWO "key k0 init=absent T1=v0@7-3", "test.kir:6:26: the first write of the key stands behind the last one" },
    { CS_TWO "key k0 init=absent T1=v0@1 T1=v0@2", "test.kir:6:28: this transaction installs the key already" },
    { CS_TWO "key k0 init=absent T1=v0@1\nkey k1 init=absent T2=v0@1 T1=v0@1",
      "test.kir:7:33: another operation of the transaction stands at this place" },
    { CS_TWO "key k0 init=absent T1=v0@1-5\nkey k1 init=absent T1=v0@3-5",
      "test.kir:7:25: another operation of the transaction stands at this place" },
    { CS_TWO "key k0 init=absent T1=v0@3\nread T1 k0=absent at=3",
      "test.kir:7:19: another operation of the transaction stands at this place" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0",
      "test.kir:7:14: expected at= and the place of the read, found the end of the line" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 lock",
      "test.kir:7:15: expected at= and the place of the read, found lock" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=",
      "test.kir:7:18: expected a place such as 5, found the end of the line" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=-1", "test.kir:7:18: expected a place such as 5, found -1" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=1x", "test.kir:7:19: expected the end of the word, found x" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=1 lock",
      "test.kir:7:20: a read that locks, and no line locks above" },
    { CS_TWO "locks\nkey k0 init=absent\nread T1 k0=v0 at=1 locks",
      "test.kir:8:20: expected the end of the line, found locks" },
    { CS_TWO "locks\nkey k0 init=absent\nread T1 k0=v0 at=1 lock lock",
      "test.kir:8:25: expected the end of the line, found lock" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=2\nread T2 k0=v0 at=1\nread T1 k0=v0 at=1",
      "test.kir:9:15: the reads of a transaction stand in their order, each at a later place" },
    { CS_TWO "key k0 init=absent\nread T1 k0=v0 at=2\nread T1 k0=v0 at=2",
      "test.kir:8:15: the reads of a transaction stand in their order, each at a later place" },
    // Unrecorded deletes, ranges, anything but a value.
    { TWO "key k0 init=absent T1=v0?", "test.kir:6:25: only a delete can be in doubt" },
    { TWO "key k0 init=absent T1=?", "test.kir:6:23: expected a value such as v4, or absent, found ?" },
    { TWO "key k0 init=absent T1=absent??", "test.kir:6:23: expected a value such as v4, or absent, found absent" },
    { TWO "key k0 init=absent\nread T1 k0=!",
      "test.kir:7:13: expected a value such as v4, or absent, found the end of the line" },
    { TWO "key k0 init=absent\nread T1 k0=!!v0", "test.kir:7:13: expected a value such as v4, or absent, found !" },
    { TWO "key k0 init=absent\nread T1 k0=v0 range",
      "test.kir:7:15: only what is absent is read by a range without being returned" },
    { TWO "key k0 init=absent\nread T1 k0=!absent range",
      "test.kir:7:20: only what is absent is read by a range without being returned" },
    { TWO "key k0 init=absent\nread T1 k0=absent range range",
      "test.kir:7:25: expected the end of the line, found range" },
    { TWO "key k0 init=absent T1=absent\nread T1 k0=absent undeleted",
      "test.kir:7:12: the transaction has no delete in doubt of this key" },
    { TWO "key k0 init=absent\nread T1 k0=absent part",
      "test.kir:7:19: the level does not ask where operations stand" },
    { CS_TWO "key k0 init=absent T1=absent?@3-4?1",
      "test.kir:6:30: a delete in doubt is the only write of its transaction to the key" },
    { CS_TWO "key k0 init=absent T1=absent?@3?1",
      "test.kir:6:30: a delete in doubt is the only write of its transaction to the key" },
    { CS_TWO "key k0 init=absent T1=v0@3-4?3",
      "test.kir:6:30: the delete in doubt does not stand before the first write of the key" },
    { CS_TWO "key k0 init=absent T1=v0@3?", "test.kir:6:28: expected a place such as 5, found the end of the line" },
    { CS_TWO "key k0 init=absent T1=v0@3?2x", "test.kir:6:29: expected the end of the word, found x" },
    { CS_TWO "key k0 init=absent T1=v0@3\nkey k1 init=absent\nread T1 k1=absent at=1 part\nread T1 k0=absent at=1",
      "test.kir:9:19: the reads of a transaction stand in their order, each at a later place" },
    // Several transactions.
    { TWO "key k0 init=absent\norder k0 T1 T2", "test.kir:7:10: this transaction does not install the key" },
    { TWO "key k0 init=absent T1=v0\norder k0 T1 T1", "test.kir:7:13: an order of a transaction and itself" },
    { TWO "key k0 init=absent T1=v0 T2=v0\norder k0 T1 T2 if T1",
      "test.kir:7:19: the outcome of this transaction is known" },
    { TWO "key k0 init=absent T1=v0 T2=v0\norder k0 T1 T2 when",
      "test.kir:7:16: expected the end of the line, found when" },
    { TWO "order k0 T1 T2", "test.kir:6:7: no key of this name stands above" },
    { TWO "in T1", "test.kir:6:4: the outcome of this transaction is known" },
    { HEAD "txn T1 s1 unknown\nin T1 if",
      "test.kir:5:9: expected a transaction such as T7, found the end of the line" },
    { TWO "wrong T1", "test.kir:6:9: expected result, list or element, found the end of the line" },
    { TWO "wrong T1 list", "test.kir:6:14: expected a key such as k0, found the end of the line" },
    { TWO "key k0 init=absent\nwrong T1 list k0=v1", "test.kir:7:17: expected the end of the word, found =" },
    { TWO "key k0 init=absent\nwrong T1 element k0", "test.kir:7:20: expected =, found the end of the line" },
    { TWO "wrong T1 result k0", "test.kir:6:17: expected the end of the line, found k0" },
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct error error = { 0 };
    ASSERT_EQ (NULL, read_text (files[i].text, strlen (files[i].text), &error));
    ASSERT_STR_EQ (files[i].error, error.text);
    ASSERT_EQ (ERROR_INPUT, error.code);
  }
  PASS ();
}

TEST it_is_told_by_its_first_bytes (void) {
  ASSERT (kir_probe ("kir 1\n", 6));
  ASSERT (!kir_probe ("kir ", 4));
  ASSERT (!kir_probe ("kit 1", 5));
  ASSERT (!kir_probe (NULL, 0));
  ASSERT_EQ (level_find ("strict-serializable"), kir_probe_level (STRICT_HEAD, strlen (STRICT_HEAD)));
  ASSERT_EQ (level_find ("serializable"), kir_probe_level ("kir 1\nlevel ser", 15));
  ASSERT_EQ (NULL, kir_probe_level ("kir 1\nlevel ", 12));
  ASSERT_EQ (NULL, kir_probe_level ("kir 1\n", 6));
  ASSERT_EQ (NULL, kir_probe_level ("kir 1\nlevel never\n", 18));
  PASS ();
}

TEST what_it_looks_like (void) {
  static const char expected[] = HEAD "txn T1 s1\n"
                                      "txn T2 s1\n"
                                      "txn T3 s2\n"
                                      "txn T4 s3 unknown\n"
                                      "txn T5 s4 unknown  # left out\n"
                                      "key k0 init=absent T1=v0 T3=v0 T4=v1  # x\\x0a\n"
                                      "read T2 k0=v0  # x\\x0a=7 from T1 or T3\n"
                                      "read T3 k0=absent  # x\\x0a=nil from the initial state\n"
                                      "read T3 k0=v1  # x\\x0a=w from T4\n"
                                      "edge T1 T3\n";
  struct history *h = history_new ("x");
  const char *why;
  const uint32_t key = history_key (h, atom_bytes ("x\n", 2), &why);
  const uint32_t seven = history_value (h, atom_unsigned (7), &why),
                 word = history_value (h, atom_bytes ("w", 1), &why);
  const struct {
    uint64_t session;
    enum txn_status status;
    enum op_kind kinds[3];
    uint32_t values[3];
    unsigned ops;
  } txns[] = {
    { 1, TXN_COMMITTED, { OP_PUT }, { seven }, 1 },
    { 1, TXN_COMMITTED, { OP_GET }, { seven }, 1 },
    { 2, TXN_COMMITTED, { OP_GET, OP_GET, OP_PUT }, { VALUE_ABSENT, word, seven }, 3 },
    { 3, TXN_UNKNOWN, { OP_PUT }, { word }, 1 },
    { 4, TXN_UNKNOWN, { OP_GET }, { word }, 1 },
    { 4, TXN_ABORTED, { OP_PUT }, { word }, 1 },
  };
  for (size_t i = 0; i < sizeof txns / sizeof *txns; i++) {
    const struct txn_header header = { txns[i].session, false, 0, txns[i].status, TIME_NONE_BEGIN, TIME_NONE_END };
    ASSERT (history_begin_txn (h, &header, &why));
    for (unsigned op = 0; op < txns[i].ops; op++)
      ASSERT (history_add_op (h, txns[i].kinds[op], 0, key, txns[i].values[op], AUX_NONE, &why));
  }
  history_finish (h);
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true });
  struct ir *ir = lower_asg (asg, level_find ("strong-session-serializable"), 0);
  VEC_PUSH (ir->edges, (struct ir_edge){ asg->txn_node[0], asg->txn_node[2] });
  struct output *output = output_open_memory ();
  struct error error = { 0 };
  size_t length;
  ASSERT (kir_write (ir, output, &error));
  const char *text = output_memory (output, &length);
  ASSERT_STRN_EQ (expected, text, length);
  ASSERT_EQ (strlen (expected), length);
  output_discard (output);
  ir_free (ir);
  asg_free (asg);
  history_free (h);
  PASS ();
}

SUITE (kir) {
  RUN_TESTp (random_histories_judge_the_same, RANDOM_BASIC, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_ALL, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_ALL, true);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_LISTS, false);
  RUN_TESTp (random_histories_judge_the_same, RANDOM_LISTS, true);
  RUN_TEST (reads_of_a_settled_unrecorded);
  RUN_TEST (histories_that_lock_out_of_sight);
  RUN_TEST (chains_do_not_matter);
  RUN_TEST (a_given_edge_is_like_a_read);
  RUN_TEST (a_given_edge_comes_back);
  RUN_TEST (files_by_hand);
  RUN_TEST (files_with_places);
  RUN_TEST (bad_files_are_refused_with_their_place);
  RUN_TEST (it_is_told_by_its_first_bytes);
  RUN_TEST (what_it_looks_like);
}

KRAIT_UNIT_MAIN (RUN_SUITE (kir);)
