// The last word on `valid` where no serial order is asked for: a witness names the source of every
// read and puts the points of all transactions into one order. What the level demands is built
// again from the ASG alone and held against that order. Nothing here knows saturation or search.

#ifndef KRAIT_SOLVE_WITNESS_H
#define KRAIT_SOLVE_WITNESS_H

#include "asg/asg.h"
#include "base/budget.h"
#include "ir/constraints.h"
#include "levels/levels.h"

#include <stdbool.h>
#include <stdint.h>

struct witness {
  const struct asg *asg;
  const struct level *level;
  int64_t clock_skew;
  const uint8_t *in;           // per node: it took place
  const uint32_t *read_source; // per read of a node that took place: an install, or SOURCE_INITIAL
  // Per point (node * level->rules.points + which) of nodes that took place; all different.
  const uint32_t *position;
  // Between nodes that took place, given from outside: dependencies like session order.
  const struct ir_edge *edges;
  size_t edge_count;
  struct budget *budget; // or NULL
};

enum witness_answer { WITNESS_HOLDS, WITNESS_FAILS, WITNESS_STOPPED };

// The version order of a key is T0, then its installers by the position of the point that ww starts
// from. `why` says what fails.
enum witness_answer witness_check (const struct witness *, const char **why);

#endif
