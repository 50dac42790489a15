#include "base/hash.h"

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes (const void *bytes, size_t length) {
  return XXH3_64bits (bytes, length);
}

// A slot keeps the high half of the hash, and probing starts from that half too: a growing table then never asks for a hash again.
static size_t first_slot (uint64_t hash, size_t mask) {
  return (size_t) (hash >> 32) & mask;
}

uint32_t hash_set_find (const struct hash_set *set, uint64_t hash, hash_equal equal, const void *context,
                        const void *wanted) {
  if (!set->slots)
    return UINT32_MAX;
  for (size_t i = first_slot (hash, set->mask);; i = (i + 1) & set->mask) {
    const uint64_t slot = set->slots[i];
    if (!slot)
      return UINT32_MAX;
    const uint32_t index = (uint32_t) slot - 1;
    if (slot >> 32 == hash >> 32 && equal (context, index, wanted))
      return index;
  }
}

static void place (uint64_t *slots, size_t mask, uint64_t slot) {
  size_t i = first_slot (slot, mask);
  while (slots[i])
    i = (i + 1) & mask;
  slots[i] = slot;
}

static void grow (struct hash_set *set) {
  const size_t slots = set->slots ? 2 * (set->mask + 1) : 16;
  uint64_t *grown = MEM_ZARRAY (uint64_t, slots);
  if (set->slots)
    for (size_t i = 0; i <= set->mask; i++)
      if (set->slots[i])
        place (grown, slots - 1, set->slots[i]);
  mem_free (set->slots);
  set->slots = grown;
  set->mask = slots - 1;
}

void hash_set_insert (struct hash_set *set, uint64_t hash, uint32_t index) {
  if (!set->slots || set->count + 1 > (set->mask + 1) / 3 * 2)
    grow (set);
  place (set->slots, set->mask, (hash & 0xffffffff00000000u) | (index + 1));
  set->count++;
}

void hash_set_free (struct hash_set *set) {
  mem_free (set->slots);
  *set = (struct hash_set){ 0 };
}
