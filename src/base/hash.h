// Hashing through xxHash, and an open-addressing set of 32-bit indexes.
//
// Hashes are seeded anew in each process: who writes a history cannot choose keys that all fall
// into one place of a table. Nothing that leaves the process may depend on a hash, therefore, and
// nobody walks over a table in its own order.
//
// The set stores, per slot, 32 bits of the hash beside the index, so that a lookup touches the
// elements themselves only when it is almost certainly right. Whoever uses it owns the elements and
// says how two compare.

#ifndef KRAIT_BASE_HASH_H
#define KRAIT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is drawn at the start of the process.
struct hash_seed {
  uint64_t mask;   // of numbers
  uint64_t factor; // of numbers: odd
  uint64_t bytes;  // of strings
};
extern struct hash_seed hash_seed;

// For tests. No table may be there that was made with another one.
void hash_reseed (uint64_t number);

uint64_t hash_bytes (const void *bytes, size_t length);

// The same in every process. A bijection.
static inline uint64_t scramble_u64 (uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

// A bijection, too. That the last factor is secret bounds how many numbers can have one place,
// whichever they are: the high bits of a product with a random odd factor are a universal family
// (Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair problem, 1997).
static inline uint64_t hash_u64 (uint64_t x) {
  x ^= hash_seed.mask;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= hash_seed.factor;
  return x ^ (x >> 32);
}

static inline uint64_t hash_pair (uint32_t a, uint32_t b) {
  return hash_u64 (((uint64_t) a << 32) | b);
}

struct hash_set {
  uint64_t *slots; // (hash high half << 32) | (index + 1); 0 is free
  size_t mask;     // slots - 1, or 0 before the first insertion
  unsigned shift;  // that leaves as many high bits of a hash as a slot's number has
  size_t count;
};

#define HASH_NONE UINT32_MAX // no element

typedef bool (*hash_equal) (const void *context, uint32_t index, const void *wanted);

// The index of an element equal to `wanted`, or HASH_NONE.
uint32_t hash_set_find (const struct hash_set *, uint64_t hash, hash_equal, const void *context, const void *wanted);

// Where probing starts: at the high bits. They are in the slot as well, so that a growing table
// never asks for a hash again.
static inline size_t hash_set_first (const struct hash_set *set, uint64_t hash) {
  return (size_t) ((hash & 0xffffffff00000000u) >> set->shift);
}

// For batches of lookups: asks for the slot ahead of time; then, once it is there, tells which
// element the lookup will want to see (HASH_NONE: none, or not known without probing on).
static inline void hash_set_prefetch (const struct hash_set *set, uint64_t hash) {
  if (set->slots)
    __builtin_prefetch (&set->slots[hash_set_first (set, hash)]);
}
static inline uint32_t hash_set_likely (const struct hash_set *set, uint64_t hash) {
  if (!set->slots)
    return HASH_NONE;
  const size_t first = hash_set_first (set, hash);
  for (size_t probe = 0; probe < 4; probe++) {
    const uint64_t slot = set->slots[(first + probe) & set->mask];
    if (!slot)
      return HASH_NONE;
    if (slot >> 32 == hash >> 32)
      return (uint32_t) slot - 1;
  }
  return HASH_NONE;
}

// The caller has made sure that no equal element is there. index < HASH_NONE.
void hash_set_insert (struct hash_set *, uint64_t hash, uint32_t index);

void hash_set_free (struct hash_set *);

#endif
