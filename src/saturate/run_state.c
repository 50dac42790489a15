#include "saturate/run_state.h"

// In the word of a place: somebody has begun who will write the key.
#define LOCKED 0x80000000u

void state_start (const struct plan *plan, uint32_t *state) {
  for (uint32_t c = 0; c < plan->chains; c++)
    state[c] = plan->chain_first[c + !c]; // T0 has been run
  for (uint32_t place = 0; place < plan->places; place++)
    state[plan->chains + place] = plan->initial[place];
}

static uint32_t class_in_force (const struct plan *plan, const uint32_t *state, uint32_t place) {
  return state[plan->chains + place] & ~LOCKED;
}

// ------------------------------------------------------------------------------------- can it run?

static bool is_open (const struct plan *plan, uint32_t class) {
  return plan->class_value[class] == INITIAL_OPEN;
}

// An open initial value is what the first reader makes of it.
static bool accepts (const struct plan *plan, uint32_t wanted, uint32_t class) {
  if (is_open (plan, class))
    return !(wanted & CLASS_SEVERAL);
  if (!(wanted & CLASS_SEVERAL))
    return wanted == class;
  const struct plan_several *several = &plan->several.data[wanted & ~CLASS_SEVERAL];
  return read_accepts (several->value, several->flags, plan->class_value[class]);
}

// Where the initial value is open, a transaction may not ask for two.
static bool asks_for_others (const struct plan *plan, uint32_t point, const struct plan_access *read) {
  for (uint32_t i = plan->read_first[point]; i < plan->read_first[point + 1]; i++)
    if (plan->reads[i].place == read->place && plan->reads[i].class != read->class)
      return true;
  return false;
}

static bool finds_its_reads (const struct plan *plan, const uint32_t *state, uint32_t point) {
  for (uint32_t i = plan->read_first[point]; i < plan->read_first[point + 1]; i++) {
    const uint32_t class = class_in_force (plan, state, plan->reads[i].place);
    if (class == plan->reads[i].class)
      continue;
    if (!accepts (plan, plan->reads[i].class, class)
        || (is_open (plan, class) && asks_for_others (plan, point, &plan->reads[i])))
      return false;
  }
  return true;
}

static bool waits (const struct plan *plan, const uint32_t *state, uint32_t point) {
  for (uint32_t i = plan->wait_first[point]; i < plan->wait_first[point + 1]; i++)
    if (state[plan->waits[i].chain] <= plan->waits[i].point)
      return true;
  return false;
}

static bool takes_locks (const struct plan *plan, uint32_t point) {
  return plan->locks && !(point & 1) && (plan->flags[point] & POINT_WRITES);
}

static bool is_locked_out (const struct plan *plan, const uint32_t *state, uint32_t point) {
  if (!takes_locks (plan, point))
    return false;
  for (uint32_t i = plan->write_first[point + 1]; i < plan->write_first[point + 2]; i++)
    if (state[plan->chains + plan->writes[i].place] & LOCKED)
      return true;
  return false;
}

bool state_can_run (const struct plan *plan, const uint32_t *state, uint32_t chain) {
  const uint32_t point = state[chain];
  return point < plan->chain_first[chain + 1] && finds_its_reads (plan, state, point) && !waits (plan, state, point)
         && !is_locked_out (plan, state, point);
}

// -------------------------------------------------------------------------------- does it do harm?

static bool is_missed (const struct plan *plan, const uint32_t *state, uint32_t class) {
  bool wanted = false;
  for (uint32_t i = plan->use_first[class]; i < plan->use_first[class + 1]; i++) {
    const struct plan_use *use = &plan->uses[i];
    if (use->last_write >= state[use->chain])
      return false;
    wanted |= use->last_read >= state[use->chain];
  }
  return wanted;
}

bool state_starves (const struct plan *plan, uint32_t *state, uint32_t chain) {
  const uint32_t point = state[chain]++;
  bool missed = false;
  for (uint32_t i = plan->write_first[point]; i < plan->write_first[point + 1] && !missed; i++) {
    const uint32_t old = class_in_force (plan, state, plan->writes[i].place);
    missed = old != plan->writes[i].class && is_missed (plan, state, old);
  }
  state[chain]--;
  return missed;
}

