// Which levels imply which.

#ifndef KRAIT_LEVELS_LATTICE_H
#define KRAIT_LEVELS_LATTICE_H

#include "levels/levels.h"

// One direct implication. Levels that are the same under two names have a step each way.
struct level_step {
  const char *strong, *weak;
  // not among the implications that docs/semantics.md states; docs/lattice.md says why it holds
  bool ours;
};

extern const struct level_step level_steps[];
extern const size_t level_step_count;

// Every history that satisfies `strong` satisfies `weak`. A level implies itself.
bool level_implies (const struct level *strong, const struct level *weak);

// The same by full names, for levels in the table or not.
bool level_name_implies (const char *strong, const char *weak);

#endif
