// A state of a run: the next point of each chain, and the class in force of each key that matters.
// These decide what can still be run.

#ifndef KRAIT_SATURATE_RUN_STATE_H
#define KRAIT_SATURATE_RUN_STATE_H

#include "saturate/run_plan.h"

// So many words: those of the chains, then those of the places.
static inline uint32_t state_words (const struct plan *plan) {
  return plan->chains + plan->places;
}

// Nothing has been run but T0.
void state_start (const struct plan *, uint32_t *state);

// Whether the next point of the chain can be run: all that it waits for has been, what is in force
// is what it finds, and nobody who has begun keeps it from beginning.
bool state_can_run (const struct plan *, const uint32_t *state, uint32_t chain);

// Running it would take away for good what somebody still has to find.
bool state_starves (const struct plan *, uint32_t *state, uint32_t chain);

void state_run (const struct plan *, uint32_t *state, uint32_t chain);

// Runs whatever can be run and changes nothing for anybody: to wait with it is of no use. The
// points go to `order`, which may be NULL. Tells how many chains were looked at.
uint32_t state_run_free (const struct plan *, uint32_t *state, point_vec *order);

// All that must be run has been, and nobody has begun only.
bool state_is_complete (const struct plan *, const uint32_t *state);

// Small where the rest will probably fit: the logarithm of how many ways there are to go on,
// against that of how likely it is that one of them finds all it has to find.
// How much the parts count is a matter of taste, and of luck.
struct state_taste {
  int ways, odds; // in percent
  int per_move;   // one more point that can run right now, in thousandths
};
int64_t state_cost (const struct plan *, const uint32_t *state, const struct state_taste *);

#endif
