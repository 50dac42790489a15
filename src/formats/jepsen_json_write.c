// The writer of Jepsen's JSON: an array of invocations and completions, by their times.
//
// Tools that read it take the order of the lines for real time, so the lines of all sessions are
// merged by time; of two at the same time an invocation comes first, because transactions that only
// touch are concurrent. A begin that is not known leaves out the invocation, and a history without
// any times has completions only: there, nobody can read an order of time into it.

#include "base/heap.h"
#include "base/output.h"
#include "formats/jepsen.h"
#include "formats/json_write.h"
#include "formats/registers.h"
#include "formats/utf8.h"
#include "formats/walk.h"

// --- What does not fit ---

static bool *list_keys (const struct history *h) {
  bool *marks = MEM_ZARRAY (bool, (size_t) history_keys (h) + 1);
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] == OP_APPEND || (h->op_kinds.data[op] == OP_LIST && h->op_values.data[op] == VALUE_NONE))
      marks[h->op_keys.data[op]] = true;
  return marks;
}

static bool is_text (const struct atoms *atoms, uint32_t index) {
  const struct atom atom = atoms_get (atoms, index);
  return atom.kind != ATOM_BYTES || utf8_valid (atom.bytes, atom.length);
}

static bool is_all_text (const struct history *h, uint32_t op) {
  if (!is_text (&h->keys, h->op_keys.data[op]))
    return false;
  if (h->op_values.data[op] < VALUE_NONE)
    return is_text (&h->values, h->op_values.data[op]);
  if (h->op_kinds.data[op] != OP_LIST || history_aux (h, op) == AUX_NONE)
    return true;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if (!is_text (&h->values, h->item_values.data[i]))
      return false;
  return true;
}

static bool is_unrecorded (const struct history *h, uint32_t op) {
  return h->op_values.data[op] == VALUE_UNRECORDED
         || (h->op_kinds.data[op] == OP_LIST && history_aux (h, op) == AUX_NONE && h->op_values.data[op] == VALUE_NONE);
}

static const char *misfit_of_op (const struct history *h, uint32_t op, enum txn_status status, const bool *is_list) {
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind != OP_GET && kind != OP_PUT && kind != OP_APPEND && kind != OP_LIST)
    return op_kind_name (kind);
  if (kind == OP_GET && is_list[h->op_keys.data[op]])
    return "a get of a key that holds a list";
  if (status == TXN_COMMITTED && is_unrecorded (h, op))
    return "a read without a result";
  if (status == TXN_UNKNOWN && h->op_values.data[op] == VALUE_ABSENT)
    return "a read of absent in a transaction of unknown outcome";
  return is_all_text (h, op) ? NULL : "bytes that are not UTF-8";
}

static const char format_words[] = "Jepsen's JSON";

static bool txn_fits (const struct history *h, uint32_t txn, const bool *is_list, struct error *error) {
  const uint32_t session = h->txn_sessions.data[txn];
  const enum txn_status status = (enum txn_status) h->txn_status.data[txn];
  if (h->session_labels.data[session] >= INT64_MAX)
    return registers_refuse (h, txn, OP_NONE, error, "a session number beyond 2^63-2", format_words);
  if (status == TXN_UNKNOWN && txn + 1 < h->session_first.data[session + 1])
    return registers_refuse (h, txn, OP_NONE, error, "a session that goes on after an unknown outcome", format_words);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const char *misfit = misfit_of_op (h, op, status, is_list);
    if (misfit)
      return registers_refuse (h, txn, op, error, misfit, format_words);
  }
  return true;
}

static bool starts_absent (const struct history *h) {
  for (size_t i = 0; i < h->init_values.count; i++)
    if (h->init_values.data[i] != VALUE_ABSENT)
      return false;
  return h->init == INIT_ABSENT;
}

static bool fits (const struct history *h, struct error *error) {
  if (!starts_absent (h))
    return error_set (error, "%.300s: an initial state other than `absent` cannot be written as Jepsen's JSON",
                      h->name);
  bool *is_list = list_keys (h);
  bool fine = true;
  for (uint32_t txn = 0; fine && txn < history_txns (h); txn++)
    fine = txn_fits (h, txn, is_list, error);
  mem_free (is_list);
  return fine;
}

// --- Lines ---

struct jepsen_writer {
  const struct history *h;
  struct output *output;
  struct text text;
  uint64_t lines;
};

static void put_items (struct jepsen_writer *w, const struct op_range *range) {
  text_char (&w->text, '[');
  for (uint32_t i = 0; i < range->items; i++) {
    if (i)
      text_char (&w->text, ',');
    json_put_atom (&w->text, atoms_get (&w->h->values, w->h->item_values.data[range->first_item + i]));
  }
  text_char (&w->text, ']');
}

