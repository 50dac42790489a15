// The acyclicity theory as a SAT solver sees it: literals come and go, edges whose guards are all
// true are in the graph, and a cycle is a clause. Besides edges of the graph there are those that
// only forbid: no path may lead from their end back to their start. They are looked at when they
// become active and once more when everything is assigned, because a path may have come about in
// between.
//
// A literal that would close a cycle is implied not to hold. Not all of them are found: what is
// looked at are the surroundings of edges that came in against the order. As long as edges agree
// with the order, so do the phases of what is open.
//
// Nothing here knows CaDiCaL. Work that was not finished when the solver backtracks is dropped with
// the literals that caused it.

#ifndef KRAIT_SOLVE_THEORY_H
#define KRAIT_SOLVE_THEORY_H

#include "cnf/problem.h"

struct theory;

// Each edge has at least one guard, and its ends are points of the theory. Points, fixed edges
// (successors, CSR; which of them are hidden, or NULL) and a topological order of these are those
// of acyclic_new.
struct theory *theory_new (uint32_t variables, const struct guarded_edge *edges, uint32_t edge_count, uint32_t points,
                           const uint32_t *known_first, const uint32_t *known_to, const uint8_t *known_hidden,
                           const uint32_t *position);
void theory_free (struct theory *);

// How far to look for literals that are implied: points on each side of an edge. Until this is
// called, none are found.
void theory_propagate (struct theory *, uint32_t points);

// Decides along the order from now on; phases (per variable +1 or -1, entry 0 unused) where the
// order has no preference. Copied.
void theory_prioritise (struct theory *, const int8_t *phases);

void theory_assign (struct theory *, int32_t literal, bool fixed);
void theory_new_level (struct theory *);
void theory_backtrack (struct theory *, uint32_t level);

// Puts the edges that became active into the graph. A clause, ended by 0, that holds in any case
// and that the assignment falsified when it was found; NULL if all is well. Each is handed out
// once; it stays where it is until the next call.
const int32_t *theory_take_clause (struct theory *);

// A literal that is implied by what is assigned; 0: none is known. Until it is unassigned, its
// reason may be asked for: a clause, ended by 0, that has the literal and holds in any case; it
// stays where it is until the next call.
int32_t theory_take_implied (struct theory *);
const int32_t *theory_reason (struct theory *, int32_t literal);

// What to assign next, 0: anything.
int32_t theory_decide (struct theory *);

// Everything is assigned: is all well? If not, theory_take_clause has a clause.
bool theory_accepts (struct theory *);

// Literals assigned and points looked at so far: the same for the same sequence of calls.
uint64_t theory_work (const struct theory *);

// Every lemma found: its edges in the order of the cycle (each leads, by known paths, to the next),
// ended by UINT32_MAX.
uint32_t theory_lemmas (const struct theory *);
const uint32_t *theory_lemma (const struct theory *, uint32_t lemma, uint32_t *count);

#endif
