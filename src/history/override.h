// Another initial state for a history that has been read: what --init asks for.

#ifndef KRAIT_HISTORY_OVERRIDE_H
#define KRAIT_HISTORY_OVERRIDE_H

#include "history/history.h"

// `absent`, `any`, or one value for every key: an integer, else a string, which may stand in double
// quotes ("7" is not 7). False with a text in `why`.
bool history_override_init (struct history *, const char *text, const char **why);

// The initial state of another history.
bool history_copy_init (struct history *, const struct history *from, const char **why);

#endif
