// The order makes it likely that one answer settles many. The strongest level comes first, then the
// strongest without real time: what a database of good conscience satisfies, and what the engine is
// best at. Once one of these has failed, the level is asked next that settles most in the worse of
// its two cases, which narrows down the border between what holds and what fails from both sides.

#include "api/lattice_order.h"

#include "levels/lattice.h"

enum state { OPEN, HOLDS, FAILS, UNDECIDED };

struct lattice_order {
  const struct level *const *levels;
  uint32_t count;
  bool has_times;
  bool *implies; // count * count
  enum state *state;
};

struct lattice_order *lattice_order_new (const struct level *const *asked, uint32_t count, bool has_times) {
  struct lattice_order *order = mem_alloc (sizeof *order);
  *order = (struct lattice_order){ asked, count, has_times, MEM_ARRAY (bool, (size_t) count *count),
                                   MEM_ZARRAY (enum state, count) };
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      order->implies[i * count + k] = level_implies (asked[i], asked[k]);
  return order;
}

void lattice_order_free (struct lattice_order *order) {
  if (!order)
    return;
  MEM_FREE_ALL (order->implies, order->state, order);
}

void lattice_order_tell (struct lattice_order *order, uint32_t index, enum verdict verdict) {
  static const enum state states[] = {
    [VERDICT_VALID] = HOLDS, [VERDICT_INVALID] = FAILS, [VERDICT_UNKNOWN] = UNDECIDED
  };
  order->state[index] = states[verdict];
}

bool lattice_order_knows (const struct lattice_order *order, uint32_t index) {
  return order->state[index] != OPEN;
}

static bool implies (const struct lattice_order *order, uint32_t strong, uint32_t weak) {
  return order->implies[strong * order->count + weak];
}

// A level with real time in a history without times: the lattice does not apply, not even if a
// weaker level fails.
static bool is_undefined (const struct lattice_order *order, uint32_t index) {
  return order->levels[index]->rules.rt.used && !order->has_times;
}

static bool settles (const struct lattice_order *order, uint32_t told, enum state state, uint32_t other) {
  if (is_undefined (order, told) || is_undefined (order, other))
    return is_undefined (order, told) && is_undefined (order, other) && state != OPEN;
  return (state == HOLDS && implies (order, told, other)) || (state == FAILS && implies (order, other, told));
}

uint32_t lattice_order_settled_by (const struct lattice_order *order, uint32_t index) {
  if (order->state[index] != OPEN)
    return LATTICE_NONE;
  for (uint32_t told = 0; told < order->count; told++)
    if (settles (order, told, order->state[told], index))
      return told;
  return LATTICE_NONE;
}

// --------------------------------------------------------------------------------- what comes next

bool lattice_order_is_open (const struct lattice_order *order, uint32_t index) {
  return order->state[index] == OPEN && lattice_order_settled_by (order, index) == LATTICE_NONE;
}

static uint32_t settled_if (const struct lattice_order *order, uint32_t index, enum state state, const bool *open) {
  uint32_t settled = 0;
  for (uint32_t other = 0; other < order->count; other++)
    settled += open[other] && settles (order, index, state, other);
  return settled;
}

// Real time is asked about once at the top; without it the top is asked about until something
// fails.
static bool comes_first (const struct lattice_order *order, uint32_t index) {
  const bool real_time = order->levels[index]->rules.rt.used;
  for (uint32_t told = 0; told < order->count; told++)
    if (order->state[told] != OPEN
        && (real_time ? order->levels[told]->rules.rt.used
                      : !order->levels[told]->rules.rt.used && order->state[told] == FAILS))
      return false;
  return order->has_times || !real_time;
}

static uint64_t worth (const struct lattice_order *order, uint32_t index, const bool *open) {
  const uint64_t if_holds = settled_if (order, index, HOLDS, open);
  if (comes_first (order, index))
    return (UINT64_C (1) << 62) + if_holds;
  const uint64_t if_fails = settled_if (order, index, FAILS, open);
  return ((if_holds < if_fails ? if_holds : if_fails) << 32) + if_holds + if_fails;
}

uint32_t lattice_order_next (const struct lattice_order *order) {
  bool *open = MEM_ARRAY (bool, order->count);
  for (uint32_t i = 0; i < order->count; i++)
    open[i] = lattice_order_is_open (order, i);
  uint32_t best = LATTICE_NONE;
  uint64_t most = 0;
  for (uint32_t i = 0; i < order->count; i++) {
    const uint64_t found = open[i] ? worth (order, i, open) : 0;
    if (open[i] && (best == LATTICE_NONE || found > most)) {
      best = i;
      most = found;
    }
  }
  mem_free (open);
  return best;
}

uint32_t lattice_order_weakest (const struct lattice_order *order, const bool *left_out) {
  uint32_t weakest = LATTICE_NONE;
  for (uint32_t i = 0; i < order->count; i++)
    if (!left_out[i] && lattice_order_is_open (order, i)
        && (weakest == LATTICE_NONE || (implies (order, weakest, i) && !implies (order, i, weakest))))
      weakest = i;
  return weakest;
}

// ----------------------------------------------------------------------------------------- results

struct check_result *lattice_result (const struct level *level, const struct check_result *settled_by) {
  struct check_result *result = check_result_copy (settled_by);
  result->anomalies_complete = false; // more may be wrong at a stronger level
  result->level = level->name;
  result->bad_input = false;
  result->superpositions_initial = result->superpositions_left = result->others = 0;
  result->effort = (struct effort){ 0 };
  result->seconds = 0;
  return result;
}

static bool outdoes (const struct level_results *all, size_t other, size_t index, enum extreme extreme) {
  const bool stronger = level_implies (all->levels[other], all->levels[index]),
             weaker = level_implies (all->levels[index], all->levels[other]);
  if (stronger && weaker)
    return other < index;
  return extreme == STRONGEST ? stronger : weaker;
}

bool is_extreme (const struct level_results *all, size_t index, enum verdict verdict, enum extreme extreme) {
  if (all->results[index]->verdict != verdict)
    return false;
  for (size_t other = 0; other < all->count; other++)
    if (other != index && all->results[other]->verdict == verdict && outdoes (all, other, index, extreme))
      return false;
  return true;
}

bool has_verdict (const struct level_results *all, enum verdict verdict) {
  for (size_t i = 0; i < all->count; i++)
    if (all->results[i]->verdict == verdict)
      return true;
  return false;
}
