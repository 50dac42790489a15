#include "core/part.h"

#include "core/core.h"
#include "explain/cases.h"
#include "explain/violation.h"
#include "history/effects.h"
#include "levels/levels.h"

// ------------------------------------------------------------------------------------------- names

// Where no circles could be told: cursor stability is what it is to have no lost updates.
static void name_by_levels (struct violation *v) {
  for (size_t i = 0; i < v->weakest_violated.count && !v->anomaly.name; i++)
    if (!strcmp (v->weakest_violated.data[i], "cursor-stability"))
      v->anomaly.name = NAMED_LOST_UPDATE;
}

static bool writes (const struct history *h, uint64_t id) {
  uint32_t t = 0;
  while (t < history_txns (h) && h->txn_ids.data[t] != id)
    t++;
  for (uint32_t op = h->txn_first_op.data[t]; t < history_txns (h) && op < h->txn_first_op.data[t + 1]; op++)
    if (effects_value_written (h, op) != VALUE_NONE)
      return true;
  return false;
}

// Who writes nothing in the part may have written something in the whole that is left out: then it
// is no anomaly of readers.
static void name_by_whole (struct violation *v, const struct history *whole) {
  if (v->anomaly.name != NAMED_READ_ONLY)
    return;
  uint8_t *which = violation_txns_in_circles (v);
  bool has_reader = false;
  for (uint32_t t = 0; t < history_txns (v->part); t++)
    has_reader |= which[t] && !writes (whole, v->part->txn_ids.data[t]);
  mem_free (which);
  if (!has_reader)
    v->anomaly.name = NAMED_WRITE_SKEW;
}

// -------------------------------------------------------------------------------------- the search

// In reads, versions and transactions looked at. The first steps look at the whole for each part.
enum { MOST_WORK = 1000000 };

static struct history *find_core (const struct judge *judge, const struct history *h, const struct violation *found,
                                  const struct check_options *options, const struct part_limits *limits) {
  if (limits->bounded && history_ops (h) > 2 * MOST_WORK)
    return NULL;
  struct budget budget;
  budget_start_until (&budget, limits->deadline, limits->memory, limits->stop);
  if (limits->bounded)
    budget.most_work = MOST_WORK;
  struct check_options search = *options;
  search.budget = &budget;
  return core_find (judge, h, &search, found);
}

// Cases are told of the history as it is: a dialect's parts and the facts of hints are none of
// their business. NULL: they do not do.
static struct violation *tell_cases (const struct history *core, const struct check_options *alone,
                                     const struct judgement *found) {
  struct violation *v = alone->dialect || found->rests_on_hints ? NULL : cases_find (core, alone);
  if (v && !v->anomaly.class)
    v->anomaly = found->violation->anomaly;
  return v;
}

static struct violation *tell_core (const struct judge *judge, struct history *core,
                                    const struct check_options *alone) {
  const struct judgement found = judge->decide (core, alone);
  struct violation *v = tell_cases (core, alone, &found);
  if (v)
    violation_free (found.violation);
  else
    v = found.violation;
  v->part = core;
  return v;
}

struct violation *explain_core (const struct judge *judge, const struct history *whole, struct history *core,
                                const struct check_options *alone) {
  struct violation *v = tell_core (judge, core, alone);
  name_by_whole (v, whole);
  return v;
}

struct violation *explain_part (const struct judge *judge, const struct history *h, const struct violation *found,
                                const struct check_options *alone, const struct part_limits *limits) {
  struct history *core = find_core (judge, h, found, alone, limits);
  if (!core)
    return NULL;
  struct violation *v = tell_core (judge, core, alone);
  judge->find_levels (core, alone, &v->weakest_violated, &v->strongest_holding);
  if (v->kind != VIOLATION_CASES)
    name_by_levels (v);
  name_by_whole (v, h);
  return v;
}
