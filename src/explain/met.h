// Reads that nothing explains, besides the one that is told: how many there are at least that have
// nothing to do with each other.

#ifndef KRAIT_EXPLAIN_MET_H
#define KRAIT_EXPLAIN_MET_H

#include "asg/asg.h"

struct violation;

// Each is wrong by itself, and no transaction is in two of them.
struct met_reads {
  VEC (uint64_t) ids; // of the reader of each and of those who wrote what it read …
  VEC (uint32_t) end; // … of each up to here
};

// Notes them, as far as they are met without a search.
void note_faults (struct met_reads *, const struct asg *);

// How many of them share no transaction with the violation.
uint64_t count_others (const struct met_reads *, const struct violation *);

#endif
