// Limits hold for one history as a whole: reading it, and judging it at every level. Readers do not ask their budget, so a watch (base/watch.h)
// looks after it while one reads; as a last resort it says `unknown` for whatever is not decided yet and ends the process.

#include "cli/check_one.h"

#include "api/lattice_order.h"
#include "base/watch.h"
#include "cli/kir_file.h"
#include "cli/progress.h"
#include "cli/verdicts.h"
#include "history/statistics.h"
#include "ir/ir.h"

#include <string.h>
#include <unistd.h>

struct run {
  const struct check_job *job;
  struct budget budget;
  struct progress progress;
  struct verdicts verdicts;
  struct explained_part part; // of the last result that was explained
};

// In the watch's thread, or in one that ran out of memory. The main thread is busy, and will never print again.
static void give_up (void *context, enum budget_state state) {
  static atomic_flag giving_up = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set (&giving_up)) // another thread is at it, and ends the process
    pause ();
  struct run *run = context;
  progress_clear (&run->progress);
  verdicts_give_up (&run->verdicts, budget_reason (state));
  const int code = verdicts_finish (&run->verdicts);
  fflush (stdout);
  _exit (state == BUDGET_INTERRUPTED ? EXIT_INTERRUPTED : code);
}

// The system refused memory, before any limit was reached or without one.
static void run_out (void *context) {
  give_up (context, BUDGET_MEMORY);
}

// What is to be judged: a history, or what a level has made of one already.
struct subject {
  struct history *history;
  struct ir *ir;
  struct check_subject *made_ready; // the history, once something is to be judged
};

static bool read_plain (struct subject *subject, const struct check_job *job, const char *path, struct error *error) {
  subject->history = history_read_what_can_be (path, job->options->format, job->options->ignore_unreadable, error);
  return subject->history && init_option_apply (&job->init, subject->history, error);
}

// A lowered history has one level; its initial state, its times and what it says of own writes are worked in.
static bool read_lowered (struct subject *subject, const struct check_job *job, const char *path, struct error *error) {
  const struct level_list *wanted = &job->levels;
  subject->ir = read_kir_file (path, error);
  if (!subject->ir)
    return false;
  if (job->init.text || job->options->clock_skew || job->options->own_writes || job->options->dialect
      || job->modules.count || job->options->trust_commit_ts)
    return error_set (
      error,
      "%.400s: --init, --clock-skew, --own-writes, --dialect, --module and --trust-commit-ts do not apply to a "
      ".kir file",
      path);
  const char *level = subject->ir->level->name;
  if (wanted->mode == LEVELS_NAMED && wanted->levels.count == 1 && wanted->levels.data[0] == subject->ir->level)
    return true;
  return error_set (error, "%.400s: this .kir file is for one level: --level=%s", path, level);
}

static bool read_subject (struct run *run, struct subject *subject, const char *path, struct error *error) {
  const double start = clock_seconds ();
  progress_phase (&run->progress, "read", -1);
  struct watch *watch = watch_start (&run->budget, give_up, run);
  const bool lowered = !run->job->options->format && is_kir_file (path);
  const bool done =
    lowered ? read_lowered (subject, run->job, path, error) : read_plain (subject, run->job, path, error);
  watch_stop (watch);
  run->verdicts.parse_seconds = clock_seconds () - start;
  run->verdicts.history = subject->ir ? subject->ir->history : subject->history;
  run->progress.transactions = done ? history_txns (run->verdicts.history) : 0;
  return done;
}

static void set_check_options (struct check_options *check, struct run *run) {
  const struct options *options = run->job->options;
  check_options_default (check);
  check->dialect = options->dialect;
  check->modules = run->job->modules.data;
  check->module_count = run->job->modules.count;
  check->own_writes = (enum own_writes) options->own_writes;
  check->clock_skew = (int64_t) options->clock_skew;
  check->trust_commit_ts = options->trust_commit_ts;
  check->certify = options->certificate != NULL;
  check->threads = (unsigned) options->threads;
  check->seed = options->seed;
  check->steps.stronger_first = !options->no_stronger_first;
  check->steps.saturation = !options->no_saturation;
  check->steps.guess = !options->no_guess;
  check->steps.components = !options->no_components;
  check->steps.priority = !options->no_priority;
  check->steps.static_lemmas = !options->no_static_lemmas;
  check->steps.unsat_search = !options->no_unsat_search;
  check->budget = &run->budget;
  check->progress = progress_phase;
  check->progress_context = &run->progress;
}

static bool any_needs_events (const struct level_list *list) {
  for (size_t i = 0; i < list->levels.count; i++)
    if (level_needs_events (list->levels.data[i]))
      return true;
  return false;
}

// False: a module failed, or the history's hints are no good.
static bool make_ready (struct run *run, struct subject *subject, const struct check_options *check,
                        struct error *error) {
  if (subject->ir || budget_check (&run->budget) != BUDGET_LEFT)
    return true;
  struct watch *watch = watch_start (&run->budget, give_up, run);
  subject->made_ready = check_subject_new (subject->history, check, any_needs_events (&run->job->levels));
  watch_stop (watch);
  const struct error *wrong = check_subject_error (subject->made_ready);
  if (wrong)
    *error = *wrong;
  return !wrong;
}

static struct check_result *check_level (struct run *run, struct subject *subject, struct check_options *check) {
  struct watch *watch = watch_start (&run->budget, give_up, run);
  struct check_result *result =
    subject->ir ? check_ir (subject->ir, check) : check_subject_judge (subject->made_ready, check);
  watch_stop (watch);
  progress_clear (&run->progress);
  return result;
}

