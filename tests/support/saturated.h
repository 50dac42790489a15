// Small random histories, lowered and saturated.

#ifndef KRAIT_TESTS_SATURATED_H
#define KRAIT_TESTS_SATURATED_H

#include "saturate/saturate.h"
#include "tests/support/random_ir.h"

struct saturated {
  struct random_ir made;
  int64_t clock_skew;
  struct graph *graph;
  struct saturation *saturation;
  enum saturate_outcome outcome;
};

// The index-th history of a seed; now and then with a given edge. False, with nothing to free, if
// lowering already says that it is invalid, or if the level needs times that are not there. Made-up
// levels of two points per transaction have their rows filled in from the edges instead.
bool saturated_make (struct saturated *, uint64_t seed, uint64_t index, const struct level *, enum rows_kind,
                     bool all_rules);
void saturated_free (struct saturated *);

// paths[u] holds v: the edges of the graph lead from u to v. T0 leads everywhere. At most 64
// points; those that are not active have no paths.
void saturated_paths (struct graph *, uint64_t paths[64]);

#endif
