// What is left to search, as a problem for a SAT solver with an acyclicity theory.
//
// Variables: one per open pair of transactions (true: the first comes before the second in every
// version order that they share), one per candidate of an open read, one per presence, one per open
// initial value, one per alternative that a module leaves. Guarded edges are edges that hold when
// all their guards are true; together with the known graph they must stay acyclic. Clauses say the
// rest. Points here are local numbers of the points that guarded edges touch. Where readers have
// seen only what came in before an event of theirs, such events are points too: what comes in leads
// there as well, and nothing leads on.

#ifndef KRAIT_CNF_PROBLEM_H
#define KRAIT_CNF_PROBLEM_H

#include "ir/ir.h"

enum { MOST_GUARDS = 4 };

struct guarded_edge {
  uint32_t from, to;          // local points
  int32_t guard[MOST_GUARDS]; // literals, 0 where there are fewer
  enum edge_kind kind;
  enum edge_role role;
  uint32_t key; // that the edge speaks of, or UINT32_MAX
};

enum variable_kind {
  VARIABLE_PAIR,
  VARIABLE_SOURCE,
  VARIABLE_PRESENCE,
  VARIABLE_INITIAL,
  VARIABLE_TRUE,
  VARIABLE_ALTERNATIVE,
  VARIABLE_EDGE
};

struct variable {
  enum variable_kind kind;
  // pair: first node. source: read. presence: its entry. initial: key. true: node whose known reads
  // it stands for. alternative: demand. edge: the node that it comes from, NODE_NONE for a time
  // slot.
  uint32_t a;
  // pair: second node. source: install or SOURCE_INITIAL. presence: the transaction that took
  // place, or NODE_NONE. initial: value. alternative: its number. edge: the node that it leads to;
  // both NODE_NONE: no edge, but a help to say something else.
  uint32_t b;
};

// Whether a known path, in view, leads from one point to another: what the encoder can tell at
// once.
enum path_answer { PATH_NONE, PATH_KNOWN, PATH_UNSURE };

struct problem {
  VEC (struct variable) variables; // entry 0 is unused
  VEC (int8_t) phases;             // per variable: +1, -1; entry 0 unused
  VEC (struct guarded_edge) edges;
  VEC (int32_t) clauses; // each ended by 0
  // Edges that the encoding has put others in the place of: nobody searches with them, but they are
  // there if their guards are true, and acyclic then. Their points are those of the IR.
  VEC (struct guarded_edge) replaced;

  uint32_t points; // local
  // the IR's point of a local one, ascending; behind the IR's points: events, one per read
  uint32_t *point;
  uint32_t *local_position; // local points in a topological order of the known graph
  // Known reachability among local points, reduced: edges between them such that paths are exactly
  // known paths.
  uint32_t *known_first, *known_to; // successors; CSR
  // per entry of known_to: an edge that shows nothing; NULL: none does
  uint8_t *known_hidden;

  enum path_answer (*path) (const struct problem *, uint32_t from, uint32_t to);
  const void *path_context; // what `path` asks; not owned
};

static inline enum path_answer problem_path (const struct problem *problem, uint32_t from, uint32_t to) {
  return problem->path (problem, from, to);
}

static inline uint32_t problem_variables (const struct problem *problem) {
  return (uint32_t) problem->variables.count - 1;
}

void problem_free (struct problem *);
// All of it, for whoever hears `cnf` in the log.
void problem_log (const struct problem *, const struct ir *);

#endif
