// krait encode: what a level makes of a history, before anything is decided or as saturation leaves
// it; or what is left for a solver then, as a formula.

#include "api/check.h"
#include "api/pose.h"
#include "asg/asg.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/formula_file.h"
#include "cli/level_list.h"
#include "cli/named.h"
#include "cli/subject_files.h"
#include "history/history.h"
#include "ir/kir.h"
#include "levels/levels.h"

#include <inttypes.h>

enum { LONGEST_NAME_SHOWN = 40 };

// The history's own name, in a comment.
static void put_name (struct output *output, struct atom atom) {
  if (atom.kind == ATOM_UNSIGNED)
    output_printf (output, "%" PRIu64, atom.number);
  if (atom.kind == ATOM_NEGATIVE)
    output_printf (output, "%" PRId64, (int64_t) atom.number);
  if (atom.kind != ATOM_BYTES)
    return;
  for (size_t i = 0; i < atom.length && i < LONGEST_NAME_SHOWN; i++) {
    const unsigned char byte = (unsigned char) atom.bytes[i];
    if (byte < ' ' || byte > '~' || byte == '\\')
      output_printf (output, "\\x%02x", byte);
    else
      output_write (output, &atom.bytes[i], 1);
  }
  if (atom.length > LONGEST_NAME_SHOWN)
    output_text (output, "...");
}

static void put_key_name (void *history, struct output *output, uint32_t key) {
  const struct history *h = history;
  put_name (output, atoms_get (&h->keys, key));
}

static void put_value_name (void *history, struct output *output, uint32_t value) {
  const struct history *h = history;
  if (value == VALUE_ABSENT)
    output_text (output, "nil");
  else
    put_name (output, atoms_get (&h->values, value));
}

static bool write_ir (const struct lowered *lowered, const struct options *options, struct error *error) {
  const struct kir_names names = { (void *) lowered->history, put_key_name, put_value_name };
  struct output *output = output_open (options->arguments[1], options->force, error);
  if (!output)
    return false;
  if (options->expand)
    kir_expand (lowered->ir, output);
  else
    kir_write (lowered->ir, &names, output);
  return output_commit (output, error);
}

static bool lower_and_write (struct check_subject *subject, const struct check_options *check,
                             const struct options *options, struct error *error) {
  struct lowered *lowered = check_subject_lower (subject, check, options->saturated);
  const bool done = write_ir (lowered, options, error);
  lowered_free (lowered);
  return done;
}

// ---------------------------------------------------------------------------------------- formulas

static bool write_formula (const struct posed_question *question, const struct history *h,
                           const struct options *options, struct error *error) {
  const struct kir_names names = { (void *) question->history, put_key_name, put_value_name };
  char *words = formula_options_text (options, question->options.level);
  char *remarks = formula_remarks (options, h, question);
  const struct dimacs file = { .problem = question->problem,
                               .ir = question->ir,
                               .names = &names,
                               .kind = formula_kind_of (options),
                               .options = words,
                               .remarks = remarks };
  struct error wrong = { 0 };
  struct output *output = output_open (options->arguments[1], options->force, error);
  const bool written = output && dimacs_write (&file, output, &wrong);
  if (output && !written) {
    output_discard (output);
    error_set_code (error, wrong.code, "%.400s: not written: %s", options->arguments[1], wrong.text);
  }
  MEM_FREE_ALL (words, remarks);
  return written && output_commit (output, error);
}

static bool pose_and_write (struct check_subject *subject, const struct history *h, const struct check_options *check,
                            const struct options *options, struct error *error) {
  struct budget budget;
  struct check_options own = *check;
  budget_start (&budget, 0, 0, &interrupted);
  own.budget = &budget;
  struct posed_question *question = check_subject_pose (subject, &own, error);
  const bool done = question && write_formula (question, h, options, error);
  posed_question_free (question);
  return done;
}

// ----------------------------------------------------------------------------------------- command

// The same way as `check` goes.
static bool write_history (const struct history *h, const struct check_options *check, const struct options *options,
                           struct error *error) {
  struct check_subject *subject = check_subject_new (h, check, level_needs_events (check->level));
  const struct error *wrong = check_subject_error (subject);
  bool done = false;
  if (wrong)
    *error = *wrong;
  else if (formula_is_asked_for (options))
    done = pose_and_write (subject, h, check, options, error);
  else
    done = lower_and_write (subject, check, options, error);
  check_subject_free (subject);
  return done;
}

static bool encode_history (const struct options *options, struct check_options *check, struct error *error) {
  struct init_option init;
  if (!init_option_read (&init, options->init, error))
    return false;
  struct history *h =
    history_read_what_can_be (options->arguments[0], options->format, options->ignore_unreadable, error);
  if (h)
    print_history_warnings (h);
  const bool complete =
    h
    && (!h->incomplete || formula_is_asked_for (options)
        || error_set (error, "%.400s: the history is incomplete, which a .kir file cannot say", options->arguments[0]));
  const bool done = complete && init_option_apply (&init, h, error) && write_history (h, check, options, error);
  history_free (h);
  init_option_free (&init);
  return done;
}

static bool encode (const struct options *options, const struct level *level, struct error *error) {
  module_vec modules = VEC_EMPTY;
  bool done = modules_load (&modules, options, error);
  struct check_options check = check_options_of (options, &modules);
  check.level = level;
  done = done && encode_history (options, &check, error);
  modules_free (&modules);
  return done;
}

// NULL, or what does not go together.
static const char *contradiction (const struct options *options) {
  if (formula_is_asked_for (options) ? options->saturated || options->expand : options->encoding || options->acyclicity)
    return formula_is_asked_for (options) ? "--saturated and --expand go with --to=kir"
                                          : "--encoding and --acyclicity go with --to=dimacs and --to=gnf";
  return options->acyclicity && !strcmp (options->to, "gnf") ? "--acyclicity goes with --to=dimacs: GNF has graphs"
                                                             : NULL;
}

static int wrong_words (const struct options *options) {
  if (!options->level)
    return usage_error ("encode: --level=LEVEL is missing (krait levels lists them)");
  if (!options->to)
    return usage_error ("encode: --to=kir, --to=dimacs or --to=gnf is missing");
  if (strcmp (options->to, "kir") != 0 && !formula_is_asked_for (options))
    return usage_error ("encode: --to=%s: expected kir, dimacs or gnf", options->to);
  if (contradiction (options))
    return usage_error ("encode: %s", contradiction (options));
  if (options->argument_count != 2)
    return usage_error ("encode: expected two arguments, HISTORY and OUT, found %d", options->argument_count);
  return 0;
}

int command_encode (const struct options *options) {
  struct error error = { 0 };
  const int wrong = wrong_words (options);
  if (wrong)
    return wrong;
  const struct level *level = level_named (options->level, &error);
  if (!level || !output_may_open (options->arguments[1], options->force, &error))
    return fail (&error);
  return encode (options, level, &error) ? EXIT_VALID : atomic_load (&interrupted) ? EXIT_INTERRUPTED : fail (&error);
}
