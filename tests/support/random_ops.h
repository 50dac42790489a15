// Random histories with every kind of operation and everything that can stand beside one: strange
// strings, extreme integers, missing results, locks, times, hints. They make no sense as runs of a
// database; they are for round trips through formats.

#ifndef KRAIT_TESTS_RANDOM_OPS_H
#define KRAIT_TESTS_RANDOM_OPS_H

#include "history/history.h"

#include <stdint.h>

// Finished. The same for the same seed.
struct history *random_ops_history (uint64_t seed);

#endif
