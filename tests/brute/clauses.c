// Histories as formulas: what a plain solver says about the clauses is what the checker says about
// the history, for every encoding that does not refuse it and every way to say acyclicity; and a
// model is a witness.
//
//   brute/clauses [--count=N] [--seed=S] [--only=INDEX] [--levels=LEVEL] [--ops=...]
//
// Each history is asked about at a few levels, with saturation or without. Where the level is not
// defined there is no formula.

#include "api/pose.h"
#include "cnf/acyclicity.h"
#include "cnf/encodings.h"
#include "solve/sat.h"
#include "tests/brute/prng.h"
#include "tests/brute/run.h"
#include "tests/support/every_level.h"

#include <inttypes.h>
#include <stdio.h>

enum { LEVELS_EACH = 3 };

struct look {
  const struct run *run;
  uint64_t passed, failed, skipped, refused, settled, hidden, forbidding, of[3];
  // at hand
  uint64_t index;
  const struct history *history;
  const struct brute_options *brute;
  struct check_options options;
  enum verdict expected;
  const char *encoding, *way; // of saying acyclicity
};

static void tell (struct look *look, const char *what) {
  fprintf (stderr, "%s, encoding %s, %s, saturation %s: %s, but %s\n", look->options.level->name, look->encoding,
           look->way, look->options.steps.saturation ? "on" : "off", verdict_name (look->expected), what);
  run_tell (look->run, look->index, look->brute, look->history);
}

// ---------------------------------------------------------------------------------------- a solver

static void take (void *sat, int32_t literal) {
  sat_add (sat, literal);
}

// The values of the problem's variables, or NULL: there is no model.
static int8_t *solve (const struct problem *problem, const struct acyclicity *acyclicity) {
  struct sat *sat = sat_new (0);
  struct formula formula = { .take = take, .context = sat };
  int8_t *values = NULL;
  acyclicity_compile (problem, acyclicity, &formula);
  if (sat_solve (sat, NULL) == SAT_YES) {
    values = MEM_ARRAY (int8_t, problem->variables.count);
    for (uint32_t v = 1; v < problem->variables.count; v++)
      values[v] = sat_value (sat, (int32_t) v) ? 1 : -1;
  }
  formula_free (&formula);
  sat_free (sat);
  return values;
}

// ----------------------------------------------------------------------------------- one of each

static bool is_expected (const struct look *look, const struct posed_question *question, bool satisfiable) {
  if (satisfiable)
    return look->expected == VERDICT_VALID;
  return look->expected == VERDICT_INVALID || (look->expected == VERDICT_UNKNOWN && question->doubt);
}

static void count (struct look *look, const struct posed_question *question) {
  const struct problem *problem = question->problem;
  bool forbids = false, hides = problem->known_hidden;
  for (size_t i = 0; i < problem->edges.count; i++) {
    forbids |= problem->edges.data[i].role == ROLE_FORBID;
    hides |= problem->edges.data[i].role == ROLE_ORDER;
  }
  look->settled += question->settled != NULL;
  look->hidden += hides;
  look->forbidding += forbids;
}

static bool is_believed (struct look *look, struct check_subject *subject, struct posed_question *question,
                         const int8_t *values) {
  struct check_result *result = check_subject_believe (subject, question, values);
  const bool valid = result->verdict == VERDICT_VALID;
  if (!valid)
    tell (look, result->reason);
  check_result_free (result);
  return valid;
}

static void try_one (struct look *look, struct check_subject *subject, const struct acyclicity *acyclicity) {
  struct error error = { 0 };
  struct posed_question *question = check_subject_pose (subject, &look->options, &error);
  look->way = acyclicity->name;
  if (!question) {
    const bool fine = look->expected == VERDICT_UNKNOWN ? error.code == ERROR_LIMIT : error.code == ERROR_INPUT;
    if (!fine)
      tell (look, error.text);
    look->refused += fine;
    look->failed += !fine;
    return;
  }
  count (look, question);
  int8_t *values = solve (question->problem, acyclicity);
  bool fine = is_expected (look, question, values != NULL);
  if (!fine)
    tell (look, values ? "there is a model" : "there is no model");
  else if (values)
    fine = is_believed (look, subject, question, values);
  look->passed += fine;
  look->failed += !fine;
  mem_free (values);
  posed_question_free (question);
}

static void try_every_encoding (struct look *look, struct check_subject *subject) {
  for (const struct encoding *encoding = encodings; encoding->name; encoding++) {
    look->encoding = encoding->name;
    look->options.encoding = encoding;
    for (const struct acyclicity *a = acyclicities; a->name; a++)
      try_one (look, subject, a);
  }
}

static void try_history (struct look *look, const struct level *level, bool saturation) {
  look->options = run_check_options (look->brute, level);
  struct check_result *expected = check_history (look->history, &look->options);
  look->expected = expected->verdict;
  look->options.steps.saturation = saturation;
  struct check_subject *subject = check_subject_new (look->history, &look->options, level_needs_events (level));
  if (check_subject_error (subject))
    look->skipped++;
  else
    try_every_encoding (look, subject);
  look->of[expected->verdict]++;
  check_subject_free (subject);
  check_result_free (expected);
}

static void try_levels (struct look *look) {
  struct prng prng = prng_fork (~look->run->seed, look->index);
  if (look->run->levels) {
    try_history (look, level_find (look->run->levels), prng_chance (&prng, 50));
    return;
  }
  for (unsigned i = 0; i < LEVELS_EACH; i++)
    try_history (look, every[prng_below (&prng, EVERY)], prng_chance (&prng, 50));
}

int main (int argc, char **argv) {
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  const struct run run = run_arguments (argc, argv, 1000, 20000);
  struct look look = { .run = &run };
  for (look.index = run.first; look.index < run.first + run.count; look.index++) {
    struct random_mixture mixture = run.mixture;
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[look.index % 4];
    struct brute_options brute;
    struct history *h = random_history_of (run.seed, look.index, &mixture, &brute);
    look.history = h;
    look.brute = &brute;
    try_levels (&look);
    history_free (h);
  }
  printf ("%" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64 " unknown; formulas: %" PRIu64 " settled, %" PRIu64
          " with hidden edges, %" PRIu64 " that forbid paths, %" PRIu64 " refused\n",
          look.of[VERDICT_VALID], look.of[VERDICT_INVALID], look.of[VERDICT_UNKNOWN], look.settled, look.hidden,
          look.forbidding, look.refused);
  return run_end (look.passed, look.failed, look.skipped);
}
