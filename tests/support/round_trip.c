#include "tests/support/round_trip.h"

#include "base/output.h"

#include <string.h>

static char *written;
static size_t written_length;

const char *round_trip_text (size_t *length) {
  *length = written_length;
  return written ? written : "";
}

struct history *round_trip (const struct history *h, const struct format *format, struct error *error) {
  struct output *output = output_open_memory ();
  const bool done = format->write (h, output, error);
  const char *bytes = output_memory (output, &written_length);
  mem_free (written);
  written = mem_alloc (written_length + 1);
  if (written_length)
    memcpy (written, bytes, written_length);
  written[written_length] = 0;
  output_discard (output);
  return done ? history_read_memory (format->name, written, written_length, format, error) : NULL;
}
