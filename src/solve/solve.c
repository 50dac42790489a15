#include "solve/solve.h"

#include "solve/components.h"
#include "solve/sat.h"
#include "solve/static_lemmas.h"
#include "solve/theory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
  PART_VARIABLES = 4000
}; // small parts are solved together up to about this size: a solver of its own costs more than they do

// One part with numbers of its own.
struct instance {
  const struct problem *problem;
  const struct part *part;
  const struct parts *parts;
  const struct solve_options *options;
  uint32_t points;
  uint32_t *point; // local points of the problem, ascending
  uint32_t *known_first, *known_to, *position;
  uint8_t *known_hidden;
  VEC (struct theory_edge) edges;
  edge_pair_vec lemmas; // found before search
  struct theory *theory;
  struct sat *sat;
};

struct answer {
  enum solve_outcome outcome;
  const char *broken;
  VEC (uint32_t) core;
  uint64_t conflicts, decisions, lemmas;
};

static uint32_t find_number (const uint32_t *sorted, uint32_t count, uint32_t wanted) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && sorted[low] == wanted ? low : UINT32_MAX;
}

static int by_number (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

// ---------------------------------------------------------------------------------------------------------------- numbering

static int32_t renumber (const struct instance *instance, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  const int32_t here =
    (int32_t) find_number (instance->part->variables.data, (uint32_t) instance->part->variables.count, variable) + 1;
  return literal > 0 ? here : -here;
}

// Every point of the components that the part's edges lie in: paths between their ends run through these.
static void number_points (struct instance *instance) {
  const struct problem *problem = instance->problem;
  const struct part *part = instance->part;
  const uint32_t *scc = instance->parts->scc;
  VEC (uint32_t) wanted = VEC_EMPTY; // components
  for (size_t i = 0; i < part->edges.count; i++)
    VEC_PUSH (wanted, scc[problem->edges.data[part->edges.data[i]].from]);
  if (wanted.count)
    qsort (wanted.data, wanted.count, sizeof *wanted.data, by_number);
  uint32_t distinct = 0;
  for (size_t i = 0; i < wanted.count; i++)
    if (!i || wanted.data[i] != wanted.data[distinct - 1])
      wanted.data[distinct++] = wanted.data[i];
  instance->point = MEM_ARRAY (uint32_t, problem->points);
  for (uint32_t v = 0; v < problem->points; v++)
    if (find_number (wanted.data, distinct, scc[v]) != UINT32_MAX)
      instance->point[instance->points++] = v;
  MEM_RESIZE (instance->point, instance->points);
  VEC_FREE (wanted);
}

static int by_position (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static void copy_known_graph (struct instance *instance) {
  const struct problem *problem = instance->problem;
  const uint32_t *scc = instance->parts->scc;
  const uint32_t points = instance->points;
  instance->known_first = MEM_ARRAY (uint32_t, (size_t) points + 1);
  VEC (uint32_t) to = VEC_EMPTY;
  VEC (uint8_t) hidden = VEC_EMPTY;
  uint64_t *places = MEM_ARRAY (uint64_t, points);
  for (uint32_t v = 0; v < points; v++) {
    const uint32_t from = instance->point[v];
    instance->known_first[v] = (uint32_t) to.count;
    places[v] = (uint64_t) problem->local_position[from] << 32 | v;
    for (uint32_t i = problem->known_first[from]; i < problem->known_first[from + 1]; i++)
      if (scc[problem->known_to[i]] == scc[from]) {
        VEC_PUSH (to, find_number (instance->point, points, problem->known_to[i]));
        if (problem->known_hidden)
          VEC_PUSH (hidden, problem->known_hidden[i]);
      }
  }
  instance->known_first[points] = (uint32_t) to.count;
  instance->known_to = to.data;
  instance->known_hidden = hidden.data;
  if (points)
    qsort (places, points, sizeof *places, by_position);
  instance->position = MEM_ARRAY (uint32_t, points);
  for (uint32_t i = 0; i < points; i++)
    instance->position[(uint32_t) places[i]] = i;
  mem_free (places);
}

static enum theory_class class_of (enum edge_role role) {
  return role == ROLE_ONCE ? THEORY_ONCE : role == ROLE_ORDER ? THEORY_ORDER : THEORY_PATH;
}

_Static_assert(MOST_GUARDS + 0 == THEORY_MOST_GUARDS + 0, "each guard of the problem has its place in the theory");

static void copy_edges (struct instance *instance) {
  const struct part *part = instance->part;
  for (size_t i = 0; i < part->edges.count; i++) {
    const struct guarded_edge *edge = &instance->problem->edges.data[part->edges.data[i]];
    struct theory_edge copy = { find_number (instance->point, instance->points, edge->from),
                                find_number (instance->point, instance->points, edge->to),
                                class_of (edge->role),
                                { 0 } };
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      copy.guard[k] = renumber (instance, edge->guard[k]);
    VEC_PUSH (instance->edges, copy);
  }
}

static void add_clauses (const struct instance *instance, struct sat *sat) {
  for (size_t i = 0; i < instance->part->clauses.count; i++) {
    for (const int32_t *literal = instance->problem->clauses.data + instance->part->clauses.data[i]; *literal;
         literal++)
      sat_add (sat, renumber (instance, *literal));
    sat_add (sat, 0);
  }
}

// ------------------------------------------------------------------------------------------------------------------- lemmas

static bool known_path (const void *context, uint32_t from, uint32_t to) {
  const struct instance *instance = context;
  const struct graph *g = instance->options->graph;
  const uint32_t u = instance->problem->point[instance->point[from]], v = instance->problem->point[instance->point[to]];
  return u < g->points && v < g->points && graph_reaches (g, u, v); // events are in no row
}

// All lemmas: those found before search, then those of the search.
static uint32_t lemma_count (const struct instance *instance) {
  return (uint32_t) instance->lemmas.count + theory_lemmas (instance->theory);
}

static const uint32_t *lemma_edges (const struct instance *instance, uint32_t lemma, uint32_t *count) {
  if (lemma >= instance->lemmas.count)
    return theory_lemma (instance->theory, lemma - (uint32_t) instance->lemmas.count, count);
  *count = 2;
  return instance->lemmas.data[lemma].edge;
}

// ------------------------------------------------------------------------------------------------------------ confirmation

// A known path between local points of the problem, by search; for what rows do not know.
static bool search_path (const struct problem *problem, uint32_t from, uint32_t to, bool in_view) {
  const uint32_t last = problem->local_position[to];
  uint8_t *seen = MEM_ZARRAY (uint8_t, problem->points);
  VEC (uint32_t) stack = VEC_EMPTY;
  VEC_PUSH (stack, from);
  bool found = false;
  while (stack.count && !found) {
    const uint32_t v = stack.data[--stack.count];
    found = v == to;
    for (uint32_t i = problem->known_first[v]; i < problem->known_first[v + 1]; i++) {
      const uint32_t next = problem->known_to[i];
      const bool skip = in_view && problem->known_hidden && problem->known_hidden[i];
      if (!skip && !seen[next] && problem->local_position[next] <= last) {
        seen[next] = 1;
        VEC_PUSH (stack, next);
      }
    }
  }
  VEC_FREE (stack);
  mem_free (seen);
  return found;
}

// `in_view`: by a path that shows something to whom it leads to.
static bool leads_to (const struct instance *instance, uint32_t from, uint32_t to, bool in_view) {
  const struct graph *g = instance->options->graph;
  const uint32_t u = instance->problem->point[from], v = instance->problem->point[to];
  const bool is_event = u >= g->points || v >= g->points;
  if (from == to || (!is_event && graph_reaches (g, u, v)))
    return true;
  const bool rows_know_all = g->kind != ROWS_PARTIAL && !is_event && (in_view || !instance->problem->known_hidden);
  return !rows_know_all && search_path (instance->problem, from, to, in_view);
}

static const struct guarded_edge *edge_of (const struct instance *instance, uint32_t edge) {
  return &instance->problem->edges.data[instance->part->edges.data[edge]];
}

// The lemma's edges, in order, must lead into each other by known paths and close. At most one of them forbids; then all else must be in view.
static bool lemma_is_cycle (const struct instance *instance, const uint32_t *edges, uint32_t count) {
  uint32_t once = 0, order = 0;
  for (uint32_t i = 0; i < count; i++) {
    once += edge_of (instance, edges[i])->role == ROLE_ONCE;
    order += edge_of (instance, edges[i])->role == ROLE_ORDER;
  }
  if (!count || once > 1 || (once && order))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!leads_to (instance, edge_of (instance, edges[i])->to,
                   edge_of (instance, edges[i + 1 == count ? 0 : i + 1])->from, once != 0))
      return false;
  return true;
}

static void add_lemma (const struct instance *instance, struct sat *sat, const uint32_t *edges, uint32_t count,
                       int32_t selector) {
  for (uint32_t i = 0; i < count; i++)
    for (unsigned k = 0; k < THEORY_MOST_GUARDS && instance->edges.data[edges[i]].guard[k]; k++)
      sat_add (sat, -instance->edges.data[edges[i]].guard[k]);
  if (selector)
    sat_add (sat, -selector);
  sat_add (sat, 0);
}

// A plain solver over clauses and lemmas; the lemmas that it needed become `kept`. False if it does not agree.
static bool refute_plainly (const struct instance *instance, uint8_t *kept) {
  struct sat *sat = sat_new (instance->options->seed);
  const int32_t variables = (int32_t) instance->part->variables.count;
  const uint32_t lemmas = lemma_count (instance);
  add_clauses (instance, sat);
  for (uint32_t i = 0; i < lemmas; i++) {
    uint32_t count;
    const uint32_t *edges = lemma_edges (instance, i, &count);
    if (!kept[i])
      continue;
    add_lemma (instance, sat, edges, count, variables + 1 + (int32_t) i);
    sat_assume (sat, variables + 1 + (int32_t) i);
  }
  const bool refuted = sat_solve (sat, instance->options->budget) == SAT_NO;
  for (uint32_t i = 0; refuted && i < lemmas; i++)
    kept[i] = kept[i] && sat_failed (sat, variables + 1 + (int32_t) i);
  sat_free (sat);
  return refuted;
}

static void confirm_refutation (const struct instance *instance, struct answer *answer) {
  const uint32_t lemmas = lemma_count (instance);
  for (uint32_t i = 0; i < lemmas; i++) {
    uint32_t count;
    const uint32_t *edges = lemma_edges (instance, i, &count);
    if (!lemma_is_cycle (instance, edges, count)) {
      answer->outcome = SOLVE_BROKEN;
      answer->broken = "a lemma of the search is not a cycle";
      return;
    }
  }
  uint8_t *kept = MEM_ARRAY (uint8_t, lemmas);
  memset (kept, 1, lemmas);
  answer->outcome = SOLVE_UNSATISFIABLE;
  for (int round = 0; round < 3; round++) // later rounds only make the core smaller
    if (!refute_plainly (instance, kept)) {
      answer->outcome = budget_check (instance->options->budget) != BUDGET_LEFT ? SOLVE_STOPPED : SOLVE_BROKEN;
      answer->broken = "a plain solver does not confirm the refutation";
      break;
    }
  for (uint32_t i = 0; i < lemmas && answer->outcome == SOLVE_UNSATISFIABLE; i++) {
    uint32_t count;
    const uint32_t *edges = lemma_edges (instance, i, &count);
    for (uint32_t k = 0; kept[i] && k < count; k++)
      VEC_PUSH (answer->core, instance->part->edges.data[edges[k]]);
    if (kept[i])
      VEC_PUSH (answer->core, UINT32_MAX);
  }
  mem_free (kept);
}

// ---------------------------------------------------------------------------------------------------------------- one part

// Parts are independent, so threads take them in any order; the result is read off in the order of the parts, and every part before the
// first refuted one has been solved, so it does not depend on the number of threads.
struct pool {
  const struct problem *problem;
  const struct parts *parts;
  const struct solve_options *options;
  int8_t *values;
  struct answer *answers;
  atomic_uint next;
  atomic_uint refuted; // the first part known to be refuted
};

struct turn {
  struct pool *pool;
  uint32_t number;
};

// A part before this one is refuted: nobody will ask what comes of this one.
static bool is_pointless (const void *context) {
  const struct turn *turn = context;
  return atomic_load (&turn->pool->refuted) < turn->number;
}

static void solve_part (const struct turn *turn) {
  const struct problem *problem = turn->pool->problem;
  const struct parts *parts = turn->pool->parts;
  const struct solve_options *options = turn->pool->options;
  struct answer *answer = &turn->pool->answers[turn->number];
  int8_t *values = turn->pool->values;
  struct instance instance = {
    .problem = problem, .part = &parts->part[turn->number], .parts = parts, .options = options
  };
  const uint32_t variables = (uint32_t) instance.part->variables.count;
  number_points (&instance);
  copy_known_graph (&instance);
  copy_edges (&instance);
  instance.theory = theory_new (variables, instance.edges.data, (uint32_t) instance.edges.count, instance.points,
                                instance.known_first, instance.known_to, instance.known_hidden, instance.position);
  instance.sat = sat_new (options->seed);
  sat_attach (instance.sat, instance.theory, variables);
  add_clauses (&instance, instance.sat);
  if (options->static_lemmas)
    find_static_lemmas (instance.edges.data, (uint32_t) instance.edges.count, instance.points, instance.known_first,
                        instance.known_to, instance.known_hidden, known_path, &instance, &instance.lemmas);
  for (size_t i = 0; i < instance.lemmas.count; i++)
    add_lemma (&instance, instance.sat, instance.lemmas.data[i].edge, 2, 0);
  for (uint32_t v = 1; options->priority && v <= variables; v++)
    sat_phase (instance.sat,
               problem->phases.data[instance.part->variables.data[v - 1]] > 0 ? (int32_t) v : -(int32_t) v);
  sat_stop_when (instance.sat, is_pointless, turn);
  if (options->most_conflicts)
    sat_limit (instance.sat, options->most_conflicts);
  const enum sat_answer said = sat_solve (instance.sat, options->budget);
  const struct sat_statistics statistics = sat_count (instance.sat);
  answer->conflicts = statistics.conflicts;
  answer->decisions = statistics.decisions;
  answer->lemmas = lemma_count (&instance);
  answer->outcome = said == SAT_YES ? SOLVE_SATISFIABLE : SOLVE_STOPPED;
  if (said == SAT_YES)
    for (uint32_t v = 1; v <= variables; v++)
      values[instance.part->variables.data[v - 1]] = sat_value (instance.sat, (int32_t) v) ? 1 : -1;
  else if (said == SAT_NO)
    confirm_refutation (&instance, answer);
  sat_free (instance.sat);
  theory_free (instance.theory);
  mem_free (instance.point);
  mem_free (instance.known_first);
  mem_free (instance.known_to);
  mem_free (instance.known_hidden);
  mem_free (instance.position);
  VEC_FREE (instance.edges);
  VEC_FREE (instance.lemmas);
}

// --------------------------------------------------------------------------------------------------------------- all parts

static void *work (void *argument) {
  struct pool *pool = argument;
  for (;;) {
    const uint32_t number = atomic_fetch_add (&pool->next, 1);
    if (number >= pool->parts->count || number > atomic_load (&pool->refuted))
      return NULL;
    solve_part (&(struct turn){ pool, number });
    if (pool->answers[number].outcome == SOLVE_SATISFIABLE)
      continue;
    unsigned first = atomic_load (&pool->refuted);
    while (number < first && !atomic_compare_exchange_weak (&pool->refuted, &first, number))
      ;
  }
}

static void run_pool (struct pool *pool, unsigned threads) {
  pthread_t *workers = MEM_ARRAY (pthread_t, threads);
  unsigned started = 0;
  while (started + 1 < threads && started + 1 < pool->parts->count
         && !pthread_create (&workers[started], NULL, work, pool))
    started++;
  work (pool);
  for (unsigned i = 0; i < started; i++)
    pthread_join (workers[i], NULL);
  mem_free (workers);
}

void solve_problem (const struct problem *problem, const struct solve_options *options, struct solve_result *result) {
  *result = (struct solve_result){ .outcome = SOLVE_SATISFIABLE, .variables = problem_variables (problem) };
  struct parts *parts = problem_parts (problem, options->components, PART_VARIABLES);
  struct pool pool = { .problem = problem, .parts = parts, .options = options };
  pool.values = MEM_ZARRAY (int8_t, problem->variables.count);
  pool.answers = MEM_ZARRAY (struct answer, parts->count);
  atomic_init (&pool.next, 0);
  atomic_init (&pool.refuted, UINT32_MAX);
  result->parts = parts->count;
  run_pool (&pool, options->threads ? options->threads : 1);
  for (uint32_t i = 0; i < parts->count; i++) {
    struct answer *answer = &pool.answers[i];
    if (result->outcome == SOLVE_SATISFIABLE) {
      result->conflicts += answer->conflicts;
      result->decisions += answer->decisions;
      result->lemmas += answer->lemmas;
      result->outcome = answer->outcome;
      result->broken = answer->broken;
      for (size_t k = 0; answer->outcome == SOLVE_UNSATISFIABLE && k < answer->core.count; k++)
        VEC_PUSH (result->core, answer->core.data[k]);
    }
    VEC_FREE (answer->core);
  }
  result->values = pool.values;
  mem_free (pool.answers);
  parts_free (parts);
}

void solve_result_free (struct solve_result *result) {
  mem_free (result->values);
  VEC_FREE (result->core);
}
