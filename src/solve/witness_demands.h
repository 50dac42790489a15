// What modules demand, held against a witness. Nothing here knows saturation or search.

#ifndef KRAIT_SOLVE_WITNESS_DEMANDS_H
#define KRAIT_SOLVE_WITNESS_DEMANDS_H

#include "asg/asg.h"
#include "ir/demands.h"

struct demanded {
  const struct demands *demands; // lowered
  const struct asg *asg;
  const uint8_t *in;           // per node: it took place
  const uint32_t *read_writer; // per read: the node that it reads from; NODE_NONE: there is no such read
  const uint32_t *position;    // per point, as in struct witness
  unsigned points;             // per transaction
  const uint32_t *chosen;      // per demand: the alternative to look at, UINT32_MAX: any; NULL: any
};

// The edges that have to run forward are added to `edges`, those of one alternative per demand whose conditions hold. False: all of its alternatives
// have an edge that does not.
bool demands_hold (const struct demanded *, ir_edge_vec *edges);

// Whom each read reads from when transactions run one after the other: `order` holds nodes. `wrote`: per delete in doubt; NULL: there are none.
uint32_t *sources_in_order (const struct asg *, const uint32_t *order, size_t count, const uint8_t *wrote);

#endif
