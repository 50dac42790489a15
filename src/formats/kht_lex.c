#include "formats/kht_read.h"
#include "formats/utf8.h"

#include <string.h>

bool kht_expected (struct kht_reader *r, const char *what) {
  return json_unexpected (&r->text, r->text.at, what);
}

// --- Space, words, punctuation ---

void kht_skip_in_line (struct kht_reader *r) {
  while (r->text.at < r->text.end && (*r->text.at == ' ' || *r->text.at == '\t' || *r->text.at == '\r'))
    r->text.at++;
  if (r->text.at < r->text.end && *r->text.at == '#')
    while (r->text.at < r->text.end && *r->text.at != '\n')
      r->text.at++;
}

void kht_skip (struct kht_reader *r) {
  kht_skip_in_line (r);
  while (r->text.at < r->text.end && *r->text.at == '\n') {
    r->text.at++;
    kht_skip_in_line (r);
  }
}

bool kht_accept_text (struct kht_reader *r, const char *punctuation) {
  const size_t length = strlen (punctuation);
  kht_skip (r);
  if ((size_t) (r->text.end - r->text.at) < length || memcmp (r->text.at, punctuation, length))
    return false;
  r->text.at += length;
  return true;
}

bool kht_accept (struct kht_reader *r, char c) {
  const char text[2] = { c, 0 };
  return kht_accept_text (r, text);
}

bool kht_require (struct kht_reader *r, char c, const char *what) {
  return kht_accept (r, c) || kht_expected (r, what);
}

struct kht_word kht_peek_word (struct kht_reader *r) {
  kht_skip (r);
  const char *last = r->text.at;
  if (last < r->text.end && kht_begins_word (*last))
    while (last < r->text.end && kht_in_word (*last))
      last++;
  return (struct kht_word){ r->text.at, (size_t) (last - r->text.at) };
}

bool kht_word_is (struct kht_word word, const char *text) {
  return word.length == strlen (text) && !memcmp (word.bytes, text, word.length);
}

bool kht_accept_word (struct kht_reader *r, const char *text) {
  if (!kht_word_is (kht_peek_word (r), text))
    return false;
  r->text.at += strlen (text);
  return true;
}

// --- Numbers ---

// Without a superfluous zero, and not the beginning of something longer. False leaves r->text.at
// alone and says nothing.
static bool scan_integer (struct kht_reader *r, const char *at, struct atom *atom) {
  const char *end = r->text.end, *last = atom_parse (at, end, atom), *first = at + (at < end && *at == '-');
  if (!last || (*first == '0' && last > first + 1) || (last < end && kht_in_word (*last)))
    return false;
  r->text.at = last;
  return true;
}

bool kht_label (struct kht_reader *r, char letter, uint64_t *number, const char *what) {
  struct atom atom;
  kht_skip (r);
  const char *at = r->text.at;
  if (at == r->text.end || *at != letter || (r->text.end - at > 1 && at[1] == '-') || !scan_integer (r, at + 1, &atom))
    return kht_expected (r, what);
  *number = atom.number;
  return true;
}

static bool read_time (struct kht_reader *r, int64_t *time) {
  struct atom atom;
  const char *at = r->text.at;
  if (!scan_integer (r, at, &atom))
    return kht_expected (r, "a time (an integer) or '-'");
  *time = (int64_t) atom.number;
  // The two ends of the range stand for a missing time.
  if ((atom.kind == ATOM_NEGATIVE || atom.number < INT64_MAX) && *time != INT64_MIN)
    return true;
  return json_unexpected (&r->text, at, "a time from -2^63+1 to 2^63-2");
}

bool kht_accept_dash (struct kht_reader *r) {
  kht_skip (r);
  const char next = r->text.end - r->text.at > 1 ? r->text.at[1] : ' ';
  if (r->text.at == r->text.end || *r->text.at != '-' || (next >= '0' && next <= '9') || next == '>')
    return false;
  r->text.at++;
  return true;
}

bool kht_times (struct kht_reader *r, int64_t *begin, int64_t *end) {
  *begin = TIME_NONE_BEGIN;
  *end = TIME_NONE_END;
  if (!kht_accept_dash (r) && !read_time (r, begin))
    return false;
  kht_skip (r);
  const char *end_at = r->text.at;
  if (!kht_accept_dash (r) && !read_time (r, end))
    return false;
  return kht_require (r, ']', "']'") && (*begin <= *end || json_fail (&r->text, end_at, "an end before the begin"));
}

// --- Keys and values ---

