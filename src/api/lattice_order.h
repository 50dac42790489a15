// Several levels of one history: what the verdicts so far say about the others, which level to ask
// next, and which of the levels say it all in the end.
//
// A level that is implied by one that holds does too; one that implies a level that fails fails
// too. Hence few of all levels need a check.

#ifndef KRAIT_API_LATTICE_ORDER_H
#define KRAIT_API_LATTICE_ORDER_H

#include "api/check.h"
#include "levels/levels.h"

struct lattice_order;

enum { LATTICE_NONE = UINT32_MAX };

// The levels, each once, must outlive it. `has_times`: those with real time are defined for the
// history (history_has_times).
struct lattice_order *lattice_order_new (const struct level *const *, uint32_t count, bool has_times);
void lattice_order_free (struct lattice_order *);

// The verdict on the level with this index; whether it was told.
void lattice_order_tell (struct lattice_order *, uint32_t index, enum verdict);
bool lattice_order_knows (const struct lattice_order *, uint32_t index);

// A level told of which settles the level with this index; LATTICE_NONE if there is none. Never for
// one that was told of.
uint32_t lattice_order_settled_by (const struct lattice_order *, uint32_t index);

// The level to ask next, one that nothing settles; LATTICE_NONE if there is none left.
uint32_t lattice_order_next (const struct lattice_order *);

// The first open level among the weakest of those that are not left out; LATTICE_NONE if there is
// none.
uint32_t lattice_order_weakest (const struct lattice_order *, const bool *left_out);
bool lattice_order_is_open (const struct lattice_order *, uint32_t index); // nothing is known of it

// The result for a level that another one settled: verdict, explanation and warnings of that one,
// which `by_level` names. No work was done for it.
struct check_result *lattice_result (const struct level *, const struct check_result *settled_by);

struct level_results {
  const struct level *const *levels;
  struct check_result *const *results; // one per level
  size_t count;
};

enum extreme { STRONGEST, WEAKEST };

// The level with this index has the verdict, and no other one that has it is stronger (weaker). Of
// two names for one level, the first counts.
bool is_extreme (const struct level_results *, size_t index, enum verdict, enum extreme);

bool has_verdict (const struct level_results *, enum verdict); // some level has

#endif
