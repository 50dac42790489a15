// What Cobra, dbcop, Plume and AWDIT share: those formats know gets and puts of integers, and
// nothing else.

#ifndef KRAIT_FORMATS_REGISTERS_H
#define KRAIT_FORMATS_REGISTERS_H

#include "base/error.h"
#include "history/history.h"

#include <stdbool.h>
#include <stdint.h>

struct json_reader;

struct register_limits {
  const char *format; // for messages: "a Cobra log"
  bool negative;      // integers below zero can be written
  bool unknown;       // so can transactions of unknown outcome
};

static inline bool registers_add (struct history *h, enum op_kind kind, struct atom key, struct atom value,
                                  const char **why) {
  const uint32_t k = history_key (h, key, why), v = k == KEY_NONE ? ATOM_NONE : history_value (h, value, why);
  return v != ATOM_NONE && history_add_op (h, kind, 0, k, v, AUX_NONE, why);
}

// Operations on their way into the history. Whoever adds one says where it stands in the input:
// what is wrong with it may be found out later.
struct registers {
  struct history *history;
  uint8_t kinds[MOST_ANNOUNCED];
  uint64_t keys[MOST_ANNOUNCED], values[MOST_ANNOUNCED], places[MOST_ANNOUNCED];
};

// False: `why` and `place` say what is wrong, and where.
bool registers_flush (struct registers *, const char **why, uint64_t *place);

// There is room for it: call registers_flush where there is not.
static inline bool registers_full (const struct registers *r) {
  return r->history->waiting_ops == MOST_ANNOUNCED;
}
static inline void registers_put (struct registers *r, uint8_t kind, uint64_t key, uint64_t value, uint64_t place) {
  const uint32_t at = r->history->waiting_ops;
  r->kinds[at] = kind;
  r->keys[at] = key;
  r->values[at] = value;
  r->places[at] = place;
  history_announce_op (r->history);
}

// What stands on the first line that is not blank: all that a probe of a format of lines is to see.
void registers_first_line (struct json_reader *);

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
