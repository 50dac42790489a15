// The table of levels, and which imply which.

#include "greatest_main.h"
#include "levels/lattice.h"
#include "levels/levels.h"
#include "verify/claim.h"

#include <ctype.h>
#include <string.h>

TEST every_name_and_alias_finds_its_level (void) {
  for (size_t i = 0; level_at (i); i++) {
    ASSERT_EQ (level_at (i), level_find (level_at (i)->name));
    for (const char *at = level_at (i)->aliases; *at;) {
      char alias[64] = "", loud[64] = "";
      const size_t length = strcspn (at, " ");
      ASSERT (length && length < sizeof alias);
      for (size_t k = 0; k < length; k++) {
        alias[k] = at[k];
        loud[k] = (char) toupper ((unsigned char) at[k]);
      }
      ASSERT_EQm (alias, level_at (i), level_find (alias));
      ASSERT_EQm (loud, level_at (i), level_find (loud));
      at += length + strspn (at + length, " ");
    }
  }
  PASS ();
}

TEST what_is_no_level_is_not_found (void) {
  static const char *const names[] = { "", " ", "serial", "serializable ", "ser PL-3", "strict", "serializable,ser" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ASSERT_EQm (names[i], NULL, level_find (names[i]));
  PASS ();
}

static bool points_fine (const struct level *level, struct edge_points points) {
  return points.used ? points.from < level->rules.points && points.to < level->rules.points
                     : !points.from && !points.to;
}

TEST the_table_is_sound (void) {
  for (size_t i = 0; level_at (i); i++) {
    const struct level *level = level_at (i);
    ASSERT (level->rules.points == 1 || level->rules.points == 2);
    ASSERT (points_fine (level, level->rules.so) && points_fine (level, level->rules.rt)
            && points_fine (level, level->rules.ww));
    ASSERT (points_fine (level, level->rules.wr) && points_fine (level, level->rules.rw));
    ASSERT (level->rules.ww.used);
    ASSERT (level->proscribes && *level->proscribes && !strchr (level->proscribes, '\n'));
    if (level->stronger) {
      const struct level *stronger = level_find (level->stronger);
      ASSERT (stronger && stronger != level);
      ASSERT (level_implies (stronger, level));
    }
    for (size_t k = 0; k < i; k++)
      ASSERT (strcmp (level_at (k)->name, level->name));
  }
  PASS ();
}

// One level under several names. Any others that imply each other are a mistake.
static bool are_the_same (const char *one, const char *other) {
  static const char *const names[][2] = {
    { "parallel-snapshot-isolation", "strong-session-consistent-view" },
    { "strict-parallel-snapshot-isolation", "strict-consistent-view" },
    { "strict-parallel-snapshot-isolation", "strong-session-forward-consistent-view" },
    { "strict-consistent-view", "strong-session-forward-consistent-view" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if ((!strcmp (names[i][0], one) && !strcmp (names[i][1], other))
        || (!strcmp (names[i][0], other) && !strcmp (names[i][1], one)))
      return true;
  return !strcmp (one, other);
}

TEST implication_is_an_order (void) {
  for (size_t i = 0; i < 2 * level_step_count; i++) {
    const char *a = i % 2 ? level_steps[i / 2].weak : level_steps[i / 2].strong;
    ASSERT (level_name_implies (a, a));
    for (size_t k = 0; k < level_step_count; k++) {
      const char *b = level_steps[k].strong, *c = level_steps[k].weak;
      if (level_name_implies (a, b))
        ASSERTm (a, level_name_implies (a, c));
      ASSERT_EQm (a, are_the_same (a, b), level_name_implies (a, b) && level_name_implies (b, a));
    }
  }
  PASS ();
}

TEST every_level_has_its_place_in_the_lattice (void) {
  for (size_t i = 0; level_at (i); i++) {
    ASSERTm (level_at (i)->name, level_name_implies ("strict-serializable", level_at (i)->name));
    ASSERTm (level_at (i)->name, level_name_implies (level_at (i)->name, "read-uncommitted"));
  }
  PASS ();
}

// What docs/semantics.md states, besides strict-X => strong-session-X => X.
static const struct {
  const char *strong, *weak;
} stated[] = {
  { "serializable", "snapshot-isolation" },
  { "serializable", "repeatable-read" },
  { "serializable", "update-serializable" },
  { "strong-session-serializable", "strong-session-snapshot-isolation" },
  { "strong-session-serializable", "strong-session-repeatable-read" },
  { "snapshot-isolation", "consistent-view" },
  { "update-serializable", "consistent-view" },
  { "consistent-view", "monotonic-view" },
  { "consistent-view", "cursor-stability" },
  { "monotonic-view", "read-committed" },
  { "cursor-stability", "read-committed" },
  { "repeatable-read", "read-committed" },
  { "read-committed-axiomatic", "read-committed" },
  { "read-committed", "read-uncommitted" },
  { "strong-session-snapshot-isolation", "parallel-snapshot-isolation" },
  { "strong-session-snapshot-isolation", "prefix-consistency" },
  { "parallel-snapshot-isolation", "strong-session-consistent-view" },
  { "strong-session-consistent-view", "parallel-snapshot-isolation" },
  { "parallel-snapshot-isolation", "consistent-view" },
  { "parallel-snapshot-isolation", "causal" },
  { "prefix-consistency", "causal" },
  { "causal", "read-atomic" },
  { "read-atomic", "read-committed-axiomatic" },
  { "strict-consistent-view", "forward-consistent-view" },
  { "forward-consistent-view", "consistent-view" },
};

enum { STATED = sizeof stated / sizeof *stated };

// strict-X and strong-session-X, strong-session-X and X; strict-X and X too, where X has session
// order by itself.
static bool are_forms_of_one_level (const char *strong, const char *weak) {
  static const char *const prefixes[] = { "strict-", "strong-session-", "" };
  for (size_t i = 0; i < 2; i++)
    for (size_t k = i + 1; k < 3; k++) {
      const size_t strong_length = strlen (prefixes[i]), weak_length = strlen (prefixes[k]);
      if (!strncmp (strong, prefixes[i], strong_length) && !strncmp (weak, prefixes[k], weak_length)
          && !strcmp (strong + strong_length, weak + weak_length))
        return true;
    }
  return false;
}

static bool is_stated (const struct level_step *step) {
  for (size_t i = 0; i < STATED; i++)
    if (!strcmp (stated[i].strong, step->strong) && !strcmp (stated[i].weak, step->weak))
      return true;
  return are_forms_of_one_level (step->strong, step->weak);
}

TEST what_the_semantics_states_is_in_the_lattice (void) {
  for (size_t i = 0; i < STATED; i++)
    ASSERTm (stated[i].strong, level_name_implies (stated[i].strong, stated[i].weak));
  PASS ();
}

TEST steps_that_are_not_stated_are_marked (void) {
  for (size_t i = 0; i < level_step_count; i++)
    ASSERT_EQm (level_steps[i].strong, !is_stated (&level_steps[i]), level_steps[i].ours);
  PASS ();
}

// A step that follows from others would be no pair of neighbours. Names of one level count as one.
TEST steps_are_direct (void) {
  for (size_t i = 0; i < level_step_count; i++)
    for (size_t k = 0; k < level_step_count; k++) {
      const struct level_step *step = &level_steps[i], *first = &level_steps[k];
      if (strcmp (step->strong, first->strong) || i == k || are_the_same (step->strong, first->weak)
          || are_the_same (step->weak, first->weak))
        continue;
      ASSERT_FALSEm (step->strong, level_name_implies (first->weak, step->weak));
    }
  PASS ();
}

TEST what_does_not_follow (void) {
  static const char *const pairs[][2] = {
    { "serializable", "strong-session-serializable" },
    { "strong-session-serializable", "strict-serializable" },
    { "serializable", "parallel-snapshot-isolation" },
    { "serializable", "prefix-consistency" },
    { "serializable", "causal" },
    { "serializable", "read-atomic" },
    { "serializable", "read-committed-axiomatic" },
    { "repeatable-read", "consistent-view" },
    { "snapshot-isolation", "forward-consistent-view" },
    { "snapshot-isolation", "repeatable-read" },
    { "parallel-snapshot-isolation", "prefix-consistency" },
    { "prefix-consistency", "parallel-snapshot-isolation" },
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    ASSERT_FALSEm (pairs[i][0], level_name_implies (pairs[i][0], pairs[i][1]));
  PASS ();
}

// The verifier has a table of its own; whoever adds a level adds it there, too.
TEST verifier_knows_every_level (void) {
  for (size_t i = 0; level_at (i); i++) {
    const struct level *level = level_at (i);
    struct claim_level claim;
    ASSERTm (level->name, claim_level_find (level->name, &claim));
    ASSERT_EQm (level->name, level->rules.so.used, claim.so);
    ASSERT_EQm (level->name, level->rules.rt.used, claim.rt);
  }
  PASS ();
}

SUITE (the_levels) {
  RUN_TEST (verifier_knows_every_level);
  RUN_TEST (every_name_and_alias_finds_its_level);
  RUN_TEST (what_is_no_level_is_not_found);
  RUN_TEST (the_table_is_sound);
  RUN_TEST (implication_is_an_order);
  RUN_TEST (every_level_has_its_place_in_the_lattice);
  RUN_TEST (what_the_semantics_states_is_in_the_lattice);
  RUN_TEST (steps_that_are_not_stated_are_marked);
  RUN_TEST (steps_are_direct);
  RUN_TEST (what_does_not_follow);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_levels);)