static void put_result (struct jepsen_writer *w, uint32_t op) {
  const struct history *h = w->h;
  const uint32_t value = h->op_values.data[op];
  if (h->op_kinds.data[op] == OP_LIST && value == VALUE_NONE && history_aux (h, op) != AUX_NONE)
    put_items (w, &h->ranges.data[history_aux (h, op)]);
  else if (value < VALUE_NONE)
    json_put_atom (&w->text, atoms_get (&h->values, value));
  else
    text_string (&w->text, "null");
}

static void put_op (struct jepsen_writer *w, uint32_t op, bool is_invocation) {
  const enum op_kind kind = (enum op_kind) w->h->op_kinds.data[op];
  const bool is_read = kind == OP_GET || kind == OP_LIST;
  text_string (&w->text, is_read ? "[\"r\"," : kind == OP_PUT ? "[\"w\"," : "[\"append\",");
  json_put_atom (&w->text, atoms_get (&w->h->keys, w->h->op_keys.data[op]));
  text_char (&w->text, ',');
  if (is_read && is_invocation)
    text_string (&w->text, "null");
  else
    put_result (w, op);
  text_char (&w->text, ']');
}

static void put_line (struct jepsen_writer *w, uint32_t txn, bool is_invocation) {
  static const char *const outcomes[] = { [TXN_COMMITTED] = "ok", [TXN_ABORTED] = "fail", [TXN_UNKNOWN] = "info" };
  const struct history *h = w->h;
  struct text *text = &w->text;
  text_string (text, w->lines ? ",\n{\"index\":" : "{\"index\":");
  text_unsigned (text, w->lines++);
  const int64_t time = is_invocation ? history_begin_time (h, txn) : history_end_time (h, txn);
  if (time != (is_invocation ? TIME_NONE_BEGIN : TIME_NONE_END)) {
    text_string (text, ",\"time\":");
    text_signed (text, time);
  }
  text_string (text, ",\"type\":\"");
  text_string (text, is_invocation ? "invoke" : outcomes[h->txn_status.data[txn]]);
  text_string (text, "\",\"process\":");
  text_unsigned (text, h->session_labels.data[h->txn_sessions.data[txn]]);
  text_string (text, ",\"f\":\"txn\",\"value\":[");
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    if (op > h->txn_first_op.data[txn])
      text_char (text, ',');
    put_op (w, op, is_invocation);
  }
  text_string (text, "]}");
  if (text->count > 1 << 16) {
    output_write (w->output, text->data, text->count);
    text->count = 0;
  }
}

// --- Their order ---

// The next line of a session.
struct cursor {
  int64_t time; // its own, or that of the line before
  bool is_completion;
  uint32_t session, txn;
};

static bool is_before (const void *unused, struct cursor a, struct cursor b) {
  (void) unused;
  if (a.time != b.time)
    return a.time < b.time;
  if (a.is_completion != b.is_completion)
    return b.is_completion;
  return a.session < b.session;
}

static void enter_txn (const struct history *h, struct cursor *cursor) {
  const int64_t begin = history_begin_time (h, cursor->txn), end = history_end_time (h, cursor->txn);
  cursor->is_completion = begin == TIME_NONE_BEGIN;
  if (!cursor->is_completion)
    cursor->time = begin;
  else if (end != TIME_NONE_END)
    cursor->time = end;
}

// False at the end of the session.
static bool advance (const struct history *h, struct cursor *cursor) {
  if (cursor->is_completion) {
    if (++cursor->txn == h->session_first.data[cursor->session + 1])
      return false;
    enter_txn (h, cursor);
    return true;
  }
  cursor->is_completion = true;
  if (history_end_time (h, cursor->txn) != TIME_NONE_END)
    cursor->time = history_end_time (h, cursor->txn);
  return true;
}

static void put_by_time (struct jepsen_writer *w) {
  const struct history *h = w->h;
  VEC (struct cursor) heap = VEC_EMPTY;
  for (uint32_t session = 0; session < history_sessions (h); session++) {
    struct cursor cursor = { .time = INT64_MIN, .session = session, .txn = h->session_first.data[session] };
    if (cursor.txn == h->session_first.data[session + 1])
      continue;
    enter_txn (h, &cursor);
    HEAP_PUSH (heap, cursor, is_before, NULL);
  }
  while (heap.count) {
    struct cursor first = heap.data[0];
    put_line (w, first.txn, !first.is_completion);
    if (advance (h, &first))
      HEAP_REPLACE (heap, first, is_before, NULL);
    else
      HEAP_POP (heap, is_before, NULL);
  }
  VEC_FREE (heap);
}

bool jepsen_json_write (const struct history *h, struct output *output, struct error *error) {
  if (!fits (h, error))
    return false;
  struct jepsen_writer w = { .h = h, .output = output };
  struct walk walk = { 0 };
  text_char (&w.text, '[');
  if (h->txn_begin.count || h->txn_end.count)
    put_by_time (&w);
  else
    for (uint32_t txn; walk_next (&walk, h, &txn);)
      put_line (&w, txn, false);
  text_string (&w.text, "]\n");
  output_write (output, w.text.data, w.text.count);
  VEC_FREE (w.text);
  return true;
}
