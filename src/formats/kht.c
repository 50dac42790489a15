// Krait text: the form for people, in tests, documents and reports (docs/kht.md). It holds all that
// JSON Lines holds.
//
//   krait 1 keys=bytes init=any
//   s1 T1 [10 20] { put x 1; get y -> nil } commit

#include "base/input.h"
#include "formats/formats.h"
#include "formats/kht_read.h"
#include "formats/utf8.h"

#include <string.h>

// --- Header ---

static bool read_key_type (struct kht_reader *r) {
  if (kht_accept_word (r, "int"))
    r->history->key_type = KEYS_INT;
  else if (kht_accept_word (r, "bytes"))
    r->history->key_type = KEYS_BYTES;
  else
    return kht_expected (r, "int or bytes");
  return true;
}

static bool read_init (struct kht_reader *r) {
  struct history *h = r->history;
  if (kht_accept_word (r, "absent"))
    return true;
  h->init = INIT_ANY;
  if (kht_accept_word (r, "any"))
    return true;
  h->init = INIT_DEFAULT;
  return kht_value (r, &h->init_default);
}

static bool read_text (struct kht_reader *r, char **text) {
  struct atom atom;
  const char *at = r->text.at;
  if (!kht_atom (r, &atom, "a \"string\""))
    return false;
  if (atom.kind != ATOM_BYTES || memchr (atom.bytes, 0, atom.length) || !utf8_valid (atom.bytes, atom.length))
    return json_unexpected (&r->text, at, "text (UTF-8) without zero bytes");
  *text = mem_alloc (atom.length + 1);
  memcpy (*text, atom.bytes, atom.length);
  (*text)[atom.length] = 0;
  return true;
}

static bool read_hints (struct kht_reader *r) {
  const char *why, *at = r->text.at;
  if (!kht_json_object (r, "a JSON object"))
    return false;
  return history_set_header_hints (r->history, r->json.data, r->json.count, &why)
         || json_fail (&r->text, at, "%s", why);
}

enum { FIELD_KEYS, FIELD_INIT, FIELD_SOURCE, FIELD_HINTS, FIELD_INCOMPLETE, FIELDS };

static bool read_value (struct kht_reader *r, unsigned field) {
  switch (field) {
  case FIELD_KEYS: return read_key_type (r);
  case FIELD_INIT: return read_init (r);
  case FIELD_SOURCE: return read_text (r, &r->history->source);
  case FIELD_HINTS: return read_hints (r);
  default: return read_text (r, &r->history->incomplete);
  }
}

static bool read_field (struct kht_reader *r, unsigned *seen) {
  static const char *const names[FIELDS] = { "keys", "init", "source", "hints", "incomplete" };
  const char *at = r->text.at;
  for (unsigned field = 0; field < FIELDS; field++) {
    if (!kht_accept_word (r, names[field]))
      continue;
    if (*seen & 1u << field)
      return json_fail (&r->text, at, "%s= is there twice", names[field]);
    *seen |= 1u << field;
    kht_skip_in_line (r);
    if (r->text.at == r->text.end || *r->text.at != '=')
      return kht_expected (r, "'='");
    r->text.at++;
    kht_skip_in_line (r);
    return read_value (r, field);
  }
  return kht_expected (r, "keys=, init=, source=, incomplete=, hints= or the end of the line");
}

static bool at_end_of_line (struct kht_reader *r) {
  kht_skip_in_line (r);
  return r->text.at == r->text.end || *r->text.at == '\n';
}

// Behind the word `krait`.
static bool read_header (struct kht_reader *r) {
  kht_skip_in_line (r);
  if (r->text.at == r->text.end || *r->text.at != '1' || (r->text.end - r->text.at > 1 && kht_in_word (r->text.at[1])))
    return kht_expected (r, "the version of the format, 1");
  r->text.at++;
  unsigned seen = 0;
  while (!at_end_of_line (r))
    if (!read_field (r, &seen))
      return false;
  return true;
}

