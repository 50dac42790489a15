#include "history/id_set.h"

#include "base/memory.h"

#include <string.h>

// More bits than this would take more memory than a hash table.
static uint64_t most_bits (size_t count) {
  enum { PER_ID = 64, AT_FIRST = 1024 };
  return PER_ID * ((uint64_t) count + AT_FIRST);
}

static inline void set_bit (struct id_set *set, uint64_t id) {
  set->bits[id / 64] |= (uint64_t) 1 << id % 64;
}

static void grow (struct id_set *set, const uint64_t *ids, size_t count) {
  const uint64_t old = set->length, length = most_bits (count);
  MEM_RESIZE (set->bits, length / 64);
  memset (set->bits + old / 64, 0, (length - old) / 8);
  set->length = length;
  for (size_t i = 0; i < count; i++)
    if (ids[i] >= old && ids[i] < length)
      set_bit (set, ids[i]);
}

static bool same_id (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

static bool add_other (struct id_set *set, const uint64_t *ids, size_t count, uint64_t id) {
  const uint64_t hash = hash_u64 (id);
  if (hash_set_find (&set->others, hash, same_id, ids, &id) != HASH_NONE)
    return false;
  hash_set_insert (&set->others, hash, (uint32_t) count);
  return true;
}

bool id_set_add (struct id_set *set, const uint64_t *ids, size_t count, uint64_t id) {
  if (id >= set->length) {
    const uint64_t most = most_bits (count);
    // all ids are looked at when the bits grow: they at least double
    if (id >= most || most < 2 * set->length)
      return add_other (set, ids, count, id);
    grow (set, ids, count);
  }
  if (set->bits[id / 64] >> id % 64 & 1)
    return false;
  set_bit (set, id);
  return true;
}

void id_set_free (struct id_set *set) {
  mem_free (set->bits);
  hash_set_free (&set->others);
  *set = (struct id_set){ 0 };
}
