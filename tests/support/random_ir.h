// Small random histories, lowered.

#ifndef KRAIT_TESTS_RANDOM_IR_H
#define KRAIT_TESTS_RANDOM_IR_H

#include "asg/asg.h"
#include "history/history.h"
#include "ir/ir.h"
#include "levels/levels.h"

struct random_ir {
  struct history *h;
  struct asg *asg; // of the whole history
  struct ir *ir;   // its chains follow known reads where the level has no session order
};

// The index-th history of a seed, at one level. False, with nothing to free, if lowering alone
// already says that it is invalid.
bool random_ir_make (struct random_ir *, uint64_t seed, uint64_t index, const struct level *);
void random_ir_free (struct random_ir *);

#endif
