// The explanation of an invalid result: the smallest part of the history that is invalid by itself, what happened in it, why no order explains it, what that
// is called, and which levels the part breaks and keeps.

#ifndef KRAIT_EXPLAIN_PART_H
#define KRAIT_EXPLAIN_PART_H

#include "api/check.h"

struct part_limits {
  bool bounded;   // by work, so that explaining is little besides checking; else by time
  double seconds; // that may pass, 0: no limit
  uint64_t memory;
  const atomic_int *stop;
};

// The part as a history, and its own result, in whose words, cycle and cases keys are the part's. NULL both: none was found, because the limits were reached
// or a module is involved.
struct explained_part {
  struct history *history;
  struct check_result *result;
};

// Looks for the part of a history that is invalid, as `result` says, under these options. What is found replaces what the result says.
struct explained_part explain_part (struct check_result *result, const struct history *, const struct check_options *,
                                    const struct part_limits *);
void explained_part_free (struct explained_part *);

#endif
