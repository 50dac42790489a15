// A level that is in no table: its description for the checker, its row for the verifier, and its
// definition for the brute-force checker. compare.c compares the two on random histories; a file
// like session_updates.c is all that a further one needs.

#ifndef KRAIT_MADEUP_MADEUP_H
#define KRAIT_MADEUP_MADEUP_H

#include "levels/levels.h"
#include "tests/brute/judge.h"
#include "verify/claim.h"

struct madeup {
  const struct level *level;
  struct claim_row row;
  bool so, rt; // what the definition has; compare.c does not look into the description
  bool (*holds) (const struct world *);
};

extern const struct madeup madeup;

#endif
