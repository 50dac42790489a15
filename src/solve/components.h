// Independent parts of a problem.
//
// Guarded edges outside of strongly connected components (of known paths plus every guarded edge)
// can never close a cycle and are free. What is left falls into parts that share neither a point of
// a component nor a variable nor a clause.

#ifndef KRAIT_SOLVE_COMPONENTS_H
#define KRAIT_SOLVE_COMPONENTS_H

#include "cnf/problem.h"

struct component {
  VEC (uint32_t) variables; // of the problem
  VEC (uint32_t) edges;     // indexes of the problem's guarded edges
  VEC (uint32_t) clauses;   // offsets into the problem's clauses
};

void component_clear (struct component *);

struct components {
  struct component *part;
  uint32_t count;
  uint32_t *scc; // per local point: its component
};

// Small parts are put together until they have about `wanted` variables. With `split` false there
// is one part with everything.
struct components *problem_components (const struct problem *, bool split, uint32_t wanted);
void components_free (struct components *);

#endif
