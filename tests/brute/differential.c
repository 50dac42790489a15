// Compares the checker with the brute-force checker on random histories, at every level that the
// checker knows.
//
//   differential [--count=N] [--seed=S] [--levels=A,B] [--only=INDEX] [--own-writes=POLICY]
//     [--ablation] [--encodings] [--self]
//                [--ops=basic|all|lists] [--unknown=often] [--incomplete]
//
// With --ablation each history is checked once more with some of the checker's steps switched off,
// so that every path is taken; --own-writes=any checks each history with the own-write policy drawn
// with it (default: must for all); with --encodings each is checked with every encoding instead, as
// far as it takes the level, by search alone and with other steps switched off; --only says
// everything about one history; --self compares the brute-force checker with itself (agreement.c)
// instead. A disagreement is made small, told, and the first is written to
// differential-failure.kht. `unknown` is a disagreement where the semantics defines a verdict,
// unless it is one that docs/semantics.md allows for; these are counted.

#include "agreement.h"
#include "api/check.h"
#include "cnf/encodings.h"
#include "levels/levels.h"
#include "prng.h"
#include "random_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_REPORTS = 5, PLENTIFUL_PERCENT = 10, EXCUSED_PERCENT = 2, ENOUGH_TO_COUNT = 1000 };

struct tally {
  const struct level *level; // NULL: the checker does not know it, or nobody asked for it
  uint64_t of[3];            // histories by the brute force's verdict
  uint64_t failed, left_open;
};

struct test {
  struct run run;
  struct tally tallies[BRUTE_MOST_LEVELS];
  uint64_t passed, failed, skipped, reports;
};

// A disagreement to be kept while shrinking.
struct disagreement {
  const struct brute_options *options;
  const struct check_options *check;
  unsigned level;
  enum verdict found; // by the checker
};

// Of the brute force: with what is excused in an incomplete history, and as if nothing were.
struct verdicts {
  struct brute_verdicts excusing, complete;
  bool incomplete;
};

static bool judge_both (const struct history *h, const struct brute_options *options, struct verdicts *verdicts) {
  struct brute_options complete = *options;
  complete.as_if_complete = true;
  verdicts->incomplete = h->incomplete;
  return brute_judge (h, options, &verdicts->excusing)
         && (!h->incomplete || brute_judge (h, &complete, &verdicts->complete));
}

// An incomplete history that holds as it is is valid, whatever is missing. (A list without its
// excused elements may contradict another one although the whole lists do not.) Else it is not
// valid if something has to be excused.
static enum verdict expected_verdict (const struct verdicts *verdicts, unsigned level) {
  const enum brute_verdict brute = verdicts->excusing.of[level];
  if (verdicts->incomplete && verdicts->complete.of[level] == BRUTE_HOLDS)
    return VERDICT_VALID;
  if (brute == BRUTE_HOLDS && verdicts->incomplete)
    return VERDICT_UNKNOWN;
  return brute == BRUTE_HOLDS ? VERDICT_VALID : brute == BRUTE_FAILS ? VERDICT_INVALID : VERDICT_UNKNOWN;
}

// What the unsat search did in all.
static uint64_t pieces, refuted_pieces;

// Checks that a search decided, by the encoding.
enum { MOST_ENCODINGS = 8 };
static uint64_t searched[MOST_ENCODINGS];

// They are `unknown`, which may be what is expected.
static uint64_t internal_errors;

static enum verdict checked_verdict (const struct history *h, const struct check_options *check) {
  struct check_result *result = check_history (h, check);
  const enum verdict verdict = result->verdict;
  if (verdict == VERDICT_UNKNOWN && !strncmp (result->reason, "internal error", 14)) {
    if (!internal_errors) {
      fprintf (stderr, "%s: %s\n", check->level->name, result->reason);
      shrink_print (stderr, h);
    }
    internal_errors++;
  }
  searched[check->encoding ? check->encoding - encodings : 0] += result->effort.used_solver && !result->reason;
  pieces += result->effort.pieces;
  refuted_pieces += result->effort.refuted_pieces;
  check_result_free (result);
  return verdict;
}

static bool disagrees (const struct history *h, void *context) {
  const struct disagreement *d = context;
  struct verdicts brute;
  return judge_both (h, d->options, &brute) && expected_verdict (&brute, d->level) != d->found
         && checked_verdict (h, d->check) == d->found;
}

static void tell_steps (const struct check_steps *steps) {
  const struct {
    const char *name;
    bool on;
  } all[] = {
    { "stronger-first", steps->stronger_first },
    { "saturation", steps->saturation },
    { "guess", steps->guess },
    { "run-search", steps->run_search },
    { "components", steps->components },
    { "priority", steps->priority },
    { "propagation", steps->propagation },
    { "decisions", steps->decisions },
    { "static-lemmas", steps->static_lemmas },
    { "unsat-search", steps->unsat_search },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!all[i].on)
      fprintf (stderr, " --no-%s", all[i].name);
}

