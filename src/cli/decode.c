// krait decode: from a solver's model back to a verdict. Nothing in the three files is believed:
// the formula is made again from the history and must be the same, the model must satisfy it, and
// what it says of the history must pass as a witness.

#include "api/pose.h"
#include "base/input.h"
#include "base/output.h"
#include "cli/check_one.h"
#include "cli/formula_file.h"
#include "cli/verdicts.h"
#include "cnf/reply.h"
#include "levels/levels.h"

enum { HISTORY, CNF, MODEL, ARGUMENTS };

struct decoding {
  const struct options *options; // of decode,
  struct options made;           // and those with which the formula was made
  char *made_text;
  struct check_job job;
  struct history *history;
  struct check_subject *subject;
  struct posed_question *question;
  struct formula_kind kind;
  struct budget budget;
};

// ------------------------------------------------------------------------------- the formula again

struct comparison {
  struct dimacs_reader *reader;
  struct error error;
  bool differs;
};

static void compare (void *context, int32_t literal) {
  struct comparison *c = context;
  int32_t found;
  if (!c->differs)
    c->differs = !dimacs_next (c->reader, &found, &c->error) || found != literal;
}

// What stands in the file, to its end.
static bool is_same_formula (struct decoding *d, struct dimacs_reader *reader, struct error *error) {
  struct comparison c = { .reader = reader };
  struct formula formula = { .take = compare, .context = &c };
  struct gnf gnf;
  int32_t more;
  formula_make (d->question->problem, d->kind, &formula, &gnf);
  c.differs = c.differs || formula.variables != dimacs_variables (reader) || formula.clauses != dimacs_clauses (reader)
              || dimacs_next (reader, &more, &c.error);
  gnf_free (&gnf);
  formula_free (&formula);
  if (c.error.code)
    return error_set_code (error, c.error.code, "%s", c.error.text);
  return !c.differs
         || error_set (error, "%.300s: is not an encoding of %.300s (--init and --module are to be given as they were)",
                       d->options->arguments[CNF], d->history->name);
}

static bool pose_again (struct decoding *d, struct error *error) {
  struct check_options check = check_options_of (&d->made, &d->job.modules);
  check.level = d->job.levels.levels.data[0];
  check.certify = d->options->certificate != NULL;
  check.budget = &d->budget;
  d->history =
    history_read_what_can_be (d->options->arguments[HISTORY], d->made.format, d->made.ignore_unreadable, error);
  if (!d->history || !init_option_apply (&d->job.init, d->history, error))
    return false;
  d->subject = check_subject_new (d->history, &check, level_needs_events (check.level));
  if (check_subject_error (d->subject)) {
    *error = *check_subject_error (d->subject);
    return false;
  }
  d->question = check_subject_pose (d->subject, &check, error);
  return d->question;
}

// Which options the formula was made with, and the same again.
static bool read_formula (struct decoding *d, struct input *input, struct error *error) {
  const char *name = d->options->arguments[CNF];
  struct dimacs_reader *reader = dimacs_open (input, error);
  if (!reader)
    return false;
  d->made_text = mem_strdup (dimacs_options (reader));
  bool fine =
    d->made_text || error_set (error, "%.400s: is not from krait encode: it has no comment with options", name);
  fine = fine && formula_options_read (&d->made, d->made_text, name, error);
  const struct level *level = fine ? level_find (d->made.level) : NULL;
  if (fine && !level)
    fine = error_set (error, "%.400s: its options: --level=%.80s: no such level", name, d->made.level);
  if (fine) {
    VEC_PUSH (d->job.levels.levels, level);
    d->kind = formula_kind_of (&d->made);
    fine = pose_again (d, error) && is_same_formula (d, reader, error);
  }
  dimacs_close (reader);
  return fine;
}

// --------------------------------------------------------------------------------------- the model

// NULL after setting the error. Of a formula in clauses, everything that the model must satisfy was
// looked at before it is a witness; of GNF not what the graphs demand.
static struct check_result *believe_model (struct decoding *d, const struct reply *reply, struct error *error) {
  const char *name = d->options->arguments[MODEL];
  if (!reply_satisfies (reply, d->question->problem, d->kind, name, error))
    return NULL;
  struct check_result *result = check_subject_believe (d->subject, d->question, reply->values);
  if (!result->internal_error || d->kind.acyclicity)
    return result;
  error_set (error, "%.400s: not a model of the formula: it does not keep to what the graphs demand", name);
  check_result_free (result);
  return NULL;
}

static struct check_result *believe (struct decoding *d, const struct reply *reply, struct error *error) {
  if (reply->answer == REPLY_MODEL)
    return believe_model (d, reply, error);
  struct check_result *result = check_result_new (&d->question->options);
  check_result_say_unknown (result, reply->answer == REPLY_UNKNOWN
                                      ? "the solver gave no answer"
                                      : "the solver says that there is no model, and nothing shows that it is right "
                                        "(krait check finds out)");
  return result;
}

static struct check_result *read_model (struct decoding *d, struct error *error) {
  struct formula formula = { 0 };
  struct gnf gnf;
  struct reply reply;
  struct check_result *result = NULL;
  formula_make (d->question->problem, d->kind, &formula, &gnf);
  struct input *input = input_open (d->options->arguments[MODEL], error);
  if (input && reply_read (&reply, input, (uint32_t) formula.variables, error)) {
    result = believe (d, &reply, error);
    reply_free (&reply);
  }
  if (input)
    input_close (input);
  gnf_free (&gnf);
  formula_free (&formula);
  return result;
}

// ----------------------------------------------------------------------------------------- command

static int tell (struct decoding *d, struct check_result *result) {
  struct verdicts verdicts;
  struct error error = { 0 };
  verdicts_start (&verdicts, &d->job, d->options->arguments[HISTORY]);
  verdicts.history = d->history;
  verdicts_know (&verdicts, 0, result);
  const bool written = !d->options->certificate || certificate_look (&d->job, result, d->history, NULL, &error);
  verdicts_tell_all (&verdicts);
  const int code = verdicts_finish (&verdicts);
  verdicts_free (&verdicts);
  return written ? code : exit_code_of_both (code, fail (&error));
}

static bool read_all (struct decoding *d, struct check_result **result, struct error *error) {
  const struct options *options = d->options;
  if (options->certificate && !output_may_open (options->certificate, options->force, error))
    return false;
  if (!modules_load (&d->job.modules, options, error) || !init_option_read (&d->job.init, options->init, error))
    return false;
  struct input *input = input_open (options->arguments[CNF], error);
  const bool fine = input && read_formula (d, input, error);
  if (input)
    input_close (input);
  *result = fine ? read_model (d, error) : NULL;
  return *result;
}

static void decoding_free (struct decoding *d) {
  posed_question_free (d->question);
  check_subject_free (d->subject);
  history_free (d->history);
  options_free (&d->made);
  init_option_free (&d->job.init);
  modules_free (&d->job.modules);
  VEC_FREE (d->job.levels.levels);
  mem_free (d->made_text);
}

int command_decode (const struct options *options) {
  struct decoding d = { .options = options, .job = { .options = options } };
  struct error error = { 0 };
  struct check_result *result;
  if (options->argument_count != ARGUMENTS)
    return usage_error ("decode: expected three arguments, HISTORY, CNF and MODEL, found %d", options->argument_count);
  budget_start (&d.budget, 0, 0, &interrupted);
  d.job.output = options->json ? REPORT_JSON : REPORT_TEXT;
  const int code = read_all (&d, &result, &error) ? tell (&d, result) : fail (&error);
  decoding_free (&d);
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}
