// Hints against the brute-force checker: histories with facts about version orders and sources, and with commit timestamps. The brute force goes through the worlds
// that fit the facts; the checker reads them as hints. Some facts are those of a world in which a level holds, so that it still must; the others are drawn at random from
// what the history does not contradict.
//
//   hints [--count=N] [--seed=S] [--levels=A,B] [--only=INDEX] [--ablation] [--ops=basic|all|lists] [--unknown=often]

#include "api/check.h"
#include "formats/json_write.h"
#include "judge.h"
#include "levels/levels.h"
#include "prng.h"
#include "random_history.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPORTS = 5 };

struct hinted {
  struct history *h;
  struct brute_options options;
  struct brute_hints hints;
  bool stamped; // the orders are told as commit timestamps
  bool true_to_world;
  unsigned true_level;
  int64_t stamp[BRUTE_HINT_NODES];
  struct prng prng;
};

struct test {
  struct run run;
  uint64_t passed, failed, skipped;
  uint64_t of[2];   // levels that hold, and that do not
  uint64_t changed; // verdicts that the hints made different
  uint64_t refused; // by a list
};

// ------------------------------------------------------------------------------------------------------------------ drawing facts

static void shuffle (struct prng *prng, unsigned *items, unsigned count) {
  for (unsigned i = count; i > 1; i--) {
    const unsigned k = prng_below (prng, i), item = items[i - 1];
    items[i - 1] = items[k];
    items[k] = item;
  }
}

static unsigned installers (const struct story *story, unsigned key, unsigned *nodes) {
  unsigned count = 0;
  for (unsigned node = 1; node < story->nodes; node++)
    if (story->txns[node].status != TXN_ABORTED && story->txns[node].versions[key].installed)
      nodes[count++] = node;
  return count;
}

// Some of the items stay, in their order.
static unsigned thin_out (struct prng *prng, unsigned *items, unsigned count, unsigned percent) {
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (prng_chance (prng, percent))
      items[kept++] = items[i];
  return kept;
}

static void draw_orders (struct hinted *t, const struct story *story) {
  const unsigned percent = prng_below (&t->prng, 101), stay = prng_chance (&t->prng, 50) ? 100 : 70;
  for (unsigned key = 0; key < story->keys; key++) {
    unsigned nodes[BRUTE_HINT_NODES], count = installers (story, key, nodes);
    if (!count || !prng_chance (&t->prng, percent))
      continue;
    shuffle (&t->prng, nodes, count);
    count = thin_out (&t->prng, nodes, count, stay);
    t->hints.order[t->hints.orders].key = key;
    t->hints.order[t->hints.orders].count = count;
    memcpy (t->hints.order[t->hints.orders++].node, nodes, count * sizeof *nodes);
  }
}

static bool can_be_source (const struct story *story, const struct story_read *read, unsigned node) {
  if (node == read->reader)
    return read->may_be_own;
  if (!node)
    return story->any_initial || expectation_met (read->expects, read->value, story->initial[read->key]);
  const struct story_version *version = &story->txns[node].versions[read->key];
  return story->txns[node].status != TXN_ABORTED && version->installed
         && expectation_met (read->expects, read->value, version->value);
}

static enum op_kind kind_of (const struct history *h, unsigned reader, unsigned operation) {
  return (enum op_kind) h->op_kinds.data[h->txn_first_op.data[reader - 1] + operation];
}

// A delete without a recorded result has no version; lists tell theirs.
static bool may_have_hint (const struct history *h, const struct story_read *read) {
  const uint32_t op = h->txn_first_op.data[read->reader - 1] + read->operation;
  if (read->expects == EXPECTS_WRITER || h->op_kinds.data[op] == OP_LIST)
    return false;
  return h->op_kinds.data[op] != OP_DEL || (h->op_flags.data[op] & OP_RESULT_KNOWN);
}

