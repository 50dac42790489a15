// Dialects: how a vendor's transactions are told as transactions of the textbook. A dialect
// rewrites a history into another one before anything is judged; docs/dialects.md says what each
// does, and what strictness it gives up. Adding one: a file here and a line in the table.

#ifndef KRAIT_DIALECTS_DIALECTS_H
#define KRAIT_DIALECTS_DIALECTS_H

#include "asg/asg.h"

struct history;

// What a transaction of the new history was in the old one.
struct origin {
  uint32_t txn;     // of the old history
  const char *part; // "the snapshot reads", say; NULL: all of it
};

// The parts of a transaction stand next to each other in its session, in program order, which holds
// at every level: also at those without session order.
struct rewriting {
  struct history *history;
  VEC (struct origin) origins; // per transaction of the new history
};

struct dialect {
  const char *name;
  const char *about; // one line
  // The policy is not OWN_INFER. False, with the reason: the new history would be too big.
  bool (*rewrite) (const struct history *, enum own_writes, struct rewriting *, const char **why);
};

extern const struct dialect *const dialects[]; // NULL at the end

const struct dialect *dialect_find (const char *name); // NULL if there is none

// A transaction of the new history follows the one before it in program order, and both took place.
// (Where the outcome is unknown nothing follows for sure.)
bool rewriting_follows (const struct rewriting *, uint32_t txn);

void rewriting_free (struct rewriting *);

#endif
