// Phases for a large part, window by window.
//
// What is left open in a long history is mostly a matter between transactions that ran near each
// other, but hangs together from one end to the other. A search over all of it takes back decisions
// far away from a conflict, and makes them again: its work grows with the square of the history. So
// the variables are put in the order of the points that they speak of, and a window of them is
// solved at a time, with what the windows before it decided as given. What comes of it is no
// verdict, since edges that span windows were not looked at: it is what the search over the whole
// tries first.

#ifndef KRAIT_SOLVE_WINDOWS_H
#define KRAIT_SOLVE_WINDOWS_H

#include "solve/components.h"
#include "solve/solve.h"

// Whoever asks may have heard enough.
struct patience {
  bool (*is_over) (const void *context);
  const void *context;
};

// Is a part of so many variables large enough for windows?
bool windows_are_worth_it (uint64_t variables, const struct solve_options *);

// Changes the phases (per variable of the problem: +1 or -1) of a part where windows found better
// ones. Returns the conflicts that it took.
uint64_t solve_windows (const struct problem *, const struct component *, const uint32_t *scc,
                        const struct solve_options *, const struct patience *, int8_t *phases);

#endif
