// Certificates of .kir files (docs/certificates.md): does one show what it claims about an IR? A
// witness is held against the IR (ir/witness_check.h), and a refutation against the sentence that
// the IR stands for (ir/walk.h). Nothing else is known here.

#ifndef KRAIT_VERIFY_IR_VERIFY_IR_H
#define KRAIT_VERIFY_IR_VERIFY_IR_H

#include "base/budget.h"
#include "ir/ir.h"
#include "verify/verify.h"

#include <stdio.h>

struct certificate *ir_certificate_new (const struct ir *, bool valid);

// How long one can be; longer ones are neither written nor read.
size_t ir_certificate_most_bytes (const struct ir *);

// `budget` may be NULL.
bool ir_certificate_verify (const struct ir *, const struct certificate *, struct budget *, struct complaint *);

void ir_certificate_dump (const struct ir *, const struct certificate *, FILE *);

// The IR that `invalid` is said of: where it was one choice of several what anti-dependencies mean,
// they mean nothing. It borrows everything, and is not to be freed.
struct ir ir_to_refute (const struct ir *);

// Inside.
bool ir_verify_valid (const struct ir *, const struct certificate *, struct budget *, struct complaint *);
bool ir_verify_invalid (const struct ir *, const struct certificate *, struct complaint *);

#endif
