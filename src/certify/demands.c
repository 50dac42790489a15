// What modules demand, held against a world.

#include "certify/valid.h"

#include "base/group.h"

#include <stdlib.h>

static bool condition_holds (struct world *w, const struct cert_condition *condition) {
  const uint32_t reader = history_txn_of_op (w->account->h, condition->op);
  if (!claim_reads_count (*w->level) || !w->in[reader])
    return false;
  if (account_found_nothing (w->account, condition->op, condition->key))
    return condition->source == INITIAL;
  const struct account_read *read = account_read_of (w->account, condition->op, condition->key);
  struct placed_read placed;
  return read && world_outcome (w, read) == OUTCOME_EXTERNAL
         && world_place_read (w, read, world_named (w, read->op, read->key), &placed)
         && placed.source == condition->source;
}

bool world_conditions_hold (struct world *w, const struct cert_demand *demand) {
  for (uint32_t i = 0; i < demand->conditions; i++)
    if (!condition_holds (w, &w->c->demands.conditions.data[demand->first_condition + i]))
      return false;
  return true;
}

static bool meets (struct world *w, const struct cert_demand *demand) {
  if (!world_conditions_hold (w, demand))
    return !demand->chosen;
  if (demand->chosen >= demand->alternatives)
    return false;
  const struct cert_demands *demands = &w->c->demands;
  const struct cert_alternative *alternative = &demands->alternatives.data[demand->first_alternative + demand->chosen];
  for (uint32_t i = alternative->first_edge; i < alternative->first_edge + alternative->edges; i++) {
    const struct cert_edge edge = demands->edges.data[i];
    if (!w->in[edge.from] || !w->in[edge.to])
      continue;
    if (w->commit[edge.from] >= world_entry (w, edge.to))
      return false;
    VEC_PUSH (w->given, edge);
  }
  return true;
}

bool world_meets_demands (struct world *w) {
  if (!w->c->demands.list.count)
    return true;
  for (size_t i = 0; i < w->c->demands.list.count; i++)
    if (!meets (w, &w->c->demands.list.data[i]))
      return complain (w->complaint, "demand %zu of the modules is not met", i + 1);
  struct grouping by_target = { .groups = w->txns };
  while (grouping_pass (&by_target))
    for (size_t i = 0; i < w->given.count; i++)
      group_put (&by_target, w->given.data[i].to, w->given.data[i].from);
  w->given_first = by_target.first;
  w->given_from = by_target.items;
  return true;
}
