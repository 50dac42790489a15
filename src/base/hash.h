// Hashing through xxHash, and an open-addressing set of 32-bit indexes.
//
// The set stores, per slot, 32 bits of the hash beside the index, so that a lookup touches the elements themselves only when it
// is almost certainly right. Whoever uses it owns the elements and says how two compare.

#ifndef KRAIT_BASE_HASH_H
#define KRAIT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes (const void *bytes, size_t length);

static inline uint64_t hash_u64 (uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

static inline uint64_t hash_pair (uint32_t a, uint32_t b) {
  return hash_u64 (((uint64_t) a << 32) | b);
}

struct hash_set {
  uint64_t *slots; // (hash high half << 32) | (index + 1); 0 is free
  size_t mask;     // slots - 1, or 0 before the first insertion
  size_t count;
};

typedef bool (*hash_equal) (const void *context, uint32_t index, const void *wanted);

// The index of an element equal to `wanted`, or UINT32_MAX.
uint32_t hash_set_find (const struct hash_set *, uint64_t hash, hash_equal, const void *context, const void *wanted);

// For batches of lookups: asks for the slot ahead of time; then, once it is there, tells which element the lookup will want to see
// (UINT32_MAX: none, or not known without probing on).
static inline void hash_set_prefetch (const struct hash_set *set, uint64_t hash) {
  if (set->slots)
    __builtin_prefetch (&set->slots[(size_t) (hash >> 32) & set->mask]);
}
static inline uint32_t hash_set_likely (const struct hash_set *set, uint64_t hash) {
  if (!set->slots)
    return UINT32_MAX;
  for (size_t probe = 0; probe < 4; probe++) {
    const uint64_t slot = set->slots[((size_t) (hash >> 32) + probe) & set->mask];
    if (!slot)
      return UINT32_MAX;
    if (slot >> 32 == hash >> 32)
      return (uint32_t) slot - 1;
  }
  return UINT32_MAX;
}

// The caller has made sure that no equal element is there. index < UINT32_MAX.
void hash_set_insert (struct hash_set *, uint64_t hash, uint32_t index);

void hash_set_free (struct hash_set *);

#endif
