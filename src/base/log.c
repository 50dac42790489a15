#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A line is put together first and written at once: threads log, too.
struct line {
  char text[512];
  size_t length;
};

static void add_list (struct line *line, const char *format, va_list arguments) {
  const size_t space = sizeof line->text - line->length;
  const int length = vsnprintf (line->text + line->length, space, format, arguments);
  if (length > 0)
    line->length += (size_t) length < space ? (size_t) length : space - 1;
}

__attribute__ ((format (printf, 2, 3))) static void add (struct line *line, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  add_list (line, format, arguments);
  va_end (arguments);
}

static void add_name (struct line *line, uint64_t id) {
  if (id == LOG_INITIAL)
    add (line, "init");
  else
    add (line, "T%" PRIu64, id);
}

static void end (struct line *line, const char *format, va_list arguments) {
  add (line, ": ");
  add_list (line, format, arguments);
  fprintf (stderr, "%s\n", line->text);
}

bool log_is_heard (const char *room) {
  const size_t length = strlen (room);
  for (const char *at = getenv ("KRAIT_LOG"); at && *at; at += strcspn (at, ","), at += *at == ',')
    if (strcspn (at, ",") == 3 && !strncmp (at, "all", 3))
      return true;
    else if (strcspn (at, ",") == length && !strncmp (at, room, length))
      return true;
  return false;
}

void log_edge (const char *room, uint64_t from, const char *kind, uint64_t to, const char *format, ...) {
  struct line line = { .length = 0 };
  va_list arguments;
  va_start (arguments, format);
  add (&line, "%s: ", room);
  add_name (&line, from);
  if (kind) {
    add (&line, " -%s-> ", kind);
    add_name (&line, to);
  }
  end (&line, format, arguments);
  va_end (arguments);
}

void log_superposition (const char *room, uint64_t alternatives, const char *format, ...) {
  struct line line = { .length = 0 };
  va_list arguments;
  va_start (arguments, format);
  add (&line, "%s: one of %" PRIu64, room, alternatives);
  end (&line, format, arguments);
  va_end (arguments);
}
