// The verdicts on one history, level by level, on their way to standard output.

#ifndef KRAIT_CLI_VERDICTS_H
#define KRAIT_CLI_VERDICTS_H

#include "cli/check_one.h"

struct verdicts {
  const struct check_job *job;
  const char *name;
  const struct history *history; // once it is read
  double parse_seconds;
  struct check_result **results; // owned; one per level of the job, NULL until it is there
  size_t printed;                // results that need not be printed any more
};

void verdicts_start (struct verdicts *, const struct check_job *, const char *name);
void verdicts_free (struct verdicts *);

// The result for a level, by its index in the job. Printed as soon as those before it are, where the form of output allows it.
void verdicts_add (struct verdicts *, size_t index, struct check_result *);

// `unknown` for all levels that have no result.
void verdicts_give_up (struct verdicts *, const char *reason);

void verdicts_bad_input (struct verdicts *, const char *message);

// What comes after the last level. Returns the exit code.
int verdicts_finish (struct verdicts *);

#endif
