// Where a run is traced while it lasts: a folder beside OUT, which becomes OUT when the run is
// over. Nothing that was there before is touched until then.

#ifndef KRAIT_CLI_TRACE_FOLDER_H
#define KRAIT_CLI_TRACE_FOLDER_H

#include "base/error.h"

struct format;

struct trace_folder {
  char *path; // where it is traced; the caller's to free
  const char *out;
  const struct format *to;
  bool force;
};

// Finds a place where nothing is yet. False after setting the error.
bool trace_folder_open (struct trace_folder *, const char *out, const struct format *to, bool force, struct error *);
// Makes it OUT, and removes the folder, if it is not OUT itself. On failure the error says where
// the recording still is.
bool trace_folder_finish (struct trace_folder *, struct error *);
// For a run that has not begun: what it has put there, if it was traced, and a folder that was made
// for it.
void trace_folder_discard (struct trace_folder *, bool traced);

#endif
