// A history in a folder with one file per session, named by the session's number: T<n>.log, <n>.ktr
// and the like.

#ifndef KRAIT_FORMATS_LOGS_H
#define KRAIT_FORMATS_LOGS_H

#include "base/error.h"
#include "base/input.h"
#include "base/vec.h"
#include "history/history.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log {
  uint64_t session; // sorted by
  char *path;
  struct input *input; // these three only after logs_open or log_load
  const char *bytes;
  size_t length;
  char *loaded; // what log_load has read
};

struct logs {
  struct log *data;
  size_t count, capacity;
};

// What stands before the number and behind it.
struct log_name {
  const char *before, *after;
};

bool logs_is_name (const char *name, struct log_name);
bool logs_are_in (const char *folder, struct log_name);
char *logs_path (const char *folder, const char *name); // to be freed

// The file of a session, to be written; NULL after setting the error.
struct output *logs_create (const char *folder, struct log_name, uint64_t session, struct error *);

// In the order of their numbers. What was listed is closed by logs_close, also after an error.
bool logs_list (struct logs *, const char *folder, struct log_name, struct error *);
bool logs_open (struct logs *, const char *folder, struct log_name, struct error *);
void logs_close (struct logs *);

// One of those listed, while somebody may be writing it: its bytes are copied, and a file that
// shrinks meanwhile has fewer of them. The first `head` bytes are read before all others, so that
// what they say of the rest was true before the rest was read.
bool log_load (struct log *, size_t head, struct error *);
void log_unload (struct log *);

#endif
