// The judge that explanations are handed: it checks.

#include "api/explanation.h"
#include "api/lattice_order.h"
#include "explain/violation.h"
#include "history/history.h"
#include "history/statistics.h"

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
