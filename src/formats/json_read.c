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

bool json_expected (struct json_reader *r, const char *what) {
  json_peek (r);
  char found[FOUND_SIZE];
  const char *end_name = r->line_end == '\n' ? "the end of the file" : "the end of the line";
  return json_fail (r, r->at, "expected %s, found %s", what, found_text (found, r->at, r->end, end_name));
}

int json_next (struct json_reader *r, char close, bool first) {
  const int c = json_peek (r);
  if (c == close) {
    r->at++;
    return 0;
  }
  if (first && c >= 0)
    return 1;
  if (!first && c == ',') {
    r->at++;
    return 1;
  }
  if (first)
    json_expected (r, close == ']' ? "an element or ']'" : "a member or '}'");
  else
    json_expected (r, close == ']' ? "',' or ']'" : "',' or '}'");
  return -1;
}

// --- Strings ---

// r->at is at the backslash of \u.
static bool decode_code_point (struct json_reader *r) {
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
    return decode_code_point (r);
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

// --- Numbers and literals ---

static inline bool is_digit (const struct json_reader *r, const char *at) {
  return at < r->end && (unsigned char) (*at - '0') < 10;
}

static bool out_of_range (struct json_reader *r, const char *token) {
  char found[FOUND_SIZE];
  return json_fail (r, token, "expected an integer from -2^63 to 2^64-1, found %s",
                    found_text (found, token, r->end, "the end of the line"));
}

bool json_integer_slowly (struct json_reader *r, struct atom *atom, const char *what) {
  json_peek (r);
  const char *token = r->at, *at = token;
  const bool negative = at < r->end && *at == '-';
  if (negative)
    at++;
  const char *first = at;
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
    return out_of_range (r, token);
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

static bool skip_number (struct json_reader *r) {
  const char *at = r->at;
  if (*at == '-')
    at++;
  const char *first = at;
  while (is_digit (r, at))
    at++;
  if (at == first || (*first == '0' && at - first > 1))
    return json_expected (r, "a number");
  if (at < r->end && *at == '.') {
    if (!is_digit (r, ++at))
      return json_expected (r, "a number");
    while (is_digit (r, at))
      at++;
  }
  if (at < r->end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < r->end && (*at == '+' || *at == '-'))
      at++;
    if (!is_digit (r, at))
      return json_expected (r, "a number");
    while (is_digit (r, at))
      at++;
  }
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

static bool compact_value (struct json_reader *r, struct text *out, int depth);

static bool compact_container (struct json_reader *r, struct text *out, char close, int depth) {
  if (depth == JSON_MAX_DEPTH)
    return json_fail (r, r->at, "nested deeper than %d", JSON_MAX_DEPTH);
  text_char (out, *r->at++);
  for (bool first = true;; first = false) {
    const int next = json_next (r, close, first);
    if (next < 0)
      return false;
    if (!next)
      break;
    if (!first)
      text_char (out, ',');
    if (close == '}') {
      json_peek (r);
      const char *begin = r->at;
      struct json_string name;
      if (!json_string (r, &name, "a member name"))
        return false;
      text_bytes (out, begin, (size_t) (r->at - begin));
      if (!json_accept (r, ':'))
        return json_expected (r, "':'");
      text_char (out, ':');
    }
    if (!compact_value (r, out, depth + 1))
      return false;
  }
  text_char (out, close);
  return true;
}

static bool compact_value (struct json_reader *r, struct text *out, int depth) {
  const int c = json_peek (r);
  if (c == '[' || c == '{')
    return compact_container (r, out, c == '[' ? ']' : '}', depth);
  const char *begin = r->at;
  if (!skip_scalar (r, c))
    return false;
  text_bytes (out, begin, (size_t) (r->at - begin));
  return true;
}

bool json_compact (struct json_reader *r, struct text *out) {
  return compact_value (r, out, 0);
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
