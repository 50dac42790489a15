#include "history/effects.h"

struct key_span effects_asked_for (const struct history *h, const uint32_t *rank, const struct op_range *range) {
  return (struct key_span){ range->low == KEY_NONE ? 0 : rank[range->low],
                            range->high == KEY_NONE ? history_keys (h) : rank[range->high] };
}

bool effects_looked_at (const struct history *h, const uint32_t *rank, uint32_t op, struct key_span *at) {
  const struct op_range range = effects_range (h, op);
  const struct key_span asked = effects_asked_for (h, rank, &range);
  const bool reverse = effects_reverse (h, op);
  uint32_t last = 0;
  bool fine = true;
  for (uint32_t i = 0; i < range.items; i++) {
    const uint32_t before = last;
    last = rank[h->item_keys.data[range.first_item + i]];
    fine &= last >= asked.low && last < asked.high && (!i || (reverse ? last < before : last > before));
  }
  *at = asked;
  // An item that is out of the range, which is wrong by itself, does not widen it.
  if (effects_stopped (h, op) && reverse && last > at->low)
    at->low = last;
  if (effects_stopped (h, op) && !reverse && last + 1 < at->high)
    at->high = last + 1;
  return fine;
}

bool effects_some_lock (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (effects_lock (h, op))
      return true;
  return false;
}

uint32_t effects_value_written (const struct history *h, uint32_t op) {
  const struct effects e = effects_of (h, op);
  return e.writes == WRITES_NOTHING || e.writes == WRITES_UNDEFINED ? VALUE_NONE : e.written;
}

uint32_t effects_last_write_before (const struct history *h, uint32_t op, uint32_t key) {
  const uint32_t first = h->txn_first_op.data[history_txn_of_op (h, op)];
  for (uint32_t other = op; other-- > first;)
    if (h->op_keys.data[other] == key && effects_may_write (h, other))
      return other;
  return UINT32_MAX;
}

// Of deletes without recorded results, one after the other, the first one tells.
enum effect_write effects_settled_write (const struct history *h, uint32_t op) {
  const struct effects e = effects_of (h, op);
  if (e.writes != WRITES_PERHAPS)
    return e.writes;
  bool alone = true;
  for (uint32_t before = op; (before = effects_last_write_before (h, before, e.key)) != UINT32_MAX;) {
    const struct effects own = effects_of (h, before);
    if (own.writes != WRITES_PERHAPS)
      return alone && own.written != VALUE_ABSENT ? WRITES_VALUE : WRITES_NOTHING;
    alone = false;
  }
  return WRITES_PERHAPS;
}
