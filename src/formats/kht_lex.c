#include "formats/found.h"
#include "formats/json_read.h"
#include "formats/kht_read.h"
#include "formats/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool kht_fail (struct kht_reader *r, const char *at, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  uint64_t line = 1;
  const char *begin = r->begin;
  for (const char *c = r->begin; c < at; c++)
    if (*c == '\n') {
      line++;
      begin = c + 1;
    }
  return error_at_line (r->error, r->file, line, (uint64_t) (at - begin) + 1, "%s", text);
}

bool kht_expected (struct kht_reader *r, const char *what) {
  char found[FOUND_SIZE];
  return kht_fail (r, r->at, "expected %s, found %s", what, found_text (found, r->at, r->end, "the end of the file"));
}

// --- Space, words, punctuation ---

void kht_skip_in_line (struct kht_reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
  if (r->at < r->end && *r->at == '#')
    while (r->at < r->end && *r->at != '\n')
      r->at++;
}

void kht_skip (struct kht_reader *r) {
  kht_skip_in_line (r);
  while (r->at < r->end && *r->at == '\n') {
    r->at++;
    kht_skip_in_line (r);
  }
}

bool kht_accept_text (struct kht_reader *r, const char *punctuation) {
  const size_t length = strlen (punctuation);
  kht_skip (r);
  if ((size_t) (r->end - r->at) < length || memcmp (r->at, punctuation, length))
    return false;
  r->at += length;
  return true;
}

bool kht_accept (struct kht_reader *r, char c) {
  const char text[2] = { c, 0 };
  return kht_accept_text (r, text);
}

struct kht_word kht_peek_word (struct kht_reader *r) {
  kht_skip (r);
  const char *last = r->at;
  if (last < r->end && kht_begins_word (*last))
    while (last < r->end && kht_in_word (*last))
      last++;
  return (struct kht_word){ r->at, (size_t) (last - r->at) };
}

bool kht_word_is (struct kht_word word, const char *text) {
  return word.length == strlen (text) && !memcmp (word.bytes, text, word.length);
}

bool kht_accept_word (struct kht_reader *r, const char *text) {
  if (!kht_word_is (kht_peek_word (r), text))
    return false;
  r->at += strlen (text);
  return true;
}

// --- Numbers ---

// Digits without a superfluous zero, less than 2^64. False leaves r->at alone and says nothing.
static bool scan_digits (struct kht_reader *r, const char *first, const char **last, uint64_t *number) {
  const char *at = first;
  *number = 0;
  for (; at < r->end && *at >= '0' && *at <= '9'; at++)
    if (__builtin_mul_overflow (*number, 10, number)
        || __builtin_add_overflow (*number, (uint64_t) (*at - '0'), number))
      return false;
  *last = at;
  return at > first && (*first != '0' || at == first + 1) && (at == r->end || !kht_in_word (*at));
}

static bool scan_integer (struct kht_reader *r, struct atom *atom) {
  const char *last;
  uint64_t number;
  const bool negative = *r->at == '-';
  if (!scan_digits (r, r->at + negative, &last, &number) || (negative && number > (uint64_t) 1 << 63))
    return false;
  r->at = last;
  *atom = negative && number ? (struct atom){ ATOM_NEGATIVE, -number, NULL, 0 } : atom_unsigned (number);
  return true;
}

bool kht_label (struct kht_reader *r, char letter, uint64_t *number, const char *what) {
  const char *last;
  kht_skip (r);
  if (r->at == r->end || *r->at != letter || !scan_digits (r, r->at + 1, &last, number))
    return kht_expected (r, what);
  r->at = last;
  return true;
}

static bool read_time (struct kht_reader *r, int64_t *time) {
  struct atom atom;
  const char *at = r->at;
  if (r->at == r->end || !scan_integer (r, &atom))
    return kht_expected (r, "a time (an integer) or '-'");
  *time = (int64_t) atom.number;
  // The two ends of the range stand for a missing time.
  if ((atom.kind == ATOM_NEGATIVE || atom.number < INT64_MAX) && *time != INT64_MIN)
    return true;
  r->at = at;
  return kht_expected (r, "a time from -2^63+1 to 2^63-2");
}

bool kht_accept_dash (struct kht_reader *r) {
  kht_skip (r);
  const char next = r->end - r->at > 1 ? r->at[1] : ' ';
  if (r->at == r->end || *r->at != '-' || (next >= '0' && next <= '9') || next == '>')
    return false;
  r->at++;
  return true;
}

bool kht_times (struct kht_reader *r, int64_t *begin, int64_t *end) {
  *begin = TIME_NONE_BEGIN;
  *end = TIME_NONE_END;
  if (!kht_accept_dash (r) && !read_time (r, begin))
    return false;
  kht_skip (r);
  const char *end_at = r->at;
  if (!kht_accept_dash (r) && !read_time (r, end))
    return false;
  if (!kht_accept (r, ']'))
    return kht_expected (r, "']'");
  return *begin <= *end || kht_fail (r, end_at, "an end before the begin");
}

// --- Keys and values ---

