#include "base/hash.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct hash_seed hash_seed;

void hash_reseed (uint64_t number) {
  hash_seed.mask = scramble_u64 (number + 1);
  hash_seed.factor = scramble_u64 (hash_seed.mask + 1) | 1;
  hash_seed.bytes = scramble_u64 (hash_seed.factor + 1);
}

// Where the system has no random numbers to give yet, or none for us, there are the sixteen bytes
// that it gives each process; hashed, because others rely on their being secret. KRAIT_HASH_SEED is
// for tests, and to repeat what one has seen.
__attribute__ ((constructor)) static void draw_seed (void) {
  const char *forced = getenv ("KRAIT_HASH_SEED");
  uint64_t drawn[3];
  if (forced && *forced) {
    hash_reseed (strtoull (forced, NULL, 10));
    return;
  }
  const int before = errno;
  if (getrandom (drawn, sizeof drawn, GRND_NONBLOCK) != (ssize_t) sizeof drawn) {
    const void *given = (const void *) getauxval (AT_RANDOM); // NOLINT: an address is what this is
    for (uint64_t i = 0; i < 3; i++)
      drawn[i] = given ? XXH3_64bits_withSeed (given, 16, i + 1) : scramble_u64 ((uint64_t) (uintptr_t) &drawn + i);
  }
  errno = before;
  hash_seed = (struct hash_seed){ drawn[0], drawn[1] | 1, drawn[2] };
}

uint64_t hash_bytes (const void *bytes, size_t length) {
  return XXH3_64bits_withSeed (bytes, length, hash_seed.bytes);
}

uint32_t hash_set_find (const struct hash_set *set, uint64_t hash, hash_equal equal, const void *context,
                        const void *wanted) {
  if (!set->slots)
    return HASH_NONE;
  for (size_t i = hash_set_first (set, hash);; i = (i + 1) & set->mask) {
    const uint64_t slot = set->slots[i];
    if (!slot)
      return HASH_NONE;
    const uint32_t index = (uint32_t) slot - 1;
    if (slot >> 32 == hash >> 32 && equal (context, index, wanted))
      return index;
  }
}

static void place (struct hash_set *set, uint64_t slot) {
  size_t i = hash_set_first (set, slot);
  while (set->slots[i])
    i = (i + 1) & set->mask;
  set->slots[i] = slot;
}

static void grow (struct hash_set *set) {
  const struct hash_set old = *set;
  const size_t slots = old.slots ? 2 * (old.mask + 1) : 16;
  set->slots = MEM_ZARRAY (uint64_t, slots);
  set->mask = slots - 1;
  set->shift = old.slots ? old.shift - 1 : 60;
  for (size_t i = 0; old.slots && i <= old.mask; i++)
    if (old.slots[i])
      place (set, old.slots[i]);
  mem_free (old.slots);
}

void hash_set_insert (struct hash_set *set, uint64_t hash, uint32_t index) {
  if (!set->slots || set->count + 1 > (set->mask + 1) / 3 * 2)
    grow (set);
  place (set, (hash & 0xffffffff00000000u) | (index + 1));
  set->count++;
}

void hash_set_free (struct hash_set *set) {
  mem_free (set->slots);
  *set = (struct hash_set){ 0 };
}
