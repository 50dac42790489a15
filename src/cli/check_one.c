// Limits hold for one history as a whole: reading it, and judging it at every level. Readers do not ask their budget, so a watch (base/watch.h)
// looks after it while one reads; as a last resort it says `unknown` for whatever is not decided yet and ends the process.

#include "cli/check_one.h"

#include "base/watch.h"
#include "cli/progress.h"
#include "cli/verdicts.h"

#include <string.h>
#include <unistd.h>

struct run {
  const struct check_job *job;
  struct budget budget;
  struct progress progress;
  struct verdicts verdicts;
};

// In the watch's thread. The main thread is busy, and will never print again.
static void give_up (void *context, enum budget_state state) {
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

static struct history *read_history (struct run *run, const char *path, struct error *error) {
  const double start = clock_seconds ();
  progress_phase (&run->progress, "read", -1);
  struct watch *watch = watch_start (&run->budget, give_up, run);
  struct history *h = history_read (path, run->job->options->format, error);
  watch_stop (watch);
  run->verdicts.parse_seconds = clock_seconds () - start;
  return h;
}

static void set_check_options (struct check_options *check, struct run *run) {
  const struct options *options = run->job->options;
  check_options_default (check);
  check->own_writes = (enum own_writes) options->own_writes;
  check->clock_skew = (int64_t) options->clock_skew;
  check->threads = (unsigned) options->threads;
  check->seed = options->seed;
  check->steps.stronger_first = !options->no_stronger_first;
  check->steps.saturation = !options->no_saturation;
  check->steps.guess = !options->no_guess;
  check->steps.components = !options->no_components;
  check->steps.priority = !options->no_priority;
  check->steps.static_lemmas = !options->no_static_lemmas;
  check->budget = &run->budget;
  check->progress = progress_phase;
  check->progress_context = &run->progress;
}

static void check_levels (struct run *run, const struct history *h) {
  struct check_options check;
  set_check_options (&check, run);
  for (size_t i = 0; i < run->job->levels.levels.count && budget_check (&run->budget) == BUDGET_LEFT; i++) {
    check.level = run->job->levels.levels.data[i];
    struct watch *watch = watch_start (&run->budget, give_up, run);
    struct check_result *result = check_history (h, &check);
    watch_stop (watch);
    progress_clear (&run->progress);
    verdicts_add (&run->verdicts, result);
  }
  // Reading, or an earlier level, may have used up what there was.
  progress_clear (&run->progress);
  verdicts_give_up (&run->verdicts, budget_reason (budget_check (&run->budget)));
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

int check_one (const struct check_job *job, const char *path) {
  struct run run = { .job = job };
  struct error error = { 0 };
  verdicts_start (&run.verdicts, job, path);
  progress_start (&run.progress, job->options->progress, job->options->quiet);
  budget_start (&run.budget, job->options->timeout, job->options->memory, &interrupted);
  mem_set_last_words (run_out, &run);
  int code;
  struct history *h = read_history (&run, path, &error);
  if (h && init_option_apply (&job->init, h, &error)) {
    run.verdicts.history = h;
    run.progress.transactions = history_txns (h);
    check_levels (&run, h);
    code = verdicts_finish (&run.verdicts);
  } else
    code = bad_input (&run, &error);
  mem_set_last_words (NULL, NULL);
  verdicts_free (&run.verdicts);
  history_free (h);
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}
