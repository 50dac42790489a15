// A sketch is a history that can be edited: what is dropped is marked, and the next history is
// built from the rest. Keys and values stay those of the history that the sketch was taken from.

#include "shrink.h"

#include "base/error.h"
#include "base/output.h"
#include "formats/formats.h"

#include <string.h>

struct sketch {
  const struct history *from;
  // Per transaction.
  bool *dropped;
  uint32_t *session;
  enum txn_status *status;
  int64_t *begin, *end;
  // Per operation.
  bool *op_dropped, *op_times_dropped;
  enum op_kind *op_kind;
  unsigned *op_flags;
  // Per range, per item of a range.
  uint32_t *low, *high;
  bool *item_dropped;
  // The initial state.
  enum init_mode init;
  bool *init_dropped; // per entry of the map
};

static struct sketch take (const struct history *h) {
  const uint32_t txns = history_txns (h), ops = history_ops (h);
  struct sketch sketch = {
    .from = h,
    .dropped = MEM_ZARRAY (bool, txns + 1),
    .session = MEM_ZARRAY (uint32_t, txns + 1),
    .status = MEM_ZARRAY (enum txn_status, txns + 1),
    .begin = MEM_ZARRAY (int64_t, txns + 1),
    .end = MEM_ZARRAY (int64_t, txns + 1),
    .op_dropped = MEM_ZARRAY (bool, ops + 1),
    .op_times_dropped = MEM_ZARRAY (bool, ops + 1),
    .op_kind = MEM_ZARRAY (enum op_kind, ops + 1),
    .op_flags = MEM_ZARRAY (unsigned, ops + 1),
    .low = MEM_ZARRAY (uint32_t, h->ranges.count + 1),
    .high = MEM_ZARRAY (uint32_t, h->ranges.count + 1),
    .item_dropped = MEM_ZARRAY (bool, h->item_keys.count + 1),
    .init = h->init,
    .init_dropped = MEM_ZARRAY (bool, h->init_keys.count + 1),
  };
  for (uint32_t t = 0; t < txns; t++) {
    sketch.session[t] = h->txn_sessions.data[t];
    sketch.status[t] = (enum txn_status) h->txn_status.data[t];
    sketch.begin[t] = history_begin_time (h, t);
    sketch.end[t] = history_end_time (h, t);
  }
  for (uint32_t op = 0; op < ops; op++) {
    sketch.op_kind[op] = (enum op_kind) h->op_kinds.data[op];
    sketch.op_flags[op] = history_flags (h, op);
  }
  for (size_t range = 0; range < h->ranges.count; range++) {
    sketch.low[range] = h->ranges.data[range].low;
    sketch.high[range] = h->ranges.data[range].high;
  }
  return sketch;
}

static void drop (struct sketch *sketch) {
  mem_free (sketch->dropped);
  mem_free (sketch->session);
  mem_free (sketch->status);
  mem_free (sketch->begin);
  mem_free (sketch->end);
  mem_free (sketch->op_dropped);
  mem_free (sketch->op_times_dropped);
  mem_free (sketch->op_kind);
  mem_free (sketch->op_flags);
  mem_free (sketch->low);
  mem_free (sketch->high);
  mem_free (sketch->item_dropped);
  mem_free (sketch->init_dropped);
}

static uint32_t same_key (const struct sketch *sketch, struct history *to, uint32_t key) {
  const char *why;
  return key == KEY_NONE ? KEY_NONE : history_key (to, atoms_get (&sketch->from->keys, key), &why);
}

static uint32_t same_value (const struct sketch *sketch, struct history *to, uint32_t value) {
  const char *why;
  return value >= VALUE_NONE ? value : history_value (to, atoms_get (&sketch->from->values, value), &why);
}

// What a scan, an iterator or a list read returned.
static uint32_t same_range (const struct sketch *sketch, struct history *to, uint32_t index) {
  if (index == AUX_NONE)
    return AUX_NONE;
  const char *why;
  const struct op_range range = sketch->from->ranges.data[index];
  const uint32_t low = same_key (sketch, to, sketch->low[index]), high = same_key (sketch, to, sketch->high[index]);
  const uint32_t copy = history_open_range (to, low, high);
  for (uint32_t i = range.first_item; i < range.first_item + range.items; i++) {
    if (sketch->item_dropped[i])
      continue;
    const uint32_t key = same_key (sketch, to, sketch->from->item_keys.data[i]);
    history_add_item (to, key, same_value (sketch, to, sketch->from->item_values.data[i]), &why);
  }
  return copy;
}

