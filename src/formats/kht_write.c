// The writer of the text form: the inverse of the reader. One transaction per line.

#include "formats/kht_read.h"
#include "formats/text_write.h"

static bool is_bare (const char *bytes, size_t length) {
  if (!length || !kht_begins_word (bytes[0]))
    return false;
  for (size_t i = 1; i < length; i++)
    if (!kht_in_word (bytes[i]))
      return false;
  return !(length == 3 && !memcmp (bytes, "nil", 3));
}

static void put_quoted (struct text *text, const char *bytes, size_t length) {
  text_put_quoted (text, bytes, length, SIZE_MAX);
}

static void put_bytes (struct text *text, struct atom atom) {
  if (is_bare (atom.bytes, atom.length))
    text_bytes (text, atom.bytes, atom.length);
  else
    put_quoted (text, atom.bytes, atom.length);
}

static void put_time (struct text *text, int64_t time, int64_t missing) {
  if (time == missing)
    text_char (text, '-');
  else
    text_signed (text, time);
}

static void put_times (struct text *text, int64_t begin, int64_t end) {
  text_char (text, '[');
  put_time (text, begin, TIME_NONE_BEGIN);
  text_char (text, ' ');
  put_time (text, end, TIME_NONE_END);
  text_char (text, ']');
}

static void put_init (struct text_writer *w) {
  const struct history *h = w->history;
  if (h->init != INIT_DEFAULT) {
    text_string (&w->text, h->init == INIT_ANY ? "any" : "absent");
    return;
  }
  const struct atom value = atoms_get (&h->values, h->init_default);
  // quoted always: the words `any` and `absent` mean something else here
  if (value.kind == ATOM_BYTES)
    put_quoted (&w->text, value.bytes, value.length);
  else
    text_put_value (w, h->init_default);
}

static void end_header (struct text_writer *w) {
  const struct history *h = w->history;
  text_char (&w->text, '\n');
  if (!h->init_keys.count || h->init == INIT_ANY)
    return;
  text_string (&w->text, "init {");
  for (size_t i = 0; i < h->init_keys.count; i++) {
    text_string (&w->text, i && i % 16 == 0 ? "\n  " : " ");
    text_put_key (w, h->init_keys.data[i]);
    text_char (&w->text, '=');
    text_put_value (w, h->init_values.data[i]);
  }
  text_string (&w->text, " }\n");
}

static bool put_txn (struct text_writer *w, uint32_t txn) {
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
    put_times (text, begin, end);
  }
  if (!text_put_txn_hint (w, " hints=", txn) || !text_put_ops (w, txn))
    return false;
  text_string (text, statuses[h->txn_status.data[txn]]);
  return true;
}

static const struct text_form form = {
  .put_bytes = put_bytes,
  .put_quoted = put_quoted,
  .put_times = put_times,
  .krait = "krait 1",
  .key_types = { "", " keys=int", " keys=bytes" },
  .init = " init=",
  .source = " source=",
  .incomplete = " incomplete=",
  .hints = " hints=",
  .put_init = put_init,
  .end_header = end_header,
  .put_txn = put_txn,
  .ops = { MARK (" {"), MARK (" "), MARK ("; "), MARK (""), MARK (""), MARK (" }") },
  TEXT_FORM_MARKS,
  .no_bound = "-",
  .goes_on = " ...",
  .reverse = " @reverse",
  .locks = { " @update", " @share" },
  .times = " @",
  .version = " @version=",
};

bool kht_write (const struct history *h, struct output *out, struct error *error) {
  return text_write (h, &form, out, error);
}
