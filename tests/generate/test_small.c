// Histories of a handful of transactions, which the brute-force checker can judge too: what the
// store promises, what faults break, and that the checker agrees.

#include "../brute/brute.h"
#include "../support/effort.h"
#include "../unit/greatest_main.h"
#include "generate/generate.h"
#include "levels/levels.h"
#include "verdict.h"

#include <string.h>

static struct generate_options small (const char *workload, const char *isolation, uint64_t seed) {
  struct generate_options options;
  generate_options_default (&options);
  options.workload = workload_find (workload);
  options.isolation = isolation_find (isolation);
  options.txns = 5 + seed % 3;
  options.sessions = 2 + seed % 4;
  options.concurrency = seed % 5 == 3 ? 1 + seed % 2 : 0;
  options.work.keys = 2 + seed % 2;
  options.work.operations = 2 + seed / 3 % 3;
  options.work.values = seed % 11 ? 0 : 2;
  options.aborts = seed % 5 ? 0 : 0.1;
  options.unknowns = seed % 7 ? 0 : 0.1;
  options.seed = seed;
  return options;
}

static const char *label (const struct generate_options *options, const char *level) {
  static char text[160];
  snprintf (text, sizeof text, "%s, %s, %s, seed %u at %s", options->fault ? options->fault->name : "no fault",
            options->workload->name, options->isolation->name, (unsigned) options->seed, level);
  return text;
}

static const char *word (enum brute_verdict verdict) {
  return verdict == BRUTE_HOLDS ? "valid" : verdict == BRUTE_FAILS ? "invalid" : "unknown";
}

struct judged {
  bool done; // else it is too big for the brute force
  struct brute_verdicts verdicts;
};

static struct judged judge (const struct history *h) {
  struct brute_options options;
  struct judged judged;
  brute_options_default (&options);
  judged.done = brute_judge (h, &options, &judged.verdicts);
  return judged;
}

// What the brute force says of a level; NULL: nothing.
static const char *judged_at (const struct judged *judged, const char *level) {
  const int number = brute_level_find (level_find (level)->name);
  return number >= 0 && judged->done ? word (judged->verdicts.of[number]) : NULL;
}

static const char *brute_verdict_at (const struct history *h, const char *level) {
  const struct judged judged = judge (h);
  return judged_at (&judged, level);
}

// So few transactions may all have been refused.
static const char *expected (const struct history *h) {
  return history_has_committed (h) ? "valid" : "unknown";
}

// --------------------------------------------------------------------------------- a correct store

TEST serializable_stores_show_no_violation (void) {
  static const char *const workload_names[] = { "blindw", "blindw-mixed", "blindw-repeated", "bank" };
  unsigned judged = 0;
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    const char *isolation = seed % 2 ? "serializable" : "strict-serializable";
    struct generate_summary summary;
    const struct generate_options options = small (workload_names[seed / 2 % 4], isolation, seed);
    struct history *h = generate (&options, &summary);
    const char *verdict = brute_verdict_at (h, options.isolation->holds);
    if (verdict)
      ASSERT_STR_EQm (label (&options, options.isolation->holds), expected (h), verdict);
    judged += verdict != NULL;
    history_free (h);
  }
  ASSERT_EQ_FMT (1000u, judged, "%u");
  PASS ();
}

// Scans, iterators, deletes and lists; some are too big for the brute force.
TEST stores_keep_their_level_on_all_operations (void) {
  static const char *const workload_names[] = { "randombench", "randomrange", "randomrmwrange", "list-append" };
  static const char *const isolation_names[] = {
    "read-committed", "repeatable-read",     "snapshot-isolation",
    "serializable",   "strict-serializable", "parallel-snapshot-isolation"
  };
  unsigned judged = 0;
  for (uint64_t seed = 1; seed <= 600; seed++) {
    struct generate_summary summary;
    const struct generate_options options = small (workload_names[seed / 6 % 4], isolation_names[seed % 6], seed);
    struct history *h = generate (&options, &summary);
    const char *verdict = brute_verdict_at (h, options.isolation->holds);
    if (verdict)
      ASSERT_STR_EQm (label (&options, options.isolation->holds), expected (h), verdict);
    ASSERT_STR_EQm (label (&options, options.isolation->holds), expected (h), verdict_at (h, options.isolation->holds));
    judged += verdict != NULL;
    history_free (h);
  }
  ASSERT (judged > 400);
  PASS ();
}

