// Guessing a serial order.
//
// Ranks are places in the topological order of the known graph, whose ties were broken by recorded
// times or by the progress of sessions (sort.c). Transactions are run one by one in that order,
// except that a write waits for the readers of the version that it would replace. If that gets
// stuck, nothing is lost: the search goes on from the ranks.

#ifndef KRAIT_SATURATE_GUESS_H
#define KRAIT_SATURATE_GUESS_H

#include "saturate/saturate.h"

// Per point; unknown transactions that are not in come last.
uint32_t *guess_ranks (const struct graph *);

typedef VEC (uint32_t) node_vec;

// A serial order of the nodes in the graph, T0 left out; false if the run got stuck. One point per
// transaction only.
bool guess_order (struct saturation *, const uint32_t *rank, node_vec *order);

#endif
