// Binary search.
//
//   uint32_t place = first;
//   LOWER_BOUND (place, end, middle, times[middle] < limit);
//
// raises `place` to the first one from which the condition holds no more, or to `end`. The
// condition must hold up to some place and not from there on; it knows the place that is looked at
// by the name given third.

#ifndef KRAIT_BASE_SEARCH_H
#define KRAIT_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOWER_BOUND(low, high, middle, condition)                                                                      \
  do {                                                                                                                 \
    __typeof__ (low) search_high_ = (high);                                                                            \
    while ((low) < search_high_) {                                                                                     \
      const __typeof__ (low) middle = (low) + (search_high_ - (low)) / 2;                                              \
      if (condition)                                                                                                   \
        (low) = middle + 1;                                                                                            \
      else                                                                                                             \
        search_high_ = middle;                                                                                         \
    }                                                                                                                  \
  } while (0)

#define NOT_FOUND UINT32_MAX

// The first place from `low` on where a sorted array holds `wanted` or more, or `high`.
static inline uint32_t lower_bound_u32 (const uint32_t *sorted, uint32_t low, uint32_t high, uint32_t wanted) {
  LOWER_BOUND (low, high, middle, sorted[middle] < wanted);
  return low;
}

// Behind the last place where it holds `wanted` or less, or `low`.
static inline uint32_t upper_bound_u32 (const uint32_t *sorted, uint32_t low, uint32_t high, uint32_t wanted) {
  LOWER_BOUND (low, high, middle, sorted[middle] <= wanted);
  return low;
}

// Where a sorted array holds `wanted`, or NOT_FOUND.
static inline uint32_t find_u32 (const uint32_t *sorted, uint32_t low, uint32_t high, uint32_t wanted) {
  low = lower_bound_u32 (sorted, low, high, wanted);
  return low < high && sorted[low] == wanted ? low : NOT_FOUND;
}

static inline bool has_u64 (const uint64_t *sorted, size_t count, uint64_t wanted) {
  size_t place = 0;
  LOWER_BOUND (place, count, middle, sorted[middle] < wanted);
  return place < count && sorted[place] == wanted;
}

#endif
