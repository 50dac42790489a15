// Several levels under one limit: which one has its turn, and how much of the time.
//
// A level that is hard must not starve those that are easy. As long as answers come, levels are
// asked in the order that settles most (api/lattice_order.h), each with a good part of what is
// left. Once one has not answered in its time, the weakest come first, which are the easy ones,
// with an equal share each; what they leave goes to those behind them. Those without an answer have
// further turns until the time is used up. Without a limit on the time a turn has no end, and the
// order is that of the lattice.

#ifndef KRAIT_CLI_TURNS_H
#define KRAIT_CLI_TURNS_H

#include "api/lattice_order.h"

struct turns {
  const struct lattice_order *order;
  uint32_t count;
  bool in_order;   // each once as it stands in the list, whatever the lattice says
  uint32_t next;   // in that order
  bool *had_turn;  // per level: without an answer
  double *tried;   // and the last of these, in seconds; negative: no other
  bool unanswered; // some level is
};

struct turn {
  uint32_t level;
  double seconds; // 0: as long as it takes
};

void turns_start (struct turns *, const struct lattice_order *, uint32_t count, bool in_order);
void turns_free (struct turns *);

// False: nobody is left. `left`: seconds; negative: no limit.
bool turns_next (struct turns *, double left, struct turn *);

// The turn ended without an answer. One that ended for want of memory gets no other.
void turns_unanswered (struct turns *, const struct turn *, bool again);

#endif
