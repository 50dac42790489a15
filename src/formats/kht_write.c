// The writer of the text form: the inverse of the reader. One transaction per line.

#include "base/output.h"
#include "formats/json_read.h"
#include "formats/kht_read.h"
#include "formats/utf8.h"
#include "formats/walk.h"

struct kht_writer {
  const struct history *history;
  struct text text;
  struct walk walk;
  struct error *error;
};

// --- Keys and values ---

static bool is_bare (const char *bytes, size_t length) {
  if (!length || !kht_begins_word (bytes[0]))
    return false;
  for (size_t i = 1; i < length; i++)
    if (!kht_in_word (bytes[i]))
      return false;
  return true;
}

static void write_quoted (struct text *text, const char *bytes, size_t length) {
  static const char from[] = "\"\\\n\r\t", to[] = "\"\\nrt";
  const char *end = bytes + length;
  text_char (text, '"');
  for (const char *at = bytes; at < end;) {
    const unsigned char c = (unsigned char) *at;
    const char *which = c ? strchr (from, c) : NULL;
    const unsigned sequence = c < 0x20 || c == 0x7f ? 0 : utf8_sequence (at, end);
    if (which) {
      text_char (text, '\\');
      text_char (text, to[which - from]);
    } else if (sequence)
      text_bytes (text, at, sequence);
    else {
      text_string (text, "\\x");
      text_hex (text, c);
    }
    at += sequence ? sequence : 1;
  }
  text_char (text, '"');
}

static void write_atom (struct text *text, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED)
    text_unsigned (text, atom.number);
  else if (atom.kind == ATOM_NEGATIVE)
    text_signed (text, (int64_t) atom.number);
  else if (is_bare (atom.bytes, atom.length) && !(atom.length == 3 && !memcmp (atom.bytes, "nil", 3)))
    text_bytes (text, atom.bytes, atom.length);
  else
    write_quoted (text, atom.bytes, atom.length);
}

static void write_key (struct kht_writer *w, uint32_t key) {
  if (key == KEY_NONE)
    text_char (&w->text, '-');
  else
    write_atom (&w->text, atoms_get (&w->history->keys, key));
}

static void write_value (struct kht_writer *w, uint32_t value) {
  if (value == VALUE_ABSENT)
    text_string (&w->text, "nil");
  else
    write_atom (&w->text, atoms_get (&w->history->values, value));
}

static void write_times (struct text *text, int64_t begin, int64_t end) {
  text_char (text, '[');
  if (begin == TIME_NONE_BEGIN)
    text_char (text, '-');
  else
    text_signed (text, begin);
  text_char (text, ' ');
  if (end == TIME_NONE_END)
    text_char (text, '-');
  else
    text_signed (text, end);
  text_char (text, ']');
}

// Hints are kept as text. One that came in a binary file may be no JSON, and would break the line.
static bool write_hint (struct kht_writer *w, uint32_t index) {
  const struct atom hint = atoms_get (&w->history->texts, index);
  if (!json_is_whole (hint.bytes, hint.length))
    return error_set (w->error, "%s: a hint that is not JSON cannot be written", w->history->name);
  text_bytes (&w->text, hint.bytes, hint.length);
  return true;
}

// --- Header ---

static void write_init (struct kht_writer *w) {
  const struct history *h = w->history;
  if (h->init != INIT_DEFAULT) {
    text_string (&w->text, h->init == INIT_ANY ? "any" : "absent");
    return;
  }
  const struct atom value = atoms_get (&h->values, h->init_default);
  // quoted always: the words `any` and `absent` mean something else here
  if (value.kind == ATOM_BYTES)
    write_quoted (&w->text, value.bytes, value.length);
  else
    write_atom (&w->text, value);
}

static void write_init_map (struct kht_writer *w) {
  const struct history *h = w->history;
  if (!h->init_keys.count || h->init == INIT_ANY)
    return;
  text_string (&w->text, "init {");
  for (size_t i = 0; i < h->init_keys.count; i++) {
    text_string (&w->text, i && i % 16 == 0 ? "\n  " : " ");
    write_key (w, h->init_keys.data[i]);
    text_char (&w->text, '=');
    write_value (w, h->init_values.data[i]);
  }
  text_string (&w->text, " }\n");
}

static bool write_text (struct kht_writer *w, const char *name, const char *text) {
  if (!text)
    return true;
  if (!utf8_valid (text, strlen (text)))
    return error_set (w->error, "%s: %s is not UTF-8 and cannot be written", w->history->name,
                      text == w->history->source ? "the source" : "the reason why it is incomplete");
  text_string (&w->text, name);
  write_quoted (&w->text, text, strlen (text));
  return true;
}

static bool write_header (struct kht_writer *w) {
  const struct history *h = w->history;
  text_string (&w->text, "krait 1");
  if (h->key_type != KEYS_UNDECIDED)
    text_string (&w->text, h->key_type == KEYS_INT ? " keys=int" : " keys=bytes");
  text_string (&w->text, " init=");
  write_init (w);
  if (!write_text (w, " source=", h->source) || !write_text (w, " incomplete=", h->incomplete))
    return false;
  if (h->hints != AUX_NONE) {
    text_string (&w->text, " hints=");
    if (!write_hint (w, h->hints))
      return false;
  }
  text_char (&w->text, '\n');
  write_init_map (w);
  return true;
}

// --- Operations ---