static bool read_escape (struct kht_reader *r) {
  static const char from[] = "\"\\nrt", to[] = "\"\\\n\r\t";
  const char next = r->end - r->at > 1 ? r->at[1] : 0;
  const char *which = next ? strchr (from, next) : NULL;
  if (which) {
    text_char (&r->decoded, to[which - from]);
    r->at += 2;
    return true;
  }
  if (next == 'x' && r->end - r->at >= 4 && hex_value (r->at[2]) >= 0 && hex_value (r->at[3]) >= 0) {
    text_char (&r->decoded, (char) (hex_value (r->at[2]) << 4 | hex_value (r->at[3])));
    r->at += 4;
    return true;
  }
  return kht_fail (r, r->at,
                   "expected \\\\, \\\", \\n, \\r, \\t or \\x and two hexadecimal digits, found another backslash");
}

// Anything but ASCII control characters stands for itself, as long as the file stays text.
static bool read_quoted (struct kht_reader *r) {
  const char *opening = r->at++;
  r->decoded.count = 0;
  while (r->at < r->end && *r->at != '"') {
    const unsigned char c = (unsigned char) *r->at;
    if (c == '\n')
      break;
    if (c == '\\') {
      if (!read_escape (r))
        return false;
      continue;
    }
    const unsigned length = c < 0x20 || c == 0x7f ? 0 : utf8_sequence (r->at, r->end);
    if (!length)
      return kht_fail (r, r->at, "byte 0x%02x in a string (write it as \\x%02x)", (unsigned) c, (unsigned) c);
    text_bytes (&r->decoded, r->at, length);
    r->at += length;
  }
  if (r->at == r->end || *r->at != '"')
    return kht_fail (r, opening, "expected a string that ends on its line, found no closing '\"'");
  r->at++;
  return true;
}

bool kht_atom (struct kht_reader *r, struct atom *atom, const char *what) {
  const struct kht_word word = kht_peek_word (r);
  if (kht_word_is (word, "nil"))
    return kht_fail (r, r->at, "expected %s, found nil (the string is \"nil\")", what);
  if (word.length) {
    *atom = atom_bytes (word.bytes, word.length);
    r->at += word.length;
    return true;
  }
  if (r->at < r->end && *r->at == '"') {
    if (!read_quoted (r))
      return false;
    *atom = atom_bytes (r->decoded.count ? r->decoded.data : "", r->decoded.count);
    return true;
  }
  if (r->at < r->end && scan_integer (r, atom))
    return true;
  const char *digit = r->at + (r->at < r->end && *r->at == '-');
  if (digit < r->end && *digit >= '0' && *digit <= '9')
    return kht_expected (r, "an integer from -2^63 to 2^64-1 (or a \"string\")");
  return kht_expected (r, what);
}

bool kht_key (struct kht_reader *r, uint32_t *key) {
  struct atom atom;
  const char *why;
  kht_skip (r);
  const char *at = r->at;
  if (!kht_atom (r, &atom, "a key (a word, an integer or a \"string\")"))
    return false;
  *key = history_key (r->history, atom, &why);
  return *key != KEY_NONE || kht_fail (r, at, "%s", why);
}

bool kht_value (struct kht_reader *r, uint32_t *value) {
  struct atom atom;
  const char *why;
  kht_skip (r);
  const char *at = r->at;
  if (!kht_atom (r, &atom, "a value (a word, an integer or a \"string\")"))
    return false;
  *value = history_value (r->history, atom, &why);
  return *value != ATOM_NONE || kht_fail (r, at, "%s", why);
}

bool kht_value_or_nil (struct kht_reader *r, uint32_t *value) {
  *value = VALUE_ABSENT;
  return kht_accept_word (r, "nil") || kht_value (r, value);
}

// --- Hints ---

static bool compact_json (struct kht_reader *r, const char *line, const char *line_end, uint64_t number,
                          struct error *error) {
  struct json_reader json = { 0 };
  json_start (&json, line, (size_t) (line_end - line), r->file, number, error);
  json.at = r->at;
  r->json.count = 0;
  const bool fine = json_compact (&json, &r->json);
  if (fine)
    r->at = json.at;
  json_stop (&json);
  return fine;
}

// JSON knows of no comments and counts its own columns; it gets the one line that it may stand on.
bool kht_json (struct kht_reader *r, const char *what) {
  struct error error = { 0 };
  kht_skip_in_line (r);
  const char *line = r->at;
  while (line > r->begin && line[-1] != '\n')
    line--;
  const char *line_end = r->at;
  while (line_end < r->end && *line_end != '\n')
    line_end++;
  if (r->at == line_end)
    return kht_expected (r, what);
  if (compact_json (r, line, line_end, 0, &error))
    return true;
  uint64_t number = 1;
  for (const char *c = r->begin; c < line; c++)
    number += *c == '\n';
  return compact_json (r, line, line_end, number, r->error);
}

bool kht_json_object (struct kht_reader *r, const char *what) {
  kht_skip_in_line (r);
  return r->at < r->end && *r->at == '{' ? kht_json (r, what) : kht_expected (r, what);
}
