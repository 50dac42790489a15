// The writer of JSON Lines: the inverse of the reader, down to the last hint. A transaction is put
// together as one piece of text.

#include "base/output.h"
#include "formats/base64.h"
#include "formats/json_write.h"
#include "formats/jsonl_read.h"
#include "formats/utf8.h"
#include "formats/walk.h"

struct jsonl_writer {
  const struct history *history;
  struct text text;
  struct walk walk;
  struct error *error;
};

static void write_atom (struct text *text, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED)
    text_unsigned (text, atom.number);
  else if (atom.kind == ATOM_NEGATIVE)
    text_signed (text, (int64_t) atom.number);
  else if (utf8_valid (atom.bytes, atom.length))
    json_put_string (text, atom.bytes, atom.length);
  else {
    text_string (text, "{\"b64\":\"");
    base64_encode (text, atom.bytes, atom.length);
    text_string (text, "\"}");
  }
}

static void write_key (struct jsonl_writer *w, uint32_t key) {
  if (key == KEY_NONE)
    text_string (&w->text, "null");
  else
    write_atom (&w->text, atoms_get (&w->history->keys, key));
}

static void write_value (struct jsonl_writer *w, uint32_t value) {
  if (value == VALUE_ABSENT)
    text_string (&w->text, "null");
  else
    write_atom (&w->text, atoms_get (&w->history->values, value));
}

// Hints are kept as text. One that came in a binary file may be no JSON, and would break the line.
static bool write_hint (struct jsonl_writer *w, uint32_t index) {
  const struct atom hint = atoms_get (&w->history->texts, index);
  if (!json_is_whole (hint.bytes, hint.length))
    return error_set (w->error, "%s: a hint that is not JSON cannot be written", w->history->name);
  text_bytes (&w->text, hint.bytes, hint.length);
  return true;
}

static void write_time (struct text *text, const char *name, int64_t time) {
  text_string (text, name);
  text_signed (text, time);
}

// --- Header ---

static void write_init (struct jsonl_writer *w) {
  const struct history *h = w->history;
  if (h->init == INIT_ANY || (h->init == INIT_ABSENT && !h->init_keys.count)) {
    text_string (&w->text, h->init == INIT_ANY ? "\"any\"" : "\"absent\"");
    return;
  }
  text_string (&w->text, "{");
  if (h->init == INIT_DEFAULT) {
    text_string (&w->text, "\"default\":");
    write_value (w, h->init_default);
  }
  if (h->init_keys.count) {
    text_string (&w->text, h->init == INIT_DEFAULT ? ",\"keys\":[" : "\"keys\":[");
    for (size_t i = 0; i < h->init_keys.count; i++) {
      text_string (&w->text, i ? ",[" : "[");
      write_key (w, h->init_keys.data[i]);
      text_char (&w->text, ',');
      write_value (w, h->init_values.data[i]);
      text_char (&w->text, ']');
    }
    text_char (&w->text, ']');
  }
  text_char (&w->text, '}');
}

static bool write_text (struct jsonl_writer *w, const char *name, const char *text) {
  if (!text)
    return true;
  if (!utf8_valid (text, strlen (text)))
    return error_set (w->error, "%s: %s is not UTF-8 and cannot be written", w->history->name,
                      text == w->history->source ? "the source" : "the reason why it is incomplete");
  text_string (&w->text, name);
  json_put_string (&w->text, text, strlen (text));
  return true;
}

static bool write_header (struct jsonl_writer *w) {
  const struct history *h = w->history;
  text_string (&w->text, "{\"krait\":1");
  if (h->key_type != KEYS_UNDECIDED)
    text_string (&w->text, h->key_type == KEYS_INT ? ",\"keys\":\"int\"" : ",\"keys\":\"bytes\"");
  text_string (&w->text, ",\"init\":");
  write_init (w);
  if (!write_text (w, ",\"source\":", h->source) || !write_text (w, ",\"incomplete\":", h->incomplete))
    return false;
  if (h->hints != AUX_NONE) {
    text_string (&w->text, ",\"hints\":");
    if (!write_hint (w, h->hints))
      return false;
  }
  text_char (&w->text, '}');
  return true;
}

