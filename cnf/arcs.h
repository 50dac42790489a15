// The edges of a problem that can be part of a cycle, component by component, each with one literal
// that implies it: what is left to be said in whatever way acyclicity is said.

#ifndef KRAIT_CNF_ARCS_H
#define KRAIT_CNF_ARCS_H

#include "cnf/formula.h"
#include "cnf/problem.h"

struct arc {
  uint32_t component;
  bool forbids;      // no arc: if the literal holds, no path may lead from its end to its start
  uint32_t from, to; // points of the component
  int32_t literal;   // 0: it is there in any case
};

// A strong component. No two of its arcs have the same ends.
struct arc_component {
  const struct problem *problem;
  uint32_t points;
  const uint32_t *point; // of the problem, ascending
  const struct arc *arcs;
  uint32_t count;
  const struct arc *forbids; // likewise
  uint32_t forbid_count;
};

// Clauses about helper variables go to the formula: one for an edge with several guards, and one
// for several edges with the same ends.
struct arc_maker {
  const struct problem *problem;
  struct formula *formula;
  int32_t *edge_literal; // per guarded edge; 0: none yet
};
void arc_maker_open (struct arc_maker *, const struct problem *, struct formula *);
void arc_maker_close (struct arc_maker *);

enum arc_choice {
  ARCS_OF_ORDER, // what must be acyclic: hidden edges as well, nothing that forbids
  ARCS_IN_VIEW,  // what must not lead back along an edge that forbids; nothing that is hidden
};
typedef void arc_visit (void *context, const struct arc_component *);
void arcs_each_component (struct arc_maker *, enum arc_choice, arc_visit *, void *context);

#endif
