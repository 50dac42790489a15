#include "formats/json_read.h"

#include "formats/found.h"
#include "formats/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void json_start (struct json_reader *r, const char *line, size_t length, const char *file, uint64_t number,
                 struct error *error) {
  r->begin = r->at = line;
  r->end = line + length;
  r->file = file;
  r->line = number;
  r->error = error;
  r->line_end = ' ';
}

void json_start_text (struct json_reader *r, const char *text, size_t length, const char *file, struct error *error) {
  json_start (r, text, length, file, 1, error);
  r->line_end = '\n';
}

uint64_t json_line (const struct json_reader *r, const char *at) {
  uint64_t line = r->line;
  for (const char *c = r->begin; c < at && (c = memchr (c, '\n', (size_t) (at - c))); c++)
    line++;
  return line;
}

void json_stop (struct json_reader *r) {
  VEC_FREE (r->decoded);
  VEC_FREE (r->skipped);
}

bool json_fail (struct json_reader *r, const char *at, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  const char *first = at;
  while (first > r->begin && first[-1] != '\n')
    first--;
  return error_at_line (r->error, r->file, json_line (r, at), (uint64_t) (at - first) + 1, "%s", text);
}

bool json_unexpected (struct json_reader *r, const char *at, const char *what) {
  char found[FOUND_SIZE];
  const char *end_name = r->line_end == '\n' ? "the end of the file" : "the end of the line";
  return json_fail (r, at, "expected %s, found %s", what, found_text (found, at, r->end, end_name));
}

bool json_expected (struct json_reader *r, const char *what) {
  return json_unexpected (r, json_place (r), what);
}

// --- Arrays and objects ---

int json_no_next (struct json_reader *r, char close, bool first) {
  if (json_accept (r, close))
    return 0;
  if (first)
    json_expected (r, close == ']' ? "an element or ']'" : "a member or '}'");
  else
    json_expected (r, close == ']' ? "',' or ']'" : "',' or '}'");
  return -1;
}

bool json_twice (struct json_reader *r, struct json_string name, const char *of) {
  char found[FOUND_SIZE];
  return of
           ? json_fail (r, r->name_at, "member %s is there twice", found_text (found, r->name_at, r->end, "of no name"))
           : json_fail (r, r->name_at, "\"%.*s\" is there twice", (int) name.length, name.bytes);
}

bool json_unknown (struct json_reader *r, struct json_string name, const char *of) {
  const int shown = name.length < 40 ? (int) name.length : 40;
  return json_fail (r, r->name_at, "unknown member \"%.*s\" of %s", shown, name.bytes, of);
}

const char *json_lacking (const char *const *names, unsigned seen, unsigned required) {
  const unsigned lacks = required & ~seen;
  return lacks ? names[__builtin_ctz (lacks)] : NULL;
}

// --- Strings ---

bool json_code_point (struct json_reader *r) {
  const char *why = NULL;
  const unsigned length = utf8_unescape (r->at, r->end, &r->decoded, &why);
  r->at += length;
  return length || json_fail (r, r->at, "%s", why);
}

static bool decode_escape (struct json_reader *r) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->end - r->at < 2)
    return json_fail (r, r->end, "expected '\"', found the end of the line");
  if (r->at[1] == 'u')
    return json_code_point (r);
  const char *which = r->at[1] ? strchr (from, r->at[1]) : NULL;
  if (!which)
    return json_fail (r, r->at, "expected one of the escapes of JSON, found a backslash that begins none");
  text_char (&r->decoded, to[which - from]);
  r->at += 2;
  return true;
}

// r->at is at something that is not plain; what stands before it, from `plain` on, has not been
// copied yet unless `copied`.
static bool step_over_special (struct json_reader *r, const char *plain, bool *copied) {
  const unsigned char c = (unsigned char) *r->at;
  if (c == '\\') {
    if (!*copied)
      r->decoded.count = 0;
    *copied = true;
    text_bytes (&r->decoded, plain, (size_t) (r->at - plain));
    return decode_escape (r);
  }
  if (c < 0x20)
    return json_fail (r, r->at, "control character 0x%02x in a string (write it as \\u%04x)", (unsigned) c,
                      (unsigned) c);
  const unsigned sequence = utf8_sequence (r->at, r->end);
  if (!sequence)
    return json_fail (r, r->at, "expected UTF-8, found byte 0x%02x (bytes that are not text: {\"b64\":\"...\"})",
                      (unsigned) c);
  r->at += sequence;
  return true;
}

bool json_string_slowly (struct json_reader *r, struct json_string *string, const char *what) {
  if (json_peek (r) != '"')
    return json_expected (r, what);
  const char *plain = ++r->at; // what follows is not in r->decoded yet
  bool copied = false;
  for (;;) {
    r->at = json_plain_run_end (r->at, r->end);
    if (r->at == r->end)
      return json_fail (r, r->end, "expected '\"', found the end of the line");
    if (*r->at == '"')
      break;
    const bool escape = *r->at == '\\';
    if (!step_over_special (r, plain, &copied))
      return false;
    if (escape)
      plain = r->at;
  }
  if (copied) {
    text_bytes (&r->decoded, plain, (size_t) (r->at - plain));
    *string = (struct json_string){ r->decoded.data, r->decoded.count };
  } else
    *string = (struct json_string){ plain, (size_t) (r->at - plain) };
  r->at++;
  return true;
}

int json_among (struct json_string string, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (json_is_word (string, words[i]))
      return i;
  return -1;
}

