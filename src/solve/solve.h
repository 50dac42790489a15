// Search: decides a problem part by part, and trusts no engine. A model is checked by the caller
// against the history; an unsatisfiable answer counts only after every lemma was checked against
// the known graph by itself and a plain solver agreed on clauses plus lemmas.

#ifndef KRAIT_SOLVE_SOLVE_H
#define KRAIT_SOLVE_SOLVE_H

#include "base/budget.h"
#include "cnf/problem.h"

enum solve_outcome { SOLVE_SATISFIABLE, SOLVE_UNSATISFIABLE, SOLVE_STOPPED, SOLVE_BROKEN };

// What looks impossible: the sources of some reads, and the orders among some transactions.
// Ascending lists.
struct suspects {
  const uint32_t *reads, *nodes;
  size_t read_count, node_count;
};

struct solve_options {
  bool components, static_lemmas, priority, propagation, decisions;
  const struct suspects *suspects; // looked at before anything else; NULL: none
  unsigned threads;
  uint64_t seed;
  uint64_t most_conflicts; // per part, 0: as many as it takes
  struct budget *budget;
};

struct solve_result {
  enum solve_outcome outcome;
  int8_t *values; // per variable of the problem: +1, -1; SOLVE_SATISFIABLE
  // SOLVE_UNSATISFIABLE: the lemmas that were enough, each a list of guarded edges of the problem
  // in cycle order, ended by UINT32_MAX; and the clauses that speak of their variables need no
  // list: they are the problem's.
  VEC (uint32_t) core;
  const char *broken; // SOLVE_BROKEN: what disagreed
  uint64_t variables, conflicts, decisions, lemmas;
  uint32_t parts;
  uint32_t pieces, refuted_pieces; // that the unsat search looked at, and found to be unsatisfiable
};

void solve_problem (const struct problem *, const struct solve_options *, struct solve_result *);
void solve_result_free (struct solve_result *);

#endif
