// Small histories for tests of formats: not meant to make sense as runs of a database, but to use
// everything that a format can hold.

#ifndef KRAIT_TESTS_SAMPLE_HISTORY_H
#define KRAIT_TESTS_SAMPLE_HISTORY_H

#include "history/history.h"

#include <stdint.h>

enum sample_kind {
  SAMPLE_FULL,  // everything
  SAMPLE_COBRA, // what survives a trip through Cobra's, dbcop's and Plume's files unchanged
  SAMPLE_DBCOP,
  SAMPLE_PLUME,
  SAMPLE_JEPSEN, // the same for Jepsen's JSON, but for the ids
};

// Finished. The same for the same seed.
struct history *sample_history (enum sample_kind, uint64_t seed);

#endif
