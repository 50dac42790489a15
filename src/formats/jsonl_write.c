// The writer of JSON Lines: the inverse of the reader, down to the last hint.

#include "formats/base64.h"
#include "formats/json_write.h"
#include "formats/jsonl_read.h"
#include "formats/text_write.h"
#include "formats/utf8.h"

static void put_bytes (struct text *text, struct atom atom) {
  if (utf8_valid (atom.bytes, atom.length)) {
    json_put_string (text, atom.bytes, atom.length);
    return;
  }
  text_string (text, "{\"b64\":\"");
  base64_encode (text, atom.bytes, atom.length);
  text_string (text, "\"}");
}

static void put_times (struct text *text, int64_t begin, int64_t end) {
  if (begin != TIME_NONE_BEGIN) {
    text_string (text, ",\"b\":");
    text_signed (text, begin);
  }
  if (end != TIME_NONE_END) {
    text_string (text, ",\"e\":");
    text_signed (text, end);
  }
}

static void put_init_keys (struct text_writer *w) {
  const struct history *h = w->history;
  text_string (&w->text, h->init == INIT_DEFAULT ? ",\"keys\":[" : "\"keys\":[");
  for (size_t i = 0; i < h->init_keys.count; i++) {
    text_string (&w->text, i ? ",[" : "[");
    text_put_key (w, h->init_keys.data[i]);
    text_char (&w->text, ',');
    text_put_value (w, h->init_values.data[i]);
    text_char (&w->text, ']');
  }
  text_char (&w->text, ']');
}

static void put_init (struct text_writer *w) {
  const struct history *h = w->history;
  if (h->init == INIT_ANY || (h->init == INIT_ABSENT && !h->init_keys.count)) {
    text_string (&w->text, h->init == INIT_ANY ? "\"any\"" : "\"absent\"");
    return;
  }
  text_string (&w->text, "{");
  if (h->init == INIT_DEFAULT) {
    text_string (&w->text, "\"default\":");
    text_put_value (w, h->init_default);
  }
  if (h->init_keys.count)
    put_init_keys (w);
  text_char (&w->text, '}');
}

static void end_header (struct text_writer *w) {
  text_string (&w->text, "}\n");
}

static bool put_txn (struct text_writer *w, uint32_t txn) {
  const struct history *h = w->history;
  struct text *text = &w->text;
  text_string (text, "{\"s\":");
  text_unsigned (text, h->session_labels.data[h->txn_sessions.data[txn]]);
  text_string (text, ",\"t\":");
  text_unsigned (text, h->txn_ids.data[txn]);
  text_string (text, ",\"st\":\"");
  text_string (text, txn_status_name ((enum txn_status) h->txn_status.data[txn]));
  text_char (text, '"');
  put_times (text, history_begin_time (h, txn), history_end_time (h, txn));
  if (!text_put_ops (w, txn) || !text_put_txn_hint (w, ",\"h\":", txn))
    return false;
  text_string (text, "}\n");
  return true;
}

static const struct text_form form = {
  .put_bytes = put_bytes,
  .put_quoted = json_put_string,
  .put_times = put_times,
  .krait = "{\"krait\":1",
  .key_types = { "", ",\"keys\":\"int\"", ",\"keys\":\"bytes\"" },
  .init = ",\"init\":",
  .source = ",\"source\":",
  .incomplete = ",\"incomplete\":",
  .hints = ",\"hints\":",
  .put_init = put_init,
  .end_header = end_header,
  .put_txn = put_txn,
  .ops = { MARK (",\"ops\":["), MARK ("[\""), MARK (",[\""), MARK ("\""), MARK ("]"), MARK ("]") },
  .pairs = { MARK (",["), MARK ("["), MARK (",["), MARK (","), MARK ("]"), MARK ("]"), MARK (",[]") },
  .list = { MARK (",["), MARK (""), MARK (","), MARK (""), MARK (""), MARK ("]"), MARK (",[]") },
  .no_bound = "null",
  .absent = "null",
  .argument = MARK (","),
  .result = MARK (","),
  .cas_ok = { ",false", ",true" },
  .del_found = { ",false", ",true" },
  .reached_end = { ",\"end\":false", ",\"end\":true" },
  .reverse = ",\"reverse\":true",
  .locks = { ",\"lock\":\"update\"", ",\"lock\":\"share\"" },
  .times = "",
  .version = ",\"version\":",
};

bool jsonl_header_text (const struct history *h, struct text *text, struct error *error) {
  struct text_writer w = { .history = h, .form = &form, .error = error };
  const bool fine = text_put_header (&w);
  w.text.count -= fine; // the newline
  *text = w.text;
  return fine;
}

bool jsonl_write (const struct history *h, struct output *out, struct error *error) {
  return text_write (h, &form, out, error);
}
