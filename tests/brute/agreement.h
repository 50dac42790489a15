// Do the two brute-force checkers agree? That tests them, and that the cycles of the semantics mean
// what they are meant to mean.

#ifndef KRAIT_BRUTE_AGREEMENT_H
#define KRAIT_BRUTE_AGREEMENT_H

#include "run.h"

struct agreement {
  uint64_t agreed, differed, skipped; // histories x levels
  uint64_t of[BRUTE_MOST_LEVELS][3];  // replayed levels by verdict
};

// Compares brute_judge with brute_replay on one history, and tells a difference.
void agreement_test (struct agreement *, const struct run *, uint64_t index, const struct history *,
                     const struct brute_options *);

// The whole run; prints the counts.
struct agreement agreement_run (const struct run *);

#endif
