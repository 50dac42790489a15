// Where a run is traced while it lasts: OUT itself, if that is to be a trace; else a folder beside it, which is gone when OUT has been written from it.

#ifndef KRAIT_CLI_TRACE_FOLDER_H
#define KRAIT_CLI_TRACE_FOLDER_H

#include "base/error.h"

struct format;

struct trace_folder {
  char *path;
  const char *out;
  const struct format *to;
  bool force;
};

// Whether OUT is named after the format.
bool is_trace_name (const char *out);

// Finds a place, and with `force` empties it. False after setting the error.
bool trace_folder_open (struct trace_folder *, const char *out, const struct format *to, bool force, struct error *);
// Writes OUT, if it is not the folder, and removes the folder then.
bool trace_folder_convert (struct trace_folder *, struct error *);
void trace_folder_free (struct trace_folder *);

#endif
