// Random numbers that are the same everywhere: SplitMix64, and the distributions that workloads
// draw from.

#ifndef KRAIT_GENERATE_RANDOM_H
#define KRAIT_GENERATE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
  uint64_t state;
};

static inline uint64_t random_next (struct random *random) {
  uint64_t x = random->state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A generator of its own for the index-th part of a run.
static inline struct random random_fork (uint64_t seed, uint64_t index) {
  struct random random = { seed };
  random.state = random_next (&random) + index * 0xd1342543de82ef95u;
  random.state = random_next (&random);
  return random;
}

// From 0 to bound - 1; bound is not 0.
static inline uint64_t random_below (struct random *random, uint64_t bound) {
  return (uint64_t) ((unsigned __int128) random_next (random) * bound >> 64);
}

static inline uint64_t random_between (struct random *random, uint64_t low, uint64_t high) {
  return low + random_below (random, high - low + 1);
}

// True in `share` of all cases, from 0 to 1.
static inline bool random_chance (struct random *random, double share) {
  return (double) (random_next (random) >> 11) < share * 9007199254740992.0;
}

enum distribution { DISTRIBUTION_UNIFORM, DISTRIBUTION_ZIPF, DISTRIBUTION_HOTSPOT };

// Draws numbers below `count`. Zipf: the k-th most frequent one has a share of 1/k^0.99; hotspot: a
// tenth of the numbers gets nine tenths of the draws.
struct draw {
  enum distribution distribution;
  uint64_t count;
  double theta, zeta, eta, second; // Zipf, after Gray et al. (SIGMOD 1994)
};

void draw_init (struct draw *, enum distribution, uint64_t count);
uint64_t draw_next (const struct draw *, struct random *);

#endif
