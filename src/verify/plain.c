// A serial order of gets and puts, which is what most histories are: one value per key, and one of
// its own for the transaction at hand. What is said here of an operation is said once more, for
// operations of every kind, in effects.c; that a run does not fit is left to be found out there,
// with what is wrong.

#include "verify/valid.h"

#include <string.h>

struct cell {
  uint32_t value;     // as committed so far
  uint32_t own_value; // what the transaction wrote that `owner` says: 1 + its place in the order
  uint32_t owner;
};

static bool is_plain (const struct world *w) {
  const struct history *h = w->told->h;
  const uint8_t *kinds = h->op_kinds.data;
  size_t others = 0;
  for (size_t op = 0; op < history_ops (h); op++)
    others += (kinds[op] != OP_GET) & (kinds[op] != OP_PUT);
  return !others && h->init != INIT_ANY && !w->c->wrote.count;
}

static struct cell *start (const struct world *w) {
  const uint32_t keys = history_keys (w->told->h);
  struct cell *cells = MEM_ZARRAY (struct cell, keys);
  for (uint32_t key = 0; key < keys; key++)
    cells[key].value = w->told->init_value[key];
  return cells;
}

static bool reads_well (const struct cell *cell, uint32_t value, uint32_t turn, enum own_policy policy) {
  if (cell->owner == turn && policy != POLICY_EXTERNAL && (cell->own_value == value || policy == POLICY_MUST))
    return cell->own_value == value;
  return cell->value == value;
}

static bool run_transaction (const struct world *w, struct cell *cells, uint32_t turn) {
  const struct history *h = w->told->h;
  const uint32_t txn = w->by_commit[turn - 1], first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  const uint8_t *kinds = h->op_kinds.data;
  const uint32_t *keys = h->op_keys.data, *values = h->op_values.data;
  bool fine = true, writes = false;
  for (uint32_t op = first; op < end; op++) {
    struct cell *cell = &cells[keys[op]];
    if (kinds[op] == OP_PUT) {
      cell->owner = turn;
      cell->own_value = values[op];
      writes = true;
    } else
      fine &= values[op] == VALUE_UNRECORDED || reads_well (cell, values[op], turn, w->told->policy);
  }
  for (uint32_t op = first; writes && op < end; op++)
    if (kinds[op] == OP_PUT)
      cells[keys[op]].value = values[op];
  return fine;
}

// Neighbours in the order stand far apart in the history.
static void prefetch (const struct world *w, uint32_t turn) {
  enum { FAR = 24, NEAR = 12 };
  const struct history *h = w->told->h;
  if (turn + FAR > w->placed)
    return;
  __builtin_prefetch (&h->txn_first_op.data[w->by_commit[turn + FAR - 1]]);
  const uint32_t op = h->txn_first_op.data[w->by_commit[turn + NEAR - 1]];
  __builtin_prefetch (&h->op_kinds.data[op]);
  __builtin_prefetch (&h->op_keys.data[op]);
  __builtin_prefetch (&h->op_values.data[op]);
}

bool world_runs_plainly (const struct world *w) {
  bool fine = is_plain (w);
  struct cell *cells = fine ? start (w) : NULL;
  for (uint32_t turn = 1; turn <= w->placed && fine; turn++) {
    prefetch (w, turn);
    fine = run_transaction (w, cells, turn);
  }
  mem_free (cells);
  return fine;
}
