#include "history/effects.h"

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
