// Pieces of a part that may be unsatisfiable by themselves: a fault in a history is a matter of a
// few transactions that ran at about the same time, and the rest of the part only keeps the solver
// busy.
//
// A window is an interval of the part's points in the topological order that the search starts
// from. All known paths between points of an interval lie in it. It has the guarded edges between
// its points, and the clauses all of whose variables these edges, or none of the part's, speak of:
// a read one of whose candidates is outside may have read from there, so it demands nothing.
// Windows overlap by half; when the part was gone through, they grow to twice the size.

#ifndef KRAIT_SOLVE_WINDOWS_H
#define KRAIT_SOLVE_WINDOWS_H

#include "solve/components.h"
#include "solve/solve.h"

#include <stdbool.h>

struct windows;

// `point`: all points of the part. The part and the problem must outlive the windows. `size`:
// points of the smallest windows, 2 or more.
struct windows *windows_new (const struct problem *, const struct part *, const uint32_t *point, uint32_t points,
                             uint32_t size);
void windows_free (struct windows *);

// A part of a part.
struct piece {
  struct part part; // free it with part_clear
  uint32_t *point;  // ascending; the caller's to free
  uint32_t points;
};

// The next window that has edges. False: the next one would be the part itself.
bool windows_next (struct windows *, struct piece *);

// What is demanded of the suspects, and nothing else. False: the part has nothing of them.
bool piece_of_suspects (const struct problem *, const struct part *, const uint32_t *point, uint32_t points,
                        const struct suspects *, struct piece *);

#endif
