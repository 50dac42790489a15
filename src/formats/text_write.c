#include "formats/text_write.h"

#include "base/output.h"
#include "formats/json_read.h"
#include "formats/utf8.h"

static inline void put_mark (struct text *text, const struct text_mark *mark) {
  VEC_RESERVE (*text, text->count + sizeof mark->bytes);
  memcpy (text->data + text->count, mark->bytes, sizeof mark->bytes);
  text->count += mark->length;
}

// --- Keys and values ---

bool text_put_quoted (struct text *text, const char *bytes, size_t length, size_t most) {
  static const char from[] = "\"\\\n\r\t", to[] = "\"\\nrt";
  const char *at = bytes, *end = bytes + length;
  text_char (text, '"');
  while (at < end && (size_t) (at - bytes) < most) {
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
  return at == end;
}

static void put_atom (struct text_writer *w, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED)
    text_unsigned (&w->text, atom.number);
  else if (atom.kind == ATOM_NEGATIVE)
    text_signed (&w->text, (int64_t) atom.number);
  else
    w->form->put_bytes (&w->text, atom);
}

void text_put_key (struct text_writer *w, uint32_t key) {
  if (key == KEY_NONE)
    text_string (&w->text, w->form->no_bound);
  else
    put_atom (w, atoms_get (&w->history->keys, key));
}

void text_put_value (struct text_writer *w, uint32_t value) {
  if (value >= VALUE_NONE)
    text_string (&w->text, value == VALUE_ABSENT ? w->form->absent : w->form->unrecorded);
  else
    put_atom (w, atoms_get (&w->history->values, value));
}

// Hints are kept as text. One that came in a binary file may be no JSON, and would break the line.
static bool put_hint (struct text_writer *w, const char *before, uint32_t index) {
  const struct atom hint = atoms_get (&w->history->texts, index);
  if (!json_is_whole (hint.bytes, hint.length))
    return error_set (w->error, "%s: a hint that is not JSON cannot be written", w->history->name);
  text_string (&w->text, before);
  text_bytes (&w->text, hint.bytes, hint.length);
  return true;
}

// --- Header ---

static bool put_remark (struct text_writer *w, const char *before, const char *remark) {
  if (!remark)
    return true;
  if (!utf8_valid (remark, strlen (remark)))
    return error_set (w->error, "%s: %s is not UTF-8 and cannot be written", w->history->name,
                      remark == w->history->source ? "the source" : "the reason why it is incomplete");
  text_string (&w->text, before);
  w->form->put_quoted (&w->text, remark, strlen (remark));
  return true;
}

bool text_put_header (struct text_writer *w) {
  const struct history *h = w->history;
  const struct text_form *form = w->form;
  text_string (&w->text, form->krait);
  text_string (&w->text, form->key_types[h->key_type]);
  text_string (&w->text, form->init);
  form->put_init (w);
  if (!put_remark (w, form->source, h->source) || !put_remark (w, form->incomplete, h->incomplete)
      || (h->hints != AUX_NONE && !put_hint (w, form->hints, h->hints)))
    return false;
  form->end_header (w);
  return true;
}

// --- Operations ---

static void put_items (struct text_writer *w, const struct op_range *range, const struct text_row *row) {
  const struct history *h = w->history;
  put_mark (&w->text, range->items ? &row->open : &row->none);
  for (uint32_t i = 0; i < range->items; i++) {
    if (w->form->longest && w->text.count > w->form->longest) {
      text_string (&w->text, " … and ");
      text_unsigned (&w->text, range->items - i);
      text_string (&w->text, " more");
      break;
    }
    put_mark (&w->text, i ? &row->next : &row->first);
    if (row == &w->form->pairs) {
      text_put_key (w, h->item_keys.data[range->first_item + i]);
      put_mark (&w->text, &row->middle);
    }
    text_put_value (w, h->item_values.data[range->first_item + i]);
    put_mark (&w->text, &row->end);
  }
  if (range->items)
    put_mark (&w->text, &row->close);
}

static void put_range (struct text_writer *w, uint32_t op) {
  static const struct op_range nothing = { KEY_NONE, KEY_NONE, 0, 0 };
  const struct history *h = w->history;
  const bool is_there = history_aux (h, op) != AUX_NONE;
  const struct op_range *range = is_there ? &h->ranges.data[history_aux (h, op)] : &nothing;
  put_mark (&w->text, &w->form->argument);
  text_put_key (w, range->low);
  put_mark (&w->text, &w->form->argument);
  text_put_key (w, range->high);
  if (!is_there || h->op_values.data[op] == VALUE_UNRECORDED)
    return;
  put_items (w, range, &w->form->pairs);
  if (w->form->goes_on && h->op_kinds.data[op] == OP_ITER && !(history_flags (h, op) & OP_ITER_END))
    text_string (&w->text, w->form->goes_on);
}

static void put_list (struct text_writer *w, uint32_t op) {
  const struct history *h = w->history;
  if (h->op_values.data[op] == VALUE_ABSENT) {
    put_mark (&w->text, &w->form->result);
    text_string (&w->text, w->form->absent);
  } else if (h->op_values.data[op] != VALUE_UNRECORDED && history_aux (h, op) != AUX_NONE)
    put_items (w, &h->ranges.data[history_aux (h, op)], &w->form->list);
}

