// The brute-force checker as a judge of what a fuzzer comes by, and histories as text.

#ifndef KRAIT_FUZZ_ORACLE_H
#define KRAIT_FUZZ_ORACLE_H

#include "api/check.h"
#include "target.h"
#include "tests/brute/brute.h"

// Small enough to be judged, and to be checked thousands of times a second.
bool oracle_is_small (const struct history *);

bool oracle_has_hints (const struct history *);

// False: there is no verdict.
bool oracle_verdict (const struct history *, const struct brute_options *, const char *level, enum verdict *);

// As krait text, appended; and the history that a reader makes of such text, NULL if it refuses.
void oracle_write (const struct history *, fuzz_bytes *);
struct history *oracle_read (const uint8_t *text, size_t length);

const struct level *oracle_level (uint64_t number); // one of all

// A failure's history, on standard error.
void oracle_tell (const struct history *, const char *level, const struct brute_options *);

#endif