static void draw_sources (struct hinted *t, const struct story *story) {
  const unsigned percent = prng_chance (&t->prng, 30) ? 0 : prng_below (&t->prng, 101);
  for (unsigned r = 0; r < story->reads && t->hints.sources < BRUTE_HINT_SOURCES; r++) {
    const struct story_read *read = &story->read[r];
    if (!prng_chance (&t->prng, percent) || story->txns[read->reader].status == TXN_ABORTED
        || !may_have_hint (t->h, read))
      continue;
    unsigned nodes[STORY_NODES], count = 0;
    for (unsigned node = 0; node < story->nodes; node++)
      if (can_be_source (story, read, node))
        nodes[count++] = node;
    if (!count)
      continue;
    t->hints.source[t->hints.sources].reader = read->reader;
    t->hints.source[t->hints.sources].operation = read->operation;
    t->hints.source[t->hints.sources].key = read->key;
    t->hints.source[t->hints.sources++].source = nodes[prng_below (&t->prng, count)];
  }
}

// A part of a world in which some level holds.
static bool take_from_world (struct hinted *t) {
  struct brute_capture capture = { .level = prng_below (&t->prng, brute_levels ()) };
  struct brute_options options = t->options;
  struct brute_verdicts verdicts;
  options.capture = &capture;
  if (!brute_judge (t->h, &options, &verdicts) || !capture.found)
    return false;
  t->hints = capture.world;
  t->true_to_world = true;
  t->true_level = capture.level;
  const unsigned orders = prng_below (&t->prng, 3) * 50, sources = prng_below (&t->prng, 3) * 50;
  unsigned kept = 0;
  for (unsigned i = 0; i < t->hints.orders; i++)
    if (prng_chance (&t->prng, orders))
      t->hints.order[kept++] = t->hints.order[i];
  t->hints.orders = kept;
  kept = 0;
  for (unsigned i = 0; i < t->hints.sources; i++) {
    const unsigned reader = t->hints.source[i].reader, operation = t->hints.source[i].operation;
    const uint32_t op = t->h->txn_first_op.data[reader - 1] + operation;
    const enum op_kind kind = kind_of (t->h, reader, operation);
    const bool blind = kind == OP_DEL && !(t->h->op_flags.data[op] & OP_RESULT_KNOWN);
    if (kind != OP_LIST && !blind && prng_chance (&t->prng, sources))
      t->hints.source[kept++] = t->hints.source[i];
  }
  t->hints.sources = kept;
  return true;
}

// Timestamps: who has one comes in their order on every key.
static void draw_stamps (struct hinted *t, const struct story *story) {
  unsigned nodes[BRUTE_HINT_NODES], count = 0;
  const unsigned percent = prng_chance (&t->prng, 60) ? 100 : 70;
  for (unsigned node = 1; node < story->nodes; node++)
    nodes[count++] = node;
  shuffle (&t->prng, nodes, count);
  count = thin_out (&t->prng, nodes, count, percent);
  t->stamped = true;
  t->hints.orders = 0;
  for (unsigned i = 0; i < count; i++)
    t->stamp[nodes[i]] = (int64_t) i - 3;
  for (unsigned node = 0; node < story->nodes; node++) {
    bool has = false;
    for (unsigned i = 0; i < count; i++)
      has |= nodes[i] == node;
    if (!has)
      t->stamp[node] = INT64_MAX;
  }
  for (unsigned key = 0; key < story->keys; key++) {
    t->hints.order[t->hints.orders].key = key;
    t->hints.order[t->hints.orders].count = 0;
    for (unsigned i = 0; i < count; i++)
      if (story->txns[nodes[i]].status != TXN_ABORTED && story->txns[nodes[i]].versions[key].installed)
        t->hints.order[t->hints.orders].node[t->hints.order[t->hints.orders].count++] = nodes[i];
    t->hints.orders++;
  }
}

// ------------------------------------------------------------------------------------------------------------------ telling them

static void text_atom (struct text *text, struct atom atom) {
  if (atom.kind == ATOM_BYTES)
    json_put_string (text, atom.bytes, atom.length);
  else if (atom.kind == ATOM_NEGATIVE)
    text_signed (text, (int64_t) atom.number);
  else
    text_unsigned (text, atom.number);
}

