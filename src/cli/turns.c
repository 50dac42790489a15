#include "cli/turns.h"

// Of what is left, while answers come: enough for the level that settles most, and as much again
// for others.
static const double good_part = 0.25;
// A turn that is not longer than the last one by this would only repeat it.
static const double worth_repeating = 1.5;
// Nothing is asked for less: what is left then is too little for anybody.
static const double shortest_turn = 0.01;

void turns_start (struct turns *turns, const struct lattice_order *order, uint32_t count, bool in_order) {
  *turns = (struct turns){ .order = order,
                           .count = count,
                           .in_order = in_order,
                           .had_turn = MEM_ZARRAY (bool, count),
                           .tried = MEM_ZARRAY (double, count) };
}

void turns_free (struct turns *turns) {
  MEM_FREE_ALL (turns->had_turn, turns->tried);
}

// Those that may have a turn, their first or another.
static uint32_t open_levels (const struct turns *turns) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < turns->count; i++)
    open += turns->in_order ? i >= turns->next : lattice_order_is_open (turns->order, i) && turns->tried[i] >= 0;
  return open;
}

static uint32_t first_turn (struct turns *turns) {
  if (turns->in_order)
    return turns->next < turns->count ? turns->next : LATTICE_NONE;
  return turns->unanswered ? lattice_order_weakest (turns->order, turns->had_turn) : lattice_order_next (turns->order);
}

static uint32_t another_turn (const struct turns *turns) {
  bool *left_out = MEM_ARRAY (bool, turns->count);
  for (uint32_t i = 0; i < turns->count; i++)
    left_out[i] = turns->tried[i] < 0;
  const uint32_t weakest = turns->in_order ? LATTICE_NONE : lattice_order_weakest (turns->order, left_out);
  mem_free (left_out);
  return weakest;
}

static double share (const struct turns *turns, const struct turn *turn, double left) {
  // Half of the rest goes to the weakest, unless it had as much already: then all.
  if (turns->had_turn[turn->level])
    return left / 2 > turns->tried[turn->level] * worth_repeating ? left / 2 : left;
  const double equal = left / open_levels (turns);
  return turns->unanswered || turns->in_order || equal > left * good_part ? equal : left * good_part;
}

bool turns_next (struct turns *turns, double left, struct turn *turn) {
  *turn = (struct turn){ first_turn (turns), 0 };
  if (turn->level == LATTICE_NONE)
    turn->level = another_turn (turns);
  if (turn->level == LATTICE_NONE)
    return false;
  if (left >= 0) {
    turn->seconds = share (turns, turn, left);
    if (turn->seconds < shortest_turn)
      turn->seconds = shortest_turn;
  }
  turns->next++;
  return true;
}

void turns_unanswered (struct turns *turns, const struct turn *turn, bool again) {
  turns->unanswered = turns->had_turn[turn->level] = true;
  turns->tried[turn->level] = again ? turn->seconds : -1;
}
