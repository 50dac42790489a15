// Damaged formulas and models. Each is either refused with one line that names the file and, but
// for one that ends too early, the line; or read, and then all of it is within its bounds.

#include "target.h"

#include "api/pose.h"
#include "base/decompress.h"
#include "base/input.h"
#include "base/output.h"
#include "cnf/dimacs.h"
#include "cnf/reply.h"
#include "history/history.h"
#include "levels/levels.h"
#include "solve/sat.h"
#include "tests/brute/random_history.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_VARIABLES = 10000 };

struct text {
  struct fuzz_part part;
  struct error error;
};

static const char *check_error (const struct text *text) {
  const bool compressed = compression_of ((const char *) text->part.bytes, text->part.length) != COMPRESSION_NONE;
  if (text->error.code != ERROR_INPUT || !*text->error.text)
    return "refused without a reason";
  if (strchr (text->error.text, '\n'))
    return "an error of several lines";
  const bool has_place = !strncmp (text->error.text, "damaged:", 8)
                         && (compressed || (text->error.text[8] >= '1' && text->error.text[8] <= '9')
                             || strstr (text->error.text, "the end of the file"));
  return has_place ? NULL : "an error without a place";
}

// Variables beyond what is asked for are none of this test's.
static const char *read_formula (struct text *text, uint32_t *variables) {
  const char *wrong = NULL;
  struct input *input = input_open_memory ("damaged", text->part.bytes, text->part.length);
  struct dimacs_reader *reader = dimacs_open (input, &text->error);
  int32_t literal;
  while (reader && dimacs_next (reader, &literal, &text->error))
    if ((uint64_t) (literal < 0 ? -(int64_t) literal : literal) > dimacs_variables (reader))
      wrong = "a literal that the formula does not have";
  if (reader && dimacs_variables (reader) > INT32_MAX)
    wrong = "more variables than there can be";
  *variables = reader && dimacs_variables (reader) < MOST_VARIABLES ? (uint32_t) dimacs_variables (reader) : 0;
  dimacs_close (reader);
  input_close (input);
  return wrong;
}

static const char *read_reply (struct text *text, uint32_t variables) {
  const char *wrong = NULL;
  struct reply reply;
  struct input *input = input_open_memory ("damaged", text->part.bytes, text->part.length);
  if (reply_read (&reply, input, variables, &text->error)) {
    for (uint32_t v = 1; v <= variables; v++)
      if (reply.values[v] < -1 || reply.values[v] > 1)
        wrong = "a value that is none";
    reply_free (&reply);
  }
  input_close (input);
  return wrong;
}

static const char *run (const struct fuzz_target *target, const uint8_t *bytes, size_t length, bool *understood) {
  struct text formula = { 0 }, reply = { 0 };
  struct fuzz_parts parts = { bytes, bytes + length };
  uint32_t variables;
  (void) target;
  fuzz_next_part (&parts, &formula.part);
  fuzz_next_part (&parts, &reply.part);
  const char *wrong = read_formula (&formula, &variables);
  if (!wrong && formula.error.code)
    wrong = check_error (&formula);
  if (!wrong)
    wrong = read_reply (&reply, variables);
  if (!wrong && reply.error.code)
    wrong = check_error (&reply);
  *understood = !formula.error.code && !reply.error.code;
  return wrong;
}

// ------------------------------------------------------------------------------------------- seeds

static void append (fuzz_bytes *made, const struct output *output) {
  size_t length;
  const char *text = output_memory (output, &length);
  fuzz_append (made, text, length);
}

static void take (void *sat, int32_t literal) {
  sat_add (sat, literal);
}

static void print_reply (const struct posed_question *question, struct formula_kind kind, bool as_minisat,
                         struct output *output) {
  struct sat *sat = sat_new (0);
  struct formula formula = { .take = take, .context = sat };
  struct gnf gnf;
  formula_make (question->problem, kind, &formula, &gnf);
  const bool satisfiable = sat_solve (sat, NULL) == SAT_YES;
  if (as_minisat)
    output_text (output, satisfiable ? "SAT\n" : "UNSAT\n");
  else
    output_text (output, satisfiable ? "c a solver\ns SATISFIABLE\nv" : "c a solver\ns UNSATISFIABLE\n");
  for (int32_t v = 1; satisfiable && v <= (int32_t) formula.variables; v++)
    output_printf (output, " %" PRId32 "%s", sat_value (sat, v) ? v : -v, as_minisat || v % 8 ? "" : "\nv");
  output_text (output, satisfiable ? " 0\n" : "");
  gnf_free (&gnf);
  formula_free (&formula);
  sat_free (sat);
}

static void make (const struct posed_question *question, uint64_t number, fuzz_bytes *made) {
  const struct acyclicity *const ways[] = { &acyclicities[0], &acyclicities[1], &acyclicities[3], NULL };
  const struct formula_kind kind = { ways[number % 4] };
  const struct dimacs file = { .problem = question->problem,
                               .ir = question->ir,
                               .kind = kind,
                               .options = "--level=serializable --to=dimacs",
                               .remarks = "c history: none\n" };
  struct error error = { 0 };
  struct output *output = output_open_memory ();
  dimacs_write (&file, output, &error);
  append (made, output);
  output_discard (output);
  fuzz_append (made, FUZZ_PART, FUZZ_PART_LENGTH);
  output = output_open_memory ();
  print_reply (question, kind, number % 3 == 0, output);
  append (made, output);
  output_discard (output);
}

static bool seed (const struct fuzz_target *target, uint64_t number, fuzz_bytes *made) {
  const struct random_mixture mixture = { .ops = RANDOM_ALL, .often_unknown = number % 2 };
  struct brute_options drawn;
  struct history *h = random_history_of (23, number, &mixture, &drawn);
  struct check_options options;
  struct error error = { 0 };
  (void) target;
  check_options_default (&options);
  options.level = level_find (number % 5 ? "strong-session-serializable" : "update-serializable");
  options.steps.saturation = false;
  struct check_subject *subject = check_subject_new (h, &options, false);
  struct posed_question *question =
    check_subject_error (subject) ? NULL : check_subject_pose (subject, &options, &error);
  const bool there = question && !question->settled && question->problem->variables.count > 3;
  if (there)
    make (question, number, made);
  posed_question_free (question);
  check_subject_free (subject);
  history_free (h);
  return there;
}

static const char *const words[] = { "p cnf ",
                                     "p cnf 3 2\n",
                                     "c options: ",
                                     "c ",
                                     "\n",
                                     " 0\n",
                                     "0 ",
                                     "-",
                                     "1 ",
                                     "s ",
                                     "s SATISFIABLE\n",
                                     "s UNSATISFIABLE\n",
                                     "s UNKNOWN\n",
                                     "v ",
                                     "SAT\n",
                                     "UNSAT\n",
                                     "INDET\n",
                                     "2147483647",
                                     "2147483648",
                                     "-2147483648",
                                     "99999999999999999999",
                                     "\t",
                                     "\r\n",
                                     "digraph int 3 2 0\n",
                                     "edge 0 1 2 3\n",
                                     "acyclic 0 1\n",
                                     "reach 0 1 2 3\n",
                                     FUZZ_PART,
                                     NULL };

extern const struct fuzz_target fuzz_formulas;
const struct fuzz_target fuzz_formulas = { .name = "formulas", .run = run, .seed = seed, .words = words };