static void write_range (struct kht_writer *w, uint32_t op) {
  const struct history *h = w->history;
  static const struct op_range nothing = { KEY_NONE, KEY_NONE, 0, 0 };
  const struct op_range *range = h->op_aux.data[op] == AUX_NONE ? &nothing : &h->ranges.data[h->op_aux.data[op]];
  text_char (&w->text, ' ');
  write_key (w, range->low);
  text_char (&w->text, ' ');
  write_key (w, range->high);
  if (h->op_aux.data[op] == AUX_NONE || h->op_values.data[op] == VALUE_UNRECORDED)
    return;
  text_string (&w->text, range->items ? " ->" : " -> none");
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    text_char (&w->text, ' ');
    write_key (w, h->item_keys.data[i]);
    text_char (&w->text, '=');
    write_value (w, h->item_values.data[i]);
  }
  if (h->op_kinds.data[op] == OP_ITER && !(h->op_flags.data[op] & OP_ITER_END))
    text_string (&w->text, " ...");
}

static void write_list (struct kht_writer *w, uint32_t op) {
  const struct history *h = w->history;
  if (h->op_values.data[op] == VALUE_ABSENT) {
    text_string (&w->text, " -> nil");
    return;
  }
  if (h->op_values.data[op] == VALUE_UNRECORDED || h->op_aux.data[op] == AUX_NONE)
    return;
  const struct op_range *range = &h->ranges.data[h->op_aux.data[op]];
  text_string (&w->text, " -> [");
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    if (i > range->first_item)
      text_char (&w->text, ' ');
    write_value (w, h->item_values.data[i]);
  }
  text_char (&w->text, ']');
}

static void write_inc (struct kht_writer *w, uint32_t op) {
  const struct history *h = w->history;
  text_char (&w->text, ' ');
  write_atom (&w->text, history_inc_by (h, op));
  if (h->op_flags.data[op] & OP_RESULT_KNOWN) {
    text_string (&w->text, " -> ");
    write_value (w, h->op_aux.data[op]);
  }
}

static void write_arguments (struct kht_writer *w, uint32_t op) {
  const struct history *h = w->history;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const uint32_t value = h->op_values.data[op];
  if (kind == OP_SCAN || kind == OP_ITER) {
    write_range (w, op);
    return;
  }
  text_char (&w->text, ' ');
  write_key (w, h->op_keys.data[op]);
  if (kind == OP_LIST)
    write_list (w, op);
  else if (kind == OP_INC)
    write_inc (w, op);
  else if (kind != OP_DEL && value != VALUE_UNRECORDED) {
    text_string (&w->text, kind == OP_GET ? " -> " : " ");
    write_value (w, value);
  }
  if (kind == OP_CAS) {
    text_char (&w->text, ' ');
    write_value (w, h->op_aux.data[op]);
  }
  if (!(h->op_flags.data[op] & OP_RESULT_KNOWN))
    return;
  const bool yes = h->op_flags.data[op] & OP_RESULT_TRUE;
  if (kind == OP_CAS)
    text_string (&w->text, yes ? " -> ok" : " -> failed");
  else if (kind == OP_DEL)
    text_string (&w->text, yes ? " -> found" : " -> absent");
}

static bool write_marks (struct kht_writer *w, uint32_t op) {
  const struct history *h = w->history;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const unsigned flags = h->op_flags.data[op];
  const bool reads = kind != OP_PUT && kind != OP_APPEND;
  if (kind == OP_ITER && flags & OP_ITER_REVERSE)
    text_string (&w->text, " @reverse");
  if (reads && flags & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
    text_string (&w->text, flags & OP_LOCK_UPDATE ? " @update" : " @share");
  if (w->walk.next_times < h->op_times.count && h->op_times.data[w->walk.next_times].op == op) {
    const struct op_times *times = &h->op_times.data[w->walk.next_times++];
    text_string (&w->text, " @");
    write_times (&w->text, times->begin, times->end);
  }
  if (w->walk.next_op_hint < h->op_hints.count && h->op_hints.data[w->walk.next_op_hint].owner == op) {
    text_string (&w->text, " @version=");
    return write_hint (w, h->op_hints.data[w->walk.next_op_hint++].text);
  }
  return true;
}

static bool write_ops (struct kht_writer *w, uint32_t txn) {
  const struct history *h = w->history;
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  text_string (&w->text, " {");
  for (uint32_t op = first; op < end; op++) {
    text_string (&w->text, op > first ? "; " : " ");
    text_string (&w->text, op_kind_name ((enum op_kind) h->op_kinds.data[op]));
    write_arguments (w, op);
    if (!write_marks (w, op))
      return false;
  }
  text_string (&w->text, " }");
  return true;
}

// --- Transactions ---

static bool write_txn (struct kht_writer *w, uint32_t txn) {
  static const char *const statuses[] = { " commit\n", " abort\n", " unknown\n" };
  const struct history *h = w->history;
  struct text *text = &w->text;
  text_char (text, 's');
  text_unsigned (text, h->session_labels.data[h->txn_sessions.data[txn]]);
  text_string (text, " T");
  text_unsigned (text, h->txn_ids.data[txn]);
  const int64_t begin = history_begin_time (h, txn), end = history_end_time (h, txn);
  if (begin != TIME_NONE_BEGIN || end != TIME_NONE_END) {
    text_char (text, ' ');
    write_times (text, begin, end);
  }
  if (w->walk.next_txn_hint < h->txn_hints.count && h->txn_hints.data[w->walk.next_txn_hint].owner == txn) {
    text_string (text, " hints=");
    if (!write_hint (w, h->txn_hints.data[w->walk.next_txn_hint++].text))
      return false;
  }
  if (!write_ops (w, txn))
    return false;
  text_string (text, statuses[h->txn_status.data[txn]]);
  return true;
}

bool kht_write (const struct history *h, struct output *out, struct error *error) {
  struct kht_writer w = { .history = h, .error = error };
  bool fine = write_header (&w);
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