static bool read_escape (struct kht_reader *r) {
  static const char from[] = "\"\\nrt", to[] = "\"\\\n\r\t";
  const char next = r->text.end - r->text.at > 1 ? r->text.at[1] : 0;
  const char *which = next ? strchr (from, next) : NULL;
  if (which) {
    text_char (&r->text.decoded, to[which - from]);
    r->text.at += 2;
    return true;
  }
  if (next == 'x' && r->text.end - r->text.at >= 4 && hex_value (r->text.at[2]) >= 0
      && hex_value (r->text.at[3]) >= 0) {
    text_char (&r->text.decoded, (char) (hex_value (r->text.at[2]) << 4 | hex_value (r->text.at[3])));
    r->text.at += 4;
    return true;
  }
  return json_fail (&r->text, r->text.at,
                    "expected \\\\, \\\", \\n, \\r, \\t or \\x and two hexadecimal digits, found another backslash");
}

// Anything but ASCII control characters stands for itself, as long as the file stays text.
static bool read_quoted (struct kht_reader *r) {
  const char *opening = r->text.at++;
  r->text.decoded.count = 0;
  while (r->text.at < r->text.end && *r->text.at != '"') {
    const unsigned char c = (unsigned char) *r->text.at;
    if (c == '\n')
      break;
    if (c == '\\') {
      if (!read_escape (r))
        return false;
      continue;
    }
    const unsigned length = c < 0x20 || c == 0x7f ? 0 : utf8_sequence (r->text.at, r->text.end);
    if (!length)
      return json_fail (&r->text, r->text.at, "byte 0x%02x in a string (write it as \\x%02x)", (unsigned) c,
                        (unsigned) c);
    text_bytes (&r->text.decoded, r->text.at, length);
    r->text.at += length;
  }
  if (r->text.at == r->text.end || *r->text.at != '"')
    return json_fail (&r->text, opening, "expected a string that ends on its line, found no closing '\"'");
  r->text.at++;
  return true;
}

bool kht_atom (struct kht_reader *r, struct atom *atom, const char *what) {
  const struct kht_word word = kht_peek_word (r);
  if (kht_word_is (word, "nil"))
    return json_fail (&r->text, r->text.at, "expected %s, found nil (the string is \"nil\")", what);
  if (word.length) {
    *atom = atom_bytes (word.bytes, word.length);
    r->text.at += word.length;
    return true;
  }
  if (r->text.at < r->text.end && *r->text.at == '"') {
    if (!read_quoted (r))
      return false;
    *atom = atom_bytes (r->text.decoded.count ? r->text.decoded.data : "", r->text.decoded.count);
    return true;
  }
  if (scan_integer (r, r->text.at, atom))
    return true;
  const char *digit = r->text.at + (r->text.at < r->text.end && *r->text.at == '-');
  if (digit < r->text.end && *digit >= '0' && *digit <= '9')
    return kht_expected (r, "an integer from -2^63 to 2^64-1 (or a \"string\")");
  return kht_expected (r, what);
}

static bool read_atom (struct kht_reader *r, const char *what,
                       uint32_t (*intern) (struct history *, struct atom, const char **), uint32_t *id) {
  struct atom atom;
  const char *why;
  kht_skip (r);
  const char *at = r->text.at;
  if (!kht_atom (r, &atom, what))
    return false;
  *id = intern (r->history, atom, &why);
  return *id != ATOM_NONE || json_fail (&r->text, at, "%s", why);
}

bool kht_key (struct kht_reader *r, uint32_t *key) {
  return read_atom (r, "a key (a word, an integer or a \"string\")", history_key, key);
}

bool kht_value (struct kht_reader *r, uint32_t *value) {
  return read_atom (r, "a value (a word, an integer or a \"string\")", history_value, value);
}

bool kht_value_or_nil (struct kht_reader *r, uint32_t *value) {
  *value = VALUE_ABSENT;
  return kht_accept_word (r, "nil") || kht_value (r, value);
}

// --- Hints ---

bool kht_json (struct kht_reader *r, const char *what) {
  struct json_reader *text = &r->text;
  kht_skip_in_line (r);
  if (text->at == text->end || *text->at == '\n')
    return kht_expected (r, what);
  const char *end = text->end, *newline = memchr (text->at, '\n', (size_t) (end - text->at));
  text->end = newline ? newline : end;
  text->line_end = ' ';
  r->json.count = 0;
  const bool fine = json_compact (text, &r->json);
  text->end = end;
  text->line_end = '\n';
  return fine;
}

bool kht_json_object (struct kht_reader *r, const char *what) {
  kht_skip_in_line (r);
  return r->text.at < r->text.end && *r->text.at == '{' ? kht_json (r, what) : kht_expected (r, what);
}