// The encoding does not take the level.
static bool is_out_of_range (const struct history *h, const struct check_options *check) {
  struct check_result *result = check_history (h, check);
  const bool refused = result->reason && !strncmp (result->reason, "the encoding ", 13);
  check_result_free (result);
  return refused;
}

// Why the checker said `unknown`, if it did; ends the line.
static void tell_reason (const struct history *h, const struct check_options *check) {
  struct check_result *result = check_history (h, check);
  fprintf (stderr, "%s%s\n", result->reason ? "; because " : "", result->reason ? result->reason : "");
  check_result_free (result);
}

// Cursor stability, where several deletes without recorded results follow each other:
// docs/semantics.md, section 2.
static bool may_be_open (const struct history *h, const struct check_options *check) {
  struct check_result *result = check_history (h, check);
  const bool open =
    check->level->traits.last_read_counts && result->reason && strstr (result->reason, "several deletes of a key");
  check_result_free (result);
  return open;
}

static void report (struct test *test, uint64_t index, const struct history *h, struct disagreement *d,
                    enum verdict expected) {
  if (test->reports++ >= MOST_REPORTS)
    return;
  fprintf (stderr, "history %" PRIu64 ", %s: the checker says %s, the brute force %s; options:", index,
           brute_level_name (d->level), verdict_name (d->found), verdict_name (expected));
  tell_steps (&d->check->steps);
  fprintf (stderr, " rows=%d encoding=%s", (int) d->check->rows, d->check->encoding ? d->check->encoding->name : "");
  tell_reason (h, d->check);
  run_report (&test->run, index, d->options, h, disagrees, d);
}

static void compare (struct test *test, uint64_t index, const struct history *h, const struct brute_options *options,
                     struct check_options *check, const struct verdicts *brute) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    struct tally *tally = &test->tallies[level];
    if (!tally->level)
      continue;
    check->level = tally->level;
    const enum verdict expected = expected_verdict (brute, level), found = checked_verdict (h, check);
    if (test->run.single)
      fprintf (stderr, "%-44s %-8s %s\n", brute_level_name (level), verdict_name (found),
               found == expected ? "" : "WRONG");
    if (found == expected) {
      test->passed++;
      continue;
    }
    if (found == VERDICT_UNKNOWN && may_be_open (h, check)) {
      tally->left_open++;
      test->skipped++;
      continue;
    }
    if (found == VERDICT_UNKNOWN && check->encoding && is_out_of_range (h, check)) {
      test->skipped++;
      continue;
    }
    test->failed++;
    tally->failed++;
    report (test, index, h, &(struct disagreement){ options, check, level, found }, expected);
  }
}