int json_word (struct json_reader *r, const char *const *words, const char *what) {
  struct json_string string;
  const char *at = json_place (r);
  if (!json_string (r, &string, what))
    return -1;
  const int found = json_among (string, words);
  if (found < 0)
    json_unexpected (r, at, what);
  return found;
}

// --- Numbers and literals ---

static inline bool is_digit (const struct json_reader *r, const char *at) {
  return at < r->end && (unsigned char) (*at - '0') < 10;
}

bool json_integer_slowly (struct json_reader *r, struct atom *atom, const char *what) {
  const char *token = json_place (r);
  const bool negative = token < r->end && *token == '-';
  const char *first = token + negative, *at = first;
  uint64_t number = 0;
  bool overflow = false;
  for (; is_digit (r, at); at++) {
    const uint64_t digit = (uint64_t) (*at - '0');
    if (at - first >= 19)
      overflow |= __builtin_mul_overflow (number, 10, &number) || __builtin_add_overflow (number, digit, &number);
    else
      number = number * 10 + digit;
  }
  const bool fraction = at < r->end && (*at == '.' || *at == 'e' || *at == 'E');
  if (at == first || fraction || (*first == '0' && at - first > 1))
    return json_expected (r, what);
  if (overflow || (negative && number > (uint64_t) 1 << 63))
    return json_unexpected (r, token, "an integer from -2^63 to 2^64-1");
  r->at = at;
  *atom = negative && number ? (struct atom){ ATOM_NEGATIVE, -number, NULL, 0 } : atom_unsigned (number);
  return true;
}

bool json_unsigned (struct json_reader *r, uint64_t *number, const char *what) {
  struct atom atom;
  if (json_peek (r) == '-')
    return json_expected (r, what);
  if (!json_integer (r, &atom, what))
    return false;
  *number = atom.number;
  return true;
}

static bool accept_literal (struct json_reader *r, const char *literal) {
  const size_t length = strlen (literal);
  json_peek (r);
  if ((size_t) (r->end - r->at) < length || memcmp (r->at, literal, length))
    return false;
  r->at += length;
  return true;
}

bool json_bool (struct json_reader *r, bool *value) {
  *value = accept_literal (r, "true");
  return *value || accept_literal (r, "false") || json_expected (r, "true or false");
}

bool json_accept_null (struct json_reader *r) {
  return json_peek (r) == 'n' && accept_literal (r, "null");
}

// --- Whole values ---

static const char *digits_end (const struct json_reader *r, const char *at) {
  while (is_digit (r, at))
    at++;
  return at;
}

static bool skip_number (struct json_reader *r) {
  const char *first = r->at + (*r->at == '-'), *at = digits_end (r, first);
  bool fine = at > first && (*first != '0' || at - first == 1);
  if (fine && at < r->end && *at == '.') {
    first = at + 1;
    at = digits_end (r, first);
    fine = at > first;
  }
  if (fine && at < r->end && (*at == 'e' || *at == 'E')) {
    first = at + 1;
    first += first < r->end && (*first == '+' || *first == '-');
    at = digits_end (r, first);
    fine = at > first;
  }
  if (!fine)
    return json_expected (r, "a number");
  r->at = at;
  return true;
}

static bool skip_scalar (struct json_reader *r, int c) {
  struct json_string string;
  if (c == '"')
    return json_string (r, &string, "a string");
  if (c == '-' || (c >= '0' && c <= '9'))
    return skip_number (r);
  return accept_literal (r, "true") || accept_literal (r, "false") || accept_literal (r, "null")
         || json_expected (r, "a JSON value");
}

static bool compact_member_name (struct json_reader *r, struct text *out) {
  struct json_string name;
  const char *begin = json_place (r);
  if (!json_string (r, &name, "a member name"))
    return false;
  text_bytes (out, begin, (size_t) (r->at - begin));
  text_char (out, ':');
  return json_open (r, ':', "':'");
}

static bool compact_elements (struct json_reader *r, struct text *out, char close) {
  int next;
  text_char (out, *r->at++);
  for (bool first = true; (next = json_next (r, close, first)) > 0; first = false) {
    if (!first)
      text_char (out, ',');
    if ((close == '}' && !compact_member_name (r, out)) || !json_compact (r, out))
      return false;
  }
  text_char (out, close);
  return !next;
}

bool json_compact (struct json_reader *r, struct text *out) {
  const int c = json_peek (r);
  const char *begin = r->at;
  if (c == '[' || c == '{') {
    if (r->depth == JSON_MAX_DEPTH)
      return json_fail (r, r->at, "nested deeper than %d", JSON_MAX_DEPTH);
    r->depth++;
    const bool fine = compact_elements (r, out, c == '[' ? ']' : '}');
    r->depth--;
    return fine;
  }
  if (!skip_scalar (r, c))
    return false;
  text_bytes (out, begin, (size_t) (r->at - begin));
  return true;
}

bool json_skip (struct json_reader *r) {
  r->skipped.count = 0;
  return json_compact (r, &r->skipped);
}

bool json_at_end (struct json_reader *r) {
  return json_peek (r) < 0 || json_expected (r, "the end of the line");
}

bool json_is_whole (const char *bytes, size_t length) {
  struct error error = { 0 };
  struct json_reader r = { 0 };
  struct text out = { 0 };
  json_start (&r, bytes, length, "", 1, &error);
  const bool whole = json_compact (&r, &out) && json_at_end (&r);
  VEC_FREE (out);
  json_stop (&r);
  return whole;
}
