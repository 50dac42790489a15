#include "witness_ir.h"

#include "ir/witness_inside.h"

bool witness_of_ir (const struct ir_witness *w, size_t clock_bytes, uint64_t patience, const char **why) {
  return ir_holds_witness_within (w->ir, w, (struct witness_limits){ clock_bytes, patience }, NULL, why) == ACCEPTED;
}
