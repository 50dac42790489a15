// A guess may fail, but what it returns explains the history; and its ranks never contradict what
// is known.

#include "greatest_main.h"
#include "saturate/guess.h"
#include "tests/support/saturated.h"
#include "tests/support/serial_orders.h"

#include <inttypes.h>
#include <string.h>

enum { HISTORIES = 2500 };

static const char *check_ranks (struct graph *g, const uint32_t *rank) {
  uint64_t seen = 0;
  for (uint32_t v = 0; v < g->points; v++) {
    if (rank[v] >= g->points || (seen >> rank[v] & 1))
      return "ranks that are no permutation";
    seen |= UINT64_C (1) << rank[v];
    const bool in = graph_is_slot (g, v) || g->active[graph_node (g, v)];
    const uint32_t count = in ? graph_preds (g, v) : 0;
    for (uint32_t i = 0; i < count; i++)
      if (rank[g->preds.data[i]] >= rank[v])
        return "a rank that contradicts an edge";
  }
  return NULL;
}

static const char *check_guess (const struct saturated *s, const node_vec *order) {
  uint32_t txns[SERIAL_MOST_TXNS], at[32] = { 0 };
  for (size_t i = 0; i < order->count; i++) {
    txns[i] = s->graph->ir->asg->node_txn[order->data[i]];
    at[order->data[i]] = (uint32_t) i + 1;
  }
  for (size_t i = 0; i < s->made.ir->edges.count; i++)
    if (at[s->made.ir->edges.data[i].from] >= at[s->made.ir->edges.data[i].to])
      return "a guess that breaks a given edge";
  return serial_order_refused (s->made.h, s->made.ir->level, s->clock_skew, OWN_MUST, txns, (uint32_t) order->count);
}

struct question {
  const struct saturated *s;
  bool found; // an order that keeps the given edges
};

static bool look_at (void *context, const uint32_t *order, uint32_t count) {
  struct question *question = context;
  const struct saturated *s = question->s;
  uint32_t at[32] = { 0 };
  for (uint32_t i = 0; i < count; i++)
    if (s->graph->ir->asg->txn_node[order[i]] != NODE_NONE)
      at[s->graph->ir->asg->txn_node[order[i]]] = i + 1;
  for (size_t i = 0; i < s->made.ir->edges.count; i++)
    if (at[s->made.ir->edges.data[i].from] >= at[s->made.ir->edges.data[i].to])
      return true;
  question->found = true;
  return false;
}

static bool can_be_explained (const struct saturated *s) {
  struct question question = { s, false };
  serial_orders (s->made.h, s->made.ir->level, s->clock_skew, OWN_MUST, look_at, &question);
  return question.found;
}

static enum greatest_test_res run (enum rows_kind rows) {
  unsigned guessed = 0, missed = 0;
  for (uint64_t index = 0; index < HISTORIES; index++) {
    struct saturated s;
    if (!saturated_make (&s, 81, index, level_at (index % 3), rows, true))
      continue;
    const char *wrong = NULL;
    if (s.outcome == SATURATE_SETTLED) {
      node_vec order = VEC_EMPTY;
      uint32_t *rank = guess_ranks (s.graph);
      uint32_t *initial = MEM_ARRAY (uint32_t, s.graph->ir->asg->keys);
      if (s.graph->ir->asg->keys)
        memcpy (initial, s.saturation->init_fixed, s.graph->ir->asg->keys * sizeof *initial);
      wrong = check_ranks (s.graph, rank);
      if (!wrong && guess_order (s.saturation, rank, &order)) {
        wrong = check_guess (&s, &order);
        guessed++;
      } else
        missed += can_be_explained (&s);
      if (s.graph->ir->asg->keys
          && memcmp (initial, s.saturation->init_fixed, s.graph->ir->asg->keys * sizeof *initial))
        wrong = "the guess settled an initial value";
      mem_free (initial);
      mem_free (rank);
      VEC_FREE (order);
    }
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (wrong);
    }
  }
  ASSERT (guessed > 300);
  ASSERT (10 * missed < guessed);
  PASS ();
}

TEST clocks (void) {
  return run (ROWS_CLOCKS);
}

TEST bits (void) {
  return run (ROWS_BITS);
}

TEST partial_clocks (void) {
  return run (ROWS_PARTIAL);
}

TEST levels_with_two_points_are_not_guessed (void) {
  static const struct level two_points = {
    .name = "two points",
    .aliases = "",
    .rules.points = 2,
    .rules.ww = { true, 1, 0 },
    .rules.wr = { true, 1, 0 },
    .rules.rw = { true, 0, 1 },
  };
  struct saturated s;
  for (uint64_t index = 0;; index++) {
    if (!saturated_make (&s, 82, index, &two_points, ROWS_CLOCKS, true))
      continue;
    if (s.outcome == SATURATE_SETTLED)
      break;
    saturated_free (&s);
  }
  node_vec order = VEC_EMPTY;
  uint32_t *rank = guess_ranks (s.graph);
  ASSERT (!guess_order (s.saturation, rank, &order));
  mem_free (rank);
  VEC_FREE (order);
  saturated_free (&s);
  PASS ();
}

SUITE (guesses) {
  RUN_TEST (clocks);
  RUN_TEST (bits);
  RUN_TEST (partial_clocks);
  RUN_TEST (levels_with_two_points_are_not_guessed);
}

KRAIT_UNIT_MAIN (RUN_SUITE (guesses);)
