#include "tests/support/history_equal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char difference[256];

static const char *differ (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

static const char *differ (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (difference, sizeof difference, format, arguments);
  va_end (arguments);
  return difference;
}

// Special numbers (absent, unrecorded, none) lie above every atom.
static bool same_atom (const struct atoms *a, uint32_t x, const struct atoms *b, uint32_t y) {
  if (x >= VALUE_NONE || y >= VALUE_NONE)
    return x == y;
  const struct atom left = atoms_get (a, x), right = atoms_get (b, y);
  return left.kind == right.kind && !atom_compare (left, right);
}

static bool same_key (const struct history *a, uint32_t x, const struct history *b, uint32_t y) {
  return same_atom (&a->keys, x, &b->keys, y);
}

static bool same_value (const struct history *a, uint32_t x, const struct history *b, uint32_t y) {
  return same_atom (&a->values, x, &b->values, y);
}

static bool same_text (const char *a, const char *b) {
  return a && b ? !strcmp (a, b) : a == b;
}

static const struct history *sorted_history;

static int by_key (const void *a, const void *b) {
  const struct atoms *keys = &sorted_history->keys;
  const uint32_t x = sorted_history->init_keys.data[*(const uint32_t *) a];
  const uint32_t y = sorted_history->init_keys.data[*(const uint32_t *) b];
  return atom_compare (atoms_get (keys, x), atoms_get (keys, y));
}

static uint32_t *sorted_init (const struct history *h) {
  uint32_t *order = MEM_ARRAY (uint32_t, h->init_keys.count);
  for (uint32_t i = 0; i < h->init_keys.count; i++)
    order[i] = i;
  sorted_history = h;
  if (h->init_keys.count)
    qsort (order, h->init_keys.count, sizeof *order, by_key);
  return order;
}

static const char *compare_init (const struct history *a, const struct history *b) {
  if (a->init != b->init)
    return differ ("initial state: kind %d, %d", (int) a->init, (int) b->init);
  if (a->init == INIT_DEFAULT && !same_value (a, a->init_default, b, b->init_default))
    return differ ("initial state: default");
  if (a->init_keys.count != b->init_keys.count)
    return differ ("initial state: %zu keys, %zu", a->init_keys.count, b->init_keys.count);
  uint32_t *left = sorted_init (a), *right = sorted_init (b);
  const char *found = NULL;
  for (size_t i = 0; !found && i < a->init_keys.count; i++)
    if (!same_key (a, a->init_keys.data[left[i]], b, b->init_keys.data[right[i]])
        || !same_value (a, a->init_values.data[left[i]], b, b->init_values.data[right[i]]))
      found = differ ("initial state: key %zu in order", i);
  mem_free (left);
  mem_free (right);
  return found;
}

static const char *compare_range (const struct history *a, uint32_t x, const struct history *b, uint32_t y) {
  if (x == AUX_NONE || y == AUX_NONE)
    return x == y ? NULL : "one has a result";
  const struct op_range *left = &a->ranges.data[x], *right = &b->ranges.data[y];
  if (!same_key (a, left->low, b, right->low) || !same_key (a, left->high, b, right->high))
    return "bounds";
  if (left->items != right->items)
    return "number of items";
  for (uint32_t i = 0; i < left->items; i++)
    if (!same_key (a, a->item_keys.data[left->first_item + i], b, b->item_keys.data[right->first_item + i])
        || !same_value (a, a->item_values.data[left->first_item + i], b, b->item_values.data[right->first_item + i]))
      return "items";
  return NULL;
}

static const char *compare_op (const struct history *a, const struct history *b, uint32_t op) {
  const enum op_kind kind = (enum op_kind) a->op_kinds.data[op];
  const uint32_t x = history_aux (a, op), y = history_aux (b, op);
  const char *what = NULL;
  if (kind != b->op_kinds.data[op])
    what = "kind";
  else if (history_flags (a, op) != history_flags (b, op))
    what = "flags";
  else if (!same_key (a, a->op_keys.data[op], b, b->op_keys.data[op]))
    what = "key";
  else if (!same_value (a, a->op_values.data[op], b, b->op_values.data[op]))
    what = "value";
  else if (kind == OP_SCAN || kind == OP_ITER || kind == OP_LIST)
    what = compare_range (a, x, b, y);
  else if (kind == OP_CAS || kind == OP_INC ? !same_value (a, x, b, y) : x != y)
    what = "new value";
  return what ? differ ("operation %" PRIu32 " (%s): %s", op, op_kind_name (kind), what) : NULL;
}

static const char *compare_txn (const struct history *a, const struct history *b, uint32_t txn) {
  if (a->txn_ids.data[txn] != b->txn_ids.data[txn])
    return differ ("transaction %" PRIu32 ": id %" PRIu64 ", %" PRIu64, txn, a->txn_ids.data[txn],
                   b->txn_ids.data[txn]);
  if (a->txn_sessions.data[txn] != b->txn_sessions.data[txn])
    return differ ("transaction %" PRIu32 ": session", txn);
  if (a->txn_status.data[txn] != b->txn_status.data[txn])
    return differ ("transaction %" PRIu32 ": status", txn);
  if (history_begin_time (a, txn) != history_begin_time (b, txn)
      || history_end_time (a, txn) != history_end_time (b, txn))
    return differ ("transaction %" PRIu32 ": times", txn);
  if (a->txn_first_op.data[txn + 1] != b->txn_first_op.data[txn + 1])
    return differ ("transaction %" PRIu32 ": number of operations", txn);
  return NULL;
}

#define COMPARE_HINTS(member, what)                                                                                    \
  do {                                                                                                                 \
    if (a->member.count != b->member.count)                                                                            \
      return differ ("hints of %s: %zu, %zu", what, a->member.count, b->member.count);                                 \
    for (size_t i = 0; i < a->member.count; i++)                                                                       \
      if (a->member.data[i].owner != b->member.data[i].owner                                                           \
          || !same_atom (&a->texts, a->member.data[i].text, &b->texts, b->member.data[i].text))                        \
        return differ ("hint %zu of %s", i, what);                                                                     \
  } while (0)

static const char *compare_extras (const struct history *a, const struct history *b) {
  if (!same_atom (&a->texts, a->hints, &b->texts, b->hints))
    return differ ("hints of the history");
  COMPARE_HINTS (txn_hints, "transactions");
  COMPARE_HINTS (op_hints, "operations");
  if (a->op_times.count != b->op_times.count)
    return differ ("times of operations: %zu, %zu", a->op_times.count, b->op_times.count);
  for (size_t i = 0; i < a->op_times.count; i++) {
    const struct op_times *x = &a->op_times.data[i], *y = &b->op_times.data[i];
    if (x->op != y->op || x->begin != y->begin || x->end != y->end)
      return differ ("times %zu of operations", i);
  }
  return NULL;
}

static const char *compare_sessions (const struct history *a, const struct history *b) {
  if (history_sessions (a) != history_sessions (b))
    return differ ("sessions: %" PRIu32 ", %" PRIu32, history_sessions (a), history_sessions (b));
  for (uint32_t s = 0; s < history_sessions (a); s++)
    if (a->session_labels.data[s] != b->session_labels.data[s])
      return differ ("session %" PRIu32 ": label %" PRIu64 ", %" PRIu64, s, a->session_labels.data[s],
                     b->session_labels.data[s]);
  return NULL;
}

const char *history_difference (const struct history *a, const struct history *b) {
  if (!same_text (a->source, b->source))
    return differ ("source");
  if (!same_text (a->incomplete, b->incomplete))
    return differ ("incomplete");
  if (a->key_type != b->key_type && (history_keys (a) || history_keys (b)))
    return differ ("type of keys");
  if (history_txns (a) != history_txns (b))
    return differ ("transactions: %" PRIu32 ", %" PRIu32, history_txns (a), history_txns (b));
  const char *found = compare_sessions (a, b);
  for (uint32_t txn = 0; !found && txn < history_txns (a); txn++)
    found = compare_txn (a, b, txn);
  for (uint32_t op = 0; !found && op < history_ops (a); op++)
    found = compare_op (a, b, op);
  if (!found)
    found = compare_init (a, b);
  return found ? found : compare_extras (a, b);
}
