// Reads that nothing explains, besides the one that is told: how many there are at least that have nothing to do with each other.

#ifndef KRAIT_EXPLAIN_MET_H
#define KRAIT_EXPLAIN_MET_H

#include "api/check.h"

// Notes them, as far as they are met without a search.
void note_faults (struct check_result *, const struct asg *);

// How many of them share no transaction with the core.
uint64_t count_others (const struct check_result *);

#endif
