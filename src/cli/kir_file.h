// Files that hold what a level makes of a history, instead of a history.

#ifndef KRAIT_CLI_KIR_FILE_H
#define KRAIT_CLI_KIR_FILE_H

#include "base/error.h"

#include <stdbool.h>

struct ir;
struct level;

// Only regular files are looked into: what a pipe has given is gone.
bool is_kir_file (const char *path);

// The level that such a file is for; NULL if it is none.
const struct level *kir_file_level (const char *path);

// NULL after setting the error.
struct ir *read_kir_file (const char *path, struct error *);

#endif
