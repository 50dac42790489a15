// Damage to good inputs, the same for the same random numbers.

#ifndef KRAIT_FUZZ_MUTATE_H
#define KRAIT_FUZZ_MUTATE_H

#include "target.h"
#include "tests/brute/prng.h"

struct mutator {
  const fuzz_bytes *seeds;
  unsigned seed_count;
  const char *const *words; // or NULL
};

// One of the seeds: cut, flipped, spliced with others, with words thrown in, or random altogether.
void mutate (const struct mutator *, struct prng *, fuzz_bytes *input);

#endif
