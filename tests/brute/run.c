#include "run.h"

#include "levels/levels.h"

#include "tests/support/effort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number_argument (const char *argument, const char *name, uint64_t *number) {
  const size_t length = strlen (name);
  if (strncmp (argument, name, length) || argument[length] < '0' || argument[length] > '9')
    return false;
  char *end;
  *number = strtoull (argument + length, &end, 10);
  return !*end;
}

static bool text_argument (const char *argument, const char *name, const char **text) {
  const size_t length = strlen (name);
  if (strncmp (argument, name, length))
    return false;
  *text = argument + length;
  return true;
}

static bool ops_argument (const char *argument, enum random_ops *ops) {
  static const char *const names[] = { "--ops=basic", "--ops=all", "--ops=lists" };
  for (int i = RANDOM_BASIC; i <= RANDOM_LISTS; i++)
    if (!strcmp (argument, names[i])) {
      *ops = (enum random_ops) i;
      return true;
    }
  return false;
}

struct run run_arguments (int argc, char **argv, uint64_t count, uint64_t long_count) {
  const bool is_long = effort_is_long ();
  struct run run = { .count = is_long                  ? long_count
                              : effort_is_sanitized () ? count / 3
                                                       : count,
                     .seed = 1,
                     .ablation = is_long };
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (number_argument (argument, "--only=", &run.first)) {
      run.single = true;
      run.count = 1;
    } else if (!strcmp (argument, "--self"))
      run.self = true;
    else if (!strcmp (argument, "--ablation"))
      run.ablation = true;
    else if (!strcmp (argument, "--encodings"))
      run.encodings = true;
    else if (!strcmp (argument, "--unknown=often"))
      run.mixture.often_unknown = true;
    else if (!strcmp (argument, "--incomplete"))
      run.mixture.incomplete = true;
    else if (!ops_argument (argument, &run.mixture.ops) && !number_argument (argument, "--count=", &run.count)
             && !number_argument (argument, "--seed=", &run.seed) && !text_argument (argument, "--levels=", &run.levels)
             && !text_argument (argument, "--own-writes=", &run.own_writes)
             && !text_argument (argument, "--show=", &run.show_pair)) {
      fprintf (stderr, "%s: what is %s?\n", argv[0], argument);
      exit (2);
    }
  }
  return run;
}

const char *run_own_writes_name (enum brute_own_writes policy) {
  static const char *const names[] = { "must", "external", "may", "infer" };
  return names[policy];
}

void run_tell (const struct run *run, uint64_t index, const struct brute_options *options, const struct history *h) {
  fprintf (stderr, "seed %" PRIu64 ", history %" PRIu64 ", own writes %s, clock skew %" PRId64 ":\n", run->seed, index,
           run_own_writes_name (options->own_writes), options->clock_skew);
  shrink_print (stderr, h);
}

void run_report (const struct run *run, uint64_t index, const struct brute_options *options, const struct history *h,
                 shrink_fails fails, void *context) {
  static bool saved;
  struct history *smallest = shrink (h, fails, context);
  run_tell (run, index, options, smallest);
  if (!saved)
    shrink_save ("differential-failure.kht", smallest);
  saved = true;
  history_free (smallest);
}

struct check_options run_check_options (const struct brute_options *brute, const struct level *level) {
  static const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.own_writes = policies[brute->own_writes];
  options.clock_skew = brute->clock_skew;
  options.threads = 1;
  return options;
}

void run_at_every_level (const struct run *run, run_look *look, void *context) {
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  for (uint64_t index = run->first; index < run->first + run->count; index++) {
    struct random_mixture mixture = run->mixture;
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[index % 4];
    struct brute_options brute;
    struct history *h = random_history_of (run->seed, index, &mixture, &brute);
    for (const struct level *const *level = all_levels (); *level; level++)
      if (!run->levels || !strcmp (run->levels, (*level)->name))
        look (context, index, h, &brute, *level);
    history_free (h);
  }
}

static void close_history (struct run_share *share) {
  const double excess = (double) share->hits - share->most * (double) share->cases;
  share->excess += excess;
  share->squares += excess * excess;
  share->all_hits += share->hits;
  share->all_cases += share->cases;
  share->hits = share->cases = 0;
}

void run_share_count (struct run_share *share, uint64_t history, bool hit) {
  if (history != share->history)
    close_history (share);
  share->history = history;
  share->cases++;
  share->hits += hit;
}

bool run_share_is_too_large (struct run_share *share) {
  enum { DEVIATIONS = 3 };
  close_history (share);
  return share->excess > 0 && share->excess * share->excess > DEVIATIONS * DEVIATIONS * share->squares;
}

int run_end (uint64_t passed, uint64_t failed, uint64_t skipped) {
  printf ("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", passed, failed, skipped);
  return failed ? 1 : 0;
}
