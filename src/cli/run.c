// krait run: a workload on a real database, recorded, and checked if that is asked for.

#include "drive/drive.h"
#include "drive/password.h"
#include "drive/url.h"

#include "cli/check_one.h"
#include "cli/progress.h"
#include "cli/trace_folder.h"

#include <inttypes.h>

static bool read_options (const struct options *from, const char *url, struct drive_options *to, struct error *error) {
  *to = (struct drive_options){
    .url = url,
    .work = workload_options_of (from),
    .distribution = (enum distribution) from->distribution,
    .txns = from->txns,
    .sessions = (unsigned) from->sessions,
    .retries = (unsigned) from->retries,
    .aborts = from->abort_rate,
    .reconnect = from->reconnect,
    .seed = from->run_seed,
    .stop = &interrupted,
  };
  return (to->workload = workload_named (from->workload, error)) && (to->driver = driver_for (url, error))
         && (to->level = driver_level_find (to->driver, from->isolation, error));
}

static void tell (const struct options *options, const struct drive_summary *summary) {
  const uint64_t ended = summary->committed + summary->aborted + summary->unknown;
  fprintf (stderr,
           "%s%" PRIu64 " committed, %" PRIu64 " aborted, %" PRIu64 " unknown, %" PRIu64
           " operations; %u other transactions in progress (median); %.1f s, %.0f transactions a second\n",
           atomic_load (&interrupted) ? "interrupted: " : "", summary->committed, summary->aborted, summary->unknown,
           summary->operations, summary->median_overlap, summary->seconds,
           summary->seconds > 0 ? (double) ended / summary->seconds : 0);
  if (summary->reconnects)
    fprintf (stderr, "%" PRIu64 " connections were lost and made again\n", summary->reconnects);
  // Those that their clients gave up were asked for.
  if ((double) summary->aborted > (double) ended * (1 + options->abort_rate) / 2)
    fprintf (stderr,
             "krait: warning: %" PRIu64 " of %" PRIu64 " transactions were aborted: the history says little about the "
             "database (fewer --sessions, more --keys or a weaker --isolation would help)\n",
             summary->aborted, ended);
}

struct watch {
  struct progress progress;
  const char *folder;
  bool quiet, has_told;
};

// Sessions that wait for a lock or a server that does not answer stop when they are done with that.
static void watch (void *of, double fraction) {
  struct watch *watch = of;
  progress_phase (&watch->progress, "run", fraction);
  if (!atomic_load (&interrupted) || watch->has_told || watch->quiet)
    return;
  watch->has_told = true;
  progress_clear (&watch->progress);
  fprintf (stderr,
           "krait: interrupted; transactions in progress are rolled back. Again to stop at once: the recording is "
           "in %s\n",
           watch->folder);
}

// What was recorded is written whatever ended the run.
static bool run (const struct options *options, struct drive_options *what, struct trace_folder *folder,
                 struct error *error) {
  struct watch watching = { .folder = folder->path, .quiet = options->no_summary };
  struct drive_summary summary;
  progress_start (&watching.progress, options->progress, options->no_summary);
  what->progress = watch;
  what->progress_context = &watching;
  what->folder = folder->path;
  const bool begun = drive (what, &summary, error);
  progress_clear (&watching.progress);
  if (!begun) {
    trace_folder_discard (folder, summary.traced);
    return false;
  }
  struct error in_writing = { 0 };
  if (!trace_folder_finish (folder, &in_writing) && !error->code)
    *error = in_writing;
  if (!options->no_summary)
    tell (options, &summary);
  return !error->code;
}

static int check (const struct options *asked, const char *path) {
  struct options options[] = { *asked };
  options->quiet = asked->no_summary;
  struct check_job job = { .options = options, .output = asked->run_json ? REPORT_JSON : REPORT_TEXT };
  struct error error = { 0 };
  const int code = level_list_parse (&job.levels, options->check, &error) ? check_one (&job, path) : fail (&error);
  VEC_FREE (job.levels.levels);
  return code;
}

static bool may_check (const struct options *options, struct error *error) {
  struct level_list wanted = { 0 };
  const bool fine = level_list_parse (&wanted, options->check, error)
                    && (strcmp (options->arguments[0], "-")
                        || error_set (error, "run: --check needs an OUT that can be read again, not standard output"));
  VEC_FREE (wanted.levels);
  return fine;
}

static bool may_take_password (const struct options *options, const struct drive_options *what, struct error *error) {
  return !options->password_file || what->driver->takes_password
         || error_set (error, "--password-file: %s takes no password", what->driver->name);
}

// With everything read; what is wrong with it is in the error.
static int run_as_asked (const struct options *options, struct drive_options *what, struct error *error) {
  const char *out = options->arguments[0];
  const struct format *to = options->to                           ? target_format (options->to, error)
                            : is_named_after (out, &format_trace) ? &format_trace
                                                                  : target_format_of_path (out);
  struct trace_folder folder;
  if (!to || !history_may_write (out, to, options->force, error)
      || !trace_folder_open (&folder, out, to, options->force, error))
    return error->code;
  const bool done = run (options, what, &folder, error);
  mem_free (folder.path);
  if (!done && error->code)
    return error->code;
  if (atomic_load (&interrupted))
    return EXIT_INTERRUPTED;
  return options->check ? check (options, out) : EXIT_VALID;
}

// Whatever a client library says, the password is not told.
static int fail_without_password (struct error *error, const struct drive_options *what) {
  if (what->driver && what->driver->takes_password)
    url_hide (what->url, error->text);
  if (what->password)
    secret_hide (what->password, error->text);
  return fail (error);
}

static int run_on (const struct options *options, const char *url) {
  struct error error = { 0 };
  struct drive_options what;
  char password[PASSWORD_SIZE];
  int code = 0;
  if (read_options (options, url, &what, &error) && (!options->check || may_check (options, &error))
      && may_take_password (options, &what, &error) && password_read (options->password_file, password, &error)) {
    what.password = *password ? password : NULL;
    code = run_as_asked (options, &what, &error);
  }
  return error.code ? fail_without_password (&error, &what) : code;
}

int command_run (const struct options *options) {
  if (!options->db)
    return usage_error ("run: --db=URL is missing (krait run --help lists the databases)");
  if (!options->workload)
    return usage_error ("run: --workload=W is missing (krait generate --help lists them)");
  if (!options->isolation)
    return usage_error ("run: --isolation=LEVEL is missing (krait run --help lists those of each database)");
  if (options->argument_count != 1)
    return usage_error ("run: expected one argument, OUT, found %d", options->argument_count);
  if (!*options->arguments[0])
    return usage_error ("run: expected the name of a file, a folder or - for OUT, found an empty one");
  if (!options->check && (options->run_json || options->dialect))
    return usage_error ("run: --%s is for the check; --check=LEVEL is missing", options->run_json ? "json" : "dialect");
  char *url = mem_strdup (options->db);
  url_blot ((char *) options->db); // an argument of main, which is ours to change
  const int code = run_on (options, url);
  mem_free (url);
  return code;
}