static uint32_t same_aux (const struct sketch *sketch, struct history *to, uint32_t op) {
  const uint32_t aux = history_aux (sketch->from, op);
  switch ((enum op_kind) sketch->from->op_kinds.data[op]) {
  case OP_SCAN:
  case OP_ITER:
  case OP_LIST: return same_range (sketch, to, aux);
  case OP_CAS:
  case OP_INC: return same_value (sketch, to, aux);
  default: return aux;
  }
}

static void build_initial (const struct sketch *sketch, struct history *to) {
  const struct history *from = sketch->from;
  const char *why;
  to->init = sketch->init;
  if (to->init == INIT_DEFAULT)
    to->init_default = same_value (sketch, to, from->init_default);
  for (size_t i = 0; i < from->init_keys.count; i++)
    if (!sketch->init_dropped[i])
      history_set_init_key (to, same_key (sketch, to, from->init_keys.data[i]),
                            same_value (sketch, to, from->init_values.data[i]), &why);
}

static void build_op (const struct sketch *sketch, struct history *to, uint32_t op) {
  const struct history *from = sketch->from;
  const char *why;
  const uint32_t aux = same_aux (sketch, to, op);
  if (!history_add_op (to, sketch->op_kind[op], sketch->op_flags[op], same_key (sketch, to, from->op_keys.data[op]),
                       same_value (sketch, to, from->op_values.data[op]), aux, &why))
    misuse (__func__, why);
  for (size_t i = 0; i < from->op_times.count; i++)
    if (from->op_times.data[i].op == op && !sketch->op_times_dropped[op])
      history_set_op_times (to, from->op_times.data[i].begin, from->op_times.data[i].end);
}

static struct history *build (const struct sketch *sketch) {
  const struct history *from = sketch->from;
  struct history *to = history_new (from->name);
  to->incomplete = from->incomplete ? mem_strdup (from->incomplete) : NULL;
  const char *why;
  build_initial (sketch, to);
  for (uint32_t t = 0; t < history_txns (from); t++) {
    if (sketch->dropped[t])
      continue;
    const struct txn_header header = { from->session_labels.data[sketch->session[t]],
                                       true,
                                       from->txn_ids.data[t],
                                       sketch->status[t],
                                       sketch->begin[t],
                                       sketch->end[t] };
    if (!history_begin_txn (to, &header, &why))
      misuse (__func__, why);
    for (uint32_t op = from->txn_first_op.data[t]; op < from->txn_first_op.data[t + 1]; op++)
      if (!sketch->op_dropped[op])
        build_op (sketch, to, op);
  }
  history_finish (to);
  return to;
}

struct shrinking {
  struct sketch sketch;
  shrink_fails fails;
  void *context;
  bool progress;
};

static bool still_fails (struct shrinking *s) {
  struct history *smaller = build (&s->sketch);
  const bool fails = s->fails (smaller, s->context);
  history_free (smaller);
  s->progress |= fails;
  return fails;
}

// Sets a field of the sketch, and sets it back unless the history still fails.
#define TRY(field, value)                                                                                              \
  do {                                                                                                                 \
    const __typeof__ (field) old_ = (field);                                                                           \
    if (old_ == (value))                                                                                               \
      break;                                                                                                           \
    (field) = (value);                                                                                                 \
    if (!still_fails (s))                                                                                              \
      (field) = old_;                                                                                                  \
  } while (0)

// Fewer items, no bounds, a scan in place of an iterator that came to its end.
static void try_range (struct shrinking *s, uint32_t op) {
  struct sketch *sketch = &s->sketch;
  const uint32_t index = history_aux (sketch->from, op);
  if (index == AUX_NONE)
    return;
  const struct op_range range = sketch->from->ranges.data[index];
  for (uint32_t i = range.first_item; i < range.first_item + range.items; i++)
    TRY (sketch->item_dropped[i], true);
  TRY (sketch->low[index], KEY_NONE);
  TRY (sketch->high[index], KEY_NONE);
  if (sketch->op_kind[op] != OP_ITER)
    return;
  TRY (sketch->op_flags[op], sketch->op_flags[op] & ~(unsigned) OP_ITER_REVERSE);
  TRY (sketch->op_flags[op], sketch->op_flags[op] & ~(unsigned) OP_ITER_END);
  if (!(sketch->op_flags[op] & OP_ITER_REVERSE)) {
    const unsigned flags = sketch->op_flags[op];
    sketch->op_flags[op] &= ~(unsigned) OP_ITER_END;
    TRY (sketch->op_kind[op], OP_SCAN);
    if (sketch->op_kind[op] == OP_ITER)
      sketch->op_flags[op] = flags;
  }
}