bool jsonl_header_text (const struct history *h, struct text *text, struct error *error) {
  struct jsonl_writer w = { .history = h, .error = error };
  const bool fine = write_header (&w);
  *text = w.text;
  return fine;
}

// --- Operations ---

static void write_items (struct jsonl_writer *w, const struct op_range *range, bool with_keys) {
  const struct history *h = w->history;
  text_string (&w->text, ",[");
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    if (i > range->first_item)
      text_char (&w->text, ',');
    if (with_keys) {
      text_char (&w->text, '[');
      write_key (w, h->item_keys.data[i]);
      text_char (&w->text, ',');
    }
    write_value (w, h->item_values.data[i]);
    if (with_keys)
      text_char (&w->text, ']');
  }
  text_char (&w->text, ']');
}

static void write_range (struct jsonl_writer *w, uint32_t op) {
  const struct history *h = w->history;
  static const struct op_range nothing = { KEY_NONE, KEY_NONE, 0, 0 };
  const struct op_range *range = h->op_aux.data[op] == AUX_NONE ? &nothing : &h->ranges.data[h->op_aux.data[op]];
  text_char (&w->text, ',');
  write_key (w, range->low);
  text_char (&w->text, ',');
  write_key (w, range->high);
  if (h->op_aux.data[op] != AUX_NONE && h->op_values.data[op] != VALUE_UNRECORDED)
    write_items (w, range, true);
}

static void write_list (struct jsonl_writer *w, uint32_t op) {
  const struct history *h = w->history;
  if (h->op_values.data[op] == VALUE_ABSENT)
    text_string (&w->text, ",null");
  else if (h->op_values.data[op] != VALUE_UNRECORDED && h->op_aux.data[op] != AUX_NONE)
    write_items (w, &h->ranges.data[h->op_aux.data[op]], false);
}

static void write_inc (struct jsonl_writer *w, uint32_t op) {
  const struct history *h = w->history;
  text_char (&w->text, ',');
  write_atom (&w->text, history_inc_by (h, op));
  if (h->op_flags.data[op] & OP_RESULT_KNOWN) {
    text_char (&w->text, ',');
    write_value (w, h->op_aux.data[op]);
  }
}

static void write_arguments (struct jsonl_writer *w, uint32_t op) {
  const struct history *h = w->history;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind == OP_SCAN || kind == OP_ITER) {
    write_range (w, op);
    return;
  }
  text_char (&w->text, ',');
  write_key (w, h->op_keys.data[op]);
  if (kind == OP_LIST)
    write_list (w, op);
  else if (kind == OP_INC)
    write_inc (w, op);
  else if (kind != OP_DEL && h->op_values.data[op] != VALUE_UNRECORDED) {
    text_char (&w->text, ',');
    write_value (w, h->op_values.data[op]);
  }
  if (kind == OP_CAS) {
    text_char (&w->text, ',');
    write_value (w, h->op_aux.data[op]);
  }
  if ((kind == OP_CAS || kind == OP_DEL) && h->op_flags.data[op] & OP_RESULT_KNOWN)
    text_string (&w->text, h->op_flags.data[op] & OP_RESULT_TRUE ? ",true" : ",false");
}

