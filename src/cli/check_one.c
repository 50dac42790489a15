// Limits hold for one history as a whole: reading it, judging it at every level, explaining the
// verdict and writing files. Much of that does not ask its budget, so a watch (base/watch.h) looks
// after it; as a last resort it prints what is known by then, `unknown` for whatever is not decided
// yet, and ends the process.

#include "cli/check_one.h"

#include "api/explanation.h"
#include "api/lattice_order.h"
#include "base/watch.h"
#include "cli/progress.h"
#include "cli/turns.h"
#include "cli/verdicts.h"
#include "history/statistics.h"
#include "ir/ir.h"

#include <pthread.h>
#include <unistd.h>

enum stage { DECIDING, EXPLAINING, WRITING };

struct run {
  const struct check_job *job;
  struct budget budget;
  struct watch *watch;
  struct progress progress;
  struct history *history;          // what is to be judged,
  struct ir *ir;                    // or what a level has made of a history already,
  struct history *named;            // and what it speaks of
  struct check_subject *made_ready; // the history, once something is to be judged
  struct check_options check;
  struct lattice_order *order;
  struct turns turns;
  pthread_mutex_t lock; // of the verdicts, the stage and standard output; whoever gives up keeps it
  struct verdicts verdicts;
  enum stage stage;
  size_t explaining; // the index of the level
};

static void enter (struct run *run, enum stage stage) {
  pthread_mutex_lock (&run->lock);
  run->stage = stage;
  pthread_mutex_unlock (&run->lock);
}

// Only what is going to be shown is explained: one line needs no reasons.
static bool is_to_be_explained (const struct check_job *job) {
  return job->draw || !(job->options->quiet && job->output == REPORT_TEXT);
}

static void say_cut_short (const struct check_job *job, struct check_result *result, const char *reason) {
  char line[160];
  snprintf (line, sizeof line, "the explanation was cut short: %s", reason);
  if (is_to_be_explained (job))
    check_result_warn (result, line);
  if (!result->verified)
    check_result_say_not_verified (result, reason);
}

// In the watch's thread, or in one that ran out of memory. The main thread is busy, and will never
// print again.
static void leave (struct run *run, const char *reason, int code) {
  // the same thread may come here a second time, out of memory while it gives up
  pthread_mutex_lock (&run->lock);
  progress_clear (&run->progress);
  history_remove_unfinished ();
  if (run->stage == EXPLAINING)
    say_cut_short (run->job, run->verdicts.results[run->explaining], reason);
  if (run->stage == WRITING) {
    fprintf (stderr, "krait: not all files are written: %s\n", reason);
    code = exit_code_of_both (code, EXIT_UNKNOWN);
  }
  run->stage = DECIDING;
  verdicts_give_up (&run->verdicts, reason);
  verdicts_tell_all (&run->verdicts);
  code = exit_code_of_both (code, verdicts_finish (&run->verdicts));
  fflush (stdout);
  _exit (code);
}

static void give_up (void *context, enum budget_state state) {
  leave (context, budget_reason (state), state == BUDGET_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_VALID);
}

// The system refused memory, before any limit was reached or without one.
static void run_out (void *context) {
  leave (context, "out of memory", EXIT_VALID);
}

static bool read_plain (struct run *run, const char *path, struct error *error) {
  const struct check_job *job = run->job;
  run->history = history_read_what_can_be (path, job->options->format, job->options->ignore_unreadable, error);
  return run->history && init_option_apply (&job->init, run->history, error);
}

// A lowered history has one level; its initial state, its times and what it says of own writes are
// worked in.
static bool read_lowered (struct run *run, const char *path, struct error *error) {
  const struct check_job *job = run->job;
  const struct level_list *wanted = &job->levels;
  run->ir = read_kir_file (path, error);
  if (!run->ir)
    return false;
  if (job->init.text || job->options->clock_skew || job->options->own_writes || job->options->dialect
      || job->modules.count || job->options->trust_commit_ts)
    return error_set (
      error,
      "%.400s: --init, --clock-skew, --own-writes, --dialect, --module and --trust-commit-ts do not apply to a "
      ".kir file",
      path);
  run->named = ir_history (run->ir, path);
  const struct level *level = level_find (run->ir->label);
  if (level && wanted->mode == LEVELS_NAMED && wanted->levels.count == 1 && wanted->levels.data[0] == level)
    return true;
  return error_set (error, "%.400s: this .kir file is for one level: --level=%s", path,
                    level ? level->name : run->ir->label);
}

