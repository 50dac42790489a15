// A formula of plain clauses in the making. Its literals go by; of them nothing is kept but how
// many there were, so that a formula may be larger than memory. Whoever wants them and their number
// in advance has it made twice: it comes out the same.

#ifndef KRAIT_CNF_FORMULA_H
#define KRAIT_CNF_FORMULA_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

// Helper variables from `first` on, up to those of the next group.
struct helpers {
  int32_t first;
  const char *what; // they say, in words
};

struct formula {
  void (*take) (void *context, int32_t literal); // 0 ends a clause; NULL: they are only counted
  void *context;
  uint64_t variables, clauses, literals;
  VEC (struct helpers) helpers;
};

void formula_free (struct formula *);

// Beyond this no solver reads it: 2^31 - 1 variables, as many literals. What is pushed then counts
// no more, and makers stop when they notice.
bool formula_is_too_large (const struct formula *);

// Helper variables are numbered behind what is there. The first of so many; what they say is a
// constant.
int32_t formula_helpers (struct formula *, uint64_t count, const char *what);

void formula_literal (struct formula *, int32_t literal);
void formula_end (struct formula *); // of a clause
// If both conditions hold, so does the consequence. A condition 0 holds in any case; a consequence
// 0 never does.
void formula_implies (struct formula *, int32_t a, int32_t b, int32_t consequence);

#endif
