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

enum { HEADER_KEYS = 1, HEADER_INIT = 2, HEADER_SOURCE = 4, HEADER_HINTS = 8, HEADER_INCOMPLETE = 16 };

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
  const char *at = r->at;
  if (!kht_atom (r, &atom, "a \"string\""))
    return false;
  if (atom.kind != ATOM_BYTES || memchr (atom.bytes, 0, atom.length) || !utf8_valid (atom.bytes, atom.length)) {
    r->at = at;
    return kht_expected (r, "text (UTF-8) without zero bytes");
  }
  *text = mem_alloc (atom.length + 1);
  memcpy (*text, atom.bytes, atom.length);
  (*text)[atom.length] = 0;
  return true;
}

static bool read_source (struct kht_reader *r) {
  return read_text (r, &r->history->source);
}

static bool read_incomplete (struct kht_reader *r) {
  return read_text (r, &r->history->incomplete);
}

static bool read_hints (struct kht_reader *r) {
  const char *why, *at = r->at;
  if (!kht_json_object (r, "a JSON object"))
    return false;
  return history_set_header_hints (r->history, r->json.data, r->json.count, &why) || kht_fail (r, at, "%s", why);
}

static const struct {
  const char *name;
  unsigned bit;
  bool (*read) (struct kht_reader *);
} fields[] = {
  { "keys", HEADER_KEYS, read_key_type },
  { "init", HEADER_INIT, read_init },
  { "source", HEADER_SOURCE, read_source },
  { "hints", HEADER_HINTS, read_hints },
  { "incomplete", HEADER_INCOMPLETE, read_incomplete },
};

static bool read_field (struct kht_reader *r, unsigned *seen) {
  const char *at = r->at;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (!kht_accept_word (r, fields[i].name))
      continue;
    if (*seen & fields[i].bit)
      return kht_fail (r, at, "%s= is there twice", fields[i].name);
    *seen |= fields[i].bit;
    kht_skip_in_line (r);
    if (r->at == r->end || *r->at != '=')
      return kht_expected (r, "'='");
    r->at++;
    kht_skip_in_line (r);
    return fields[i].read (r);
  }
  return kht_expected (r, "keys=, init=, source=, incomplete=, hints= or the end of the line");
}

static bool at_end_of_line (struct kht_reader *r) {
  kht_skip_in_line (r);
  return r->at == r->end || *r->at == '\n';
}

// Behind the word `krait`.
static bool read_header (struct kht_reader *r) {
  kht_skip_in_line (r);
  if (r->at == r->end || *r->at != '1' || (r->end - r->at > 1 && kht_in_word (r->at[1])))
    return kht_expected (r, "the version of the format, 1");
  r->at++;
  unsigned seen = 0;
  while (!at_end_of_line (r))
    if (!read_field (r, &seen))
      return false;
  return true;
}

// `init { x=1 y=nil }`, behind the word `init`.
static bool read_init_map (struct kht_reader *r) {
  if (!kht_accept (r, '{'))
    return kht_expected (r, "'{'");
  if (r->history->init == INIT_ANY)
    return kht_fail (r, r->at - 1, "an initial state of single keys beside init=any");
  while (!kht_accept (r, '}')) {
    uint32_t key, value;
    const char *why, *at = r->at;
    if (!kht_key (r, &key))
      return false;
    if (!kht_accept (r, '='))
      return kht_expected (r, "'=' and a value or nil");
    if (!kht_value_or_nil (r, &value))
      return false;
    if (!history_set_init_key (r->history, key, value, &why))
      return kht_fail (r, at, "%s", why);
  }
  return at_end_of_line (r) || kht_expected (r, "the end of the line");
}

// --- Transactions ---

static bool read_status (struct kht_reader *r) {
  if (kht_accept_word (r, "commit"))
    history_set_status (r->history, TXN_COMMITTED);
  else if (kht_accept_word (r, "abort"))
    history_set_status (r->history, TXN_ABORTED);
  else if (kht_accept_word (r, "unknown"))
    history_set_status (r->history, TXN_UNKNOWN);
  else
    return kht_expected (r, "commit, abort or unknown");
  return at_end_of_line (r) || kht_expected (r, "the end of the line");
}

static bool read_txn_hint (struct kht_reader *r) {
  const char *why, *at = r->at;
  if (!kht_accept_word (r, "hints"))
    return true;
  if (!kht_accept (r, '='))
    return kht_expected (r, "'='");
  if (!kht_json_object (r, "a JSON object"))
    return false;
  return history_set_txn_hint (r->history, r->json.data, r->json.count, &why) || kht_fail (r, at, "%s", why);
}

static bool read_transaction (struct kht_reader *r) {
  struct txn_header header = { .has_id = true, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  const char *why;
  if (!kht_label (r, 's', &header.session, "a session such as s1"))
    return false;
  kht_skip (r);
  const char *id_at = r->at;
  if (!kht_label (r, 'T', &header.id, "a transaction id such as T1"))
    return false;
  if (kht_accept (r, '[') && !kht_times (r, &header.begin, &header.end))
    return false;
  if (!history_begin_txn (r->history, &header, &why))
    return kht_fail (r, id_at, "%s", why);
  if (!read_txn_hint (r))
    return false;
  if (!kht_accept (r, '{'))
    return kht_expected (r, "'{'");
  return kht_ops (r) && read_status (r);
}

static bool read_all (struct kht_reader *r) {
  if (kht_accept_word (r, "krait") && !read_header (r))
    return false;
  while (kht_accept_word (r, "init"))
    if (!read_init_map (r))
      return false;
  for (;;) {
    kht_skip (r);
    if (r->at == r->end)
      return true;
    if (!read_transaction (r))
      return false;
  }
}

static bool kht_read (struct history *h, struct input *in, struct error *error) {
  size_t length;
  const char *bytes = input_all (in, &length, error);
  if (!bytes)
    return false;
  struct kht_reader r = {
    .begin = bytes, .at = bytes, .end = bytes + length, .file = input_name (in), .history = h, .error = error
  };
  const bool fine = read_all (&r);
  VEC_FREE (r.decoded);
  VEC_FREE (r.json);
  return fine;
}

// --- Probing ---

static bool has_suffix (const char *path, const char *suffix) {
  const size_t length = strlen (path), wanted = strlen (suffix);
  return length >= wanted && !strcmp (path + length - wanted, suffix);
}

static bool kht_probe (const char *path, const char *head, size_t length) {
  struct error ignored = { 0 };
  struct kht_reader r = { .begin = head, .at = head, .end = head + length, .file = "", .error = &ignored };
  uint64_t number;
  kht_skip (&r);
  if (r.at == r.end) // nothing but comments
    return path && has_suffix (path, ".kht");
  const struct kht_word word = kht_peek_word (&r);
  if (kht_word_is (word, "krait") || kht_word_is (word, "init"))
    return true;
  return kht_label (&r, 's', &number, "") && kht_label (&r, 'T', &number, "");
}

const struct format format_kht = {
  .name = "kht",
  .title = "Krait text, for people",
  .can_write = true,
  .tells_incomplete = true,
  .probe = kht_probe,
  .read = kht_read,
  .write = kht_write,
};
