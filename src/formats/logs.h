// A history in a folder with one log per session: T<n>.log, or another letter.

#ifndef KRAIT_FORMATS_LOGS_H
#define KRAIT_FORMATS_LOGS_H

#include "base/error.h"
#include "base/input.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log {
  uint64_t session;
  char *path;
  struct input *input; // these three only after logs_open
  const char *bytes;
  size_t length;
};

struct logs {
  struct log *data;
  size_t count, capacity;
};

bool logs_are_in (const char *folder, char letter);
char *logs_path (const char *folder, const char *name); // to be freed

// In the order of their numbers. What was listed is closed by logs_close, also after an error.
bool logs_list (struct logs *, const char *folder, char letter, struct error *);
bool logs_open (struct logs *, const char *folder, char letter, struct error *);
void logs_close (struct logs *);

#endif
