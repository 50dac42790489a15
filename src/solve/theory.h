// The acyclicity theory as a SAT solver sees it: literals come and go, edges whose guards are all true are in the graph, and a cycle is a clause.
//
// Nothing here knows CaDiCaL. Work that was not finished when the solver backtracks is dropped with the literals that caused it.

#ifndef KRAIT_SOLVE_THEORY_H
#define KRAIT_SOLVE_THEORY_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { THEORY_MOST_GUARDS = 3 };

struct theory_edge {
  uint32_t from, to;
  int32_t guard[THEORY_MOST_GUARDS]; // 0: unused; at least one is used
};

struct theory;

// Points, fixed edges (successors, CSR) and a topological order of these are those of acyclic_new.
struct theory *theory_new (uint32_t variables, const struct theory_edge *edges, uint32_t edge_count, uint32_t points,
                           const uint32_t *known_first, const uint32_t *known_to, const uint32_t *position);
void theory_free (struct theory *);

void theory_assign (struct theory *, int32_t literal, bool fixed);
void theory_new_level (struct theory *);
void theory_backtrack (struct theory *, uint32_t level);

// Puts the edges that became active into the graph. A clause that the current assignment falsifies, ended by 0, or NULL if all is well.
// The clause stays the same until the assignment changes.
const int32_t *theory_conflict (struct theory *);

// Every lemma handed out: its edges in the order of the cycle (each leads, by known paths, to the next), ended by UINT32_MAX.
uint32_t theory_lemmas (const struct theory *);
const uint32_t *theory_lemma (const struct theory *, uint32_t lemma, uint32_t *count);

#endif
