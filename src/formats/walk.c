#include "formats/walk.h"

#include "base/search.h"

bool walk_next (struct walk *walk, const struct history *h, uint32_t *txn) {
  if (walk->steps == history_txns (h))
    return false;
  *txn = walk->steps++;
  if (!h->txn_order.count) // then entries come one after the other, too
    return true;
  *txn = h->txn_order.data[*txn];
  const uint32_t op = h->txn_first_op.data[*txn];
  walk->next_times = walk->next_op_hint = walk->next_txn_hint = 0;
  LOWER_BOUND (walk->next_times, h->op_times.count, middle, h->op_times.data[middle].op < op);
  LOWER_BOUND (walk->next_op_hint, h->op_hints.count, middle, h->op_hints.data[middle].owner < op);
  LOWER_BOUND (walk->next_txn_hint, h->txn_hints.count, middle, h->txn_hints.data[middle].owner < *txn);
  return true;
}
