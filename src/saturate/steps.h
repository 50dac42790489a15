// An order for readers of single steps, found without asking who precedes whom.
//
// At read atomicity and the axiomatic read committed a reader sees what a single step leads from.
// Where every source is known and nothing may be missing, that is all there is to find out: each
// pair of a version in view and the version that was read instead demands an order of two
// transactions, and any order of all of them that meets the demands is a witness. No paths are
// asked for, so there are no rows, and looking at each read once takes linear time.

#ifndef KRAIT_SATURATE_STEPS_H
#define KRAIT_SATURATE_STEPS_H

#include "base/budget.h"
#include "saturate/graph.h"

// A graph without rows, in such an order. NULL: there is none, or it is not found this way, and
// saturation has to say which.
struct graph *steps_in_order (const struct ir *, struct budget *);

#endif
