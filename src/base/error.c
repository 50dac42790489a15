#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fill (struct error *error, int code, const char *place, const char *format, va_list arguments) {
  if (error->code)
    return false;
  error->code = code;
  int used = snprintf (error->text, sizeof error->text, "%s", place);
  if (used < 0 || (size_t) used >= sizeof error->text)
    used = (int) strlen (error->text);
  vsnprintf (error->text + used, sizeof error->text - (size_t) used, format, arguments);
  for (char *c = error->text; *c; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      *c = '?';
  return false;
}

bool error_set (struct error *error, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fill (error, ERROR_INPUT, "", format, arguments);
  va_end (arguments);
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
