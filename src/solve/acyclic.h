// A directed graph that stays acyclic while edges come and go, with a topological order that is
// repaired as edges are added (Pearce and Kelly, 2006). Removing edges never breaks the order, so
// backtracking costs nothing but unlinking.

#ifndef KRAIT_SOLVE_ACYCLIC_H
#define KRAIT_SOLVE_ACYCLIC_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct acyclic;

// `known_first` / `known_to`: successors by fixed edges (CSR over `points`); `known_hidden`: which
// of them are in no view, or NULL; `position`: a topological order of them, a
// permutation. Copied.
struct acyclic *acyclic_new (uint32_t points, const uint32_t *known_first, const uint32_t *known_to,
                             const uint8_t *known_hidden, const uint32_t *position);
void acyclic_free (struct acyclic *);

// Edges are numbered by the caller; `weight` is what it costs to have the edge in an explanation;
// a hidden one is in no view.
void acyclic_declare (struct acyclic *, uint32_t edge, uint32_t from, uint32_t to, unsigned weight, bool hidden);

// False if it would close a cycle; the edge is not added then, and acyclic_cycle has the other
// added edges of a lightest cycle.
bool acyclic_add (struct acyclic *, uint32_t edge);
const uint32_t *acyclic_cycle (const struct acyclic *, uint32_t *count);

// Is there a path, with the first so many of the added edges only (UINT32_MAX: with all), in view
// or not? Then acyclic_cycle has the added edges of a lightest one.
bool acyclic_path (struct acyclic *, uint32_t from, uint32_t to, uint32_t added, bool in_view);

// Removes the edge added last.
void acyclic_remove_last (struct acyclic *);
uint32_t acyclic_added (const struct acyclic *); // how many are in
uint32_t acyclic_points (const struct acyclic *);

// The current order, and a check of it against every edge (for tests and debug builds).
uint32_t acyclic_position (const struct acyclic *, uint32_t point);
bool acyclic_check (const struct acyclic *);

// All points in view from `from` up to the place of `last` in the order; then, until anything else
// is asked, whether a point is among them.
void acyclic_reach (struct acyclic *, uint32_t from, uint32_t last);
bool acyclic_reached (const struct acyclic *, uint32_t point);

// Around an added edge: the points that its end leads to, nearest first and about so many at most;
// acyclic_reached then tells whether a point is one of as many that lead to its start. An edge from
// one of the former to one of the latter would close a cycle.
const uint32_t *acyclic_surroundings (struct acyclic *, uint32_t edge, uint32_t most, uint32_t *count);

uint64_t acyclic_visits (const struct acyclic *); // points looked at so far: the work done

#endif
