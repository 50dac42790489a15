// Holding a witness against an IR: the last word on `valid` for a .kir file. Every superposition
// must have one alternative chosen, every edge that rules and implications give must run forward in
// the order, and no forbidden path may exist. Nothing here knows saturation or search.

#ifndef KRAIT_IR_WITNESS_CHECK_H
#define KRAIT_IR_WITNESS_CHECK_H

#include "base/budget.h"
#include "ir/witness.h"

// For a witness without places: one transaction after the other, in its order. Fills in the places
// of points, and per read of those who took place whom it reads from.
void ir_run_in_order (const struct ir *, const struct ir_witness *, uint32_t *position, uint32_t *writer);

// The version order of a key is T0, then its installers by the position of the point that ww starts
// from. `why` says what fails.
enum acceptance ir_holds_witness (const struct ir *, const struct ir_witness *, struct budget *, const char **why);

#endif
