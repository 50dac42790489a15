// Several levels under one limit: nobody starves, and without a limit the order is that of the
// lattice.

#include "cli/turns.h"
#include "greatest_main.h"
#include "levels/lattice.h"

#include "../support/every_level.h"

#include <string.h>

// What each level would take, in seconds, and what it would say.
struct world {
  double needs[EVERY];
  enum verdict truth[EVERY];
};

struct outcome {
  uint32_t answered, turns;
  double used;
  bool known[EVERY];
};

// Plays a run of check_one without a clock.
static struct outcome play (const struct world *world, double limit, bool in_order) {
  struct outcome o = { 0 };
  struct lattice_order *order = lattice_order_new (every, EVERY, true);
  struct turns turns;
  struct turn turn;
  turns_start (&turns, order, EVERY, in_order);
  while ((limit < 0 || o.used < limit) && turns_next (&turns, limit < 0 ? -1 : limit - o.used, &turn)
         && o.turns < 10000) {
    const double needs = world->needs[turn.level];
    const bool answers = turn.seconds == 0 || needs <= turn.seconds;
    o.turns++;
    o.used += answers ? needs : turn.seconds;
    if (answers)
      lattice_order_tell (order, turn.level, world->truth[turn.level]);
    else
      turns_unanswered (&turns, &turn, true);
  }
  for (uint32_t i = 0; i < EVERY; i++) {
    o.known[i] = !lattice_order_is_open (order, i);
    o.answered += o.known[i];
  }
  turns_free (&turns);
  lattice_order_free (order);
  return o;
}

static bool is_easy (const struct level *level) {
  return level_implies (level_find ("causal"), level);
}

// Those that causal consistency implies take no time, the others `hard` seconds.
static struct world with_hard_levels (double hard, enum verdict verdict_of_hard) {
  struct world world;
  for (uint32_t i = 0; i < EVERY; i++) {
    const bool easy = is_easy (every[i]);
    world.needs[i] = easy ? 0.001 : hard;
    world.truth[i] = easy ? VERDICT_VALID : verdict_of_hard;
  }
  return world;
}

TEST easy_levels_are_answered_beside_hard_ones (void) {
  const struct world world = with_hard_levels (1000, VERDICT_VALID);
  const struct outcome o = play (&world, 5, false);
  for (uint32_t i = 0; i < EVERY; i++)
    ASSERT_EQ_FMT ((int) is_easy (every[i]), (int) o.known[i], "%d");
  ASSERT (o.used < 5.1);
  PASS ();
}

TEST in_the_order_given_too (void) {
  const struct world world = with_hard_levels (1000, VERDICT_VALID);
  const struct outcome o = play (&world, 5, true);
  for (uint32_t i = 0; i < EVERY; i++)
    ASSERT (!is_easy (every[i]) || o.known[i]);
  ASSERT (o.used < 5.1);
  PASS ();
}

// The strongest level holds, takes a fifth of the time, and settles the others.
TEST one_long_answer_settles_all (void) {
  const struct world world = with_hard_levels (1, VERDICT_VALID);
  const struct outcome o = play (&world, 5, false);
  ASSERT_EQ (EVERY, o.answered);
  ASSERT_EQ (1, o.turns);
  PASS ();
}

// One that does not fit into its first turn gets a longer one when the others are done.
TEST what_is_left_goes_to_the_rest (void) {
  struct world world = with_hard_levels (0.001, VERDICT_VALID);
  for (uint32_t i = 0; i < EVERY; i++)
    if (!strcmp (every[i]->name, "strict-serializable"))
      world.needs[i] = 3;
  const struct outcome o = play (&world, 5, false);
  ASSERT_EQ (EVERY, o.answered);
  PASS ();
}

TEST without_a_limit_the_lattice_decides (void) {
  const struct world world = with_hard_levels (1000, VERDICT_INVALID);
  const struct outcome o = play (&world, -1, false);
  struct lattice_order *order = lattice_order_new (every, EVERY, true);
  uint32_t asked = 0;
  for (uint32_t next; (next = lattice_order_next (order)) != LATTICE_NONE; asked++)
    lattice_order_tell (order, next, world.truth[next]);
  lattice_order_free (order);
  ASSERT_EQ (EVERY, o.answered);
  ASSERT_EQ (asked, o.turns);
  PASS ();
}

TEST a_single_level_has_all_the_time (void) {
  const struct level *one[] = { every[0] };
  struct lattice_order *order = lattice_order_new (one, 1, true);
  struct turns turns;
  struct turn turn;
  turns_start (&turns, order, 1, false);
  ASSERT (turns_next (&turns, 8, &turn));
  ASSERT_IN_RANGE (8.0, turn.seconds, 1e-9);
  turns_free (&turns);
  lattice_order_free (order);
  PASS ();
}

TEST who_runs_out_of_memory_gets_no_other_turn (void) {
  struct lattice_order *order = lattice_order_new (every, EVERY, true);
  struct turns turns;
  struct turn turn;
  uint32_t given = 0;
  turns_start (&turns, order, EVERY, false);
  for (; turns_next (&turns, -1, &turn) && given <= EVERY; given++)
    turns_unanswered (&turns, &turn, false);
  ASSERT_EQ (EVERY, given);
  turns_free (&turns);
  lattice_order_free (order);
  PASS ();
}

SUITE (turns_of_levels) {
  RUN_TEST (easy_levels_are_answered_beside_hard_ones);
  RUN_TEST (in_the_order_given_too);
  RUN_TEST (one_long_answer_settles_all);
  RUN_TEST (what_is_left_goes_to_the_rest);
  RUN_TEST (without_a_limit_the_lattice_decides);
  RUN_TEST (a_single_level_has_all_the_time);
  RUN_TEST (who_runs_out_of_memory_gets_no_other_turn);
}

KRAIT_UNIT_MAIN (RUN_SUITE (turns_of_levels);)