// Large ones: the checker alone.
TEST snapshots_show_write_skew (void) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct generate_summary summary;
    struct generate_options options = small ("blindw-mixed", "snapshot-isolation", seed);
    options.txns = 2000;
    options.sessions = 24;
    options.concurrency = 0;
    options.work.keys = 100;
    options.work.operations = 0;
    struct history *h = generate (&options, &summary);
    ASSERT_STR_EQm (label (&options, "snapshot-isolation"), "valid", verdict_at (h, "snapshot-isolation"));
    ASSERT_STR_EQm (label (&options, "serializable"), "invalid", verdict_at (h, "serializable"));
    history_free (h);
  }
  PASS ();
}

TEST small_snapshots_show_write_skew (void) {
  unsigned skewed = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    struct generate_summary summary;
    const struct generate_options options = small ("blindw-mixed", "snapshot-isolation", seed);
    struct history *h = generate (&options, &summary);
    const struct judged judged = judge (h);
    const char *snapshot = judged_at (&judged, "snapshot-isolation"),
               *serializable = judged_at (&judged, "serializable");
    if (snapshot)
      ASSERT_STR_EQm (label (&options, "snapshot-isolation"), "valid", snapshot);
    skewed += serializable && !strcmp (serializable, "invalid");
    history_free (h);
  }
  ASSERT (skewed > 5);
  PASS ();
}

// ------------------------------------------------------------------------------------------ faults

struct tally {
  unsigned judged, broken;
};

static bool agrees (const struct history *h, const struct fault *fault, struct tally *tally) {
  const struct judged judged = judge (h);
  const char *broken = judged_at (&judged, fault->breaks), *kept = judged_at (&judged, fault->keeps);
  if (!broken || !kept)
    return true;
  tally->judged++;
  tally->broken += !strcmp (broken, "invalid");
  return !strcmp (kept, expected (h)) && !strcmp (verdict_at (h, fault->keeps), kept)
         && !strcmp (verdict_at (h, fault->breaks), broken);
}

static bool agrees_on_seed (int id, uint64_t seed, struct tally *tally) {
  bool agree = true;
  for (size_t w = 0; workloads[w].name && agree; w++) {
    if (!fault_shows_in (&faults[id], workloads[w].name))
      continue;
    struct generate_summary summary;
    struct generate_options options = small (workloads[w].name, faults[id].isolation, seed);
    options.fault = &faults[id];
    options.fault_rate = seed % 2 ? 1 : 0.5;
    struct history *h = generate (&options, &summary);
    agree = agrees (h, &faults[id], tally);
    if (!agree)
      printf ("%s\n", label (&options, "one of its levels"));
    history_free (h);
  }
  return agree;
}

// Each fault must have shown at least once; some hardly ever do among so few transactions.
TEST brute_force_agrees_on_faults (void) {
  enum { MOST = 1000 };
  const uint64_t seeds = effort (20, 60, MOST);
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    struct tally tally = { 0 };
    for (uint64_t seed = 1; seed <= seeds || (!tally.broken && seed <= MOST); seed++)
      ASSERTm (faults[id].name, agrees_on_seed (id, seed, &tally));
    if (effort_is_long ())
      printf ("%s: %u of %u broken\n", faults[id].name, tally.broken, tally.judged);
    ASSERTm (faults[id].name, tally.broken);
  }
  PASS ();
}

SUITE (small_ones) {
  RUN_TEST (serializable_stores_show_no_violation);
  RUN_TEST (stores_keep_their_level_on_all_operations);
  RUN_TEST (snapshots_show_write_skew);
  RUN_TEST (small_snapshots_show_write_skew);
  RUN_TEST (brute_force_agrees_on_faults);
}

KRAIT_UNIT_MAIN (RUN_SUITE (small_ones);)