static void text_source (struct text *text, const struct history *h, unsigned node) {
  if (node)
    text_unsigned (text, h->txn_ids.data[node - 1]);
  else
    text_string (text, "null");
}

static uint32_t keep_text (struct history *h, struct text *text) {
  const uint32_t index = atoms_intern (&h->texts, atom_bytes (text->data, text->count));
  VEC_FREE (*text);
  return index;
}

static void tell_orders (struct hinted *t) {
  struct text text = { 0 };
  text_string (&text, "{\"versionOrder\":[");
  for (unsigned i = 0; i < t->hints.orders; i++) {
    text_string (&text, i ? ",[" : "[");
    text_atom (&text, atoms_get (&t->h->keys, t->hints.order[i].key));
    text_string (&text, ",[");
    for (unsigned k = 0; k < t->hints.order[i].count; k++) {
      text_string (&text, k ? "," : "");
      text_source (&text, t->h, t->hints.order[i].node[k]);
    }
    text_string (&text, "]]");
  }
  text_string (&text, "]}");
  t->h->hints = keep_text (t->h, &text);
}

static void tell_stamps (struct hinted *t) {
  for (uint32_t txn = 0; txn < history_txns (t->h); txn++) {
    if (t->stamp[txn + 1] == INT64_MAX)
      continue;
    struct text text = { 0 };
    text_string (&text, "{\"commitTs\":");
    text_signed (&text, t->stamp[txn + 1]);
    text_char (&text, '}');
    VEC_PUSH (t->h->txn_hints, (struct op_hint){ txn, keep_text (t->h, &text) });
  }
}

// All that is said about one operation.
static void tell_operation (struct hinted *t, uint32_t op, unsigned reader, unsigned operation) {
  const enum op_kind kind = (enum op_kind) t->h->op_kinds.data[op];
  const bool set = kind == OP_SCAN || kind == OP_ITER;
  struct text text = { 0 };
  unsigned told = 0;
  for (unsigned i = 0; i < t->hints.sources; i++) {
    if (t->hints.source[i].reader != reader || t->hints.source[i].operation != operation)
      continue;
    text_string (&text, told++ ? "," : set ? "[" : "");
    if (set) {
      text_char (&text, '[');
      text_atom (&text, atoms_get (&t->h->keys, t->hints.source[i].key));
      text_char (&text, ',');
    }
    text_source (&text, t->h, t->hints.source[i].source);
    text_string (&text, set ? "]" : "");
  }
  if (!told)
    return;
  text_string (&text, set ? "]" : "");
  VEC_PUSH (t->h->op_hints, (struct op_hint){ op, keep_text (t->h, &text) });
}

static void tell (struct hinted *t) {
  if (t->stamped)
    tell_stamps (t);
  else if (t->hints.orders)
    tell_orders (t);
  for (uint32_t txn = 0; txn < history_txns (t->h); txn++)
    for (uint32_t op = t->h->txn_first_op.data[txn]; op < t->h->txn_first_op.data[txn + 1]; op++)
      tell_operation (t, op, txn + 1, op - t->h->txn_first_op.data[txn]);
}

// --------------------------------------------------------------------------------------------------------------------- comparing

static enum verdict expected_verdict (enum brute_verdict brute) {
  return brute == BRUTE_HOLDS ? VERDICT_VALID : brute == BRUTE_FAILS ? VERDICT_INVALID : VERDICT_UNKNOWN;
}

static void report (const struct test *test, const struct hinted *t, uint64_t index, unsigned level,
                    const struct check_result *result, enum verdict expected) {
  if (test->failed > MOST_REPORTS)
    return;
  fprintf (stderr, "%s: the checker says %s%s%s, the brute force %s%s\n", brute_level_name (level),
           verdict_name (result->verdict), result->reason ? ": " : "", result->reason ? result->reason : "",
           verdict_name (expected), t->stamped ? " (timestamps are trusted)" : "");
  run_tell (&test->run, index, &t->options, t->h);
  if (test->failed == 1)
    shrink_save ("differential-failure.kht", t->h);
}