static bool read_subject (struct run *run, const char *path, struct error *error) {
  const double start = clock_seconds ();
  progress_phase (&run->progress, "read", -1);
  char label[KIR_LABEL_SIZE];
  const bool lowered = !run->job->options->format && is_kir_file (path, label);
  const bool done = lowered ? read_lowered (run, path, error) : read_plain (run, path, error);
  pthread_mutex_lock (&run->lock);
  run->verdicts.parse_seconds = clock_seconds () - start;
  run->verdicts.history = run->ir ? run->named : run->history;
  pthread_mutex_unlock (&run->lock);
  run->progress.transactions = done ? history_txns (run->verdicts.history) : 0;
  return done;
}

static void set_check_options (struct run *run) {
  struct check_options *check = &run->check;
  const struct options *options = run->job->options;
  *check = check_options_of (options, &run->job->modules);
  check->certify = options->certificate != NULL;
  check->threads = (unsigned) options->threads;
  check->seed = options->seed;
  check->steps.stronger_first = !options->no_stronger_first;
  check->steps.guess = !options->no_guess;
  check->steps.run_search = !options->no_run_search;
  check->steps.components = !options->no_components;
  check->steps.priority = !options->no_priority;
  check->steps.propagation = !options->no_propagation;
  check->steps.decisions = options->decisions;
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
static bool make_ready (struct run *run, struct error *error) {
  if (run->ir || budget_check (&run->budget) != BUDGET_LEFT)
    return true;
  run->made_ready = check_subject_new (run->history, &run->check, any_needs_events (&run->job->levels));
  const struct error *wrong = check_subject_error (run->made_ready);
  if (wrong)
    *error = *wrong;
  return !wrong;
}

static struct part_limits limits_of_explanation (const struct run *run) {
  // where time may pass and no limit is given: what was found by then is good enough
  enum { SECONDS = 60 };
  const double given = run->budget.deadline, unlimited = run->job->draw ? clock_seconds () + SECONDS : 0;
  return (struct part_limits){ .skip = !is_to_be_explained (run->job),
                               .bounded = !run->job->draw,
                               .deadline = given > 0 ? given : unlimited,
                               .memory = run->budget.memory_limit,
                               .stop = run->budget.stop };
}

// The explained copy takes the place of the result.
static void replace (struct run *run, size_t index, struct check_result *explained) {
  struct check_result *result = run->verdicts.results[index];
  explained->certificate = result->certificate;
  result->certificate = NULL;
  verdicts_know (&run->verdicts, index, explained);
}

// What is known of the level that is being explained, should nothing else come.
static void publish (void *context, const struct check_result *so_far) {
  struct run *run = context;
  struct check_result *copy = check_result_copy (so_far);
  pthread_mutex_lock (&run->lock);
  replace (run, run->explaining, copy);
  pthread_mutex_unlock (&run->lock);
}

static struct check_result *explain_copy (struct run *run, const struct check_result *result) {
  const struct part_limits limits = limits_of_explanation (run);
  struct check_result *explained = check_result_copy (result);
  progress_phase (&run->progress, "explain", -1);
  explain_result (explained, run->history, &run->check, &limits);
  if (run->job->options->anomalies) {
    const struct part_limits rest = limits_of_explanation (run);
    list_anomalies (explained, run->history, &run->check, &rest, publish, run);
  }
  progress_clear (&run->progress);
  return explained;
}

static void leave_explaining (struct run *run, size_t index) {
  run->stage = DECIDING;
  if (budget_check (&run->budget) != BUDGET_LEFT)
    say_cut_short (run->job, run->verdicts.results[index], budget_reason (budget_check (&run->budget)));
}

// The verdict stands meanwhile: whatever ends the explanation, it is told.
static void explain_verdict (struct run *run, size_t index) {
  struct check_result *result = run->verdicts.results[index], *explained = NULL;
  if (result->verdict != VERDICT_INVALID || run->job->levels.mode != LEVELS_NAMED || !run->history)
    return;
  run->explaining = index;
  enter (run, EXPLAINING);
  if (budget_check (&run->budget) == BUDGET_LEFT)
    explained = explain_copy (run, result);
  pthread_mutex_lock (&run->lock);
  if (explained)
    replace (run, index, explained);
  leave_explaining (run, index);
  pthread_mutex_unlock (&run->lock);
}

// Files come before words, so that who reads only the first line of these loses nothing.
static bool writes_files (const struct check_job *job) {
  return job->look || job->draw;
}

static void know (struct run *run, uint32_t index, struct check_result *result) {
  pthread_mutex_lock (&run->lock);
  lattice_order_tell (run->order, index, result->verdict);
  verdicts_know (&run->verdicts, index, result);
  pthread_mutex_unlock (&run->lock);
}

static void tell (struct run *run, uint32_t index) {
  if (writes_files (run->job))
    return;
  pthread_mutex_lock (&run->lock);
  verdicts_tell (&run->verdicts, index);
  pthread_mutex_unlock (&run->lock);
}

static size_t first_invalid (const struct verdicts *v, size_t count) {
  size_t i = 0;
  while (i < count && v->results[i]->verdict != VERDICT_INVALID)
    i++;
  return i;
}

// Of all levels, once they are there: the weakest that fail are explained, and the others that fail
// do so for the same reason.
static void explain_all (struct run *run) {
  const struct level_list *list = &run->job->levels;
  const size_t count = list->levels.count, first = first_invalid (&run->verdicts, count);
  if (list->mode == LEVELS_NAMED || first == count || !run->history || budget_check (&run->budget) != BUDGET_LEFT)
    return;
  run->explaining = first;
  enter (run, EXPLAINING);
  progress_phase (&run->progress, "explain", -1);
  const struct part_limits limits = limits_of_explanation (run);
  struct check_result **copies = MEM_ARRAY (struct check_result *, count);
  for (size_t i = 0; i < count; i++)
    copies[i] = check_result_copy (run->verdicts.results[i]);
  explain_weakest (&(struct level_results){ list->levels.data, copies, count }, run->history, &run->check, &limits);
  pthread_mutex_lock (&run->lock);
  progress_clear (&run->progress);
  for (size_t i = 0; i < count; i++)
    replace (run, i, copies[i]);
  leave_explaining (run, first);
  pthread_mutex_unlock (&run->lock);
  mem_free (copies);
}

// What a verdict says about other levels: those that it settles, and the stronger level through
// which it came about.
static void spread (struct run *run, const struct check_result *found) {
  const struct level_list *list = &run->job->levels;
  for (uint32_t i = 0; i < list->levels.count; i++) {
    if (lattice_order_knows (run->order, i))
      continue;
    const uint32_t by = lattice_order_settled_by (run->order, i);
    const bool came_about = found->verdict == VERDICT_VALID && !strcmp (found->by_level, list->levels.data[i]->name);
    if (by == LATTICE_NONE && !came_about)
      continue;
    know (run, i, lattice_result (list->levels.data[i], by == LATTICE_NONE ? found : run->verdicts.results[by]));
    tell (run, i);
  }
}

// One level has its turn. NULL: no answer within it, and there may be another turn for it or for
// others.
static struct check_result *check_level (struct run *run, const struct turn *turn) {
  struct check_options *check = &run->check;
  struct budget slice;
  budget_start_slice (&slice, &run->budget, turn->seconds);
  check->budget = &slice;
  watch_turn_to (run->watch, &slice);
  struct check_result *result = run->ir ? check_ir (run->ir, check) : check_subject_judge (run->made_ready, check);
  check->budget = &run->budget;
  watch_turn_to (run->watch, &run->budget);
  progress_clear (&run->progress);
  const enum budget_state state = budget_check (&slice);
  if (result->verdict != VERDICT_UNKNOWN || state == BUDGET_LEFT || state == BUDGET_INTERRUPTED)
    return result;
  check_result_free (result);
  if (state == BUDGET_MEMORY)
    mem_give_back ();
  turns_unanswered (&run->turns, turn, state == BUDGET_TIME);
  return NULL;
}

// A stronger level that had its turn is not tried again on the way.
static bool is_stronger_first (const struct run *run, const struct level *level) {
  const struct level_list *list = &run->job->levels;
  if (run->turns.in_order)
    return false;
  for (uint32_t i = 0; level->stronger && i < list->levels.count; i++)
    if (!strcmp (list->levels.data[i]->name, level->stronger))
      return !lattice_order_knows (run->order, i) && !run->turns.had_turn[i];
  return true;
}

static void ask_level (struct run *run, const struct turn *turn) {
  run->check.level = run->job->levels.levels.data[turn->level];
  run->check.steps.stronger_first = is_stronger_first (run, run->check.level);
  struct check_result *result = check_level (run, turn);
  if (!result)
    return;
  know (run, turn->level, result);
  explain_verdict (run, turn->level);
  tell (run, turn->level);
  if (!run->turns.in_order)
    spread (run, run->verdicts.results[turn->level]);
}

// Each level that the lattice leaves open is checked. Without --no-stronger-first, that is: with
// it, each of them is by itself.
static bool check_levels (struct run *run, struct error *error) {
  const struct level_list *list = &run->job->levels;
  const uint32_t count = (uint32_t) list->levels.count;
  set_check_options (run);
  if (!make_ready (run, error))
    return false;
  run->order = lattice_order_new (list->levels.data, count, history_has_times (run->verdicts.history));
  turns_start (&run->turns, run->order, count, run->job->options->no_stronger_first);
  enum budget_state state;
  struct turn turn;
  while ((state = budget_check (&run->budget)) == BUDGET_LEFT
         && turns_next (&run->turns, budget_seconds_left (&run->budget), &turn))
    ask_level (run, &turn);
  turns_free (&run->turns);
  lattice_order_free (run->order);
  // Reading, or an earlier level, may have used up what there was; or each level by itself takes
  // more memory than there is.
  pthread_mutex_lock (&run->lock);
  progress_clear (&run->progress);
  verdicts_give_up (&run->verdicts, budget_reason (state == BUDGET_LEFT ? BUDGET_MEMORY : state));
  pthread_mutex_unlock (&run->lock);
  explain_all (run);
  return true;
}

static int bad_input (struct run *run, const struct error *error) {
  progress_clear (&run->progress);
  // A signal also makes system calls fail; that says nothing about the input.
  if (atomic_load (&interrupted)) {
    verdicts_give_up (&run->verdicts, budget_reason (BUDGET_INTERRUPTED));
    verdicts_tell_all (&run->verdicts);
    return verdicts_finish (&run->verdicts);
  }
  verdicts_bad_input (&run->verdicts, error->text);
  return fail (error);
}

static bool write_files (struct run *run, struct error *error) {
  const struct check_job *job = run->job;
  bool done = true;
  if (!writes_files (job))
    return true;
  enter (run, WRITING);
  progress_phase (&run->progress, "write", -1);
  for (size_t i = 0; done && i < job->levels.levels.count; i++) {
    const struct check_result *result = run->verdicts.results[i];
    done = (!job->look || job->look (job->look_context, result, run->verdicts.history, run->ir, error))
           && (!job->draw || job->draw (job->look_context, result, run->verdicts.history, error));
  }
  progress_clear (&run->progress);
  enter (run, DECIDING);
  return done;
}

static int finish (struct run *run, const struct error *written) {
  const struct check_job *job = run->job;
  struct error error = { 0 };
  verdicts_tell_all (&run->verdicts);
  int code = verdicts_finish (&run->verdicts);
  if (written->code)
    return exit_code_of_both (code, fail (written));
  if (job->tell && !job->tell (job->look_context, run->verdicts.results[0], &error))
    code = exit_code_of_both (code, fail (&error));
  return code;
}

static void run_start (struct run *run, const struct check_job *job, const char *path) {
  pthread_mutexattr_t recursive;
  *run = (struct run){ .job = job };
  pthread_mutexattr_init (&recursive);
  pthread_mutexattr_settype (&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&run->lock, &recursive);
  pthread_mutexattr_destroy (&recursive);
  verdicts_start (&run->verdicts, job, path);
  progress_start (&run->progress, job->options->progress, job->options->quiet);
  budget_start (&run->budget, job->options->timeout, job->options->memory, &interrupted);
  mem_set_last_words (run_out, run);
}

int check_one (const struct check_job *job, const char *path) {
  struct run run;
  struct error error = { 0 };
  run_start (&run, job, path);
  run.watch = watch_start (&run.budget, give_up, &run);
  const bool decided = read_subject (&run, path, &error) && check_levels (&run, &error);
  if (decided)
    write_files (&run, &error);
  watch_stop (run.watch);
  const int code = decided ? finish (&run, &error) : bad_input (&run, &error);
  mem_set_last_words (NULL, NULL);
  verdicts_free (&run.verdicts);
  check_subject_free (run.made_ready);
  ir_free (run.ir);
  history_free (run.history);
  history_free (run.named);
  pthread_mutex_destroy (&run.lock);
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}
