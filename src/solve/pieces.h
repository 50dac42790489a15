// A piece of a part that may be unsatisfiable by itself: some of its clauses and guarded edges,
// with the known graph between the points that they touch. A fault in a history is a matter of a
// few transactions, and the rest of the part only keeps the solver busy.

#ifndef KRAIT_SOLVE_PIECES_H
#define KRAIT_SOLVE_PIECES_H

#include "solve/components.h"
#include "solve/solve.h"

struct piece {
  struct component part; // free it with component_clear
  uint32_t *point;       // ascending; the caller's to free
  uint32_t points;
};

// What is demanded of the suspects, and nothing else. `point`: all points of the part. False: the
// part has nothing of them.
bool piece_of_suspects (const struct problem *, const struct component *, const uint32_t *point, uint32_t points,
                        const struct suspects *, struct piece *);

#endif
