// krait check: which histories, which levels, and one exit code for all.

#include "base/folder.h"
#include "base/sort.h"
#include "cli/check_one.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// --------------------------------------------------------------------------------- which histories

typedef VEC (char *) path_vec;

static int by_name (const void *a, const void *b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static bool is_folder (const char *path) {
  struct stat status;
  return !stat (path, &status) && S_ISDIR (status.st_mode);
}

static bool list_folder (path_vec *entries, const char *folder, struct error *error) {
  DIR *open = folder_open (folder);
  if (!open)
    return error_set (error, "%.400s: cannot open: %s", folder, strerror (errno));
  for (const struct dirent *entry; (entry = readdir (open));) {
    if (entry->d_name[0] == '.')
      continue;
    const bool slash = folder[0] && folder[strlen (folder) - 1] == '/';
    VEC_PUSH (*entries, mem_format ("%s%s%s", folder, slash ? "" : "/", entry->d_name));
  }
  closedir (open);
  VEC_SORT (*entries, by_name);
  return true;
}

// The folders that lead to the one that is being read: a link to one of them leads nowhere new.
struct way {
  const struct way *from;
  dev_t device;
  ino_t number;
  unsigned depth;
};

static bool is_on_the_way (const struct way *way, const struct stat *status) {
  for (; way; way = way->from)
    if (way->device == status->st_dev && way->number == status->st_ino)
      return true;
  return false;
}

static bool add_below (path_vec *paths, const char *folder, const struct way *from, struct error *error) {
  struct stat status;
  if (stat (folder, &status))
    return error_set (error, "%.400s: cannot open: %s", folder, strerror (errno));
  if (is_on_the_way (from, &status))
    return true;
  const struct way way = { from, status.st_dev, status.st_ino, from ? from->depth + 1 : 0 };
  if (way.depth > 64)
    return error_set (error, "%.400s: too many folders within folders", folder);
  path_vec entries = { 0 };
  bool fine = list_folder (&entries, folder, error);
  for (size_t i = 0; fine && i < entries.count; i++)
    if (is_folder (entries.data[i]) && !format_of_folder (entries.data[i]))
      fine = add_below (paths, entries.data[i], &way, error);
    else
      VEC_PUSH (*paths, mem_strdup (entries.data[i]));
  VEC_FREE_EACH (entries, mem_free);
  return fine;
}

// Every file below the folder in order of name. A folder that is itself a history counts as one;
// names that begin with a dot are left out.
static bool paths_add_batch (path_vec *paths, const char *folder, struct error *error) {
  const size_t before = paths->count;
  if (!add_below (paths, folder, NULL, error))
    return false;
  return paths->count > before || error_set (error, "%.400s: no history in this folder", folder);
}

static bool gather (const struct options *options, path_vec *paths, struct error *error) {
  for (int i = 0; i < options->argument_count; i++)
    VEC_PUSH (*paths, mem_strdup (options->arguments[i]));
  if (options->batch && !paths_add_batch (paths, options->batch, error))
    return false;
  return paths->count || error_set (error, "check: a history is missing: krait check --level=LEVEL HISTORY...");
}

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
    char label[KIR_LABEL_SIZE];
    const struct level *level = is_kir_file (path, label) ? level_find (label) : NULL;
    if (!level)
      return usage_error ("check: --level=LEVEL is missing (krait levels lists them)");
    VEC_PUSH (own.levels.levels, level);
  }
  const int code = apart ? check_apart (&own, path) : check_one (&own, path);
  if (!job->options->level)
    VEC_FREE (own.levels.levels);
  return code;
}

static int check_all (const struct check_job *job, const path_vec *paths) {
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

static bool prepare (struct check_job *job, const struct options *options, struct error *error) {
  if (options->json && options->output_given && options->output != REPORT_JSON)
    return error_set (error, "check: --json and --output ask for two different things");
  job->output = options->json ? REPORT_JSON : (enum report_output) options->output;
  if (!modules_load (&job->modules, options, error)
      || (options->level && !level_list_parse (&job->levels, options->level, error)))
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
  path_vec paths = { 0 };
  struct error error = { 0 };
  const bool fine = prepare (&job, options, &error) && gather (options, &paths, &error)
                    && certificate_may_be_written (&job, paths.count, &error)
                    && init_option_read (&job.init, options->init, &error);
  const int code = fine ? check_all (&job, &paths) : fail (&error);
  init_option_free (&job.init);
  VEC_FREE_EACH (paths, mem_free);
  VEC_FREE (job.levels.levels);
  modules_free (&job.modules);
  return code;
}
