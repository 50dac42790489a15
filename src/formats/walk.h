// The way through a history that the text formats take when they write: transactions in the
// history's txn_order, if it has one, and with each of them the place in the sparse columns (times
// and hints) where its entries begin. Writers move the places on as they use the entries.

#ifndef KRAIT_FORMATS_WALK_H
#define KRAIT_FORMATS_WALK_H

#include "history/history.h"

struct walk {
  uint32_t steps;
  size_t next_times, next_op_hint, next_txn_hint;
};

// False at the end.
bool walk_next (struct walk *, const struct history *, uint32_t *txn);

#endif
