// What verdicts say about other levels, and in which order levels are asked.

#include "api/lattice_order.h"
#include "explain/violation.h"
#include "greatest_main.h"
#include "levels/lattice.h"

#include "../brute/prng.h"
#include "../support/every_level.h"

#include <string.h>

static uint32_t index_of (const char *name) {
  for (uint32_t i = 0; i < EVERY; i++)
    if (!strcmp (every[i]->name, name))
      return i;
  return LATTICE_NONE;
}

struct questions {
  uint32_t asked[EVERY], count;
  bool agrees; // what was settled is what the truth says
};

// Asks until everything is known, like check_one.
static struct questions ask_all (const enum verdict *truth, bool has_times) {
  struct questions q = { .agrees = true };
  struct lattice_order *order = lattice_order_new (every, EVERY, has_times);
  for (uint32_t next; (next = lattice_order_next (order)) != LATTICE_NONE && q.count < EVERY;) {
    q.asked[q.count++] = next;
    lattice_order_tell (order, next, truth[next]);
    for (uint32_t i = 0; i < EVERY; i++) {
      const uint32_t by = lattice_order_settled_by (order, i);
      if (by == LATTICE_NONE)
        continue;
      q.agrees &= truth[i] == truth[by];
      lattice_order_tell (order, i, truth[by]);
    }
  }
  for (uint32_t i = 0; i < EVERY; i++)
    q.agrees &= lattice_order_knows (order, i);
  lattice_order_free (order);
  return q;
}

// Fails: what implies one of the levels that are marked. Without times: unknown, where they are
// needed.
static void make_truth (const bool *fails, bool has_times, enum verdict *truth) {
  for (uint32_t i = 0; i < EVERY; i++) {
    truth[i] = VERDICT_VALID;
    for (uint32_t k = 0; k < EVERY; k++)
      if (fails[k] && level_implies (every[i], every[k]))
        truth[i] = VERDICT_INVALID;
    if (!has_times && every[i]->rules.rt.used)
      truth[i] = VERDICT_UNKNOWN;
  }
}

TEST the_table_has_as_many_levels (void) {
  for (unsigned i = 0; i < EVERY; i++)
    ASSERT (every[i]);
  ASSERT_EQ (NULL, every[EVERY]);
  PASS ();
}

TEST one_question_if_everything_holds (void) {
  enum verdict truth[EVERY];
  make_truth ((bool[EVERY]){ false }, true, truth);
  const struct questions q = ask_all (truth, true);
  ASSERT (q.agrees);
  ASSERT_EQ (1, q.count);
  ASSERT_STR_EQ ("strict-serializable", every[q.asked[0]]->name);
  PASS ();
}

TEST without_times_one_question_more (void) {
  enum verdict truth[EVERY];
  make_truth ((bool[EVERY]){ false }, false, truth);
  const struct questions q = ask_all (truth, false);
  ASSERT (q.agrees);
  ASSERT_EQ (2, q.count);
  ASSERT_STR_EQ ("strong-session-serializable", every[q.asked[0]]->name);
  ASSERT (every[q.asked[1]]->rules.rt.used);
  PASS ();
}

TEST sessions_come_before_bisection (void) {
  bool fails[EVERY] = { false };
  enum verdict truth[EVERY];
  fails[index_of ("strict-read-committed")] = true;
  make_truth (fails, true, truth);
  const struct questions q = ask_all (truth, true);
  ASSERT (q.agrees);
  ASSERT_STR_EQ ("strong-session-serializable", every[q.asked[1]]->name);
  ASSERT (q.count <= 8);
  PASS ();
}

// A history without times, at which everything fails that can: the levels with real time are
// unknown all the same.
TEST failures_say_nothing_about_undefined_levels (void) {
  bool fails[EVERY] = { false };
  enum verdict truth[EVERY];
  fails[index_of ("read-uncommitted")] = true;
  make_truth (fails, false, truth);
  const struct questions q = ask_all (truth, false);
  ASSERT (q.agrees);
  ASSERT (q.count <= 8);
  PASS ();
}

// An answer `unknown` settles nothing but itself.
TEST unknown_settles_nothing (void) {
  struct lattice_order *order = lattice_order_new (every, EVERY, true);
  lattice_order_tell (order, index_of ("serializable"), VERDICT_UNKNOWN);
  for (uint32_t i = 0; i < EVERY; i++)
    ASSERT_EQ (LATTICE_NONE, lattice_order_settled_by (order, i));
  ASSERT (lattice_order_knows (order, index_of ("serializable")));
  ASSERT_FALSE (lattice_order_knows (order, index_of ("snapshot-isolation")));
  lattice_order_free (order);
  PASS ();
}

TEST any_truth_is_found_with_few_questions (void) {
  enum { ROUNDS = 300 };
  struct prng prng = { 11 };
  uint64_t asked = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    bool fails[EVERY] = { false };
    enum verdict truth[EVERY];
    const bool has_times = prng_below (&prng, 4);
    for (uint64_t marked = prng_below (&prng, 5); marked; marked--)
      fails[prng_below (&prng, EVERY)] = true;
    make_truth (fails, has_times, truth);
    const struct questions q = ask_all (truth, has_times);
    ASSERT (q.agrees);
    asked += q.count;
  }
  ASSERT (asked < ROUNDS * 10);
  PASS ();
}

TEST a_settled_result_names_what_settled_it (void) {
  struct check_result from = { .verdict = VERDICT_INVALID,
                               .level = "read-committed",
                               .by_level = "read-committed",
                               .violation = violation_new (VIOLATION_CIRCLE, (struct anomaly){ .class = CLASS_G1C }) };
  struct check_result *result = lattice_result (level_find ("serializable"), &from);
  ASSERT_EQ (VERDICT_INVALID, result->verdict);
  ASSERT_STR_EQ ("serializable", result->level);
  ASSERT_STR_EQ ("read-committed", result->by_level);
  ASSERT_EQ (from.violation, result->violation);
  violation_free (from.violation);
  ASSERT_STR_EQ ("G1c", violation_class (result->violation)); // it is there for as long as somebody needs it
  check_result_free (result);
  PASS ();
}

SUITE (the_order) {
  RUN_TEST (the_table_has_as_many_levels);
  RUN_TEST (one_question_if_everything_holds);
  RUN_TEST (without_times_one_question_more);
  RUN_TEST (sessions_come_before_bisection);
  RUN_TEST (failures_say_nothing_about_undefined_levels);
  RUN_TEST (unknown_settles_nothing);
  RUN_TEST (any_truth_is_found_with_few_questions);
  RUN_TEST (a_settled_result_names_what_settled_it);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_order);)
