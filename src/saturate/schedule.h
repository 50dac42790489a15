// An order in which every open read has a candidate before it, whatever else it breaks. At levels
// where a read's source comes before the reader there must be one; where nothing but sources
// matters (read committed), it is a witness.
//
// Points are placed one by one, a reader when all that is known to precede it and, for each of its
// open reads, at least one candidate have their place. That never has to be taken back, since a
// place that is given only helps the others: if the placing gets stuck, there is no such order, and
// what is left has no point that could come first.

#ifndef KRAIT_SATURATE_SCHEDULE_H
#define KRAIT_SATURATE_SCHEDULE_H

#include "saturate/saturate.h"

typedef VEC (uint32_t) read_vec;

// True: there is such an order, and with `take` it is the graph's now. False: there is none;
// `stuck` has reads, ascending, that cannot all have a candidate before them.
bool schedule_sources (struct saturation *, bool take, read_vec *stuck);

#endif