// `init { x=1 y=nil }`, behind the word `init`.
static bool read_init_map (struct kht_reader *r) {
  if (!kht_require (r, '{', "'{'"))
    return false;
  if (r->history->init == INIT_ANY)
    return json_fail (&r->text, r->text.at - 1, "an initial state of single keys beside init=any");
  while (!kht_accept (r, '}')) {
    uint32_t key, value;
    const char *why, *at = r->text.at;
    if (!kht_key (r, &key) || !kht_require (r, '=', "'=' and a value or nil") || !kht_value_or_nil (r, &value))
      return false;
    if (!history_set_init_key (r->history, key, value, &why))
      return json_fail (&r->text, at, "%s", why);
  }
  return at_end_of_line (r) || kht_expected (r, "the end of the line");
}

// --- Transactions ---

static bool read_status (struct kht_reader *r) {
  static const char *const statuses[] = { "commit", "abort", "unknown" }; // as enum txn_status
  unsigned status = TXN_COMMITTED;
  while (status <= TXN_UNKNOWN && !kht_accept_word (r, statuses[status]))
    status++;
  if (status > TXN_UNKNOWN)
    return kht_expected (r, "commit, abort or unknown");
  history_set_status (r->history, (enum txn_status) status);
  return at_end_of_line (r) || kht_expected (r, "the end of the line");
}

static bool read_txn_hint (struct kht_reader *r) {
  const char *why, *at = r->text.at;
  if (!kht_accept_word (r, "hints"))
    return true;
  if (!kht_require (r, '=', "'='") || !kht_json_object (r, "a JSON object"))
    return false;
  return history_set_txn_hint (r->history, r->json.data, r->json.count, &why) || json_fail (&r->text, at, "%s", why);
}

static bool read_transaction (struct kht_reader *r) {
  struct txn_header header = { .has_id = true, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *why;
  if (!kht_label (r, 's', &header.session, "a session such as s1"))
    return false;
  kht_skip (r);
  const char *id_at = r->text.at;
  if (!kht_label (r, 'T', &header.id, "a transaction id such as T1"))
    return false;
  if (kht_accept (r, '[') && !kht_times (r, &header.begin, &header.end))
    return false;
  if (!history_begin_txn (r->history, &header, &why))
    return json_fail (&r->text, id_at, "%s", why);
  return read_txn_hint (r) && kht_require (r, '{', "'{'") && kht_ops (r) && read_status (r);
}

static bool read_all (struct kht_reader *r) {
  if (kht_accept_word (r, "krait") && !read_header (r))
    return false;
  while (kht_accept_word (r, "init"))
    if (!read_init_map (r))
      return false;
  for (;;) {
    kht_skip (r);
    if (r->text.at == r->text.end)
      return kht_flush (r);
    if (!read_transaction (r))
      return false;
  }
}

static bool kht_read (struct history *h, struct input *in, struct error *error) {
  size_t length;
  const char *bytes = input_all (in, &length, error);
  if (!bytes)
    return false;
  struct kht_reader r = { .history = h };
  json_start_text (&r.text, bytes, length, input_name (in), error);
  const bool fine = read_all (&r);
  json_stop (&r.text);
  VEC_FREE (r.json);
  return fine;
}

// --- Probing ---

static bool has_suffix (const char *path, const char *suffix) {
  const size_t length = strlen (path), wanted = strlen (suffix);
  return length >= wanted && !strcmp (path + length - wanted, suffix);
}

static bool kht_probe (struct json_reader *text) {
  struct kht_reader r;
  r.text = *text;
  uint64_t number;
  kht_skip (&r);
  if (r.text.at == r.text.end) // nothing but comments
    return has_suffix (text->file, ".kht");
  const struct kht_word word = kht_peek_word (&r);
  if (kht_word_is (word, "krait") || kht_word_is (word, "init"))
    return true;
  return kht_label (&r, 's', &number, "") && kht_label (&r, 'T', &number, "");
}

const struct format format_kht = {
  .name = "kht",
  .title = "Krait text, for people",
  .tells_incomplete = true,
  .probe = kht_probe,
  .read = kht_read,
  .write = kht_write,
};
