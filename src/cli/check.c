// krait check: which histories, which levels, and one exit code for all.

#include "cli/certificate.h"
#include "cli/check_one.h"
#include "cli/gather.h"
#include "cli/kir_file.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------- many histories

static int wait_for_child (pid_t child, const char *path) {
  int status;
  bool forwarded = false;
  while (waitpid (child, &status, 0) < 0) {
    if (errno != EINTR)
      return usage_error ("%.400s: cannot wait for its check: %s", path, strerror (errno));
    // From a terminal the child got the signal too; not so when someone signalled this process
    // alone.
    if (atomic_load (&interrupted) && !forwarded)
      kill (child, SIGINT);
    forwarded = true;
  }
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  usage_error ("%.400s: its check ended by signal %d", path, WTERMSIG (status));
  return EXIT_INTERNAL;
}

// Each of many histories is checked in a process of its own: a limit that one of them hits, memory
// that it took or an error in Krait itself do not touch the others.
static int check_apart (const struct check_job *job, const char *path) {
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0) {
    const int code = flush_results (check_one (job, path));
    _exit (code);
  }
  return child > 0 ? wait_for_child (child, path) : check_one (job, path);
}

// Without --level, a .kir file says for which level it is.
static int check_path (const struct check_job *job, const char *path, bool apart) {
  struct check_job own = *job;
  if (!job->options->level) {
    own.levels = (struct level_list){ .mode = LEVELS_NAMED };
    const struct level *level = kir_file_level (path);
    if (!level)
      return usage_error ("check: --level=LEVEL is missing (krait levels lists them)");
    VEC_PUSH (own.levels.levels, level);
  }
  const int code = apart ? check_apart (&own, path) : check_one (&own, path);
  if (!job->options->level)
    level_list_free (&own.levels);
  return code;
}

static int check_all (const struct check_job *job, const struct paths *paths) {
  int code = EXIT_VALID;
  if (job->output == REPORT_JUNIT)
    printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"krait\">\n");
  for (size_t i = 0; i < paths->count && !atomic_load (&interrupted); i++) {
    const int one = check_path (job, paths->data[i], paths->count > 1);
    code = exit_code_of_both (code, one);
    if (one == EXIT_INTERRUPTED)
      break;
  }
  if (job->output == REPORT_JUNIT)
    printf ("</testsuites>\n");
  return atomic_load (&interrupted) ? EXIT_INTERRUPTED : code;
}

// ----------------------------------------------------------------------------------------- command

static bool gather (const struct options *options, struct paths *paths, struct error *error) {
  for (int i = 0; i < options->argument_count; i++)
    paths_add (paths, options->arguments[i]);
  if (options->batch && !paths_add_batch (paths, options->batch, error))
    return false;
  return paths->count || error_set (error, "check: a history is missing: krait check --level=LEVEL HISTORY...");
}

static bool prepare (struct check_job *job, const struct options *options, struct error *error) {
  if (options->json && options->output_given && options->output != REPORT_JSON)
    return error_set (error, "check: --json and --output ask for two different things");
  job->output = options->json ? REPORT_JSON : (enum report_output) options->output;
  for (size_t i = 0; i < options->module.count; i++) {
    const struct module *module = module_load (options->module.data[i], error);
    if (!module)
      return false;
    VEC_PUSH (job->modules, module);
  }
  if (options->level && !level_list_parse (&job->levels, options->level, error))
    return false;
  return !options->anomalies || job->levels.mode == LEVELS_NAMED
         || error_set (error, "check: --anomalies=all goes with levels by their names, not with --level=%s",
                       options->level);
}

int command_check (const struct options *options) {
  struct check_job job = { .options = options };
  if (options->certificate) {
    job.look = certificate_look;
    job.look_context = &job;
  }
  struct paths paths = { 0 };
  struct error error = { 0 };
  const bool fine = prepare (&job, options, &error) && gather (options, &paths, &error)
                    && certificate_may_be_written (&job, paths.count, &error)
                    && init_option_read (&job.init, options->init, &error);
  const int code = fine ? check_all (&job, &paths) : fail (&error);
  init_option_free (&job.init);
  paths_free (&paths);
  level_list_free (&job.levels);
  for (size_t i = 0; i < job.modules.count; i++)
    module_free ((struct module *) job.modules.data[i]);
  VEC_FREE (job.modules);
  return code;
}
