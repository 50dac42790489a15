#include "formats/walk.h"

// The first entry of a sparse column whose owner is not before this one. The owner is the first member of all of them.
static size_t first_entry (const void *entries, size_t count, size_t size, uint32_t owner) {
  size_t low = 0;
  for (size_t high = count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (*(const uint32_t *) ((const char *) entries + middle * size) < owner)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#define FIRST_ENTRY(column, owner) first_entry ((column).data, (column).count, sizeof *(column).data, owner)

bool walk_next (struct walk *walk, const struct history *h, uint32_t *txn) {
  if (walk->steps == history_txns (h))
    return false;
  *txn = walk->steps++;
  if (!h->txn_order.count) // then entries come one after the other, too
    return true;
  *txn = h->txn_order.data[*txn];
  const uint32_t op = h->txn_first_op.data[*txn];
  walk->next_times = FIRST_ENTRY (h->op_times, op);
  walk->next_op_hint = FIRST_ENTRY (h->op_hints, op);
  walk->next_txn_hint = FIRST_ENTRY (h->txn_hints, *txn);
  return true;
}
