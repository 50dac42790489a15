// Compares the checker with the brute-force checker at one level that is in no table. The
// enumeration of worlds is that of tests/brute; this file answers its questions in place of
// judge.c, with one level.
//
//   madeup/NAME [--count=N] [--seed=S] [--only=INDEX]
//
// Each history is checked twice, the second time with some steps switched off.

#include "api/check.h"
#include "madeup.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/run.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_REPORTS = 5 };

// ----------------------------------------------------------------------------------------- judge.h

unsigned brute_levels (void) {
  return 1;
}

uint64_t judge_levels_of (enum judge_stage stage) {
  return stage == JUDGE_ALL;
}

uint64_t judge_levels_that_need_times (void) {
  return madeup.rt;
}

struct relation judge_common_edges (const struct world *w, uint64_t asked) {
  struct relation common = relation_none ();
  if (asked && madeup.so)
    common = relation_union (common, &w->so);
  if (asked && madeup.rt)
    common = relation_union (common, &w->rt);
  return common;
}

bool judge_level (const struct world *w, unsigned level) {
  return level == 0 && madeup.holds (w);
}

void judge_add_edges (struct world *w) {
  w->ww = w->rw = relation_none ();
  for (unsigned key = 0; key < w->story->keys; key++) {
    node_set later = 0;
    for (unsigned i = w->versions[key]; i-- > 0;) {
      const unsigned writer = w->order[key][i];
      for (unsigned node = 0; node < w->story->nodes; node++)
        if (later & node_bit (node))
          relation_add (&w->ww, writer, node);
      for (unsigned r = 0; r < w->story->reads; r++) {
        const struct story_read *read = &w->story->read[r];
        for (unsigned node = 0; node < w->story->nodes; node++)
          if (read->key == key && w->source[r] == writer && later & node_bit (node) && node != read->reader)
            relation_add (&w->rw, read->reader, node);
      }
      later |= node_bit (writer);
    }
  }
}

// ---------------------------------------------------------------------------------- the comparison

static enum verdict checked (const struct history *h, const struct check_options *check) {
  struct check_result *result = check_history (h, check);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

static enum verdict judged (const struct brute_verdicts *brute) {
  static const enum verdict same[] = {
    [BRUTE_FAILS] = VERDICT_INVALID, [BRUTE_HOLDS] = VERDICT_VALID, [BRUTE_UNDEFINED] = VERDICT_UNKNOWN
  };
  return same[brute->of[0]];
}

struct comparison {
  const struct brute_options *options;
  const struct check_options *check;
};

static bool differs (const struct history *h, void *context) {
  const struct comparison *c = context;
  struct brute_verdicts brute;
  return brute_judge (h, c->options, &brute) && judged (&brute) != checked (h, c->check);
}

static struct check_options options_for (const struct brute_options *options, struct prng *prng) {
  struct check_options check;
  check_options_default (&check);
  check.level = madeup.level;
  check.threads = 1;
  check.clock_skew = options->clock_skew;
  if (prng)
    check.steps = (struct check_steps){ prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 30),
                                        prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 50),
                                        prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 50),
                                        prng_chance (prng, 50) };
  return check;
}

struct tally {
  struct run run;
  uint64_t of[3]; // histories by the brute force's verdict
  uint64_t passed, failed, skipped;
};

static void compare (struct tally *tally, uint64_t index, const struct history *h, const struct brute_options *options,
                     const struct check_options *check, enum verdict expected) {
  const enum verdict found = checked (h, check);
  if (found == expected) {
    tally->passed++;
    return;
  }
  if (tally->failed++ >= MOST_REPORTS)
    return;
  fprintf (stderr, "%s: the checker says %s, the brute force %s\n", madeup.level->name, verdict_name (found),
           verdict_name (expected));
  run_report (&tally->run, index, options, h, differs, &(struct comparison){ options, check });
}

static void try (struct tally *tally, uint64_t index) {
  struct prng prng = prng_fork (~tally->run.seed, index);
  struct brute_options options;
  struct brute_verdicts brute;
  struct history *h = random_history (tally->run.seed, index, &options);
  options.own_writes = BRUTE_OWN_MUST;
  if (brute_judge (h, &options, &brute)) {
    const struct check_options all = options_for (&options, NULL), some = options_for (&options, &prng);
    compare (tally, index, h, &options, &all, judged (&brute));
    compare (tally, index, h, &options, &some, judged (&brute));
    tally->of[judged (&brute)]++;
  } else
    tally->skipped += 2;
  history_free (h);
}

int main (int argc, char **argv) {
  claim_row_besides = &madeup.row;
  struct tally tally = { .run = run_arguments (argc, argv, 20000, 400000) };
  for (uint64_t index = tally.run.first; index < tally.run.first + tally.run.count; index++)
    try (&tally, index);
  printf ("%s: %" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64 " undefined\n", madeup.level->name,
          tally.of[VERDICT_VALID], tally.of[VERDICT_INVALID], tally.of[VERDICT_UNKNOWN]);
  return run_end (tally.passed, tally.failed, tally.skipped);
}
