// Files that hold what a level makes of a history, instead of a history.

#ifndef KRAIT_CLI_KIR_FILE_H
#define KRAIT_CLI_KIR_FILE_H

#include "ir/kir.h"

// Only regular files are looked into: what a pipe has given is gone. `label`: of its level, or
// nothing.
bool is_kir_file (const char *path, char label[KIR_LABEL_SIZE]);

// NULL after setting the error.
struct ir *read_kir_file (const char *path, struct error *);

#endif
