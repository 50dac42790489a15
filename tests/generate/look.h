// What there is to see in a history that a workload made.

#ifndef KRAIT_TESTS_GENERATE_LOOK_H
#define KRAIT_TESTS_GENERATE_LOOK_H

#include "history/history.h"

// NEEDS_… of faults.h that its committed transactions do; NEEDS_REPEATED: more than one write in a hundred writes
// what another one has written to the key.
unsigned look_does (const struct history *);

// Ranges hold what was asked for, in order; iterators that stopped have fetched something. NULL, or what is wrong.
const char *look_at_ranges (const struct history *);

// No list is a detour from another one of the same key. NULL, or what is wrong.
const char *look_at_lists (const struct history *, uint32_t longest);

#endif
