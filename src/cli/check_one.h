// One history, read and judged at the levels asked for.

#ifndef KRAIT_CLI_CHECK_ONE_H
#define KRAIT_CLI_CHECK_ONE_H

#include "api/report.h"
#include "cli/cli.h"
#include "cli/level_list.h"
#include "cli/named.h"
#include "cli/subject_files.h"

struct check_job {
  const struct options *options;
  struct level_list levels;
  struct init_option init;
  enum report_output output;
  module_vec modules;
  bool silent; // no verdict on standard output, which something else needs

  // The files to be made of a result, or NULL; before the verdict is printed, and before it and the
  // history are freed. False after setting the error. The IR is NULL unless a .kir file was
  // checked.
  bool (*look) (void *context, const struct check_result *, const struct history *, const struct ir *, struct error *);
  void *look_context;
  // The same, and the search for the part of the history that explains may then take time.
  bool (*draw) (void *context, const struct check_result *, const struct history *, struct error *);
  // What follows the verdict on standard output; with `draw`.
  bool (*tell) (void *context, const struct check_result *, struct error *);
};

// Prints the verdicts, and returns the exit code for this history.
int check_one (const struct check_job *, const char *path);

// The file of --certificate: nothing is asked for that a certificate cannot be made of, and it may
// be written.
bool certificate_may_be_written (const struct check_job *, size_t histories, struct error *);

// For check_job.look; the context is the job.
bool certificate_look (void *context, const struct check_result *, const struct history *, const struct ir *,
                       struct error *);

#endif