// --------------------------------------------------------------------------------------------- run

static bool settles_initial (const struct plan *plan, const uint32_t *state, uint32_t point) {
  for (uint32_t i = plan->read_first[point]; (plan->flags[point] & POINT_CHOOSES) && i < plan->read_first[point + 1];
       i++)
    if (is_open (plan, class_in_force (plan, state, plan->reads[i].place)))
      return true;
  return false;
}

void state_run (const struct plan *plan, uint32_t *state, uint32_t chain) {
  const uint32_t point = state[chain]++;
  uint32_t *in_force = state + plan->chains;
  for (uint32_t i = plan->read_first[point]; (plan->flags[point] & POINT_CHOOSES) && i < plan->read_first[point + 1];
       i++) {
    const uint32_t place = plan->reads[i].place;
    if (is_open (plan, in_force[place] & ~LOCKED))
      in_force[place] = plan->reads[i].class | (in_force[place] & LOCKED);
  }
  if (takes_locks (plan, point))
    for (uint32_t i = plan->write_first[point + 1]; i < plan->write_first[point + 2]; i++)
      in_force[plan->writes[i].place] |= LOCKED;
  for (uint32_t i = plan->write_first[point]; i < plan->write_first[point + 1]; i++)
    in_force[plan->writes[i].place] = plan->writes[i].class;
}

static bool is_free (const struct plan *plan, const uint32_t *state, uint32_t chain) {
  const uint32_t point = state[chain];
  return point < plan->chain_first[chain + 1] && !(plan->flags[point] & (POINT_WRITES | POINT_OPTIONAL))
         && !settles_initial (plan, state, point) && state_can_run (plan, state, chain);
}

uint32_t state_run_free (const struct plan *plan, uint32_t *state, point_vec *order) {
  uint32_t looks = 0;
  for (bool again = true; again;) {
    again = false;
    looks += plan->chains;
    for (uint32_t c = 1; c < plan->chains; c++)
      for (; is_free (plan, state, c); again = true) {
        if (order)
          VEC_PUSH (*order, state[c]);
        state_run (plan, state, c);
      }
  }
  return looks;
}

bool state_is_complete (const struct plan *plan, const uint32_t *state) {
  const struct graph *g = plan->g;
  for (uint32_t c = 1; c < plan->chains; c++)
    if (state[c] < plan->chain_end[c] || (g->shift && state[c] < g->first_slot && (state[c] & 1)))
      return false;
  return true;
}

int64_t state_cost (const struct plan *plan, const uint32_t *state, const struct state_taste *taste) {
  // In thousandths: one more that has begun, and keeps others from it; one more that ran and need
  // not have.
  enum { PER_LOCKER = 3000, PER_OPTIONAL = 3000 };
  int64_t ways = 0, odds = 0, cost = 0;
  uint32_t all_left = 0;
  for (uint32_t c = 1; c < plan->chains; c++) {
    if (state[c] >= plan->chain_end[c]) {
      cost += state[c] > plan->chain_end[c] && (plan->flags[state[c] - 1] & POINT_OPTIONAL) ? PER_OPTIONAL : 0;
      continue;
    }
    // transactions, since the two points of one mostly stand together
    const uint32_t left = (plan->chain_end[c] - state[c] + plan->g->shift) >> plan->g->shift;
    all_left += left;
    ways -= plan->log_factorial[left];
    odds += plan->hardness[plan->chain_end[c]] - plan->hardness[state[c]];
    cost -= taste->per_move && state_can_run (plan, state, c) ? taste->per_move : 0;
    cost += plan->locks && (state[c] & 1) && !graph_is_slot (plan->g, state[c]) ? PER_LOCKER : 0;
  }
  ways += plan->log_factorial[all_left];
  return cost + (odds * taste->odds - ways * taste->ways) / 100;
}
