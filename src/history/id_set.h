// Has a transaction id been used before?
//
// Ids are numbers from 0 or 1 on with few gaps, nearly always: a bit for each of those, and a hash
// table for all others.

#ifndef KRAIT_HISTORY_ID_SET_H
#define KRAIT_HISTORY_ID_SET_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_set {
  uint64_t *bits;         // of the numbers below `length`
  uint64_t length;        // a multiple of 64
  struct hash_set others; // those that were beyond the bits when they came
};

// Adds an id to those that `ids` holds already, which have all been added before. False: it is one
// of them. The caller then appends it there.
bool id_set_add (struct id_set *, const uint64_t *ids, size_t count, uint64_t id);

static inline void id_set_prefetch (const struct id_set *set, uint64_t id) {
  if (id < set->length)
    __builtin_prefetch (&set->bits[id / 64]);
  else
    hash_set_prefetch (&set->others, hash_u64 (id));
}

void id_set_free (struct id_set *);

#endif
