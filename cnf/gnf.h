// GNF, the text that MonoSAT reads: DIMACS, and behind the clauses graphs whose edges are
// variables, of which a variable may say that they have no cycle, or that a point reaches another.

#ifndef KRAIT_CNF_GNF_H
#define KRAIT_CNF_GNF_H

#include "cnf/formula.h"
#include "cnf/problem.h"

struct output;

enum gnf_graph { GNF_ORDER, GNF_VIEW, GNF_GRAPHS }; // all edges; and what is in view, if some edge forbids

struct gnf_line {
  bool reach; // else it is an edge
  uint32_t from, to;
  int32_t variable;
};

// Behind the clauses: which variables are which edges.
struct gnf {
  uint32_t points; // local points of the problem are the points of both graphs
  VEC (struct gnf_line) lines[GNF_GRAPHS];
  int32_t acyclic; // the variable that says so of GNF_ORDER; 0: it has no edges
};

// Each edge, each path and each demand has a variable of its own, as MonoSAT asks for.
void gnf_compile (const struct problem *, struct formula *, struct gnf *);
void gnf_free (struct gnf *);
void gnf_write_graphs (const struct gnf *, struct output *);

#endif
