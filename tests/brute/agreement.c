#include "agreement.h"

#include "random_history.h"

#include <inttypes.h>
#include <stdio.h>

struct comparison {
  const struct brute_options *options;
  unsigned level; // of brute_replay
};

static bool differs (const struct history *h, void *context) {
  const struct comparison *comparison = context;
  struct brute_verdicts judged;
  enum brute_verdict replayed;
  return brute_judge (h, comparison->options, &judged)
         && brute_replay (h, comparison->options, comparison->level, &replayed)
         && judged.of[brute_level_find (replay_level_name (comparison->level))] != replayed;
}

static void compare (struct agreement *sum, const struct run *run, uint64_t index, const struct history *h,
                     const struct brute_options *options, const struct brute_verdicts *judged, unsigned level) {
  enum brute_verdict replayed;
  if (!brute_replay (h, options, level, &replayed)) {
    sum->skipped++;
    return;
  }
  sum->of[level][replayed]++;
  if (judged->of[brute_level_find (replay_level_name (level))] == replayed) {
    sum->agreed++;
    return;
  }
  sum->differed++;
  fprintf (stderr, "%s: edges and replay differ\n", replay_level_name (level));
  run_report (run, index, options, h, differs, &(struct comparison){ options, level });
}

void agreement_test (struct agreement *sum, const struct run *run, uint64_t index, const struct history *h,
                     const struct brute_options *options) {
  struct brute_verdicts judged;
  if (!brute_judge (h, options, &judged)) {
    sum->skipped += replay_levels ();
    return;
  }
  for (unsigned level = 0; level < replay_levels (); level++)
    compare (sum, run, index, h, options, &judged, level);
}

struct agreement agreement_run (const struct run *run) {
  struct agreement sum = { 0 };
  for (uint64_t index = run->first; index < run->first + run->count; index++) {
    struct brute_options options;
    struct history *h = random_history_of (run->seed, index, &run->mixture, &options);
    if (run->single)
      run_tell (run, index, &options, h);
    agreement_test (&sum, run, index, h, &options);
    history_free (h);
  }
  for (unsigned level = 0; level < replay_levels (); level++)
    printf ("%-42s %8" PRIu64 " valid %8" PRIu64 " invalid %8" PRIu64 " undefined\n", replay_level_name (level),
            sum.of[level][BRUTE_HOLDS], sum.of[level][BRUTE_FAILS], sum.of[level][BRUTE_UNDEFINED]);
  return sum;
}
