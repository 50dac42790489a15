// What saturation left open: pairs of installers of one key whose version order is not known.

#ifndef KRAIT_SATURATE_PAIRS_H
#define KRAIT_SATURATE_PAIRS_H

#include "saturate/saturate.h"

// One key that both transactions install; first < second (nodes). A pair of transactions may share
// several keys.
struct open_pair {
  uint32_t first, second; // nodes
  uint32_t first_install, second_install;
};

typedef VEC (struct open_pair) open_pair_vec;

// Sorted by (first, second). Pairs whose order nobody can observe, because no version of either
// that they share is read, are left out where any topological order may decide them. False: the
// budget is spent.
// False: the budget is spent, or there are more than the memory for them should hold (most_pairs).
bool open_pairs (struct saturation *, open_pair_vec *, struct budget *);

// Linear in what is installed, beyond what is small.
static inline uint64_t most_pairs (const struct ir *ir) {
  return (1u << 22) + 64 * (uint64_t) ir->installs;
}

#endif
