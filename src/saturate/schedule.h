// An order in which every open read has a candidate before it, whatever else it breaks. At levels
// where a read's source comes before the reader there must be one; where nothing but sources
// matters (read committed), it is a witness.
//
// Points are placed one by one, a reader when all that is known to precede it and, for each of its
// open reads, at least one candidate have their place. That never has to be taken back, since a
// place that is given only helps the others: if the placing gets stuck, there is no such order.

#ifndef KRAIT_SATURATE_SCHEDULE_H
#define KRAIT_SATURATE_SCHEDULE_H

#include "saturate/saturate.h"

// Is there such an order? With `take` it is the graph's then.
bool schedule_sources (struct saturation *, bool take);

#endif
