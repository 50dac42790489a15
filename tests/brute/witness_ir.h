// The witness check of the IR, apart from that of histories, whose names are the same.

#ifndef KRAIT_TESTS_BRUTE_WITNESS_IR_H
#define KRAIT_TESTS_BRUTE_WITNESS_IR_H

#include "ir/witness.h"

#include <stddef.h>

bool witness_of_ir (const struct ir_witness *, size_t clock_bytes, uint64_t patience, const char **why);

#endif
