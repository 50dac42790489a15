#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space (char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// One line, whatever went into it. Messages of libraries come with line ends and indentation: a run
// of white space that holds more than blanks becomes one blank, and there is none at the end.
// Blanks alone stay, because names of files have them.
static void make_printable (char *text) {
  char *to = text;
  for (const char *from = text; *from;) {
    const char *run = from;
    while (is_space (*run))
      run++;
    const size_t blanks = strspn (from, " "), length = (size_t) (run - from);
    if (length > blanks) {
      *to++ = ' ';
      from = run;
    } else {
      *to++ = (unsigned char) *from < 0x20 || *from == 0x7f ? '?' : *from;
      from++;
    }
  }
  while (to > text && to[-1] == ' ')
    to--;
  *to = 0;
}

static bool fill (struct error *error, int code, const char *place, const char *format, va_list arguments) {
  if (error->code)
    return false;
  error->code = code;
  int used = snprintf (error->text, sizeof error->text, "%s", place);
  if (used < 0 || (size_t) used >= sizeof error->text)
    used = (int) strlen (error->text);
  vsnprintf (error->text + used, sizeof error->text - (size_t) used, format, arguments);
  make_printable (error->text);
  return false;
}

bool error_set_code (struct error *error, int code, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fill (error, code, "", format, arguments);
  va_end (arguments);
  return false;
}

bool error_at_line (struct error *error, const char *file, uint64_t line, uint64_t column, const char *format, ...) {
  char place[512];
  if (column)
    snprintf (place, sizeof place, "%.400s:%" PRIu64 ":%" PRIu64 ": ", file, line, column);
  else
    snprintf (place, sizeof place, "%.400s:%" PRIu64 ": ", file, line);
  va_list arguments;
  va_start (arguments, format);
  fill (error, ERROR_INPUT, place, format, arguments);
  va_end (arguments);
  return false;
}

bool error_at_byte (struct error *error, const char *file, uint64_t offset, const char *format, ...) {
  char place[512];
  snprintf (place, sizeof place, "%.400s: at byte %" PRIu64 ": ", file, offset);
  va_list arguments;
  va_start (arguments, format);
  fill (error, ERROR_INPUT, place, format, arguments);
  va_end (arguments);
  return false;
}

void misuse (const char *function, const char *what) {
  fprintf (stderr, "krait: internal error in %s: %s\n", function, what);
  abort ();
}
