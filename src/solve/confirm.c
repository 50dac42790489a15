// An unsatisfiable answer counts only after every lemma was checked against the known graph by
// itself and a plain solver agreed.

#include "solve/instance.h"

#include <string.h>

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
  MEM_FREE_ALL (stack.data, seen);
  return found;
}

// `in_view`: by a path that shows something to whom it leads to.
static bool leads_to (const struct instance *instance, uint32_t from, uint32_t to, bool in_view) {
  const struct problem *problem = instance->problem;
  const enum path_answer answer = from == to ? PATH_KNOWN : problem_path (problem, from, to);
  if (answer == PATH_KNOWN)
    return true;
  return (answer == PATH_UNSURE || (!in_view && problem->known_hidden)) && search_path (problem, from, to, in_view);
}

static const struct guarded_edge *edge_of (const struct instance *instance, uint32_t edge) {
  return &instance->problem->edges.data[instance->part->edges.data[edge]];
}

// The lemma's edges, in order, must lead into each other by known paths and close. At most one of
// them forbids; then all else must be in view.
static bool lemma_is_cycle (const struct instance *instance, const uint32_t *edges, uint32_t count) {
  uint32_t once = 0, order = 0;
  for (uint32_t i = 0; i < count; i++) {
    once += edge_of (instance, edges[i])->role == ROLE_FORBID;
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

// A plain solver over clauses and lemmas; the lemmas that it needed become `kept`. False if it does
// not agree.
static bool refute_plainly (const struct instance *instance, uint8_t *kept) {
  struct sat *sat = sat_new (instance->options->seed);
  const int32_t variables = (int32_t) instance->part->variables.count;
  const uint32_t lemmas = instance_lemmas (instance);
  instance_add_clauses (instance, sat);
  for (uint32_t i = 0; i < lemmas; i++) {
    uint32_t count;
    const uint32_t *edges = instance_lemma (instance, i, &count);
    if (!kept[i])
      continue;
    instance_add_lemma (instance, sat, edges, count, variables + 1 + (int32_t) i);
    sat_assume (sat, variables + 1 + (int32_t) i);
  }
  const bool refuted = sat_solve (sat, instance->options->budget) == SAT_NO;
  for (uint32_t i = 0; refuted && i < lemmas; i++)
    kept[i] = kept[i] && sat_failed (sat, variables + 1 + (int32_t) i);
  sat_free (sat);
  return refuted;
}

void confirm_refutation (const struct instance *instance, struct answer *answer) {
  const uint32_t lemmas = instance_lemmas (instance);
  for (uint32_t i = 0; i < lemmas; i++) {
    uint32_t count;
    const uint32_t *edges = instance_lemma (instance, i, &count);
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
    const uint32_t *edges = instance_lemma (instance, i, &count);
    for (uint32_t k = 0; kept[i] && k < count; k++)
      VEC_PUSH (answer->core, instance->part->edges.data[edges[k]]);
    if (kept[i])
      VEC_PUSH (answer->core, UINT32_MAX);
  }
  mem_free (kept);
}
