// krait explain: the verdict on one history at one level, and, where it is invalid, the smallest
// part that is so by itself, and pictures of it.

#include "base/output.h"
#include "cli/check_one.h"
#include "explain/picture.h"
#include "explain/violation.h"
#include "levels/levels.h"

struct picture_file {
  const char *path; // NULL: not wanted
  void (*write) (const struct picture *, struct output *);
};

enum { FILES = 3 };

struct pictures {
  const struct options *options;
  struct picture_file files[FILES];
  bool silent; // something else goes to standard output
};

static bool write_file (const struct picture_file *file, const struct picture *picture, bool force,
                        struct error *error) {
  struct output *output = output_open (file->path, force, error);
  if (!output)
    return false;
  file->write (picture, output);
  return output_commit (output, error);
}

static bool nothing_to_draw (const struct pictures *pictures, const char *why) {
  if (!pictures->options->quiet)
    for (size_t i = 0; i < FILES; i++)
      if (pictures->files[i].path)
        warn_about (pictures->files[i].path, why, strlen (why));
  return true;
}

static bool draw_files (const struct pictures *pictures, const struct picture *picture, struct error *error) {
  if (!picture)
    return nothing_to_draw (pictures, "not written: no transaction is named in the reason");
  bool done = true;
  for (size_t i = 0; i < FILES && done; i++)
    if (pictures->files[i].path)
      done = write_file (&pictures->files[i], picture, pictures->options->force, error);
  return done;
}

static const char no_part[] = "none was found within the limits that is invalid by itself";

static bool write_part (const struct options *options, const struct history *part, struct error *error) {
  char text[200];
  if (!options->core)
    return true;
  if (part)
    return history_write (part, options->core, target_format_of_path (options->core), options->force, error);
  snprintf (text, sizeof text, "not written: %s", no_part);
  if (!options->quiet)
    warn_about (options->core, text, strlen (text));
  return true;
}

static bool draw (void *context, const struct check_result *result, const struct history *history,
                  struct error *error) {
  const struct pictures *pictures = context;
  if (result->verdict != VERDICT_INVALID)
    return nothing_to_draw (pictures, result->verdict == VERDICT_VALID ? "not written: the history is valid"
                                                                       : "not written: the verdict is unknown");
  if (!write_part (pictures->options, result->violation->part, error))
    return false;
  struct picture *picture =
    picture_of_violation (result->violation, result->level, history, pictures->options->arguments[0]);
  const bool done = draw_files (pictures, picture, error);
  picture_free (picture);
  return done;
}

// The part as text, for whoever wants to check it alone.
static bool tell (void *context, const struct check_result *result, struct error *error) {
  const struct pictures *pictures = context;
  const struct history *part = result->violation ? result->violation->part : NULL;
  if (result->verdict != VERDICT_INVALID || pictures->options->json || pictures->options->quiet || pictures->silent)
    return true;
  if (!part)
    printf ("\nThere is no smaller part to show: %s.\n", no_part);
  else
    printf ("\nThis part as a history of its own:\n\n");
  fflush (stdout);
  return !part || history_write (part, "-", &format_kht, true, error);
}

// Before the check, which may take long.
static bool files_may_be_written (struct pictures *pictures, struct error *error) {
  unsigned to_stdout = 0;
  for (size_t i = 0; i < FILES; i++) {
    const char *path = pictures->files[i].path;
    if (!path)
      continue;
    if (!output_may_open (path, pictures->options->force, error))
      return false;
    to_stdout += !strcmp (path, "-");
    for (size_t k = 0; k < i; k++)
      if (pictures->files[k].path && strcmp (path, "-") && !strcmp (path, pictures->files[k].path))
        return error_set (error, "%s: two pictures cannot go into one file", path);
  }
  pictures->silent = to_stdout;
  if (to_stdout && pictures->options->json)
    return error_set (error, "explain: --json and a picture cannot both go to standard output");
  return to_stdout < 2 || error_set (error, "explain: only one picture can go to standard output");
}

int command_explain (const struct options *options) {
  struct pictures pictures = {
    options,
    { { options->dot, picture_write_dot }, { options->svg, picture_write_svg }, { options->html, picture_write_html } },
    false
  };
  struct check_job job = { .options = options,
                           .output = options->json ? REPORT_JSON : REPORT_TEXT,
                           .draw = draw,
                           .tell = tell,
                           .look_context = &pictures };
  struct error error = { 0 };
  if (!options->level)
    return usage_error ("explain: --level=LEVEL is missing (krait levels lists them)");
  if (options->argument_count != 1)
    return usage_error ("explain: expected one history, found %d", options->argument_count);
  const struct level *level = level_named (options->level, &error);
  if (level && options->core
      && !history_may_write (options->core, target_format_of_path (options->core), options->force, &error))
    return fail (&error);
  if (!level || !files_may_be_written (&pictures, &error) || !init_option_read (&job.init, options->init, &error))
    return fail (&error);
  VEC_PUSH (job.levels.levels, level);
  job.silent = pictures.silent |= options->core && !strcmp (options->core, "-");
  const int code = check_one (&job, options->arguments[0]);
  init_option_free (&job.init);
  VEC_FREE (job.levels.levels);
  return code;
}
