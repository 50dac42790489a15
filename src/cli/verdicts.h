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
  // per result: nothing about it is to be printed any more, but by verdicts_finish
  bool *told;
  size_t printed; // the first so many results
};

void verdicts_start (struct verdicts *, const struct check_job *, const char *name);
void verdicts_free (struct verdicts *);

// The result for a level, by its index in the job, in the place of the one that was known before.
void verdicts_know (struct verdicts *, size_t index, struct check_result *);

// Its warnings are printed, and it is as soon as those before it are, where the form of output
// allows it.
void verdicts_tell (struct verdicts *, size_t index);
void verdicts_tell_all (struct verdicts *); // that were not told yet

// `unknown` for all levels that have no result.
void verdicts_give_up (struct verdicts *, const char *reason);

void verdicts_bad_input (struct verdicts *, const char *message);

// What comes after the last level. Returns the exit code.
int verdicts_finish (struct verdicts *);

#endif
