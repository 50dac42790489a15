// Scans and iterators, and how to take single keys out of them. Leaving out an item would claim
// that its key was absent; so the range is cut in two at the key. Bounds of pieces are keys of the
// history: between two of these there is nothing that anybody could have read or written.

#ifndef KRAIT_DIALECTS_RANGES_H
#define KRAIT_DIALECTS_RANGES_H

#include "dialects/parts.h"

struct key_ranks {
  const struct history *h;
  uint32_t *rank;   // per key: how many keys are smaller
  uint32_t *sorted; // per rank: the key
};

// empty if the history has no ranges
void key_ranks_start (struct key_ranks *, const struct history *);
void key_ranks_free (struct key_ranks *);

// What was returned for the key of this rank: a value, or VALUE_ABSENT. Only if the items are in
// order.
uint32_t range_value (const struct key_ranks *, uint32_t op, uint32_t rank);

// The pieces that are left without the keys of these ranks, which ascend and were looked at.
void range_cut (const struct key_ranks *, uint32_t op, struct key_span, const uint32_t *ranks, size_t count,
                piece_vec *);

#endif
