// The explanation of an invalid result: the smallest part of the history that is invalid by itself, what happened in it, why no order explains it, what that
// is called, and which levels the part breaks and keeps.

#ifndef KRAIT_EXPLAIN_PART_H
#define KRAIT_EXPLAIN_PART_H

#include "api/check.h"

struct part_limits {
  bool bounded;    // by work, so that explaining is little besides checking; else by time
  double deadline; // of clock_seconds (), which may have passed; 0: none
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
// Inside of explanations. How a part is checked by itself; what is wrong with a part that has no result yet, without a look at other levels; what a part says,
// in terms of the whole.
struct check_options options_of_part (const struct check_result *whole, const struct check_options *);
void explain_core (struct explained_part *, const struct history *whole, const struct check_options *);
void tell_of_whole (struct check_result *, const struct history *whole, const struct explained_part *);

void explained_part_free (struct explained_part *);

#endif
