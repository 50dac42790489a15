// The histories that a command is about: its arguments, and what --batch finds.

#ifndef KRAIT_CLI_GATHER_H
#define KRAIT_CLI_GATHER_H

#include "base/error.h"
#include "base/vec.h"

struct paths {
  char **data; // owned
  size_t count, capacity;
};

void paths_add (struct paths *, const char *path);
void paths_free (struct paths *);

// Every file below the folder in order of name. A folder that is itself a history counts as one;
// names that begin with a dot are left out. False after setting the error.
bool paths_add_batch (struct paths *, const char *folder, struct error *);

#endif
