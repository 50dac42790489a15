// Which levels imply which.

#ifndef KRAIT_LEVELS_LATTICE_H
#define KRAIT_LEVELS_LATTICE_H

#include "levels/levels.h"

// Every history that satisfies `strong` satisfies `weak`. A level implies itself.
bool level_implies (const struct level *strong, const struct level *weak);

#endif
