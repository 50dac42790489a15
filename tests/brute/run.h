// What the random test programs have in common: arguments, and how a failure is told.

#ifndef KRAIT_BRUTE_RUN_H
#define KRAIT_BRUTE_RUN_H

#include "api/check.h"
#include "brute.h"
#include "history/history.h"
#include "random_history.h"
#include "shrink.h"

#include <stdbool.h>
#include <stdint.h>

struct run {
  uint64_t first, count, seed; // histories first .. first + count - 1
  bool single;                 // --only: say everything about the one history
  const char *levels;          // --levels, or NULL
  const char *own_writes;      // --own-writes, or NULL
  bool self, ablation, encodings;
  const char *show_pair;         // --show=A,B, or NULL
  struct random_mixture mixture; // --ops=basic, all or lists; --unknown=often; --incomplete
};

// Arguments --count=N, --seed=S, --only=INDEX and the switches of `struct run`. KRAIT_TEST_LONG
// chooses the default count, and --ablation. Ends the program after a wrong argument.
struct run run_arguments (int argc, char **argv, uint64_t count, uint64_t long_count);

const char *run_own_writes_name (enum brute_own_writes);

// Index, options and text of a history, to standard error.
void run_tell (const struct run *, uint64_t index, const struct brute_options *, const struct history *);

// Shrinks a failing history, tells it, and the first time writes it to differential-failure.kht.
void run_report (const struct run *, uint64_t index, const struct brute_options *, const struct history *, shrink_fails,
                 void *context);

// How the checker is asked, for what the brute force is asked.
struct check_options run_check_options (const struct brute_options *, const struct level *);

// Every history of the run, with operations of all kinds in turn unless the arguments name one, at
// every level, or the one of --levels.
typedef void run_look (void *context, uint64_t index, const struct history *, const struct brute_options *,
                       const struct level *);
void run_at_every_level (const struct run *, run_look *, void *context);

// How often something happens that should be rare, at most in this share of all cases. Cases of one
// history are much alike: what counts as chance is found out from how histories differ. Too often:
// the share is exceeded by more than three standard deviations, so that few histories prove little,
// and a run of any length and seed fails by chance once in a thousand.
struct run_share {
  double most;
  uint64_t history, hits, cases; // at hand
  uint64_t all_hits, all_cases;
  double excess, squares;
};
void run_share_count (struct run_share *, uint64_t history, bool hit);
bool run_share_is_too_large (struct run_share *);

// The last line that tests/run adds up; the exit status.
int run_end (uint64_t passed, uint64_t failed, uint64_t skipped);

#endif
