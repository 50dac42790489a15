// What is handed to the search: known paths are those of the graph, and every order that explains
// the history satisfies clauses and edges.

#include "cnf/encoder.h"
#include "cnf/encodings.h"
#include "greatest_main.h"
#include "history/history.h"
#include "saturate/guess.h"
#include "tests/support/saturated.h"
#include "tests/support/serial_orders.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORIES = 2500 };

struct encoded {
  struct saturated s;
  open_pair_vec pairs;
  struct problem *problem;
};

// Without all rules more is left open.
static bool make (struct encoded *e, uint64_t index, const struct level *level, enum rows_kind rows) {
  *e = (struct encoded){ 0 };
  if (!saturated_make (&e->s, 71, index, level, rows, index % 2))
    return false;
  if (e->s.outcome != SATURATE_SETTLED) {
    saturated_free (&e->s);
    return false;
  }
  uint32_t *rank = guess_ranks (e->s.graph);
  open_pairs (e->s.saturation, &e->pairs, NULL);
  e->problem = encode_krait (&(struct to_encode){ e->s.saturation, &e->pairs, index % 3 ? rank : NULL, NULL, NULL });
  mem_free (rank);
  return true;
}

static void discard (struct encoded *e) {
  problem_free (e->problem);
  VEC_FREE (e->pairs);
  saturated_free (&e->s);
}

// --- Known paths -------------------------------------------------------------

static bool is_active (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) || g->active[graph_node (g, point)];
}

static const char *check_paths (struct encoded *e) {
  const struct problem *p = e->problem;
  struct graph *g = e->s.graph;
  uint64_t paths[64], local[64] = { 0 }, places = 0;
  saturated_paths (g, paths);
  for (uint32_t v = 0; v < p->points; v++) {
    if (v && p->point[v] <= p->point[v - 1])
      return "local points out of order";
    places |= UINT64_C (1) << p->local_position[v];
    for (uint32_t i = p->known_first[v]; i < p->known_first[v + 1]; i++) {
      local[v] |= UINT64_C (1) << p->known_to[i];
      if (p->local_position[p->known_to[i]] <= p->local_position[v])
        return "the order breaks a known path";
    }
  }
  if (p->points && places != UINT64_MAX >> (64 - p->points))
    return "places that are no permutation";
  for (uint32_t via = 0; via < p->points; via++)
    for (uint32_t v = 0; v < p->points; v++)
      if (local[v] >> via & 1)
        local[v] |= local[via];
  for (uint32_t v = 0; v < p->points; v++)
    for (uint32_t u = 0; u < p->points; u++) {
      if (!p->point[v]) // T0 comes before everything and behind nothing: its paths matter to nobody
        continue;
      const bool known =
        is_active (g, p->point[v]) && is_active (g, p->point[u]) && (paths[p->point[v]] >> p->point[u] & 1);
      if (known != (local[v] >> u & 1))
        return known ? "a known path is missing" : "a path that is not known";
    }
  return NULL;
}

// --- Shape -------------------------------------------------------------------

static bool is_literal (const struct problem *p, int32_t literal) {
  return literal && (uint32_t) abs (literal) <= problem_variables (p);
}

static const char *check_shape (const struct problem *p) {
  if (p->phases.count != p->variables.count)
    return "a variable without a phase";
  for (size_t i = 0; i < p->edges.count; i++) {
    const struct guarded_edge *edge = &p->edges.data[i];
    if (edge->from >= p->points || edge->to >= p->points || edge->from == edge->to)
      return "an edge between points that are not there";
    if (!edge->guard[0])
      return "an edge without a guard";
    bool ended = false;
    for (unsigned k = 0; k < MOST_GUARDS; k++) {
      if (edge->guard[k] && (ended || !is_literal (p, edge->guard[k])))
        return "a guard that is none";
      ended |= !edge->guard[k];
      for (unsigned j = 0; j < k; j++)
        if (edge->guard[k] && edge->guard[j] == edge->guard[k])
          return "a guard twice";
    }
  }
  for (size_t i = 0; i < p->clauses.count; i++) {
    if (!p->clauses.data[i])
      return "an empty clause";
    for (; p->clauses.data[i]; i++)
      if (i + 1 == p->clauses.count || !is_literal (p, p->clauses.data[i]))
        return "a clause that does not end, or has a literal that is none";
  }
  return NULL;
}

// --- Orders are models ---------------------------------------------------------

struct test {
  const struct encoded *e;
  const char *wrong;
  unsigned models;
};

struct placed {
  const struct asg *asg;
  uint32_t at[32]; // nodes, from 1 on, T0 first; 0: not in the order
  // per key: what the first reader of T0 saw; VALUE_UNRECORDED: there was none
  uint32_t initial[16];
};

static uint32_t seen_by (const struct placed *o, uint32_t reader, uint32_t key) {
  uint32_t latest = 0;
  for (uint32_t i = o->asg->key_first[key]; i < o->asg->key_first[key + 1]; i++) {
    const uint32_t writer = o->asg->install_node[i];
    if (o->at[writer] && o->at[writer] < o->at[reader] && o->at[writer] > o->at[latest])
      latest = writer;
  }
  return latest;
}

