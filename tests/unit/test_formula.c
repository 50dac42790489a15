// Formulas that are too large to be written, and what is said of a formula while it is made.

#include "greatest_main.h"

#include "base/output.h"
#include "cnf/dimacs.h"

#include <string.h>

static enum path_answer no_path (const struct problem *problem, uint32_t from, uint32_t to) {
  (void) problem;
  (void) from;
  (void) to;
  return PATH_NONE;
}

// A circle of guarded edges.
static struct problem *circle (uint32_t points) {
  struct problem *problem = mem_zalloc (sizeof *problem);
  problem->points = points;
  problem->path = no_path;
  problem->known_first = MEM_ZARRAY (uint32_t, points + 1);
  for (uint32_t v = 0; v <= points; v++)
    VEC_PUSH (problem->variables, (struct variable){ .kind = VARIABLE_ALTERNATIVE, .b = v });
  for (uint32_t v = 0; v < points; v++)
    VEC_PUSH (problem->edges, (struct guarded_edge){
                                .from = v, .to = (v + 1) % points, .guard = { (int32_t) v + 1 }, .key = UINT32_MAX });
  return problem;
}

static bool is_written (uint32_t points, const char *acyclicity, struct error *error) {
  struct problem *problem = circle (points);
  struct output *output = output_open_memory ();
  const struct dimacs file = {
    .problem = problem, .kind = { acyclicity_find (acyclicity) }, .options = "", .remarks = ""
  };
  const bool written = dimacs_write (&file, output, error);
  size_t length;
  output_memory (output, &length);
  const bool empty = !length;
  output_discard (output);
  problem_free (problem);
  return written && !empty;
}

TEST one_too_large_is_refused_at_once (void) {
  static const char *const ways[] = { "closure", "unary" };
  for (unsigned i = 0; i < 2; i++) {
    struct error error = { 0 };
    ASSERT_FALSE (is_written (50000, ways[i], &error));
    ASSERT_EQ (error.code, ERROR_LIMIT);
    ASSERT (strstr (error.text, "more than 2147483647"));
  }
  PASS ();
}

TEST a_circle_is_small_for_others (void) {
  static const char *const ways[] = { "binary", "elimination" };
  for (unsigned i = 0; i < 2; i++) {
    struct error error = { 0 };
    ASSERT (is_written (50000, ways[i], &error));
  }
  PASS ();
}

TEST variables_beyond_the_limit_are_none (void) {
  struct formula formula = { .variables = INT32_MAX - 1 };
  ASSERT_EQ (formula_helpers (&formula, 1, "a"), INT32_MAX);
  ASSERT_FALSE (formula_is_too_large (&formula));
  formula_helpers (&formula, 1, "a");
  ASSERT (formula_is_too_large (&formula));
  formula_helpers (&formula, UINT64_MAX, "a");
  ASSERT (formula_is_too_large (&formula));
  formula_free (&formula);
  PASS ();
}

TEST what_goes_without_saying_is_not_said (void) {
  struct formula formula = { .variables = 3 };
  formula_implies (&formula, 1, -1, 2);
  formula_implies (&formula, 1, 2, 1);
  formula_implies (&formula, -2, 1, 1);
  ASSERT_EQ (formula.clauses, 0);
  formula_implies (&formula, 1, 1, 2);
  ASSERT_EQ (formula.literals, 2);
  formula_implies (&formula, 0, 0, 0);
  ASSERT_EQ (formula.clauses, 2);
  ASSERT_EQ (formula.literals, 2);
  formula_free (&formula);
  PASS ();
}

SUITE (formulas) {
  RUN_TEST (one_too_large_is_refused_at_once);
  RUN_TEST (a_circle_is_small_for_others);
  RUN_TEST (variables_beyond_the_limit_are_none);
  RUN_TEST (what_goes_without_saying_is_not_said);
}

KRAIT_UNIT_MAIN (RUN_SUITE (formulas);)
