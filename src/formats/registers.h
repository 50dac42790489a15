// What the writers of Cobra, dbcop and Plume share: those formats know gets and puts of integers,
// and nothing else.

#ifndef KRAIT_FORMATS_REGISTERS_H
#define KRAIT_FORMATS_REGISTERS_H

#include "base/error.h"
#include "history/history.h"

#include <stdbool.h>
#include <stdint.h>

struct register_limits {
  const char *format; // for messages: "a Cobra log"
  bool negative;      // integers below zero can be written
  bool unknown;       // so can transactions of unknown outcome
};

// Only gets and puts of integers? The error names the first operation that does not fit.
bool registers_check (const struct history *, const struct register_limits *, struct error *);

// "NAME: transaction ID, operation N: … cannot be written as …". OP_NONE: the transaction as such.
bool registers_refuse (const struct history *, uint32_t txn, uint32_t op, struct error *, const char *what,
                       const char *format);

// Formats whose keys all start with 0 can hold keys that start absent too, as long as nobody writes
// or reads a 0 there: absent is then written as 0. `explicit_zero`: those keys start absent in the
// format as well (Plume's explicit first transaction), may be NULL.
bool registers_start_at_zero (const struct history *, const struct register_limits *, const bool *explicit_zero,
                              struct error *);

#endif