static void place (struct placed *o, const struct graph *g, const uint32_t *order, uint32_t count) {
  const struct asg *asg = o->asg = g->ir->asg;
  memset (o->at, 0, sizeof o->at);
  memset (o->initial, 0xfe, sizeof o->initial);
  for (uint32_t key = 0; key < asg->keys; key++)
    o->initial[key] = VALUE_UNRECORDED;
  o->at[0] = 1;
  for (uint32_t i = 0; i < count; i++)
    o->at[asg->txn_node[order[i]]] = i + 2;
  for (uint32_t read = 0; read < asg->reads; read++)
    if (o->at[graph_reader (g, read)] && !seen_by (o, graph_reader (g, read), asg->read_key[read]))
      o->initial[asg->read_key[read]] = asg->read_value[read];
}

// +1, -1, or 0 for helpers whose value is of no interest.
static int value_of (const struct test *test, const struct placed *o, uint32_t variable) {
  const struct variable *v = &test->e->problem->variables.data[variable];
  bool is;
  switch (v->kind) {
  case VARIABLE_PAIR: is = o->at[v->a] < o->at[v->b]; break;
  case VARIABLE_PRESENCE:
    if (v->b == NODE_NONE)
      return 0;
    is = o->at[v->b];
    break;
  case VARIABLE_SOURCE: {
    const uint32_t reader = graph_reader (test->e->s.graph, v->a);
    const uint32_t writer = v->b == SOURCE_INITIAL ? 0 : o->asg->install_node[v->b];
    is = o->at[reader] && seen_by (o, reader, o->asg->read_key[v->a]) == writer;
    break;
  }
  case VARIABLE_INITIAL:
    if (v->b == VALUE_UNRECORDED)
      return 0;
    is = o->initial[v->a] == v->b;
    break;
  default: return 0;
  }
  return is ? 1 : -1;
}

static bool literal_holds (const struct test *test, const struct placed *o, int32_t literal, bool helpers) {
  const int value = value_of (test, o, (uint32_t) abs (literal));
  return value ? (value > 0) == (literal > 0) : helpers;
}

// Slots stand behind everything that feeds them or an earlier one.
static uint32_t place_of (const struct test *test, const struct placed *o, uint32_t local) {
  const struct graph *g = test->e->s.graph;
  const uint32_t point = test->e->problem->point[local];
  if (!graph_is_slot (g, point))
    return 2 * o->at[graph_node (g, point)];
  uint32_t latest = 0;
  for (uint32_t node = 1; node < g->ir->asg->nodes; node++)
    if (g->ir->time_after[node] != SLOT_NONE && g->ir->time_after[node] <= point - g->first_slot
        && o->at[node] > latest)
      latest = o->at[node];
  return 2 * latest + 1;
}

static const char *check_model (const struct test *test, const struct placed *o) {
  const struct problem *p = test->e->problem;
  for (size_t i = 0; i < p->clauses.count; i++) {
    bool holds = false;
    for (; p->clauses.data[i]; i++)
      holds |= literal_holds (test, o, p->clauses.data[i], true);
    if (!holds)
      return "a clause that an order contradicts";
  }
  for (size_t i = 0; i < p->edges.count; i++) {
    const struct guarded_edge *edge = &p->edges.data[i];
    bool holds = true;
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      holds &= literal_holds (test, o, edge->guard[k], false);
    if (holds && place_of (test, o, edge->from) >= place_of (test, o, edge->to))
      return "an edge that an order contradicts";
  }
  return NULL;
}

static bool look_at (void *context, const uint32_t *order, uint32_t count) {
  struct test *test = context;
  const struct graph *g = test->e->s.graph;
  struct placed o;
  for (uint32_t i = 0; i < count; i++)
    if (g->ir->asg->txn_node[order[i]] == NODE_NONE)
      return true;
  place (&o, g, order, count);
  for (size_t i = 0; i < g->ir->edges.count; i++)
    if (o.at[g->ir->edges.data[i].from] >= o.at[g->ir->edges.data[i].to])
      return true;
  test->models++;
  test->wrong = check_model (test, &o);
  return !test->wrong;
}

static enum greatest_test_res run (enum rows_kind rows) {
  unsigned encoded = 0, variables = 0, models = 0;
  for (uint64_t index = 0; index < HISTORIES; index++) {
    struct encoded e;
    if (!make (&e, index, level_at (index % 3), rows))
      continue;
    struct test test = { .e = &e, .wrong = check_shape (e.problem) };
    if (!test.wrong)
      test.wrong = check_paths (&e);
    if (!test.wrong)
      serial_orders (e.s.made.h, e.s.made.ir->level, e.s.clock_skew, OWN_MUST, look_at, &test);
    encoded++;
    variables += problem_variables (e.problem);
    models += test.models;
    discard (&e);
    if (test.wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (test.wrong);
    }
  }
  ASSERT (encoded > 300);
  ASSERT (variables > 300);
  ASSERT (models > 1000);
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

SUITE (problems) {
  RUN_TEST (clocks);
  RUN_TEST (bits);
  RUN_TEST (partial_clocks);
}

KRAIT_UNIT_MAIN (RUN_SUITE (problems);)
