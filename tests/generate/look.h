// What there is to see in a history that a workload made.

#ifndef KRAIT_TESTS_GENERATE_LOOK_H
#define KRAIT_TESTS_GENERATE_LOOK_H

#include "history/history.h"

enum {
  DOES_GET = 1,
  DOES_PUT = 2,
  DOES_UPDATE = 4, // reads a key and then writes it
  DOES_SCAN = 8,
  DOES_ITER = 16,
  DOES_DELETE = 32,
  // more than one write in a hundred writes what another one has written to the key
  DOES_REPEATED = 64,
  DOES_SEVERAL = 128,  // several reads, or several writes, in a transaction
  DOES_REWRITE = 256,  // writes a key twice in a transaction
  DOES_OWN_READ = 512, // reads a key that it has written itself
  DOES_READERS = 1024, // transactions that only read
  DOES_SKEW = 2048,    // reads keys that it does not write, and writes others
  DOES_INC = 4096,
};

// DOES_… that its committed transactions do.
unsigned look_does (const struct history *);

// Ranges hold what was asked for, in order; iterators that stopped have fetched something. NULL, or
// what is wrong.
const char *look_at_ranges (const struct history *);

// No list is a detour from another one of the same key. NULL, or what is wrong.
const char *look_at_lists (const struct history *, uint32_t longest);

#endif
