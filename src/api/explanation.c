#include "api/explanation.h"

#include "api/certify.h"
#include "core/core.h"
#include "explain/violation.h"
#include "history/history.h"
#include "history/statistics.h"
#include "levels/lattice.h"

// --------------------------------------------------------------------------------------- the judge

static struct judgement decide (const struct history *h, const struct check_options *options) {
  struct check_result *result = check_history (h, options);
  const struct judgement found = { result->verdict, violation_share (result->violation), result->hint_facts };
  check_result_free (result);
  return found;
}

// Larger histories are left alone.
enum { MOST_OPS = 4000 };

static void judge_all (struct check_subject *subject, const struct check_options *asked, uint32_t count, bool has_times,
                       struct check_result **results) {
  struct lattice_order *order = lattice_order_new (all_levels (), count, has_times);
  struct check_options options = *asked;
  for (uint32_t next; (next = lattice_order_next (order)) != LATTICE_NONE;) {
    options.level = level_at (next);
    results[next] = check_subject_judge (subject, &options);
    lattice_order_tell (order, next, results[next]->verdict);
  }
  for (uint32_t i = 0; i < count; i++)
    if (!results[i]) {
      const uint32_t by = lattice_order_settled_by (order, i);
      results[i] = lattice_result (level_at (i), results[by]);
    }
  lattice_order_free (order);
}

static void find_levels (const struct history *h, const struct check_options *asked, level_name_vec *violated,
                         level_name_vec *holding) {
  enum { BOUND = 2000 }; // conflicts of a search
  if (history_ops (h) > MOST_OPS)
    return;
  uint32_t count = 0;
  while (level_at (count))
    count++;
  struct check_options options = *asked;
  options.level = level_at (0);
  options.most_conflicts = BOUND;
  struct check_result **results = MEM_ZARRAY (struct check_result *, count);
  struct check_subject *subject = check_subject_new (h, &options, true);
  judge_all (subject, &options, count, history_has_times (h), results);
  const struct level_results all = { all_levels (), results, count };
  for (uint32_t i = 0; i < count; i++) {
    if (is_extreme (&all, i, VERDICT_INVALID, WEAKEST))
      VEC_PUSH (*violated, level_at (i)->name);
    if (is_extreme (&all, i, VERDICT_VALID, STRONGEST))
      VEC_PUSH (*holding, level_at (i)->name);
  }
  for (uint32_t i = 0; i < count; i++)
    check_result_free (results[i]);
  mem_free (results);
  check_subject_free (subject);
}

const struct judge check_judge = { decide, find_levels };

// --------------------------------------------------------------------------------------- one level

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
