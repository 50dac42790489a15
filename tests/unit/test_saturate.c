// Saturation derives nothing but what holds in every order that explains the history, and refuses
// only where there is none.

#include "greatest_main.h"
#include "history/history.h"
#include "levels/lower.h"
#include "tests/support/saturated.h"
#include "tests/support/serial_orders.h"

#include <inttypes.h>
#include <string.h>

enum { HISTORIES = 2500 };

struct test {
  const struct saturated *s;
  const char *wrong;
  uint64_t orders; // that also keep the given edges
};

// Places of the nodes in an order, from 1 on, T0 first; 0: not in it.
static void place (const struct asg *asg, const uint32_t *order, uint32_t count, uint32_t *at) {
  memset (at, 0, asg->nodes * sizeof *at);
  at[0] = 1;
  for (uint32_t i = 0; i < count; i++)
    if (asg->txn_node[order[i]] != NODE_NONE)
      at[asg->txn_node[order[i]]] = i + 2;
}

// Whose version a reader sees in this order.
static uint32_t seen_by (const struct asg *asg, const uint32_t *at, uint32_t reader, uint32_t key) {
  uint32_t latest = 0;
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++) {
    const uint32_t writer = asg->install_node[i];
    if (at[writer] && at[writer] < at[reader] && at[writer] > at[latest])
      latest = writer;
  }
  return latest;
}

// Unknown transactions without a node never matter; orders with them say nothing about the graph.
static bool has_left_out (const struct asg *asg, const uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (asg->txn_node[order[i]] == NODE_NONE)
      return true;
  return false;
}

static const char *check_sources (const struct saturated *s, const uint32_t *at) {
  const struct graph *g = s->graph;
  const struct asg *asg = g->ir->asg;
  for (uint32_t read = 0; read < asg->reads; read++) {
    const uint32_t reader = graph_reader (g, read);
    if (at[reader] && g->active[reader] && g->read_writer[read] != NODE_NONE
        && seen_by (asg, at, reader, asg->read_key[read]) != g->read_writer[read])
      return "a source that an order contradicts";
  }
  for (size_t i = 0; i < s->saturation->open.count; i++) {
    const struct open_read *open = &s->saturation->open.data[i];
    const uint32_t reader = graph_reader (g, open->read);
    if (!at[reader] || !open->listed)
      continue;
    const uint32_t seen = seen_by (asg, at, reader, asg->read_key[open->read]);
    bool there = false;
    for (uint32_t k = 0; k < open->count; k++) {
      const uint32_t source = s->saturation->candidates.data[open->first + k];
      there |= (source == SOURCE_INITIAL ? 0 : asg->install_node[source]) == seen;
    }
    if (!there)
      return "a candidate was dropped that an order needs";
  }
  return NULL;
}

static const char *check_edges (const struct saturated *s, const uint32_t *at) {
  const struct graph *g = s->graph;
  for (uint32_t node = 1; node < g->ir->asg->nodes; node++)
    if (g->active[node] && !at[node])
      return "a transaction was taken in that an order leaves out";
  for (uint32_t v = 0; v < g->first_slot; v++)
    for (uint32_t i = g->extra_head[v]; i != UINT32_MAX; i = g->extra.data[i].next)
      if (at[g->extra.data[i].from] >= at[v])
        return "a derived edge that an order contradicts";
  for (uint32_t a = 1; a < g->ir->asg->nodes; a++)
    for (uint32_t b = 1; b < g->ir->asg->nodes; b++)
      if (a != b && g->active[a] && g->active[b] && graph_reaches (g, a, b) && at[a] >= at[b])
        return "a known path that an order contradicts";
  return NULL;
}

static bool look_at (void *context, const uint32_t *order, uint32_t count) {
  struct test *test = context;
  const struct saturated *s = test->s;
  const struct asg *asg = s->graph->ir->asg;
  uint32_t at[32];
  place (asg, order, count, at);
  for (size_t i = 0; i < s->made.ir->edges.count; i++)
    if (at[s->made.ir->edges.data[i].from] >= at[s->made.ir->edges.data[i].to])
      return true;
  test->orders++;
  if (has_left_out (asg, order, count))
    return true;
  if (s->outcome != SATURATE_SETTLED)
    test->wrong = "refused although an order explains the history";
  else {
    test->wrong = check_edges (s, at);
    test->wrong = test->wrong ? test->wrong : check_sources (s, at);
  }
  return !test->wrong;
}

