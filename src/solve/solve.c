#include "solve/solve.h"

#include "base/parallel.h"
#include "solve/instance.h"
#include "solve/pieces.h"
#include "solve/windows.h"

#include <stdatomic.h>

// Small parts are solved together up to about this size: a solver of its own costs more than they
// do.
enum { PART_VARIABLES = 4000 };

// ---------------------------------------------------------------------------------------- one part

// Parts are independent, so threads take them in any order; the result is read off in the order of
// the parts, and every part before the first refuted one has been solved, so it does not depend on
// the number of threads.
struct pool {
  const struct problem *problem;
  const struct components *parts;
  const struct solve_options *options;
  int8_t *values;
  struct answer *answers;
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

// One search after another, each for as long as its work stays below a limit.
struct slice {
  const struct turn *turn;
  const struct instance *instance;
  uint64_t limit, decisions;
};

static bool slice_is_over (const void *context) {
  const struct slice *slice = context;
  return is_pointless (slice->turn) || instance_work (slice->instance) >= slice->limit
         || (slice->decisions && sat_count (slice->instance->sat).decisions >= slice->decisions);
}

// `decisions`: at most so many; 0: no matter how many.
static enum sat_answer search_up_to (const struct turn *turn, const struct instance *instance, uint64_t limit,
                                     uint64_t decisions) {
  const struct slice slice = { turn, instance, limit, decisions };
  if (turn->pool->options->most_conflicts)
    sat_limit (instance->sat, turn->pool->options->most_conflicts);
  sat_stop_when (instance->sat, slice_is_over, &slice);
  return sat_solve (instance->sat, turn->pool->options->budget);
}

static void count_work (const struct instance *instance, struct answer *answer) {
  const struct sat_statistics statistics = sat_count (instance->sat);
  answer->conflicts += statistics.conflicts;
  answer->decisions += statistics.decisions;
  answer->lemmas += instance_lemmas (instance);
}

enum { PATIENCE = 20 };

static bool is_wanted (const struct turn *turn) {
  return budget_check (turn->pool->options->budget) == BUDGET_LEFT && !is_pointless (turn);
}

// A piece that takes many times what it took to build is left for the whole to settle. True: it is
// unsatisfiable.
static bool piece_is_refuted (const struct turn *turn, struct piece *piece, struct answer *answer) {
  const struct pool *pool = turn->pool;
  struct instance instance;
  instance_open (&instance, pool->problem, &piece->part, pool->parts->scc, pool->options, piece->point, piece->points);
  const bool refuted = search_up_to (turn, &instance, PATIENCE * instance_work (&instance), 0) == SAT_NO;
  answer->pieces++;
  answer->refuted_pieces += refuted;
  count_work (&instance, answer);
  if (refuted)
    confirm_refutation (&instance, answer);
  instance_close (&instance);
  component_clear (&piece->part);
  return refuted;
}

// What the caller suspects.
static bool suspects_are_refuted (const struct turn *turn, const struct component *part, const uint32_t *point,
                                  uint32_t points, struct answer *answer) {
  const struct suspects *suspects = turn->pool->options->suspects;
  struct piece piece;
  return suspects && piece_of_suspects (turn->pool->problem, part, point, points, suspects, &piece)
         && piece_is_refuted (turn, &piece, answer);
}

// A search that decides the same variables over and over goes on from what windows find.
static enum sat_answer search_part (const struct turn *turn, const struct instance *instance, struct answer *answer) {
#ifdef KRAIT_DEBUG_CHECKS // so that small histories go through windows, too
  enum { OVER_AND_OVER = 0 };
#else
  enum { OVER_AND_OVER = 3 };
#endif
  const struct problem *problem = turn->pool->problem;
  const uint64_t variables = instance->part->variables.count, most_decisions = OVER_AND_OVER * variables + 1;
  if (!is_wanted (turn))
    return SAT_STOPPED;
  if (!windows_are_worth_it (variables, turn->pool->options))
    return search_up_to (turn, instance, UINT64_MAX, 0);
  const enum sat_answer said = search_up_to (turn, instance, UINT64_MAX, most_decisions);
  if (said != SAT_STOPPED || !is_wanted (turn) || sat_count (instance->sat).decisions < most_decisions)
    return said;
  int8_t *phases = MEM_COPY (problem->phases.data, problem->phases.count);
  const struct patience patience = { is_pointless, turn };
  answer->conflicts += solve_windows (problem, instance->part, instance->scc, turn->pool->options, &patience, phases);
  instance_set_phases (instance, phases);
  mem_free (phases);
  return search_up_to (turn, instance, UINT64_MAX, 0);
}

static void solve_part (const struct turn *turn) {
  const struct problem *problem = turn->pool->problem;
  const struct components *parts = turn->pool->parts;
  const struct component *part = &parts->part[turn->number];
  struct answer *answer = &turn->pool->answers[turn->number];
  uint32_t points;
  uint32_t *point = part_points (problem, part, parts->scc, &points);
  if (suspects_are_refuted (turn, part, point, points, answer)) {
    mem_free (point);
    return;
  }
  struct instance instance;
  instance_open (&instance, problem, part, parts->scc, turn->pool->options, point, points);
  answer->outcome = SOLVE_STOPPED;
  const enum sat_answer said = search_part (turn, &instance, answer);
  count_work (&instance, answer);
  if (said == SAT_YES) {
    answer->outcome = SOLVE_SATISFIABLE;
    for (size_t v = 0; v < part->variables.count; v++)
      turn->pool->values[part->variables.data[v]] = sat_value (instance.sat, (int32_t) v + 1) ? 1 : -1;
  } else if (said == SAT_NO)
    confirm_refutation (&instance, answer);
  instance_close (&instance);
}

// --------------------------------------------------------------------------------------- all parts

static void take_part (void *context, uint32_t number) {
  struct pool *pool = context;
  if (number > atomic_load (&pool->refuted))
    return;
  solve_part (&(struct turn){ pool, number });
  if (pool->answers[number].outcome == SOLVE_SATISFIABLE)
    return;
  unsigned first = atomic_load (&pool->refuted);
  while (number < first && !atomic_compare_exchange_weak (&pool->refuted, &first, number))
    ;
}

void solve_problem (const struct problem *problem, const struct solve_options *options, struct solve_result *result) {
  *result = (struct solve_result){ .outcome = SOLVE_SATISFIABLE, .variables = problem_variables (problem) };
  struct components *parts = problem_components (problem, options->components, PART_VARIABLES);
  struct pool pool = { .problem = problem, .parts = parts, .options = options };
  pool.values = MEM_ZARRAY (int8_t, problem->variables.count);
  pool.answers = MEM_ZARRAY (struct answer, parts->count);
  atomic_init (&pool.refuted, UINT32_MAX);
  result->parts = parts->count;
  parallel_run (options->threads, parts->count, take_part, &pool);
  for (uint32_t i = 0; i < parts->count; i++) {
    struct answer *answer = &pool.answers[i];
    if (result->outcome == SOLVE_SATISFIABLE) {
      result->conflicts += answer->conflicts;
      result->decisions += answer->decisions;
      result->lemmas += answer->lemmas;
      result->pieces += answer->pieces;
      result->refuted_pieces += answer->refuted_pieces;
      result->outcome = answer->outcome;
      result->broken = answer->broken;
      for (size_t k = 0; answer->outcome == SOLVE_UNSATISFIABLE && k < answer->core.count; k++)
        VEC_PUSH (result->core, answer->core.data[k]);
    }
    VEC_FREE (answer->core);
  }
  result->values = pool.values;
  mem_free (pool.answers);
  components_free (parts);
}

void solve_result_free (struct solve_result *result) {
  MEM_FREE_ALL (result->values, result->core.data);
}
