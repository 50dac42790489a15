#include "formats/found.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST_SHOWN = 40 };

static bool is_printable (char c) {
  return c >= ' ' && c <= '~';
}

static bool is_in_token (char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '+'
         || c == '-';
}

// A string up to its closing quote, or as much of it as is printable and short.
static const char *string_end (const char *at, const char *end) {
  const char *c = at + 1;
  while (c < end && is_printable (*c) && c - at < MOST_SHOWN) {
    if (*c == '"')
      return c + 1;
    c += *c == '\\' && c + 1 < end && is_printable (c[1]) ? 2 : 1;
  }
  return c;
}

const char *found_text (char buffer[FOUND_SIZE], const char *at, const char *end, const char *end_name) {
  if (at >= end) {
    snprintf (buffer, FOUND_SIZE, "%s", end_name);
    return buffer;
  }
  if (*at == '\n') {
    snprintf (buffer, FOUND_SIZE, "the end of the line");
    return buffer;
  }
  if (!is_printable (*at)) {
    snprintf (buffer, FOUND_SIZE, "byte 0x%02x", (unsigned) (unsigned char) *at);
    return buffer;
  }
  const char *last = at + 1;
  if (*at == '"')
    last = string_end (at, end);
  else if (*at == '-' && last < end && *last == '>')
    last++;
  else if (is_in_token (*at))
    while (last < end && is_in_token (*last) && last - at < MOST_SHOWN)
      last++;
  const bool cut = last < end && ((*at == '"' && (last - at < 2 || last[-1] != '"')) || last - at >= MOST_SHOWN);
  snprintf (buffer, FOUND_SIZE, "%.*s%s", (int) (last - at), at, cut ? "..." : "");
  return buffer;
}
