#include "dialects/ranges.h"

#include "base/search.h"

void key_ranks_start (struct key_ranks *k, const struct history *h) {
  *k = (struct key_ranks){ .h = h };
  if (h->ranges.count)
    atoms_rank (&h->keys, &k->sorted, &k->rank);
}

void key_ranks_free (struct key_ranks *k) {
  MEM_FREE_ALL (k->rank, k->sorted);
}

static const struct op_range *range_of (const struct history *h, uint32_t op) {
  return &h->ranges.data[history_aux (h, op)];
}

static uint32_t item_rank (const struct key_ranks *k, const struct op_range *range, uint32_t i) {
  return k->rank[k->h->item_keys.data[range->first_item + i]];
}

// How many items come before the first one of this rank or beyond, in the direction of the range.
static uint32_t items_before (const struct key_ranks *k, uint32_t op, uint32_t rank) {
  const struct op_range *range = range_of (k->h, op);
  const bool reverse = effects_reverse (k->h, op);
  uint32_t low = 0;
  LOWER_BOUND (low, range->items, middle,
               reverse ? item_rank (k, range, middle) > rank : item_rank (k, range, middle) < rank);
  return low;
}

uint32_t range_value (const struct key_ranks *k, uint32_t op, uint32_t rank) {
  const struct op_range *range = range_of (k->h, op);
  const uint32_t i = items_before (k, op, rank);
  return i < range->items && item_rank (k, range, i) == rank ? k->h->item_values.data[range->first_item + i]
                                                             : VALUE_ABSENT;
}

// The keys from one rank to below another one, all of them looked at.
static void add_piece (const struct key_ranks *k, uint32_t op, uint32_t low, uint32_t high, piece_vec *to) {
  if (low >= high)
    return;
  struct piece piece = piece_of (k->h, op);
  const struct key_span whole = effects_asked_for (k->h, k->rank, &piece.range);
  const bool reverse = effects_reverse (k->h, op);
  const uint32_t first = items_before (k, op, reverse ? high - 1 : low),
                 end = reverse ? low ? items_before (k, op, low - 1) : piece.range.items : items_before (k, op, high);
  if (low != whole.low)
    piece.range.low = k->sorted[low];
  if (high != whole.high)
    piece.range.high = k->sorted[high];
  piece.range.first_item += first;
  piece.range.items = end - first;
  if (effects_stay_open (k->h, op))
    piece.flags |= OP_ITER_END;
  piece.whole = false;
  VEC_PUSH (*to, piece);
}

void range_cut (const struct key_ranks *k, uint32_t op, struct key_span at, const uint32_t *ranks, size_t count,
                piece_vec *to) {
  if (!count) {
    VEC_PUSH (*to, piece_of (k->h, op));
    return;
  }
  uint32_t low = at.low;
  for (size_t i = 0; i < count; i++) {
    add_piece (k, op, low, ranks[i], to);
    low = ranks[i] + 1;
  }
  add_piece (k, op, low, at.high, to);
}
