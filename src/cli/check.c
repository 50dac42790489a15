// krait check: which histories, which levels, and one exit code for all.

#include "base/input.h"
#include "cli/check_one.h"
#include "cli/gather.h"
#include "formats/formats.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ------------------------------------------------------------------------------------------------------------------ --init

static bool is_number (const char *text) {
  text += *text == '-';
  return *text && strspn (text, "0123456789") == strlen (text);
}

static const char *init_file (const char *text) {
  struct stat status;
  if (text[0] == '@')
    return text + 1;
  if (!strcmp (text, "absent") || !strcmp (text, "any") || is_number (text))
    return NULL;
  return !stat (text, &status) && S_ISREG (status.st_mode) ? text : NULL;
}

// Only the first line is read: the rest may be a large history.
static struct history *read_header (const char *path, struct error *error) {
  struct input *input = input_open (path, error);
  if (!input)
    return NULL;
  const char *line;
  size_t length;
  struct history *h = NULL;
  if (input_line (input, &line, &length, error))
    h = history_read_memory (path, line, length, format_find ("jsonl"), error);
  else
    error_set (error, "%.400s: an empty file has no initial state", path);
  input_close (input);
  if (h && history_txns (h)) {
    error_set (error, "%.400s:1: expected a header with the initial state, found a transaction", path);
    history_free (h);
    h = NULL;
  }
  return h;
}

// ------------------------------------------------------------------------------------------------------------ many histories

static int wait_for_child (pid_t child, const char *path) {
  int status;
  bool forwarded = false;
  while (waitpid (child, &status, 0) < 0) {
    if (errno != EINTR)
      return usage_error ("%.400s: cannot wait for its check: %s", path, strerror (errno));
    // From a terminal the child got the signal too; not so when someone signalled this process alone.
    if (atomic_load (&interrupted) && !forwarded)
      kill (child, SIGINT);
    forwarded = true;
  }
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  usage_error ("%.400s: its check ended by signal %d", path, WTERMSIG (status));
  return EXIT_INTERNAL;
}

// Each of many histories is checked in a process of its own: a limit that one of them hits, memory that it took or an error in Krait
// itself do not touch the others.
static int check_apart (const struct check_job *job, const char *path) {
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0) {
    const int code = flush_results (check_one (job, path));
    _exit (code);
  }
  return child > 0 ? wait_for_child (child, path) : check_one (job, path);
}

static int check_all (const struct check_job *job, const struct paths *paths) {
  int code = EXIT_VALID;
  if (job->output == REPORT_JUNIT)
    printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"krait\">\n");
  for (size_t i = 0; i < paths->count && !atomic_load (&interrupted); i++) {
    const int one = paths->count > 1 ? check_apart (job, paths->data[i]) : check_one (job, paths->data[i]);
    code = exit_code_of_both (code, one);
    if (one == EXIT_INTERRUPTED)
      break;
  }
  if (job->output == REPORT_JUNIT)
    printf ("</testsuites>\n");
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}

// ------------------------------------------------------------------------------------------------------------------- command

static bool gather (const struct options *options, struct paths *paths, struct error *error) {
  for (int i = 0; i < options->argument_count; i++)
    paths_add (paths, options->arguments[i]);
  if (options->batch && !paths_add_batch (paths, options->batch, error))
    return false;
  return paths->count || error_set (error, "check: a history is missing: krait check --level=LEVEL HISTORY...");
}

static bool prepare (struct check_job *job, const struct options *options, struct error *error) {
  if (!options->level)
    return error_set (error, "check: --level=LEVEL is missing (krait levels lists them)");
  if (options->json && options->output_given && options->output != REPORT_JSON)
    return error_set (error, "check: --json and --output ask for two different things");
  job->output = options->json ? REPORT_JSON : (enum report_output) options->output;
  return level_list_parse (&job->levels, options->level, error);
}

int command_check (const struct options *options) {
  struct check_job job = { .options = options };
  struct paths paths = { 0 };
  struct error error = { 0 };
  struct history *init = NULL;
  int code;
  const char *file = options->init ? init_file (options->init) : NULL;
  if (prepare (&job, options, &error) && gather (options, &paths, &error)
      && (!file || (init = read_header (file, &error)))) {
    job.init = init;
    code = check_all (&job, &paths);
  } else
    code = fail (&error);
  history_free (init);
  paths_free (&paths);
  level_list_free (&job.levels);
  return code;
}
