// What --level says: one level, several, all, or the strongest.

#ifndef KRAIT_CLI_LEVEL_LIST_H
#define KRAIT_CLI_LEVEL_LIST_H

#include "base/error.h"
#include "base/vec.h"
#include "levels/levels.h"

enum level_mode { LEVELS_NAMED, LEVELS_ALL, LEVELS_STRONGEST };

struct level_list {
  enum level_mode mode;
  VEC (const struct level *) levels; // the caller's to free; each once; all of them for the other two modes
};

bool level_list_parse (struct level_list *, const char *text, struct error *);

// A single level, for commands that take one. NULL after setting the error.
const struct level *level_named (const char *name, struct error *);

#endif
