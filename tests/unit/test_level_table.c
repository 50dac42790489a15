// The strongest and the weakest of several levels, and the table of all of them.

#include "cli/level_table.h"
#include "explain/violation.h"
#include "greatest_main.h"
#include "levels/lattice.h"

#include "../support/every_level.h"

#include <string.h>

struct fixture {
  struct check_result storage[EVERY], *results[EVERY];
  struct level_results all;
};

// Whatever implies one of the two levels fails with a long fork; the others hold, or are unknown
// without times.
static void make_results (struct fixture *f, const char *one, const char *other, bool has_times) {
  memset (f, 0, sizeof *f);
  f->all = (struct level_results){ every, f->results, EVERY };
  for (size_t i = 0; i < EVERY; i++) {
    struct check_result *result = f->results[i] = &f->storage[i];
    const bool fails = level_name_implies (every[i]->name, one) || level_name_implies (every[i]->name, other);
    result->level = result->by_level = every[i]->name;
    result->verdict = fails ? VERDICT_INVALID : VERDICT_VALID;
    if (!has_times && every[i]->rules.rt.used) {
      result->verdict = VERDICT_UNKNOWN;
      result->reason = (char *) "no times"; // never freed: the result lives in the fixture
    } else if (fails) {
      static struct violation long_fork = { .anomaly = { .class = CLASS_NONADJACENT, .name = NAMED_LONG_FORK } };
      result->violation = &long_fork; // never freed either
    }
  }
}

static void list_extremes (const struct fixture *f, enum verdict verdict, enum extreme extreme, char *names,
                           size_t size) {
  *names = 0;
  for (size_t i = 0; i < EVERY; i++)
    if (is_extreme (&f->all, i, verdict, extreme))
      snprintf (names + strlen (names), size - strlen (names), "%s ", every[i]->name);
}

// Two names for one level must not hide each other.
TEST of_two_names_for_one_level_the_first_is_told (void) {
  struct fixture f;
  char names[512];
  make_results (&f, "snapshot-isolation", "prefix-consistency", true);
  list_extremes (&f, VERDICT_VALID, STRONGEST, names, sizeof names);
  ASSERT_STR_EQ ("strict-repeatable-read update-serializable strict-parallel-snapshot-isolation ", names);
  make_results (&f, "strict-parallel-snapshot-isolation", "parallel-snapshot-isolation", true);
  list_extremes (&f, VERDICT_INVALID, WEAKEST, names, sizeof names);
  ASSERT_STR_EQ ("parallel-snapshot-isolation ", names);
  PASS ();
}

TEST everything_holds (void) {
  struct fixture f;
  char names[512];
  make_results (&f, "nothing", "nothing", true);
  list_extremes (&f, VERDICT_VALID, STRONGEST, names, sizeof names);
  ASSERT_STR_EQ ("strict-serializable ", names);
  ASSERT_FALSE (has_verdict (&f.all, VERDICT_INVALID));
  PASS ();
}

TEST the_table_has_a_row_for_each_family (void) {
  static const char expected[] = "fork.kht\n"
                                 "                             plain    strong-session  strict\n"
                                 "serializable                 invalid  invalid         unknown\n"
                                 "snapshot-isolation           invalid  invalid         unknown\n"
                                 "repeatable-read              valid    valid           unknown\n"
                                 "update-serializable          valid\n"
                                 "parallel-snapshot-isolation           valid           unknown\n"
                                 "prefix-consistency                    invalid         unknown\n"
                                 "consistent-view              valid    valid           unknown\n"
                                 "forward-consistent-view      unknown                  unknown\n"
                                 "monotonic-view               valid    valid           unknown\n"
                                 "cursor-stability             valid    valid           unknown\n"
                                 "causal                                valid           unknown\n"
                                 "read-atomic                           valid           unknown\n"
                                 "read-committed-axiomatic              valid           unknown\n"
                                 "read-committed               valid    valid           unknown\n"
                                 "read-uncommitted             valid    valid           unknown\n"
                                 "strongest that hold: strong-session-repeatable-read, update-serializable, "
                                 "parallel-snapshot-isolation\n"
                                 "weakest that fail:\n"
                                 "  snapshot-isolation  G-nonadjacent (long-fork)\n"
                                 "  prefix-consistency  G-nonadjacent (long-fork)\n"
                                 "unknown: no times\n";
  struct fixture f;
  struct text text = { 0 };
  make_results (&f, "snapshot-isolation", "prefix-consistency", false);
  level_table (&f.all, "fork.kht", false, &text);
  text_char (&text, '\0');
  ASSERT_STR_EQ (expected, text.data);
  VEC_FREE (text);
  PASS ();
}

TEST colour_does_not_shift_columns (void) {
  struct fixture f;
  struct text text = { 0 };
  make_results (&f, "snapshot-isolation", "prefix-consistency", true);
  level_table (&f.all, "fork.kht", true, &text);
  text_char (&text, '\0');
  ASSERT (strstr (
    text.data,
    "\nrepeatable-read              \033[32mvalid\033[0m    \033[32mvalid\033[0m           \033[32mvalid\033[0m\n"));
  VEC_FREE (text);
  PASS ();
}

SUITE (tables) {
  RUN_TEST (of_two_names_for_one_level_the_first_is_told);
  RUN_TEST (everything_holds);
  RUN_TEST (the_table_has_a_row_for_each_family);
  RUN_TEST (colour_does_not_shift_columns);
}

KRAIT_UNIT_MAIN (RUN_SUITE (tables);)