static enum own_writes checker_own_writes (enum brute_own_writes policy) {
  static const enum own_writes same[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  return same[policy];
}

static struct check_steps random_steps (struct prng *prng) {
  return (struct check_steps){
    .stronger_first = prng_chance (prng, 50),
    .saturation = prng_chance (prng, 50),
    .guess = prng_chance (prng, 30),
    .run_search = prng_chance (prng, 30),
    .components = prng_chance (prng, 50),
    .priority = prng_chance (prng, 50),
    .propagation = prng_chance (prng, 60),
    .decisions = prng_chance (prng, 50),
    .static_lemmas = prng_chance (prng, 50),
    .unsat_search = prng_chance (prng, 60),
  };
}

// What the encodings are for is the search: nothing decides before it but saturation.
static void compare_encodings (struct test *test, uint64_t index, const struct history *h,
                               const struct brute_options *options, struct check_options check,
                               const struct verdicts *brute) {
  struct prng prng = prng_fork (test->run.seed ^ index, index);
  for (const struct encoding *encoding = encodings; encoding->name; encoding++) {
    check.encoding = encoding;
    check.steps = random_steps (&prng);
    check.steps.guess = check.steps.run_search = check.steps.stronger_first = false;
    check.rows = (enum rows_kind) prng_below (&prng, ROWS_PARTIAL + 1);
    compare (test, index, h, options, &check, brute);
  }
}

static unsigned levels_tested (const struct test *test) {
  unsigned count = 0;
  for (unsigned level = 0; level < brute_levels (); level++)
    count += test->tallies[level].level != NULL;
  return count;
}

// The policy drawn with the history is replaced by the one that was asked for.
static void choose_own_writes (const struct test *test, struct brute_options *options) {
  const char *asked = test->run.own_writes ? test->run.own_writes : run_own_writes_name (BRUTE_OWN_MUST);
  for (int policy = BRUTE_OWN_MUST; policy <= BRUTE_OWN_INFER; policy++)
    if (!strcmp (asked, run_own_writes_name ((enum brute_own_writes) policy)))
      options->own_writes = (enum brute_own_writes) policy;
}

static void test_history (struct test *test, uint64_t index) {
  struct brute_options options;
  struct verdicts brute;
  struct history *h = random_history_of (test->run.seed, index, &test->run.mixture, &options);
  choose_own_writes (test, &options);
  if (test->run.single)
    run_tell (&test->run, index, &options, h);
  if (!judge_both (h, &options, &brute)) {
    test->skipped += levels_tested (test);
    history_free (h);
    return;
  }
  for (unsigned level = 0; level < brute_levels (); level++)
    test->tallies[level].of[brute.excusing.of[level]]++;

  struct prng prng = prng_fork (~test->run.seed, index);
  struct check_options check;
  check_options_default (&check);
  check.own_writes = checker_own_writes (options.own_writes);
  check.clock_skew = options.clock_skew;
  check.threads = 1;
  check.seed = prng_below (&prng, 4);
  if (test->run.encodings)
    compare_encodings (test, index, h, &options, check, &brute);
  else
    compare (test, index, h, &options, &check, &brute);
  if (test->run.ablation) {
    check.steps = random_steps (&prng);
    check.rows = (enum rows_kind) prng_below (&prng, ROWS_PARTIAL + 1);
    compare (test, index, h, &options, &check, &brute);
  }
  history_free (h);
}

// Is `name` in the comma list?
static bool is_listed (const char *list, const char *name) {
  const size_t length = strlen (name);
  while (list) {
    if (!strncmp (list, name, length) && (!list[length] || list[length] == ','))
      return true;
    list = strchr (list, ',');
    list = list ? list + 1 : NULL;
  }
  return false;
}

static void choose_levels (struct test *test) {
  for (unsigned level = 0; level < brute_levels (); level++)
    if (!test->run.levels || is_listed (test->run.levels, brute_level_name (level)))
      test->tallies[level].level = level_find (brute_level_name (level));
}

// A test that sees one verdict only proves little.
static bool is_plentiful (const struct tally *tally, unsigned level, unsigned percent) {
  const uint64_t defined = tally->of[BRUTE_HOLDS] + tally->of[BRUTE_FAILS];
  const uint64_t rarer =
    tally->of[BRUTE_HOLDS] < tally->of[BRUTE_FAILS] ? tally->of[BRUTE_HOLDS] : tally->of[BRUTE_FAILS];
  return !brute_level_rejects (level) || defined < ENOUGH_TO_COUNT || 100 * rarer >= percent * defined;
}

static void tell_tallies (struct test *test) {
  printf ("seed %" PRIu64 ", %" PRIu64 " histories\n", test->run.seed, test->run.count);
  for (unsigned level = 0; level < brute_levels (); level++) {
    const struct tally *tally = &test->tallies[level];
    if (!tally->level)
      continue;
    const bool plentiful =
      is_plentiful (tally, level, test->run.mixture.incomplete ? EXCUSED_PERCENT : PLENTIFUL_PERCENT);
    test->failed += !plentiful;
    printf ("%-44s %7" PRIu64 " valid %7" PRIu64 " invalid %7" PRIu64 " undefined %5" PRIu64 " wrong%s",
            brute_level_name (level), tally->of[BRUTE_HOLDS], tally->of[BRUTE_FAILS], tally->of[BRUTE_UNDEFINED],
            tally->failed, plentiful ? "" : ", one verdict is too rare");
    if (tally->left_open)
      printf (", %" PRIu64 " left open", tally->left_open);
    printf ("\n");
  }
}

// Steps that are never taken are not tested. (No two elements of lists are alike, so that none of
// their versions is overbooked.)
static void tell_pieces (struct test *test) {
  const bool expected =
    test->run.ablation && test->run.count >= ENOUGH_TO_COUNT && test->run.mixture.ops != RANDOM_LISTS;
  const bool enough = pieces || !expected;
  test->failed += !enough;
  printf ("unsat search: %" PRIu64 " pieces, %" PRIu64 " of them refuted%s\n", pieces, refuted_pieces,
          enough ? "" : ", which is too few");
}

// What never comes to a search says nothing about its encoding.
static void tell_searched (struct test *test) {
  for (size_t i = 0; test->run.encodings && encodings[i].name; i++) {
    const bool enough = searched[i] >= test->run.count / 20 || test->run.count < ENOUGH_TO_COUNT / 4;
    test->failed += !enough;
    printf ("%s: %" PRIu64 " decided by search%s\n", encodings[i].name, searched[i],
            enough ? "" : ", which is too few");
  }
}

int main (int argc, char **argv) {
  static struct test test;
  test.run = run_arguments (argc, argv, 5000, 60000);
  if (test.run.self) {
    const struct agreement agreement = agreement_run (&test.run);
    return run_end (agreement.agreed, agreement.differed, agreement.skipped);
  }
  choose_levels (&test);
  if (!levels_tested (&test)) {
    fprintf (stderr, "the checker knows none of these levels\n");
    return run_end (0, 1, 0);
  }
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index);
  tell_tallies (&test);
  tell_pieces (&test);
  tell_searched (&test);
  return run_end (test.passed, test.failed + internal_errors, test.skipped);
}
