// The table of levels, with its size as a constant for arrays beside it.

#ifndef KRAIT_SUPPORT_EVERY_LEVEL_H
#define KRAIT_SUPPORT_EVERY_LEVEL_H

#include "levels/levels.h"

enum { EVERY = 37 }; // test_lattice_order holds it against the table

#define every (all_levels ())

#endif
