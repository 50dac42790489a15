// A part of a problem, or a piece of a part, with numbers of its own, and the solver and theory
// that decide it.
//
// Whatever subset of a problem's guarded edges and clauses a `struct component` names, with points
// that hold all known paths between the ends of these edges: each of them is demanded by the
// problem, so what is unsatisfiable here is unsatisfiable in the whole.

#ifndef KRAIT_SOLVE_INSTANCE_H
#define KRAIT_SOLVE_INSTANCE_H

#include "solve/components.h"
#include "solve/sat.h"
#include "solve/solve.h"
#include "solve/static_lemmas.h"
#include "solve/theory.h"

struct instance {
  const struct problem *problem;
  const struct component *part; // ascending lists
  const uint32_t *scc;          // per local point of the problem
  const struct solve_options *options;
  uint32_t points;
  uint32_t *point; // local points of the problem, ascending
  uint32_t *known_first, *known_to, *position;
  uint8_t *known_hidden;
  VEC (struct guarded_edge) edges;
  edge_pair_vec lemmas; // found before search
  struct theory *theory;
  struct sat *sat;
};

struct answer {
  enum solve_outcome outcome;
  const char *broken;
  VEC (uint32_t) core; // as in struct solve_result
  uint64_t conflicts, decisions, lemmas;
  uint32_t pieces, refuted_pieces;
};

// Every point of the components that the part's edges lie in: paths between their ends run through
// these. Ascending.
uint32_t *part_points (const struct problem *, const struct component *, const uint32_t *scc, uint32_t *count);

// Points are ascending, and the instance's from then on. The part must outlive it.
void instance_open (struct instance *, const struct problem *, const struct component *, const uint32_t *scc,
                    const struct solve_options *, uint32_t *point, uint32_t points);
void instance_close (struct instance *);
// What is tried first, per variable of the problem: +1 or -1.
void instance_set_phases (const struct instance *, const int8_t *phases);

// A measure of what building it took and what the search has done so far, which depends on nothing
// but the instance and the seed.
uint64_t instance_work (const struct instance *);

// Its clauses, for another solver; and a lemma, under a selector unless that is 0.
void instance_add_clauses (const struct instance *, struct sat *);
void instance_add_lemma (const struct instance *, struct sat *, const uint32_t *edges, uint32_t count,
                         int32_t selector);

// All lemmas: those found before search, then those of the search. Edges are the part's.
uint32_t instance_lemmas (const struct instance *);
const uint32_t *instance_lemma (const struct instance *, uint32_t lemma, uint32_t *count);

// confirm.c: the solver says that there is no model. Fills in outcome and core.
void confirm_refutation (const struct instance *, struct answer *);

#endif
