// Hints against the brute-force checker: histories with facts about version orders and sources, and
// with commit timestamps. The brute force goes through the worlds that fit the facts; the checker
// reads them as hints (hinted.h says which).
//
//   hints [--count=N] [--seed=S] [--levels=A,B] [--only=INDEX] [--ablation] [--ops=basic|all|lists]
//     [--unknown=often]

#include "api/check.h"
#include "hinted.h"
#include "levels/levels.h"
#include "prng.h"
#include "random_history.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPORTS = 5 };

struct test {
  struct run run;
  uint64_t passed, failed, skipped;
  uint64_t of[2];   // levels that hold, and that do not
  uint64_t changed; // verdicts that the hints made different
  uint64_t refused; // by a list
  // cursor stability, where docs/semantics.md allows for `unknown` (several unrecorded deletes)
  uint64_t open;
};

// --------------------------------------------------------------------------------------- comparing

static enum verdict expected_verdict (enum brute_verdict brute) {
  return brute == BRUTE_HOLDS ? VERDICT_VALID : brute == BRUTE_FAILS ? VERDICT_INVALID : VERDICT_UNKNOWN;
}

static void report (const struct test *test, const struct hinted *t, uint64_t index, unsigned level,
                    const struct check_result *result, enum verdict expected) {
  if (test->failed > MOST_REPORTS)
    return;
  fprintf (stderr, "%s: the checker says %s%s%s, the brute force %s%s\n", brute_level_name (level),
           verdict_name (result->verdict), result->reason ? ": " : "", result->reason ? result->reason : "",
           verdict_name (expected), t->stamped ? " (timestamps are trusted)" : "");
  run_tell (&test->run, index, &t->options, t->h);
  if (test->failed == 1)
    shrink_save ("differential-failure.kht", t->h);
}

static void compare (struct test *test, const struct hinted *t, uint64_t index, const struct check_options *check,
                     const struct brute_verdicts *brute, const struct brute_verdicts *without) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    struct check_options own = *check;
    own.level = level_find (brute_level_name (level));
    if (test->run.levels && strcmp (test->run.levels, brute_level_name (level)))
      continue;
    struct check_result *result = check_history (t->h, &own);
    const enum verdict expected = expected_verdict (brute->of[level]);
    if (result->bad_input && test->run.mixture.ops == RANDOM_LISTS && !t->true_to_world
        && strstr (result->reason, "list"))
      test->refused++;
    else if (result->verdict == VERDICT_UNKNOWN && own.level->traits.last_read_counts && !result->bad_input
             && strstr (result->reason, "several deletes of a key"))
      test->open++;
    else if (result->verdict == expected && !result->bad_input
             && !(t->true_to_world && t->true_level == level && expected != VERDICT_VALID))
      test->passed++;
    else {
      test->failed++;
      report (test, t, index, level, result, expected);
    }
    test->of[0] += expected == VERDICT_VALID;
    test->of[1] += expected == VERDICT_INVALID;
    test->changed += brute->of[level] != without->of[level];
    check_result_free (result);
  }
}

static struct check_steps random_steps (struct prng *prng) {
  return (struct check_steps){
    .stronger_first = prng_chance (prng, 50),
    .saturation = prng_chance (prng, 50),
    .guess = prng_chance (prng, 30),
    .run_search = prng_chance (prng, 50),
    .components = prng_chance (prng, 50),
    .priority = prng_chance (prng, 50),
    .propagation = prng_chance (prng, 60),
    .decisions = prng_chance (prng, 50),
    .static_lemmas = prng_chance (prng, 50),
    .unsat_search = prng_chance (prng, 60),
  };
}

static void check (struct test *test, struct hinted *t, uint64_t index) {
  struct brute_verdicts with, without;
  struct check_options check;
  t->options.hints = NULL;
  const bool had = brute_judge (t->h, &t->options, &without);
  t->options.hints = &t->hints;
  if (!had || !brute_judge (t->h, &t->options, &with)) {
    test->skipped++;
    return;
  }
  check_options_default (&check);
  check.own_writes = (enum own_writes) t->options.own_writes;
  check.clock_skew = t->options.clock_skew;
  check.threads = 1;
  check.trust_commit_ts = t->stamped;
  compare (test, t, index, &check, &with, &without);
  if (test->run.ablation) {
    check.steps = random_steps (&t->prng);
    check.rows = (enum rows_kind) prng_below (&t->prng, ROWS_PARTIAL + 1);
    compare (test, t, index, &check, &with, &without);
  }
  if (t->stamped) { // without trust they break ties, and change nothing
    const unsigned orders = t->hints.orders;
    t->hints.orders = 0;
    check.trust_commit_ts = false;
    if (brute_judge (t->h, &t->options, &with))
      compare (test, t, index, &check, &with, &without);
    t->hints.orders = orders;
  }
}

static void test_history (struct test *test, uint64_t index) {
  struct hinted t;
  if (hinted_draw (&t, test->run.seed, index, &test->run.mixture)) {
    if (test->run.single)
      run_tell (&test->run, index, &t.options, t.h);
    check (test, &t, index);
    if (t.infer) { // what holds in a world of `may` need not hold under the policy that is inferred
      t.options.own_writes = BRUTE_OWN_INFER;
      t.true_to_world = false;
      check (test, &t, index);
    }
  } else
    test->skipped++;
  history_free (t.h);
}

int main (int argc, char **argv) {
  static struct test test;
  test.run = run_arguments (argc, argv, 3000, 40000);
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index);
  printf ("seed %" PRIu64 ", %" PRIu64 " histories: %" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64
          " changed by hints, %" PRIu64 " refused because of lists, %" PRIu64 " left open\n",
          test.run.seed, test.run.count, test.of[0], test.of[1], test.changed, test.refused, test.open);
  return run_end (test.passed, test.failed, test.skipped);
}