// Only what is going to be shown is explained: one line needs no reasons, and a table has no room for them.
static bool is_to_be_explained (const struct check_job *job) {
  if (job->draw)
    return true;
  return job->levels.mode == LEVELS_NAMED && !(job->options->quiet && job->output == REPORT_TEXT);
}

static void explain_result (struct run *run, struct subject *subject, const struct check_options *check,
                            struct check_result *result) {
  enum { SECONDS = 60 }; // where time may pass and no limit is given: what was found by then is good enough
  const double now = clock_seconds (), left = run->budget.deadline > now ? run->budget.deadline - now : 0;
  if (!subject->history || result->verdict != VERDICT_INVALID || !is_to_be_explained (run->job)
      || budget_check (&run->budget) != BUDGET_LEFT)
    return;
  progress_phase (&run->progress, "explain", -1);
  explained_part_free (&run->part);
  run->part = explain_part (result, subject->history, check,
                            &(struct part_limits){ .bounded = !run->job->draw,
                                                   .seconds = left             ? left
                                                              : run->job->draw ? SECONDS
                                                                               : 0,
                                                   .memory = run->budget.memory_limit,
                                                   .stop = run->budget.stop });
  progress_clear (&run->progress);
}

// What a verdict says about other levels: those that it settles, and the stronger level through which it came about.
static void spread (struct run *run, struct lattice_order *order, const struct check_result *found) {
  const struct level_list *list = &run->job->levels;
  for (uint32_t i = 0; i < list->levels.count; i++) {
    if (lattice_order_knows (order, list->levels.data[i]))
      continue;
    const uint32_t by = lattice_order_settled_by (order, i);
    const bool came_about = found->verdict == VERDICT_VALID && !strcmp (found->by_level, list->levels.data[i]->name);
    if (by == LATTICE_NONE && !came_about)
      continue;
    struct check_result *result =
      lattice_result (list->levels.data[i], by == LATTICE_NONE ? found : run->verdicts.results[by]);
    lattice_order_tell (order, i, result->verdict);
    verdicts_add (&run->verdicts, i, result);
  }
}

// Each level that the lattice leaves open is checked. Without --no-stronger-first, that is: with it, each of them is by itself.
static bool check_levels (struct run *run, struct subject *subject, struct error *error) {
  const struct level_list *list = &run->job->levels;
  const bool use_lattice = !run->job->options->no_stronger_first;
  struct check_options check;
  set_check_options (&check, run);
  if (!make_ready (run, subject, &check, error))
    return false;
  struct lattice_order *order =
    lattice_order_new (list->levels.data, (uint32_t) list->levels.count, history_has_times (run->verdicts.history));
  for (uint32_t asked = 0; asked < list->levels.count && budget_check (&run->budget) == BUDGET_LEFT; asked++) {
    const uint32_t next = use_lattice ? lattice_order_next (order) : asked;
    if (next == LATTICE_NONE)
      break;
    check.level = list->levels.data[next];
    const struct level *stronger = check.level->stronger ? level_find (check.level->stronger) : NULL;
    check.steps.stronger_first = use_lattice && !(stronger && lattice_order_knows (order, stronger));
    struct check_result *result = check_level (run, subject, &check);
    explain_result (run, subject, &check, result);
    lattice_order_tell (order, next, result->verdict);
    verdicts_add (&run->verdicts, next, result);
    if (use_lattice)
      spread (run, order, result);
  }
  lattice_order_free (order);
  // Reading, or an earlier level, may have used up what there was.
  progress_clear (&run->progress);
  verdicts_give_up (&run->verdicts, budget_reason (budget_check (&run->budget)));
  return true;
}

static int bad_input (struct run *run, const struct error *error) {
  progress_clear (&run->progress);
  // A signal also makes system calls fail; that says nothing about the input.
  if (atomic_load (&interrupted)) {
    verdicts_give_up (&run->verdicts, budget_reason (BUDGET_INTERRUPTED));
    return verdicts_finish (&run->verdicts);
  }
  verdicts_bad_input (&run->verdicts, error->text);
  return fail (error);
}

static bool look_at_results (const struct run *run, struct error *error) {
  const struct check_job *job = run->job;
  for (size_t i = 0; job->look && i < job->levels.levels.count; i++)
    if (!job->look (job->look_context, run->verdicts.results[i], run->verdicts.history, error))
      return false;
  for (size_t i = 0; job->draw && i < job->levels.levels.count; i++)
    if (!job->draw (job->look_context, run->verdicts.results[i], run->verdicts.history, &run->part, error))
      return false;
  return true;
}

int check_one (const struct check_job *job, const char *path) {
  struct run run = { .job = job };
  struct error error = { 0 };
  verdicts_start (&run.verdicts, job, path);
  progress_start (&run.progress, job->options->progress, job->options->quiet);
  budget_start (&run.budget, job->options->timeout, job->options->memory, &interrupted);
  mem_set_last_words (run_out, &run);
  struct subject subject = { 0 };
  int code;
  if (read_subject (&run, &subject, path, &error) && check_levels (&run, &subject, &error)) {
    code = verdicts_finish (&run.verdicts);
    if (!look_at_results (&run, &error))
      code = exit_code_of_both (code, fail (&error));
  } else
    code = bad_input (&run, &error);
  mem_set_last_words (NULL, NULL);
  verdicts_free (&run.verdicts);
  explained_part_free (&run.part);
  check_subject_free (subject.made_ready);
  ir_free (subject.ir);
  history_free (subject.history);
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}