// Leaves an operation out, or makes it plainer.
static void try_op (struct shrinking *s, uint32_t op) {
  struct sketch *sketch = &s->sketch;
  TRY (sketch->op_dropped[op], true);
  if (sketch->op_dropped[op])
    return;
  if (sketch->from->op_times.count)
    TRY (sketch->op_times_dropped[op], true);
  TRY (sketch->op_flags[op], sketch->op_flags[op] & ~(unsigned) (OP_LOCK_UPDATE | OP_LOCK_SHARE));
  switch (sketch->op_kind[op]) {
  case OP_DEL: // a delete with a result says more
    if (sketch->op_flags[op] & OP_RESULT_KNOWN)
      break;
    TRY (sketch->op_flags[op], sketch->op_flags[op] | OP_RESULT_KNOWN | OP_RESULT_TRUE);
    if (!(sketch->op_flags[op] & OP_RESULT_KNOWN))
      TRY (sketch->op_flags[op], sketch->op_flags[op] | OP_RESULT_KNOWN);
    break;
  case OP_SCAN:
  case OP_ITER:
  case OP_LIST: try_range (s, op); break;
  default: break;
  }
}

static void try_txns (struct shrinking *s) {
  struct sketch *sketch = &s->sketch;
  const struct history *from = sketch->from;
  for (uint32_t t = 0; t < history_txns (from); t++) {
    TRY (sketch->dropped[t], true);
    if (sketch->dropped[t])
      continue;
    for (uint32_t op = from->txn_first_op.data[t]; op < from->txn_first_op.data[t + 1]; op++)
      if (!sketch->op_dropped[op])
        try_op (s, op);
    TRY (sketch->begin[t], TIME_NONE_BEGIN);
    TRY (sketch->end[t], TIME_NONE_END);
    if (sketch->status[t] == TXN_UNKNOWN)
      TRY (sketch->status[t], TXN_COMMITTED);
  }
}

// All of a session's transactions follow those of an earlier session.
static void try_sessions (struct shrinking *s) {
  struct sketch *sketch = &s->sketch;
  const uint32_t txns = history_txns (sketch->from), sessions = history_sessions (sketch->from);
  uint32_t *old = MEM_ARRAY (uint32_t, txns + 1);
  for (uint32_t gone = 1; gone < sessions; gone++)
    for (uint32_t kept = 0; kept < gone; kept++) {
      bool moved = false;
      memcpy (old, sketch->session, txns * sizeof *old);
      for (uint32_t t = 0; t < txns; t++)
        if (!sketch->dropped[t] && sketch->session[t] == gone) {
          sketch->session[t] = kept;
          moved = true;
        }
      if (moved && !still_fails (s))
        memcpy (sketch->session, old, txns * sizeof *old);
    }
  mem_free (old);
}

static void try_initial (struct shrinking *s) {
  struct sketch *sketch = &s->sketch;
  TRY (sketch->init, INIT_ABSENT);
  for (size_t i = 0; i < sketch->from->init_keys.count; i++)
    TRY (sketch->init_dropped[i], true);
}

struct history *shrink (const struct history *h, shrink_fails fails, void *context) {
  struct shrinking s = { .sketch = take (h), .fails = fails, .context = context };
  do {
    s.progress = false;
    try_txns (&s);
    try_sessions (&s);
    try_initial (&s);
  } while (s.progress);
  struct history *smallest = build (&s.sketch);
  drop (&s.sketch);
  return smallest;
}

void shrink_print (FILE *to, const struct history *h) {
  struct output *text = output_open_memory ();
  struct error error = { 0 };
  size_t length = 0;
  if (!format_kht.write (h, text, &error))
    fprintf (to, "%s\n", error.text);
  const char *bytes = output_memory (text, &length);
  fwrite (bytes, 1, length, to);
  output_discard (text);
}

void shrink_save (const char *path, const struct history *h) {
  struct error error = { 0 };
  if (history_write (h, path, &format_kht, true, &error))
    fprintf (stderr, "written to %s\n", path);
  else
    fprintf (stderr, "%s\n", error.text);
}