static enum greatest_test_res run (enum rows_kind rows, bool all_rules) {
  unsigned refused = 0, explained = 0, hopeless = 0, derived = 0;
  for (uint64_t index = 0; index < HISTORIES; index++) {
    struct saturated s;
    if (!saturated_make (&s, 61, index, level_at (index % 3), rows, all_rules))
      continue;
    struct test test = { .s = &s };
    serial_orders (s.made.h, s.made.ir->level, s.clock_skew, OWN_MUST, look_at, &test);
    refused += s.outcome != SATURATE_SETTLED;
    explained += test.orders != 0;
    hopeless += !test.orders;
    derived += (unsigned) s.graph->extra.count;
    saturated_free (&s);
    if (test.wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (test.wrong);
    }
  }
  ASSERT (explained > 200);
  ASSERT (derived > 200);
  ASSERT (refused > 100);
  if (all_rules) // most of what cannot be explained is refused without any search
    ASSERT (10 * refused > 9 * hopeless);
  PASS ();
}

TEST clocks (void) {
  return run (ROWS_CLOCKS, true);
}

TEST bits (void) {
  return run (ROWS_BITS, true);
}

TEST partial_clocks (void) {
  return run (ROWS_PARTIAL, true);
}

TEST fewer_rules (void) {
  return run (ROWS_CLOCKS, false);
}

// ------------------------------------------------------------------------- larger than random ones

static void add_txn (struct history *h, uint32_t session, enum txn_status status) {
  const char *why = NULL;
  const struct txn_header header = {
    .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END, .status = status
  };
  history_begin_txn (h, &header, &why);
}

static void add_op (struct history *h, enum op_kind kind, uint64_t key, uint64_t value) {
  const char *why = NULL;
  history_add_op (h, kind, 0, history_key (h, atom_unsigned (key), &why),
                  history_value (h, atom_unsigned (value), &why), AUX_NONE, &why);
}

// Takes the history; what saturation says within a time that it needs only if it goes on for ever.
static enum saturate_outcome outcome_of (struct history *h, const char *level, enum rows_kind rows) {
  history_finish (h);
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true, .own_writes = OWN_MUST });
  struct ir *ir = lower_asg (asg, level_find (level), 0);
  struct graph *g = graph_new (ir, rows);
  struct saturation *s = saturation_new (g);
  struct budget budget;
  budget_start (&budget, 5, 0, NULL);
  const enum saturate_outcome outcome = saturate (s, true, &budget);
  saturation_free (s);
  graph_free (g);
  ir_free (ir);
  asg_free (asg);
  history_free (h);
  return outcome;
}

// Rows that know nothing of the readers' chains cannot tell that an edge is there already: adding
// it again must not count as news.
TEST many_readers_in_short_chains (void) {
  struct history *h = history_new ("readers");
  add_txn (h, 0, TXN_COMMITTED);
  add_op (h, OP_PUT, 0, 9); // concurrent with all else, so that the window stays open
  for (uint32_t i = 0; i < 36; i++) {
    add_txn (h, 1 + i / 6, TXN_COMMITTED);
    add_op (h, OP_PUT, 100 + i / 6, 50 + i % 6);
  }
  add_txn (h, 1, TXN_COMMITTED);
  add_op (h, OP_PUT, 0, 1);
  for (uint32_t i = 0; i < 200; i++) {
    add_txn (h, 10 + i, TXN_COMMITTED);
    add_op (h, OP_GET, 0, 1);
  }
  add_txn (h, 500, TXN_COMMITTED);
  add_op (h, OP_GET, 0, 1);
  add_op (h, OP_PUT, 0, 2);
  ASSERT_EQ (SATURATE_SETTLED, outcome_of (h, "strong-session-serializable", ROWS_PARTIAL));
  PASS ();
}

// Each unknown transaction took place because the next one did: a chain as long as the history, and
// no stack to follow it.
TEST long_chain_of_unknowns (void) {
  enum { LENGTH = 200000 };
  struct history *h = history_new ("unknowns");
  for (uint32_t i = 0; i < LENGTH; i++) {
    add_txn (h, i, TXN_UNKNOWN);
    if (i)
      add_op (h, OP_GET, 0, i);
    add_op (h, OP_PUT, 0, i + 1);
  }
  add_txn (h, LENGTH, TXN_COMMITTED);
  add_op (h, OP_GET, 0, LENGTH);
  ASSERT_EQ (SATURATE_SETTLED, outcome_of (h, "strong-session-read-committed", ROWS_PARTIAL));
  PASS ();
}

SUITE (saturation) {
  RUN_TEST (clocks);
  RUN_TEST (bits);
  RUN_TEST (partial_clocks);
  RUN_TEST (fewer_rules);
  RUN_TEST (many_readers_in_short_chains);
  RUN_TEST (long_chain_of_unknowns);
}

KRAIT_UNIT_MAIN (RUN_SUITE (saturation);)
