// Holding a witness against an IR: the last word on `valid` for a .kir file. Every superposition
// must have one alternative chosen, every edge that rules and implications give must run forward in
// the order, and no forbidden path may exist. Nothing here knows saturation or search.

#ifndef KRAIT_IR_WITNESS_CHECK_H
#define KRAIT_IR_WITNESS_CHECK_H

#include "base/budget.h"
#include "ir/witness.h"

// The version order of a key is T0, then its installers by the position of the point that ww starts
// from. The witness has places for its points. `why` says what fails.
enum acceptance ir_holds_witness (const struct ir *, const struct ir_witness *, struct budget *, const char **why);

#endif