static void compare (struct test *test, const struct hinted *t, uint64_t index, const struct check_options *check,
                     const struct brute_verdicts *brute, const struct brute_verdicts *without) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    struct check_options own = *check;
    own.level = level_find (brute_level_name (level));
    if (test->run.levels && strcmp (test->run.levels, brute_level_name (level)))
      continue;
    struct check_result *result = check_history (t->h, &own);
    const enum verdict expected = expected_verdict (brute->of[level]);
    if (result->bad_input && test->run.mixture.ops == RANDOM_LISTS && !t->true_to_world
        && strstr (result->reason, "list"))
      test->refused++;
    else if (result->verdict == expected && !result->bad_input
             && !(t->true_to_world && t->true_level == level && expected != VERDICT_VALID))
      test->passed++;
    else {
      test->failed++;
      report (test, t, index, level, result, expected);
    }
    test->of[0] += expected == VERDICT_VALID;
    test->of[1] += expected == VERDICT_INVALID;
    test->changed += brute->of[level] != without->of[level];
    check_result_free (result);
  }
}

static struct check_steps random_steps (struct prng *prng) {
  return (struct check_steps){
    .stronger_first = prng_chance (prng, 50),
    .saturation = prng_chance (prng, 50),
    .guess = prng_chance (prng, 30),
    .components = prng_chance (prng, 50),
    .priority = prng_chance (prng, 50),
    .static_lemmas = prng_chance (prng, 50),
  };
}

static void check (struct test *test, struct hinted *t, uint64_t index) {
  struct brute_verdicts with, without;
  struct check_options check;
  const bool had = brute_judge (t->h, &t->options, &without);
  t->options.hints = &t->hints;
  if (!had || !brute_judge (t->h, &t->options, &with)) {
    test->skipped++;
    return;
  }
  check_options_default (&check);
  check.own_writes = (enum own_writes) t->options.own_writes;
  check.clock_skew = t->options.clock_skew;
  check.threads = 1;
  check.trust_commit_ts = t->stamped;
  compare (test, t, index, &check, &with, &without);
  if (test->run.ablation) {
    check.steps = random_steps (&t->prng);
    check.rows = (enum rows_kind) prng_below (&t->prng, ROWS_PARTIAL + 1);
    compare (test, t, index, &check, &with, &without);
  }
  if (t->stamped) { // without trust they break ties, and change nothing
    t->hints.orders = 0;
    check.trust_commit_ts = false;
    if (brute_judge (t->h, &t->options, &with))
      compare (test, t, index, &check, &with, &without);
  }
}

static void test_history (struct test *test, uint64_t index) {
  struct hinted t = { .prng = prng_fork (~test->run.seed, index) };
  struct story story;
  struct brute_verdicts verdicts = { 0 };
  t.h = random_history_of (test->run.seed, index, &test->run.mixture, &t.options);
  if (t.options.own_writes == BRUTE_OWN_INFER) // what hints say about own writes is not known to the brute force
    t.options.own_writes = BRUTE_OWN_MAY;
  if (story_tell (&story, t.h, &t.options, 0, &verdicts)) {
    if (prng_chance (&t.prng, 30) || !take_from_world (&t)) {
      draw_sources (&t, &story);
      if (prng_chance (&t.prng, 40))
        draw_stamps (&t, &story);
      else
        draw_orders (&t, &story);
    }
    tell (&t);
    if (test->run.single)
      run_tell (&test->run, index, &t.options, t.h);
    check (test, &t, index);
  } else
    test->skipped++;
  history_free (t.h);
}

int main (int argc, char **argv) {
  static struct test test;
  test.run = run_arguments (argc, argv, 3000, 100000);
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index);
  printf ("seed %" PRIu64 ", %" PRIu64 " histories: %" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64
          " changed by hints, %" PRIu64 " refused because of lists\n",
          test.run.seed, test.run.count, test.of[0], test.of[1], test.changed, test.refused);
  return run_end (test.passed, test.failed, test.skipped);
}
