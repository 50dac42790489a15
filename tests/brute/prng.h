// SplitMix64: a few lines, any seed, the same numbers everywhere.

#ifndef KRAIT_BRUTE_PRNG_H
#define KRAIT_BRUTE_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
  uint64_t state;
};

static inline uint64_t prng_next (struct prng *prng) {
  uint64_t x = prng->state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The generator of the index-th history of a run.
static inline struct prng prng_fork (uint64_t seed, uint64_t index) {
  struct prng prng = { seed };
  prng.state = prng_next (&prng) + index * 0xd1342543de82ef95u;
  prng.state = prng_next (&prng);
  return prng;
}

static inline unsigned prng_below (struct prng *prng, unsigned bound) {
  return (unsigned) ((prng_next (prng) >> 32) * bound >> 32);
}

static inline unsigned prng_between (struct prng *prng, unsigned low, unsigned high) {
  return low + prng_below (prng, high - low + 1);
}

// True in `percent` of a hundred cases.
static inline bool prng_chance (struct prng *prng, unsigned percent) {
  return prng_below (prng, 100) < percent;
}

#endif
