// A search over runs of the history: between the guess, which tries one, and the solver.
//
// A run that carries out everything is a witness, at levels where everybody sees one state. What is
// looked for is one that keeps to all that is known; that there is none is said only when all were
// looked at.

#ifndef KRAIT_SATURATE_RUNS_H
#define KRAIT_SATURATE_RUNS_H

#include "saturate/saturate.h"

enum runs_outcome {
  RUNS_FOUND,
  RUNS_NONE,    // there is no run at all
  RUNS_GAVE_UP, // what was looked at holds none; or the level is not one of runs
  RUNS_STOPPED, // the budget is spent
};

struct runs_limits {
  uint64_t work;  // in looks at the next point of a chain, roughly; 0: as many as it takes
  uint32_t width; // of a layer where there is no trouble; 0: as wide as has proved well
  struct budget *budget;
};

// The points of what is found go to `order`, without T0's, time slots among them. What saturation
// knows so far counts; it need not have been done.
enum runs_outcome runs_search (const struct saturation *, const struct runs_limits *, point_vec *order);

#endif