static void write_flags (struct text *text, enum op_kind kind, unsigned flags, bool recorded) {
  if (kind == OP_PUT || kind == OP_APPEND)
    return;
  if (kind == OP_ITER && recorded)
    text_string (text, flags & OP_ITER_END ? ",\"end\":true" : ",\"end\":false");
  if (kind == OP_ITER && flags & OP_ITER_REVERSE)
    text_string (text, ",\"reverse\":true");
  if (flags & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
    text_string (text, flags & OP_LOCK_UPDATE ? ",\"lock\":\"update\"" : ",\"lock\":\"share\"");
}

// The extras as members, each with a comma before it; the first comma then becomes the opening of
// the object.
static bool write_extras (struct jsonl_writer *w, uint32_t op) {
  const struct history *h = w->history;
  const size_t before = w->text.count;
  text_char (&w->text, ',');
  write_flags (&w->text, (enum op_kind) h->op_kinds.data[op], h->op_flags.data[op],
               h->op_values.data[op] != VALUE_UNRECORDED);
  if (w->walk.next_times < h->op_times.count && h->op_times.data[w->walk.next_times].op == op) {
    const struct op_times *times = &h->op_times.data[w->walk.next_times++];
    if (times->begin != TIME_NONE_BEGIN)
      write_time (&w->text, ",\"b\":", times->begin);
    if (times->end != TIME_NONE_END)
      write_time (&w->text, ",\"e\":", times->end);
  }
  if (w->walk.next_op_hint < h->op_hints.count && h->op_hints.data[w->walk.next_op_hint].owner == op) {
    text_string (&w->text, ",\"version\":");
    if (!write_hint (w, h->op_hints.data[w->walk.next_op_hint++].text))
      return false;
  }
  if (w->text.count == before + 1)
    w->text.count = before;
  else {
    w->text.data[before + 1] = '{';
    text_char (&w->text, '}');
  }
  return true;
}

static bool write_op (struct jsonl_writer *w, uint32_t op) {
  text_string (&w->text, "[\"");
  text_string (&w->text, op_kind_name ((enum op_kind) w->history->op_kinds.data[op]));
  text_char (&w->text, '"');
  write_arguments (w, op);
  if (!write_extras (w, op))
    return false;
  text_char (&w->text, ']');
  return true;
}

// --- Transactions ---

static bool write_txn (struct jsonl_writer *w, uint32_t txn) {
  const struct history *h = w->history;
  struct text *text = &w->text;
  text_string (text, "{\"s\":");
  text_unsigned (text, h->session_labels.data[h->txn_sessions.data[txn]]);
  text_string (text, ",\"t\":");
  text_unsigned (text, h->txn_ids.data[txn]);
  text_string (text, ",\"st\":\"");
  text_string (text, txn_status_name ((enum txn_status) h->txn_status.data[txn]));
  text_char (text, '"');
  if (history_begin_time (h, txn) != TIME_NONE_BEGIN)
    write_time (text, ",\"b\":", history_begin_time (h, txn));
  if (history_end_time (h, txn) != TIME_NONE_END)
    write_time (text, ",\"e\":", history_end_time (h, txn));
  text_string (text, ",\"ops\":[");
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    if (op > h->txn_first_op.data[txn])
      text_char (text, ',');
    if (!write_op (w, op))
      return false;
  }
  text_char (text, ']');
  if (w->walk.next_txn_hint < h->txn_hints.count && h->txn_hints.data[w->walk.next_txn_hint].owner == txn) {
    text_string (text, ",\"h\":");
    if (!write_hint (w, h->txn_hints.data[w->walk.next_txn_hint++].text))
      return false;
  }
  text_string (text, "}\n");
  return true;
}

bool jsonl_write (const struct history *h, struct output *out, struct error *error) {
  struct jsonl_writer w = { .history = h, .error = error };
  bool fine = write_header (&w);
  text_char (&w.text, '\n');
  for (uint32_t txn; fine && walk_next (&w.walk, h, &txn);) {
    fine = write_txn (&w, txn);
    if (w.text.count > 1 << 16) {
      output_write (out, w.text.data, w.text.count);
      w.text.count = 0;
    }
  }
  if (fine)
    output_write (out, w.text.data, w.text.count);
  VEC_FREE (w.text);
  return fine;
}
