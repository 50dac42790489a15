// Histories as formulas, written and read again: what a plain solver says about the clauses is what
// the checker says about the history, for every encoding that does not refuse it and every way to
// say acyclicity; and a model, read as a solver prints it, is a witness. The same for GNF, through
// a reader and a solver of the tests' own.
//
//   brute/clauses [--count=N] [--seed=S] [--only=INDEX] [--levels=LEVEL] [--ops=...]
//
// Each history is asked about at a few levels, with saturation or without. Where the level is not
// defined there is no formula, and of an incomplete history neither.

#include "api/pose.h"
#include "base/input.h"
#include "base/output.h"
#include "cnf/dimacs.h"
#include "cnf/encodings.h"
#include "cnf/reply.h"
#include "solve/sat.h"
#include "tests/brute/prng.h"
#include "tests/brute/run.h"
#include "tests/support/every_level.h"
#include "tests/support/gnf.h"

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
  const char *encoding, *way; // of saying acyclicity, or gnf
};

static void tell (struct look *look, const char *what) {
  fprintf (stderr, "%s, encoding %s, %s, saturation %s: %s, but %s\n", look->options.level->name, look->encoding,
           look->way, look->options.steps.saturation ? "on" : "off", verdict_name (look->expected), what);
  run_tell (look->run, look->index, look->brute, look->history);
}

// ------------------------------------------------------------------------- files and their solvers

// NULL, or what is wrong with it.
static const char *write_formula (const struct posed_question *question, struct formula_kind kind,
                                  struct output *output) {
  struct error error = { 0 };
  const struct dimacs file = {
    .problem = question->problem, .ir = question->ir, .kind = kind, .options = "--level=x", .remarks = ""
  };
  return dimacs_write (&file, output, &error) ? NULL : "the formula is not written";
}

// What a solver prints about the clauses of a text.
static const char *solve_dimacs (const char *text, size_t length, struct output *reply, uint32_t *variables) {
  struct error error = { 0 };
  struct input *input = input_open_memory ("formula", text, length);
  struct dimacs_reader *reader = dimacs_open (input, &error);
  struct sat *sat = sat_new (0);
  int32_t literal;
  uint64_t clauses = 0;
  for (; reader && dimacs_next (reader, &literal, &error); clauses += !literal)
    sat_add (sat, literal);
  const bool fine = reader && !error.code && clauses == dimacs_clauses (reader);
  *variables = fine ? (uint32_t) dimacs_variables (reader) : 0;
  const bool satisfiable = fine && sat_solve (sat, NULL) == SAT_YES;
  output_printf (reply, "s %sSATISFIABLE\nv", satisfiable ? "" : "UN");
  for (int32_t v = 1; satisfiable && v <= (int32_t) *variables; v++)
    output_printf (reply, " %" PRId32, sat_value (sat, v) ? v : -v);
  output_text (reply, " 0\n");
  dimacs_close (reader);
  input_close (input);
  sat_free (sat);
  return fine ? NULL : "the formula is not read again";
}

static const char *solve_gnf (const char *text, size_t length, struct output *reply, uint32_t *variables) {
  struct gnf_answer answer;
  gnf_solve (text, length, &answer);
  output_printf (reply, answer.satisfiable ? "SAT\n" : "UNSAT\n");
  for (size_t v = 1; v < answer.values.count; v++)
    output_printf (reply, "%s%zu ", answer.values.data[v] > 0 ? "" : "-", v);
  output_text (reply, answer.satisfiable ? "0\n" : "");
  *variables = answer.values.count ? (uint32_t) answer.values.count - 1 : 0;
  VEC_FREE (answer.values);
  return answer.wrong;
}

// NULL, or what is wrong.
static const char *solve (const struct posed_question *question, struct formula_kind kind, struct reply *reply) {
  struct error error = { 0 };
  struct output *text = output_open_memory (), *printed = output_open_memory ();
  uint32_t variables = 0;
  size_t length;
  const char *wrong = write_formula (question, kind, text);
  const char *bytes = output_memory (text, &length);
  if (!wrong)
    wrong = (kind.acyclicity ? solve_dimacs : solve_gnf) (bytes, length, printed, &variables);
  bytes = output_memory (printed, &length);
  struct input *input = input_open_memory ("model", bytes, length);
  if (!wrong && !reply_read (reply, input, variables, &error))
    wrong = "the model is not read again";
  if (!wrong && reply->answer == REPLY_MODEL && !reply_satisfies (reply, question->problem, kind, "model", &error))
    wrong = "the model is said to be none";
  input_close (input);
  output_discard (printed);
  output_discard (text);
  return wrong;
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

static bool is_right (struct look *look, struct check_subject *subject, struct posed_question *question,
                      struct formula_kind kind) {
  struct reply reply = { .answer = REPLY_UNKNOWN };
  const char *wrong = solve (question, kind, &reply);
  const bool model = reply.answer == REPLY_MODEL;
  if (!wrong && !is_expected (look, question, model))
    wrong = model ? "there is a model" : "there is no model";
  if (wrong)
    tell (look, wrong);
  const bool right = !wrong && (!model || is_believed (look, subject, question, reply.values));
  reply_free (&reply);
  return right;
}

static void try_one (struct look *look, struct check_subject *subject, struct formula_kind kind) {
  struct error error = { 0 };
  struct posed_question *question = check_subject_pose (subject, &look->options, &error);
  look->way = kind.acyclicity ? kind.acyclicity->name : "gnf";
  if (!question) {
    const bool undefined = look->expected == VERDICT_UNKNOWN && !look->history->incomplete;
    const bool fine = error.code == (undefined ? ERROR_LIMIT : ERROR_INPUT);
    if (!fine)
      tell (look, error.text);
    look->refused += fine;
    look->failed += !fine;
    return;
  }
  count (look, question);
  const bool right = is_right (look, subject, question, kind);
  look->passed += right;
  look->failed += !right;
  posed_question_free (question);
}

static void try_every_encoding (struct look *look, struct check_subject *subject) {
  for (const struct encoding *encoding = encodings; encoding->name; encoding++) {
    look->encoding = encoding->name;
    look->options.encoding = encoding;
    for (const struct acyclicity *a = acyclicities; a->name; a++)
      try_one (look, subject, (struct formula_kind){ a });
    try_one (look, subject, (struct formula_kind){ NULL });
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
