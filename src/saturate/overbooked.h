// Too many updates of too few versions. Of the transactions that read a version of a key and
// install another one, at most one can have read each version, at levels that forbid lost updates.
// If values repeat, which one it read may be open, and then a solver that sees no more than pairs
// of them tries one assignment after the other. Counting finds them: a key and a value that more
// transactions read and overwrote than installed.

#ifndef KRAIT_SATURATE_OVERBOOKED_H
#define KRAIT_SATURATE_OVERBOOKED_H

#include "saturate/saturate.h"

typedef VEC (uint32_t) overbooked_vec;

// The smallest crowd: its open reads, and all transactions that have to do with it; both ascending.
// False: there is none that is worth a look. Whether the level forbids it is for the search to find
// out.
bool find_overbooked (const struct saturation *, overbooked_vec *reads, overbooked_vec *nodes);

#endif
