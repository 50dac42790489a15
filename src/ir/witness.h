// A witness of an IR: one alternative of each superposition, and an order that keeps what follows
// from them.

#ifndef KRAIT_IR_WITNESS_H
#define KRAIT_IR_WITNESS_H

#include "ir/ir.h"

struct ir_witness {
  const struct ir *ir;
  const uint8_t *in;    // per node: it took place
  const uint8_t *wrote; // per unrecorded delete: it wrote; NULL: there are none
  // Per constraint of modules the alternative that holds, or UINT32_MAX: any; NULL: any.
  const uint32_t *chosen;
  // The nodes that took place, in the order of their last points; not T0.
  const uint32_t *order;
  uint32_t count;
  // Per read the node that it reads from (0: T0), NODE_NONE where it is not there; and per point
  // its place, which means nothing for nodes that did not take place. Both are NULL where
  // transactions run one after the other, in `order`: then each reads the last version before it.
  const uint32_t *read_writer;
  const uint32_t *position;
};

enum acceptance { ACCEPTED, REFUSED, STOPPED };

// Whoever wants an IR decided says whether a witness is one. `why`: what is wrong with it.
struct witness_judge {
  enum acceptance (*accept) (void *context, const struct ir_witness *, const char **why);
  void *context;
};

#endif
