#include "api/explanation.h"

#include "api/certify.h"
#include "core/core_series.h"
#include "explain/violation.h"
#include "history/history.h"
#include "levels/lattice.h"

// How a part is judged by itself.
static struct check_options options_of_part (const struct check_result *whole, const struct check_options *options) {
  struct check_options alone;
  check_options_default (&alone);
  alone.level = level_find (whole->level);
  alone.own_writes = whole->own_writes;
  alone.clock_skew = options->clock_skew;
  alone.dialect = options->dialect;
  alone.trust_commit_ts = options->trust_commit_ts;
  alone.threads = 1;
  return alone;
}

static void add_seconds (struct check_result *result, double start) {
  const double seconds = clock_seconds () - start;
  result->effort.seconds.explain += seconds;
  result->seconds += seconds;
}

void explain_result (struct check_result *result, const struct history *h, const struct check_options *options,
                     const struct part_limits *limits) {
  const double start = clock_seconds ();
  if (result->verdict != VERDICT_INVALID)
    return;
  const struct check_options alone = options_of_part (result, options);
  struct violation *part =
    options->module_count || limits->skip ? NULL : explain_part (&check_judge, h, result->violation, &alone, limits);
  if (part) {
    violation_free (result->violation);
    result->violation = part;
  }
  if (!limits->skip)
    result->others = count_others (&result->met, result->violation);
  verify_refutation (result, h, options, limits);
  add_seconds (result, start);
}

// -------------------------------------------------------------------------------------- all levels

static void spread (const struct level_results *all, size_t index, const bool *explained) {
  for (size_t by = 0; by < all->count; by++)
    if (explained[by] && level_implies (all->levels[index], all->levels[by])) {
      check_result_explain_like (all->results[index], all->results[by]);
      return;
    }
}

void explain_weakest (const struct level_results *all, const struct history *h, const struct check_options *options,
                      const struct part_limits *limits) {
  bool *explained = MEM_ZARRAY (bool, all->count);
  for (size_t i = 0; i < all->count; i++)
    if (is_extreme (all, i, VERDICT_INVALID, WEAKEST)) {
      explained[i] = true;
      if (limits->deadline <= 0 || clock_seconds () < limits->deadline)
        explain_result (all->results[i], h, options, limits);
    }
  for (size_t i = 0; i < all->count; i++)
    if (all->results[i]->verdict == VERDICT_INVALID && !explained[i])
      spread (all, i, explained);
  mem_free (explained);
}

// ---------------------------------------------------------------------------------- all violations

void list_anomalies (struct check_result *result, const struct history *h, const struct check_options *options,
                     const struct part_limits *limits, anomaly_listener *tell, void *context) {
  const double start = clock_seconds ();
  struct budget budget;
  budget_start_until (&budget, limits->deadline, limits->memory, limits->stop);
  struct check_options alone = options_of_part (result, options), search = alone;
  search.budget = &budget;
  result->anomalies_listed = true;
  VEC_PUSH (result->anomalies, violation_share (result->violation));
  tell (context, result);
  const struct history *part = result->violation->part;
  struct core_series *series = part ? core_series_new (&check_judge, h, &search) : NULL;
  if (series) {
    core_series_use (series, part);
    for (struct history *core; (core = core_series_next (series));) {
      VEC_PUSH (result->anomalies, explain_core (&check_judge, h, core, &alone));
      tell (context, result);
    }
    result->anomalies_complete = core_series_is_complete (series);
  }
  core_series_free (series);
  add_seconds (result, start);
}
