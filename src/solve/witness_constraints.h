// What modules demand, held against a witness. Nothing here knows saturation or search.

#ifndef KRAIT_SOLVE_WITNESS_CONSTRAINTS_H
#define KRAIT_SOLVE_WITNESS_CONSTRAINTS_H

#include "asg/asg.h"
#include "ir/constraints.h"

struct constrained {
  const struct constraints *constraints; // lowered
  const struct asg *asg;
  const uint8_t *in; // per node: it took place
  // per read: the node that it reads from; NODE_NONE: there is no such read
  const uint32_t *read_writer;
  const uint32_t *position; // per point, as in struct witness
  unsigned points;          // per transaction
  // per constraint: the alternative to look at, UINT32_MAX: any; NULL: any
  const uint32_t *chosen;
};

// The edges that have to run forward are added to `edges`, those of one alternative per constraint
// whose conditions hold. False: all of its alternatives have an edge that does not.
bool constraints_hold (const struct constrained *, ir_edge_vec *edges);

// Whom each read reads from when transactions run one after the other: `order` holds nodes.
// `wrote`: per unrecorded delete; NULL: there are none.
uint32_t *sources_in_order (const struct asg *, const uint32_t *order, size_t count, const uint8_t *wrote);

#endif
