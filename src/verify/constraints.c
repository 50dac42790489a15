// What modules demand, held against a world.

#include "verify/valid.h"

#include "base/group.h"

static bool condition_holds (struct world *w, const struct cert_condition *condition) {
  const uint32_t reader = history_txn_of_op (w->told->h, condition->op);
  if (!claim_reads_count (*w->level) || !w->in[reader])
    return false;
  if (told_found_nothing (w->told, condition->op, condition->key))
    return condition->source == INITIAL;
  const struct told_read *read = told_read_of (w->told, condition->op, condition->key);
  struct placed_read placed;
  return read && world_outcome (w, read) == OUTCOME_EXTERNAL
         && world_place_read (w, read, world_named (w, read), &placed) && placed.source == condition->source;
}

bool world_conditions_hold (struct world *w, const struct cert_constraint *constraint) {
  for (uint32_t i = 0; i < constraint->conditions; i++)
    if (!condition_holds (w, &w->c->constraints.conditions.data[constraint->first_condition + i]))
      return false;
  return true;
}

static bool meets (struct world *w, const struct cert_constraint *constraint) {
  if (!world_conditions_hold (w, constraint))
    return !constraint->chosen;
  if (constraint->chosen >= constraint->alternatives)
    return false;
  const struct cert_constraints *constraints = &w->c->constraints;
  const struct cert_alternative *alternative =
    &constraints->alternatives.data[constraint->first_alternative + constraint->chosen];
  for (uint32_t i = alternative->first_edge; i < alternative->first_edge + alternative->edges; i++) {
    const struct cert_edge edge = constraints->edges.data[i];
    if (!w->in[edge.from] || !w->in[edge.to])
      continue;
    if (w->commit[edge.from] >= world_entry (w, edge.to))
      return false;
    VEC_PUSH (w->given, edge);
  }
  return true;
}

bool world_meets_constraints (struct world *w) {
  if (!w->c->constraints.list.count)
    return true;
  for (size_t i = 0; i < w->c->constraints.list.count; i++)
    if (!meets (w, &w->c->constraints.list.data[i]))
      return complain (w->complaint, "constraint %zu of the modules is not met", i + 1);
  struct grouping by_target = { .groups = w->txns };
  while (grouping_pass (&by_target))
    for (size_t i = 0; i < w->given.count; i++)
      group_put (&by_target, w->given.data[i].to, w->given.data[i].from);
  w->given_first = by_target.first;
  w->given_from = by_target.items;
  return true;
}