static void put_inc (struct text_writer *w, uint32_t op) {
  const struct history *h = w->history;
  put_mark (&w->text, &w->form->argument);
  put_atom (w, history_inc_by (h, op));
  if (history_flags (h, op) & OP_RESULT_KNOWN) {
    put_mark (&w->text, &w->form->result);
    text_put_value (w, history_aux (h, op));
  }
}

void text_put_arguments (struct text_writer *w, uint32_t op) {
  const struct history *h = w->history;
  const struct text_form *form = w->form;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const unsigned flags = history_flags (h, op);
  if (kind == OP_SCAN || kind == OP_ITER) {
    put_range (w, op);
    return;
  }
  put_mark (&w->text, &form->argument);
  text_put_key (w, h->op_keys.data[op]);
  if (kind == OP_LIST)
    put_list (w, op);
  else if (kind == OP_INC)
    put_inc (w, op);
  else if (kind != OP_DEL && (h->op_values.data[op] != VALUE_UNRECORDED || form->unrecorded)) {
    put_mark (&w->text, kind == OP_GET ? &form->result : &form->argument);
    text_put_value (w, h->op_values.data[op]);
  }
  if (kind == OP_CAS) {
    put_mark (&w->text, &form->argument);
    text_put_value (w, history_aux (h, op));
  }
  if ((kind == OP_CAS || kind == OP_DEL) && flags & OP_RESULT_KNOWN)
    text_string (&w->text, (kind == OP_CAS ? form->cas_ok : form->del_found)[(flags & OP_RESULT_TRUE) != 0]);
}

static void put_flags (struct text_writer *w, uint32_t op) {
  const struct text_form *form = w->form;
  const enum op_kind kind = (enum op_kind) w->history->op_kinds.data[op];
  const unsigned flags = history_flags (w->history, op);
  if (kind == OP_PUT || kind == OP_APPEND)
    return;
  if (kind == OP_ITER && form->reached_end[0] && w->history->op_values.data[op] != VALUE_UNRECORDED)
    text_string (&w->text, form->reached_end[(flags & OP_ITER_END) != 0]);
  if (kind == OP_ITER && flags & OP_ITER_REVERSE)
    text_string (&w->text, form->reverse);
  if (flags & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
    text_string (&w->text, form->locks[flags & OP_LOCK_UPDATE ? 0 : 1]);
}

static bool put_marks (struct text_writer *w, uint32_t op) {
  const struct history *h = w->history;
  put_flags (w, op);
  if (w->walk.next_times < h->op_times.count && h->op_times.data[w->walk.next_times].op == op) {
    const struct op_times *times = &h->op_times.data[w->walk.next_times++];
    text_string (&w->text, w->form->times);
    w->form->put_times (&w->text, times->begin, times->end);
  }
  return w->walk.next_op_hint >= h->op_hints.count || h->op_hints.data[w->walk.next_op_hint].owner != op
         || put_hint (w, w->form->version, h->op_hints.data[w->walk.next_op_hint++].text);
}

// Members, each with a comma before it; the first comma then becomes the opening of the object.
static bool put_object (struct text_writer *w, uint32_t op) {
  const size_t before = w->text.count;
  text_char (&w->text, ',');
  if (!put_marks (w, op))
    return false;
  if (w->text.count == before + 1)
    w->text.count = before;
  else {
    w->text.data[before + 1] = '{';
    text_char (&w->text, '}');
  }
  return true;
}

bool text_put_ops (struct text_writer *w, uint32_t txn) {
  const struct history *h = w->history;
  const struct text_row *row = &w->form->ops;
  const uint32_t first = h->txn_first_op.data[txn];
  put_mark (&w->text, &row->open);
  for (uint32_t op = first; op < h->txn_first_op.data[txn + 1]; op++) {
    put_mark (&w->text, op > first ? &row->next : &row->first);
    text_string (&w->text, op_kind_name ((enum op_kind) h->op_kinds.data[op]));
    put_mark (&w->text, &row->middle);
    text_put_arguments (w, op);
    if (!(w->form->reached_end[0] ? put_object (w, op) : put_marks (w, op)))
      return false;
    put_mark (&w->text, &row->end);
  }
  put_mark (&w->text, &row->close);
  return true;
}

// --- Transactions ---

bool text_put_txn_hint (struct text_writer *w, const char *before, uint32_t txn) {
  const struct history *h = w->history;
  return w->walk.next_txn_hint >= h->txn_hints.count || h->txn_hints.data[w->walk.next_txn_hint].owner != txn
         || put_hint (w, before, h->txn_hints.data[w->walk.next_txn_hint++].text);
}

bool text_write (const struct history *h, const struct text_form *form, struct output *out, struct error *error) {
  struct text_writer w = { .history = h, .form = form, .error = error };
  bool fine = text_put_header (&w);
  for (uint32_t txn; fine && walk_next (&w.walk, h, &txn);) {
    fine = form->put_txn (&w, txn);
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
