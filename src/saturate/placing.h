// A guess at levels that do not ask for a serial order: an order of the points, the source of each
// read, and which unknown transactions took place.
//
// Transactions are placed one by one, in the order that saturation arrived at as far as that works
// out. Versions come in the order of places. A transaction gets the next place when everything that
// is known to precede it has one and, for each of its reads, there is a source among those placed
// that the level lets it read from (placing_views.c); which these are is settled then, and never
// taken back. Unknown transactions are placed where nobody else can be. If that gets stuck, it is
// tried anew with other priorities, a few times.
//
// Whether what comes of it is a witness is for others to say.

#ifndef KRAIT_SATURATE_PLACING_H
#define KRAIT_SATURATE_PLACING_H

#include "saturate/saturate.h"

struct placed {
  uint8_t *in;           // per node
  uint32_t *read_writer; // per read: the node that it reads from, or NODE_NONE
  uint32_t *order;       // points
  uint32_t ordered;
  uint32_t *position; // per point; POINT_NONE: not in the order
};

// Can it be tried? Not where transactions have two points, and where much would have to be kept.
bool placing_is_possible (const struct saturation *);

// False: it got stuck each time, or the budget is spent; there is nothing to free then.
bool place_transactions (struct saturation *, struct placed *);
void placed_free (struct placed *);

#endif
