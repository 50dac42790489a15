#include "explain/weakest.h"

#include "api/check.h"
#include "levels/lattice.h"

static void explain_one (struct check_result *result, const struct history *h, const struct check_options *options,
                         const struct part_limits *limits) {
  if (limits->deadline > 0 && clock_seconds () >= limits->deadline)
    return;
  struct explained_part part = explain_part (result, h, options, limits);
  explained_part_free (&part);
}

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
      explain_one (all->results[i], h, options, limits);
    }
  for (size_t i = 0; i < all->count; i++)
    if (all->results[i]->verdict == VERDICT_INVALID && !explained[i])
      spread (all, i, explained);
  mem_free (explained);
}
