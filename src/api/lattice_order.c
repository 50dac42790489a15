// The order makes it likely that one answer settles many. The strongest level comes first, then the strongest without real time: what a
// database of good conscience satisfies, and what the engine is best at. Once one of these has failed, the level is asked next that settles
// most in the worse of its two cases, which narrows down the border between what holds and what fails from both sides.

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
  mem_free (order->implies);
  mem_free (order->state);
  mem_free (order);
}

void lattice_order_tell (struct lattice_order *order, uint32_t index, enum verdict verdict) {
  static const enum state states[] = {
    [VERDICT_VALID] = HOLDS, [VERDICT_INVALID] = FAILS, [VERDICT_UNKNOWN] = UNDECIDED
  };
  order->state[index] = states[verdict];
}

bool lattice_order_knows (const struct lattice_order *order, const struct level *level) {
  for (uint32_t i = 0; i < order->count; i++)
    if (order->levels[i] == level)
      return order->state[i] != OPEN;
  return false;
}

static bool implies (const struct lattice_order *order, uint32_t strong, uint32_t weak) {
  return order->implies[strong * order->count + weak];
}

// A level with real time in a history without times: the lattice does not apply, not even if a weaker level fails.
static bool is_undefined (const struct lattice_order *order, uint32_t index) {
  return order->levels[index]->rt.used && !order->has_times;
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

// ------------------------------------------------------------------------------------------------------------- what comes next

static bool is_open (const struct lattice_order *order, uint32_t index) {
  return order->state[index] == OPEN && lattice_order_settled_by (order, index) == LATTICE_NONE;
}

static uint32_t settled_if (const struct lattice_order *order, uint32_t index, enum state state, const bool *open) {
  uint32_t settled = 0;
  for (uint32_t other = 0; other < order->count; other++)
    settled += open[other] && settles (order, index, state, other);
  return settled;
}

// Real time is asked about once at the top; without it the top is asked about until something fails.
static bool comes_first (const struct lattice_order *order, uint32_t index) {
  const bool real_time = order->levels[index]->rt.used;
  for (uint32_t told = 0; told < order->count; told++)
    if (order->state[told] != OPEN
        && (real_time ? order->levels[told]->rt.used : !order->levels[told]->rt.used && order->state[told] == FAILS))
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
    open[i] = is_open (order, i);
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

// ------------------------------------------------------------------------------------------------------------------- results

static char *copy_text (const char *text) {
  return text ? mem_strdup (text) : NULL;
}

static void copy_cycle (cycle_edge_vec *to, const cycle_edge_vec *from) {
  for (size_t i = 0; i < from->count; i++) {
    VEC_PUSH (*to, from->data[i]);
    to->data[i].why = copy_text (from->data[i].why);
  }
}

struct check_result *lattice_result (const struct level *level, const struct check_result *settled_by) {
  struct check_result *result = mem_zalloc (sizeof *result);
  result->verdict = settled_by->verdict;
  result->level = level->name;
  result->by_level = settled_by->by_level;
  result->dialect = settled_by->dialect;
  result->hint_facts = settled_by->hint_facts;
  result->anomaly = settled_by->anomaly;
  result->anomaly_name = settled_by->anomaly_name;
  result->reason = copy_text (settled_by->reason);
  result->explanation = copy_text (settled_by->explanation);
  result->warnings = copy_text (settled_by->warnings);
  result->excused = settled_by->excused;
  result->excused_example = copy_text (settled_by->excused_example);
  result->assumptions = copy_text (settled_by->assumptions);
  copy_cycle (&result->cycle, &settled_by->cycle);
  copy_cycle (&result->beside, &settled_by->beside);
  for (size_t i = 0; i < settled_by->cases.count; i++) {
    struct cycle_case one = { .assumption = copy_text (settled_by->cases.data[i].assumption) };
    copy_cycle (&one.cycle, &settled_by->cases.data[i].cycle);
    VEC_PUSH (result->cases, one);
  }
  for (size_t i = 0; i < settled_by->violated.count; i++)
    VEC_PUSH (result->violated, settled_by->violated.data[i]);
  for (size_t i = 0; i < settled_by->holding.count; i++)
    VEC_PUSH (result->holding, settled_by->holding.data[i]);
  for (size_t i = 0; i < settled_by->core.count; i++)
    VEC_PUSH (result->core, settled_by->core.data[i]);
  for (size_t i = 0; i < settled_by->parts.count; i++)
    VEC_PUSH (result->parts, settled_by->parts.data[i]);
  for (size_t i = 0; i < settled_by->modules.count; i++)
    VEC_PUSH (result->modules, mem_strdup (settled_by->modules.data[i]));
  return result;
}
