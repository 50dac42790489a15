#include "explain/independent.h"

#include "explain/core_series.h"
#include "history/history.h"

static void copy_cycle (cycle_edge_vec *to, const cycle_edge_vec *from) {
  for (size_t i = 0; i < from->count; i++) {
    VEC_PUSH (*to, from->data[i]);
    to->data[i].why = mem_strdup (from->data[i].why);
  }
}

// What the result says of its core.
static void list_one (struct check_result *to, const struct check_result *from) {
  struct found_anomaly found = { .anomaly = from->anomaly, .anomaly_name = from->anomaly_name };
  for (size_t i = 0; i < from->core.count; i++)
    VEC_PUSH (found.core, from->core.data[i]);
  copy_cycle (&found.cycle, &from->cycle);
  VEC_PUSH (to->anomalies, found);
}

static void list_core (struct check_result *result, const struct history *h, const struct check_options *alone,
                       struct history *core) {
  struct explained_part part = { .history = core };
  explain_core (&part, h, alone);
  struct check_result named = { 0 };
  tell_of_whole (&named, h, &part);
  list_one (result, &named);
  check_result_forget (&named);
  VEC_FREE (named.parts);
  explained_part_free (&part);
}

void list_anomalies (struct check_result *result, const struct history *h, const struct check_options *options,
                     const struct part_limits *limits, const struct explained_part *part, anomaly_listener *tell,
                     void *context) {
  const double start = clock_seconds ();
  struct budget budget;
  budget_start_until (&budget, limits->deadline, limits->memory, limits->stop);
  struct check_options alone = options_of_part (result, options), search = alone;
  search.budget = &budget;
  result->anomalies_listed = true;
  list_one (result, result);
  tell (context, result);
  struct core_series *series = part->history ? core_series_new (h, &search) : NULL;
  if (series) {
    core_series_use (series, part->history);
    for (struct history *core; (core = core_series_next (series));) {
      list_core (result, h, &alone, core);
      tell (context, result);
    }
    result->anomalies_complete = core_series_is_complete (series);
  }
  core_series_free (series);
  const double seconds = clock_seconds () - start;
  result->seconds.explain += seconds;
  result->seconds.total += seconds;
}
