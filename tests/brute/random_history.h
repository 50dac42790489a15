// Small random histories, the same for the same seed and index.
//
// A part has reads drawn at random, and is mostly invalid. The others come from a run of a small
// store that serves snapshots, the newest version or replicas that lag, with a fault now and then:
// mostly valid at some levels, and near misses at others.

#ifndef KRAIT_BRUTE_RANDOM_HISTORY_H
#define KRAIT_BRUTE_RANDOM_HISTORY_H

#include "brute.h"

#include <stdbool.h>
#include <stdint.h>

enum random_ops {
  RANDOM_BASIC, // get and put
  RANDOM_ALL,   // everything but lists
  RANDOM_LISTS, // append and list reads, with gets and puts on other keys
};

struct random_mixture {
  enum random_ops ops;
  bool often_unknown; // 40 in a hundred transactions have an unknown outcome
  bool incomplete;    // some transactions are left out, and the history says that it is incomplete
};

struct history *random_history_of (uint64_t seed, uint64_t index, const struct random_mixture *,
                                   struct brute_options *);

// Gets and puts: a finished history of 1 to 7 transactions, and the own-write policy and clock skew
// to check it with.
struct history *random_history (uint64_t seed, uint64_t index, struct brute_options *);

#endif
