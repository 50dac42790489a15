// The end of building: transactions are grouped by session, so that a session is a range of
// indexes, and what came as ready columns is checked once before anybody relies on it.

#include "history/history.h"

#include "base/group.h"
#include "base/sort.h"

#include <string.h>

// order[new] = old
static uint32_t *session_major_order (struct history *h) {
  const uint32_t txns = history_txns (h), sessions = history_sessions (h);
  struct grouping by_session = { .groups = sessions };
  while (grouping_pass (&by_session))
    for (uint32_t t = 0; t < txns; t++)
      group_put (&by_session, h->txn_sessions.data[t], t);
  h->session_first.count = 0;
  for (uint32_t s = 0; s <= sessions; s++)
    VEC_PUSH (h->session_first, by_session.first[s]);
  mem_free (by_session.first);
  return by_session.items;
}

static bool is_identity (const uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (order[i] != i)
      return false;
  return true;
}

#define PERMUTE_TXNS(column)                                                                                           \
  do {                                                                                                                 \
    if ((column).count) {                                                                                              \
      void *old_ = (column).data;                                                                                      \
      __typeof__ ((column).data) from_ = old_;                                                                         \
      (column).data = mem_alloc (mem_bytes (txns, sizeof *from_));                                                     \
      (column).capacity = txns;                                                                                        \
      for (uint32_t t_ = 0; t_ < txns; t_++)                                                                           \
        (column).data[t_] = from_[order[t_]];                                                                          \
      mem_free (old_);                                                                                                 \
    }                                                                                                                  \
  } while (0)

#define PERMUTE_OPS(column)                                                                                            \
  do {                                                                                                                 \
    if ((column).count) {                                                                                              \
      __typeof__ ((column).data) from_ = (column).data;                                                                \
      (column).data = mem_alloc (mem_bytes (ops, sizeof *from_));                                                      \
      (column).capacity = ops;                                                                                         \
      for (uint32_t t_ = 0; t_ < txns; t_++) {                                                                         \
        const uint32_t first_ = old_first[order[t_]], count_ = old_first[order[t_] + 1] - first_;                      \
        if (count_)                                                                                                    \
          memcpy ((column).data + first_op[t_], from_ + first_, count_ * sizeof *from_);                               \
      }                                                                                                                \
      mem_free (from_);                                                                                                \
    }                                                                                                                  \
  } while (0)

// Sparse extras move with their owners; in building order their owners ascend, so one pass over the
// transactions finds them. The owner is the first member of all, which sorting relies on.
#define MOVE_OWNERS(column, owner)                                                                                     \
  do {                                                                                                                 \
    uint32_t txn_ = 0;                                                                                                 \
    for (size_t i_ = 0; i_ < (column).count; i_++) {                                                                   \
      uint32_t *op_ = &(column).data[i_].owner;                                                                        \
      while (old_first[txn_ + 1] <= *op_)                                                                              \
        txn_++;                                                                                                        \
      *op_ = *op_ - old_first[txn_] + first_op[new_of[txn_]];                                                          \
    }                                                                                                                  \
    VEC_SORT (column, by_u32);                                                                                         \
  } while (0)

static void regroup (struct history *h, const uint32_t *order) {
  const uint32_t txns = history_txns (h), ops = history_ops (h);
  const uint32_t *old_first = h->txn_first_op.data;
  uint32_t *first_op = MEM_ARRAY (uint32_t, (size_t) txns + 1);
  uint32_t *new_of = MEM_ARRAY (uint32_t, txns);
  uint32_t next = 0;
  for (uint32_t t = 0; t < txns; t++) {
    new_of[order[t]] = t;
    first_op[t] = next;
    next += old_first[order[t] + 1] - old_first[order[t]];
  }
  first_op[txns] = next;

  PERMUTE_OPS (h->op_kinds);
  PERMUTE_OPS (h->some_op_flags);
  PERMUTE_OPS (h->op_keys);
  PERMUTE_OPS (h->op_values);
  PERMUTE_OPS (h->some_op_aux);

  MOVE_OWNERS (h->op_times, op);
  MOVE_OWNERS (h->op_hints, owner);
  for (size_t i = 0; i < h->txn_hints.count; i++)
    h->txn_hints.data[i].owner = new_of[h->txn_hints.data[i].owner];
  VEC_SORT (h->txn_hints, by_u32);

  PERMUTE_TXNS (h->txn_ids);
  PERMUTE_TXNS (h->txn_sessions);
  PERMUTE_TXNS (h->txn_status);
  PERMUTE_TXNS (h->txn_begin);
  PERMUTE_TXNS (h->txn_end);
  memcpy (h->txn_first_op.data, first_op, ((size_t) txns + 1) * sizeof *first_op);
  MEM_FREE_ALL (first_op, new_of);
}

struct labelled {
  uint64_t label; // sorted by
  uint32_t session;
};

void history_sort_sessions (struct history *h) {
  const uint32_t sessions = history_sessions (h);
  struct labelled *sorted = MEM_ARRAY (struct labelled, sessions);
  uint32_t *new_of = MEM_ARRAY (uint32_t, sessions);
  for (uint32_t s = 0; s < sessions; s++)
    sorted[s] = (struct labelled){ h->session_labels.data[s], s };
  SORT (sorted, sessions, by_u64);
  for (uint32_t s = 0; s < sessions; s++) {
    h->session_labels.data[s] = sorted[s].label;
    new_of[sorted[s].session] = s;
  }
  for (uint32_t t = 0; t < history_txns (h); t++)
    h->txn_sessions.data[t] = new_of[h->txn_sessions.data[t]];
  MEM_FREE_ALL (sorted, new_of);
}

#define TRIM_COLUMN(column) VEC_TRIM (h->column);

void history_finish (struct history *h) {
  if (h->txn_first_op.count == h->txn_ids.count)
    VEC_PUSH (h->txn_first_op, history_ops (h));
  uint32_t *order = session_major_order (h);
  if (!is_identity (order, history_txns (h)))
    regroup (h, order);
  mem_free (order);
  id_set_free (&h->ids);
  hash_set_free (&h->session_table);
  hash_set_free (&h->init_table);
  atoms_seal (&h->keys);
  atoms_seal (&h->values);
  atoms_seal (&h->texts);
  HISTORY_COLUMNS (TRIM_COLUMN)
}

#define BYTES(vec) ((vec).capacity * sizeof *(vec).data)

static size_t atoms_bytes (const struct atoms *atoms) {
  return BYTES (atoms->kinds) + BYTES (atoms->payloads) + BYTES (atoms->numbers) + BYTES (atoms->pool)
         + atoms->direct_length * sizeof *atoms->direct
         + (atoms->table.slots ? (atoms->table.mask + 1) * sizeof *atoms->table.slots : 0);
}

#define ADD_BYTES(column) bytes += BYTES (h->column);

size_t history_bytes (const struct history *h) {
  size_t bytes = sizeof *h + atoms_bytes (&h->keys) + atoms_bytes (&h->values) + atoms_bytes (&h->texts);
  HISTORY_COLUMNS (ADD_BYTES)
  return bytes;
}
