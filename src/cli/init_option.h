// What --init says: a word, a value, or the header of a file.

#ifndef KRAIT_CLI_INIT_OPTION_H
#define KRAIT_CLI_INIT_OPTION_H

#include "history/history.h"

struct init_option {
  const char *text;     // NULL: not given
  struct history *from; // the file's header, or NULL: the text says it
};

// Reads the file, if it is one. False after setting the error.
bool init_option_read (struct init_option *, const char *text, struct error *);
bool init_option_apply (const struct init_option *, struct history *, struct error *);
void init_option_free (struct init_option *);

#endif
