// The table of isolation levels.
//
// A level says how each kind of dependency becomes an edge between points of transactions and which graph must be acyclic; the
// machinery below (saturate, solve) is shared. See docs/adding-a-level.md.

#ifndef KRAIT_LEVELS_LEVELS_H
#define KRAIT_LEVELS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

// Which edge kinds a level knows, and between which points of the two transactions they run. A transaction has one point, or two
// (begin and commit); a point is named by its offset. SI, for example: wr runs from point 1 (commit) to point 0 (begin).
struct edge_points {
  bool used;
  unsigned char from, to;
};

struct level {
  const char *name;
  const char *aliases;    // separated by spaces, or ""
  const char *proscribes; // one line for `krait levels`
  unsigned points;        // per transaction: 1, or 2 with begin -> commit
  struct edge_points so, rt, ww, wr, rw;
  const char *stronger; // a level that implies this one and is cheaper to check; or NULL
};

extern const struct level *const levels[]; // NULL at the end

// By name or alias, case ignored; NULL if there is none.
const struct level *level_find (const char *name);

#endif
