// The history of the parts: ids, times and hints.

#include "verify/split.h"

static bool has_range (const struct history *h, const struct fragment *fragment) {
  return op_has_range ((enum op_kind) fragment->kind) && history_aux (h, fragment->op) != AUX_NONE;
}

struct fragment split_whole (const struct history *h, uint32_t op) {
  struct fragment fragment = { .op = op,
                               .kind = h->op_kinds.data[op],
                               .flags = history_flags (h, op),
                               .key = h->op_keys.data[op],
                               .value = h->op_values.data[op],
                               .whole = true };
  if (has_range (h, &fragment))
    fragment.range = h->ranges.data[history_aux (h, op)];
  return fragment;
}

// ------------------------------------------------------------------------------------------- times

struct interval {
  int64_t begin, end;
};

static struct interval times_of_op (const struct history *h, uint32_t op) {
  const struct op_times *times = op == OP_NONE ? NULL : history_times_of_op (h, op);
  return times ? (struct interval){ times->begin, times->end } : (struct interval){ TIME_NONE_BEGIN, TIME_NONE_END };
}

// When the part took place: within its transaction, and within its operations as far as that is
// possible.
static struct interval times_of_view (const struct history *h, const struct split_view *view, struct interval txn) {
  const int64_t begin = times_of_op (h, view->first_op).begin, end = times_of_op (h, view->last_op).end;
  const struct interval inner = { begin > txn.begin ? begin : txn.begin, end < txn.end ? end : txn.end };
  return inner.begin <= inner.end ? inner : txn;
}

// Operations' times count if the transaction has some, and if no part ended before an earlier one
// began.
static bool are_in_order (const struct history *h, const struct split_view *const *views, size_t count,
                          struct interval txn) {
  int64_t latest = txn.begin;
  if (txn.begin == TIME_NONE_BEGIN && txn.end == TIME_NONE_END)
    return false;
  for (size_t i = 0; i < count; i++) {
    const struct interval times = times_of_view (h, views[i], txn);
    if (times.end < latest)
      return false;
    latest = times.begin > latest ? times.begin : latest;
  }
  return true;
}

// ----------------------------------------------------------------------------------------- writing

static bool write_fragment (struct history *to, const struct history *h, const struct fragment *fragment,
                            const char **problem) {
  uint32_t aux = history_aux (h, fragment->op);
  if (fragment->kind == OP_GET)
    aux = AUX_NONE; // it may have been an item of a range
  if (has_range (h, fragment)) {
    aux = history_open_range (to, fragment->range.low, fragment->range.high);
    for (uint32_t i = fragment->range.first_item; i < fragment->range.first_item + fragment->range.items; i++)
      if (!history_add_item (to, h->item_keys.data[i], h->item_values.data[i], problem))
        return false;
  }
  if (!history_add_op (to, fragment->kind, fragment->flags, fragment->key, fragment->value, aux, problem))
    return false;
  const struct interval times = times_of_op (h, fragment->op);
  if (times.begin != TIME_NONE_BEGIN || times.end != TIME_NONE_END)
    history_set_op_times (to, times.begin, times.end);
  const uint32_t hint = fragment->whole ? history_hint_of_op (h, fragment->op) : AUX_NONE;
  const struct atom text = hint == AUX_NONE ? (struct atom){ 0 } : atoms_get (&h->texts, hint);
  return hint == AUX_NONE || history_set_op_hint (to, text.bytes, text.length, problem);
}

static bool write_part (struct split *split, const struct history *h, uint32_t txn, const struct split_view *view,
                        struct interval times, uint64_t id, const char **problem) {
  struct history *to = split->history;
  const struct txn_header header = { .session = h->session_labels.data[h->txn_sessions.data[txn]],
                                     .has_id = true,
                                     .id = id,
                                     .status = (enum txn_status) h->txn_status.data[txn],
                                     .begin = times.begin,
                                     .end = times.end };
  if (!history_begin_txn (to, &header, problem))
    return false;
  VEC_PUSH (split->origin, txn);
  const uint32_t hint = id == h->txn_ids.data[txn] ? history_hint_of_txn (h, txn) : AUX_NONE;
  const struct atom text = hint == AUX_NONE ? (struct atom){ 0 } : atoms_get (&h->texts, hint);
  if (hint != AUX_NONE && !history_set_txn_hint (to, text.bytes, text.length, problem))
    return false;
  for (size_t i = 0; view && i < view->fragments.count; i++)
    if (!write_fragment (to, h, &view->fragments.data[i], problem))
      return false;
  return true;
}

// The last part has the transaction's id and hints.
bool split_write (struct split *split, const struct history *h, uint32_t txn, const struct split_view *views,
                  size_t count, uint64_t *next_id, const char **problem) {
  const struct interval whole = { history_begin_time (h, txn), history_end_time (h, txn) };
  VEC (const struct split_view *) kept = VEC_EMPTY;
  for (size_t i = 0; i < count; i++)
    if (views[i].fragments.count)
      VEC_PUSH (kept, &views[i]);
  const bool timed = kept.count > 1 && are_in_order (h, kept.data, kept.count, whole);
  bool fine = kept.count || write_part (split, h, txn, NULL, whole, h->txn_ids.data[txn], problem);
  for (size_t i = 0; i < kept.count && fine; i++)
    fine = write_part (split, h, txn, kept.data[i], timed ? times_of_view (h, kept.data[i], whole) : whole,
                       i + 1 == kept.count ? h->txn_ids.data[txn] : (*next_id)++, problem);
  VEC_FREE (kept);
  return fine;
}
