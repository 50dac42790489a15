#include "dialects/parts.h"

#include "base/sort.h"

struct piece piece_of (const struct history *h, uint32_t op) {
  struct piece piece = { .op = op,
                         .kind = h->op_kinds.data[op],
                         .flags = history_flags (h, op),
                         .key = h->op_keys.data[op],
                         .value = h->op_values.data[op],
                         .aux = history_aux (h, op),
                         .whole = true };
  if (op_has_range (piece.kind) && piece.aux != AUX_NONE)
    piece.range = h->ranges.data[piece.aux];
  return piece;
}

// --------------------------------------------------------------------------------------------- ids

// The first of `count` ids in a row that nobody has: above all others, unless there is no room.
static uint64_t free_ids (const struct history *h, uint64_t count) {
  const uint32_t txns = history_txns (h);
  uint64_t *ids = MEM_ARRAY (uint64_t, txns), first = 1;
  for (uint32_t t = 0; t < txns; t++)
    ids[t] = h->txn_ids.data[t];
  SORT (ids, txns, by_u64);
  if (txns && ids[txns - 1] < UINT64_MAX - count)
    first = ids[txns - 1] + 1;
  else
    for (uint32_t t = 0; t < txns && (ids[t] < first || ids[t] - first < count); t++)
      first = ids[t] + 1;
  mem_free (ids);
  return first;
}

void parts_start (struct parts_writer *w, const struct history *old, struct rewriting *to) {
  *to = (struct rewriting){ .history = history_new_like (old) };
  // No operation gives more than one part, and each transaction has two besides.
  *w =
    (struct parts_writer){ old, to, free_ids (old, (uint64_t) history_ops (old) + 2 * (uint64_t) history_txns (old)) };
}

// ------------------------------------------------------------------------------------------- times

struct interval {
  int64_t begin, end;
};

static struct interval interval_of (const struct history *h, const struct subtransaction *part, struct interval txn) {
  const struct op_times *first = part->first_op == OP_NONE ? NULL : history_times_of_op (h, part->first_op),
                        *last = part->last_op == OP_NONE ? NULL : history_times_of_op (h, part->last_op);
  struct interval own = txn;
  if (first && first->begin > own.begin)
    own.begin = first->begin;
  if (last && last->end < own.end)
    own.end = last->end;
  return own.begin <= own.end ? own : txn;
}

// Operations' own times are used where the transaction has some, and as long as they do not say
// that a part ended before an earlier one began.
static bool operations_are_in_order (const struct history *h, const struct subtransaction *parts, size_t count,
                                     struct interval txn) {
  if (!h->op_times.count || (txn.begin == TIME_NONE_BEGIN && txn.end == TIME_NONE_END))
    return false;
  int64_t begun = txn.begin;
  for (size_t i = 0; i < count; i++) {
    const struct interval own = interval_of (h, &parts[i], txn);
    if (own.end < begun)
      return false;
    begun = own.begin > begun ? own.begin : begun;
  }
  return true;
}

// ----------------------------------------------------------------------------------------- writing

static void copy_extras (struct parts_writer *w, const struct piece *piece) {
  struct history *h = w->to->history;
  const struct op_times *times = history_times_of_op (w->old, piece->op);
  if (times)
    history_set_op_times (h, times->begin, times->end);
  const uint32_t hint = piece->whole ? history_hint_of_op (w->old, piece->op) : AUX_NONE;
  if (hint != AUX_NONE)
    VEC_PUSH (h->op_hints, (struct op_hint){ history_ops (h) - 1, hint });
}

static bool write_piece (struct parts_writer *w, const struct piece *piece, const char **why) {
  struct history *h = w->to->history;
  uint32_t aux = piece->aux;
  if (op_has_range (piece->kind) && aux != AUX_NONE) {
    aux = history_open_range (h, piece->range.low, piece->range.high);
    for (uint32_t i = piece->range.first_item; i < piece->range.first_item + piece->range.items; i++)
      if (!history_add_item (h, w->old->item_keys.data[i], w->old->item_values.data[i], why))
        return false;
  }
  if (!history_add_op (h, piece->kind, piece->flags, piece->key, piece->value, aux, why))
    return false;
  copy_extras (w, piece);
  return true;
}

static bool write_part (struct parts_writer *w, uint32_t txn, const struct subtransaction *part, struct interval times,
                        bool last, const char **why) {
  const struct history *old = w->old;
  const struct txn_header header = { .session = old->session_labels.data[old->txn_sessions.data[txn]],
                                     .has_id = true,
                                     .id = last ? old->txn_ids.data[txn] : w->next_id++,
                                     .status = old->txn_status.data[txn],
                                     .begin = times.begin,
                                     .end = times.end };
  if (!history_begin_txn (w->to->history, &header, why))
    return false;
  VEC_PUSH (w->to->origins, (struct origin){ txn, part->name });
  const uint32_t hint = last ? history_hint_of_txn (old, txn) : AUX_NONE;
  if (hint != AUX_NONE)
    VEC_PUSH (w->to->history->txn_hints, (struct op_hint){ history_txns (w->to->history) - 1, hint });
  for (size_t i = 0; i < part->count; i++)
    if (!write_piece (w, &part->pieces[i], why))
      return false;
  return true;
}

bool parts_write (struct parts_writer *w, uint32_t txn, const struct subtransaction *parts, size_t count,
                  const char **why) {
  const struct interval times = { history_begin_time (w->old, txn), history_end_time (w->old, txn) };
  if (count <= 1)
    return write_part (
      w, txn, &(struct subtransaction){ .pieces = count ? parts->pieces : NULL, .count = count ? parts->count : 0 },
      times, true, why);
  const bool precise = operations_are_in_order (w->old, parts, count, times);
  for (size_t i = 0; i < count; i++)
    if (!write_part (w, txn, &parts[i], precise ? interval_of (w->old, &parts[i], times) : times, i + 1 == count, why))
      return false;
  return true;
}
