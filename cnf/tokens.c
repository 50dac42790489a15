#include "cnf/tokens.h"

#include "base/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool tokens_line (struct tokens *t, struct error *error) {
  t->at = 0;
  if (input_line (t->input, &t->line, &t->length, error))
    return true;
  t->line = "";
  t->length = 0;
  return false;
}

static bool is_blank (char byte) {
  return byte == ' ' || byte == '\t';
}

bool tokens_at_end (struct tokens *t) {
  while (t->at < t->length && is_blank (t->line[t->at]))
    t->at++;
  return t->at == t->length;
}

static size_t length_of_next (struct tokens *t) {
  size_t length = 0;
  if (tokens_at_end (t))
    return 0;
  while (t->at + length < t->length && !is_blank (t->line[t->at + length]))
    length++;
  return length;
}

bool tokens_word (struct tokens *t, const char *word) {
  const size_t length = length_of_next (t);
  if (length != strlen (word) || memcmp (t->line + t->at, word, length) != 0)
    return false;
  t->at += length;
  return true;
}

bool tokens_fail (const struct tokens *t, size_t at, struct error *error, const char *text) {
  return error_at_line (error, input_name (t->input), input_line_number (t->input), at + 1, "%s", text);
}

bool tokens_fail_at_end (const struct tokens *t, struct error *error, const char *expected) {
  return error_set (error, "%.400s: expected %s, found the end of the file", input_name (t->input), expected);
}

static bool found_else (struct tokens *t, size_t length, int64_t low, int64_t high, struct error *error) {
  char text[160];
  snprintf (text, sizeof text, "expected a whole number from %" PRId64 " to %" PRId64 ", found %s%.*s%s", low, high,
            length ? "\"" : "the end of the line", (int) (length > 40 ? 40 : length), t->line + t->at,
            length ? "\"" : "");
  return tokens_fail (t, t->at, error, text);
}

bool tokens_number (struct tokens *t, int64_t low, int64_t high, int64_t *number, struct error *error) {
  const size_t length = length_of_next (t);
  const bool negative = length && t->line[t->at] == '-';
  int64_t found = 0;
  size_t i = negative;
  for (; i < length && i < 12 && t->line[t->at + i] >= '0' && t->line[t->at + i] <= '9'; i++)
    found = 10 * found + (t->line[t->at + i] - '0');
  found = negative ? -found : found;
  if (i < length || i == negative || found < low || found > high)
    return found_else (t, length, low, high, error);
  t->at += length;
  *number = found;
  return true;
}
