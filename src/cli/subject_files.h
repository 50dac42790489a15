// What is read instead of a history, or for one: files that hold what a level makes of a history,
// and the initial state that --init says.

#ifndef KRAIT_CLI_SUBJECT_FILES_H
#define KRAIT_CLI_SUBJECT_FILES_H

#include "history/history.h"
#include "ir/kir.h"

// Only regular files are looked into: what a pipe has given is gone. `label`: of its level, or
// nothing.
bool is_kir_file (const char *path, char label[KIR_LABEL_SIZE]);

// NULL after setting the error.
struct ir *read_kir_file (const char *path, struct error *);

// What --init says: a word, a value, or the header of a file.
struct init_option {
  const char *text;     // NULL: not given
  struct history *from; // the file's header, or NULL: the text says it
};

// Reads the file, if it is one. False after setting the error.
bool init_option_read (struct init_option *, const char *text, struct error *);
bool init_option_apply (const struct init_option *, struct history *, struct error *);
void init_option_free (struct init_option *);

#endif
