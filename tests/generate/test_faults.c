// Every fault in the store that it is for: its histories break the level that the table says and keep the other one, in every workload that can show it.

#include "../support/history_equal.h"
#include "../unit/greatest_main.h"
#include "generate/generate.h"
#include "levels/lattice.h"
#include "levels/levels.h"
#include "look.h"
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

static bool is_long (void) {
  return getenv ("KRAIT_TEST_LONG");
}

static bool can_show (const struct workload *workload, const struct fault *fault) {
  return (workload->does & fault->needs) == fault->needs;
}

static bool gets_and_puts_only (const struct workload *workload) {
  return workload->does & NEEDS_GET && !(workload->does & (NEEDS_SCAN | NEEDS_ITER | NEEDS_DELETE));
}

// Scans take their time.
static unsigned seeds_of (const struct workload *workload, unsigned most, unsigned most_with_scans) {
  return gets_and_puts_only (workload) || is_long () ? most : most_with_scans;
}

static struct generate_options options_for (const struct fault *fault, const struct workload *workload, uint64_t seed) {
  struct generate_options options;
  generate_options_default (&options);
  options.fault = fault;
  options.workload = workload;
  options.isolation = isolation_find (fault->isolation);
  options.txns = 2000;
  options.seed = seed;
  return options;
}

static const char *label (const struct generate_options *options) {
  static char text[128];
  snprintf (text, sizeof text, "%s, %s, seed %u", options->fault->name, options->workload->name,
            (unsigned) options->seed);
  return text;
}

// For every fault, workload that can show it, and seed.
#define FOR_ALL(options, seeds)                                                                                        \
  for (int f_ = FAULT_NONE + 1; f_ < FAULTS; f_++)                                                                     \
    for (size_t w_ = 0; workloads[w_]; w_++)                                                                           \
      for (uint64_t s_ = 1; s_ <= (seeds) && can_show (workloads[w_], &faults[f_]); s_++)                              \
        for (struct generate_options options = options_for (&faults[f_], workloads[w_], s_), *once_ = &options; once_; \
             once_ = NULL)

// ----------------------------------------------------------------------------------------------------------------- the table

TEST table_is_sound (void) {
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    const struct fault *fault = &faults[id];
    const struct level *breaks = level_find (fault->breaks), *keeps = level_find (fault->keeps);
    const struct isolation *isolation = isolation_find (fault->isolation);
    ASSERT_EQm (fault->name, id, fault_find (fault->name));
    ASSERTm (fault->name, breaks && keeps && isolation && !level_implies (keeps, breaks));
    ASSERT_STR_EQm (fault->name, fault->isolation, isolation->name);
    ASSERTm (fault->name, fault->rate > 0 && fault->rate <= 1);
    bool shown = false;
    for (size_t i = 0; workloads[i]; i++)
      shown |= can_show (workloads[i], fault);
    ASSERTm (fault->name, shown);
  }
  PASS ();
}

// ------------------------------------------------------------------------------------------------------- what breaks, what stays

// Few keys, so that transactions meet. Some faults show only in what two transactions do to the same two keys. 0: as many as the workload is known for.
static uint64_t few_keys (const struct fault *fault, const struct workload *workload) {
  static const char *const crowded[] = { "lost-update", "fractured-read", "read-skew", "repeated-value-update",
                                         "future-read" };
  static const struct {
    const char *workload;
    uint64_t keys;
  } few[] = {
    { "bank", 32 },          { "twitter", 12 }, { "rubis", 12 },       { "retwis", 12 },        { "randombench", 1000 },
    { "randomrange", 1000 }, { "tpcc", 1 },     { "fs-metadata", 10 }, { "randomrmwrange", 0 },
  };
  const bool gathers = !strcmp (fault->name, "repeated-value-update");
  if (!strncmp (workload->name, "blindw", 6)) {
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++)
      if (!strcmp (crowded[i], fault->name))
        return 20;
    return 100;
  }
  if (!strncmp (workload->name, "random", 6) && gathers)
    return 100;
  if (!strcmp (workload->name, "randomrmwrange") && !strcmp (fault->name, "dirty-read"))
    return 100;
  for (size_t i = 0; i < sizeof few / sizeof *few; i++)
    if (!strcmp (few[i].workload, workload->name))
      return few[i].keys;
  return 0;
}

// What a workload does once in a while only, or in a way in which it hardly ever shows; or whose repeated values hide it.
static bool shows_rarely (const struct fault *fault, const struct workload *workload) {
  static const char *const pairs[][2] = {
    { "dirty-read", "rubis" },
    { "dirty-write", "bank" },
    { "dirty-write", "rubis" },
    { "dirty-write", "twitter" },
    { "dirty-write", "retwis" },
    { "fractured-read", "rubis" },
    { "timestamp-inversion", "blindw-mixed" },
    { "write-skew", "rubis" },
    { "repeated-value-update", "bank" },
    { "repeated-value-update", "retwis" },
    // Range queries and deletes are the smaller part of these, and the values of the first two repeat.
    { "dirty-read", "randombench" },
    { "intermediate-read", "randombench" },
    { "intermediate-read", "randomrange" },
    { "timestamp-inversion", "randombench" },
    { "timestamp-inversion", "randomrange" },
    { "timestamp-inversion", "randomrmwrange" },
    { "write-skew", "fs-metadata" },
    // Scans and reads of deleted rows are those of readers, and rows that are written are locked or read first.
    { "dirty-write", "tpcc" },
    { "intermediate-read", "tpcc" },
    { "long-fork", "tpcc" },
    { "write-skew", "tpcc" },
    { "read-skew", "tpcc" },
    { "phantom", "tpcc" },
    { "timestamp-inversion", "tpcc" },
    { "resurrected-key", "tpcc" },
    { "future-read", "tpcc" },
  };
  if (!strcmp (workload->name, "blindw-repeated"))
    return strcmp (fault->name, "repeated-value-update");
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (!strcmp (pairs[i][0], fault->name) && !strcmp (pairs[i][1], workload->name))
      return true;
  return false;
}

static bool breaks (const struct generate_options *options, bool *keeps) {
  struct generate_summary summary;
  struct history *h = generate (options, &summary);
  *keeps = !strcmp (verdict_at (h, options->fault->keeps), "valid");
  const bool broken = !strcmp (verdict_at (h, options->fault->breaks), "invalid");
  history_free (h);
  return broken && summary.faults;
}

TEST histories_break_one_level_and_keep_another (void) {
#ifdef __SANITIZE_ADDRESS__
  enum { SEEDS = 2, LONG_SEEDS = 100, MOST_WORKLOADS = 64 };
#else
  enum { SEEDS = 8, LONG_SEEDS = 100, MOST_WORKLOADS = 64 };
#endif
  static unsigned shown[FAULTS][MOST_WORKLOADS];
  FOR_ALL (options, seeds_of (workloads[w_], is_long () ? LONG_SEEDS : SEEDS, 2)) {
    const unsigned seeds = seeds_of (workloads[w_], is_long () ? LONG_SEEDS : SEEDS, 2);
    ASSERT (w_ < MOST_WORKLOADS);
    if (shows_rarely (options.fault, options.workload))
      continue;
    bool keeps;
    options.work.keys = few_keys (options.fault, options.workload);
    options.aborts = strcmp (options.fault->name, "dirty-read") ? 0 : 0.1; // else there is hardly any abort to see
    shown[f_][w_] += breaks (&options, &keeps);
    ASSERTm (label (&options), keeps);
    if (s_ == seeds) {
      if (is_long ())
        printf ("%s: shown in %u of %u\n", label (&options), shown[f_][w_], seeds);
      ASSERTm (label (&options), (seeds - shown[f_][w_]) * 20 <= (seeds < 20 ? 20 : seeds)); // of few, one may not show
    }
  }
  PASS ();
}

// It is the fault that breaks it, not the store.
TEST histories_without_the_fault_break_nothing (void) {
  FOR_ALL (options, seeds_of (workloads[w_], is_long () ? 20 : 2, 1)) {
    if (shows_rarely (options.fault, options.workload))
      continue;
    struct generate_summary summary;
    options.work.keys = few_keys (options.fault, options.workload);
    options.txns = gets_and_puts_only (options.workload) ? 2000 : 500; // many scans with many sources are hard work
    options.fault = NULL;
    struct history *h = generate (&options, &summary);
    options.fault = &faults[f_];
    ASSERT_STR_EQm (label (&options), "valid", verdict_at (h, options.fault->breaks));
    history_free (h);
  }
  PASS ();
}

// At any rate, with transactions that are given up and such whose outcome nobody knows.
TEST what_is_kept_is_kept_at_any_rate (void) {
  static const double rates[] = { 1, 0.5, 0.02 };
  FOR_ALL (options, seeds_of (workloads[w_], is_long () ? 30 : 3, 2)) {
    struct generate_summary summary;
    options.fault_rate = rates[s_ % 3];
    options.work.keys = s_ % 2 ? few_keys (options.fault, options.workload) : 0;
    options.txns = 500;
    options.aborts = 0.1;
    options.unknowns = 0.05;
    struct history *h = generate (&options, &summary);
    ASSERT_STR_EQm (label (&options), "valid", verdict_at (h, options.fault->keeps));
    history_free (h);
  }
  PASS ();
}

// ------------------------------------------------------------------------------------------------------------- all operations

TEST histories_are_well_formed (void) {
  static bool struck[FAULTS];
  FOR_ALL (options, is_long () ? 20 : 2) {
    struct generate_summary summary;
    struct history *h = generate (&options, &summary), *again = generate (&options, &summary);
    const char *why = NULL;
    ASSERTm (label (&options), history_validate (h, &why));
    why = look_at_ranges (h);
    ASSERTm (why, !why);
    ASSERT_EQm (label (&options), NULL, history_difference (h, again));
    struck[f_] |= summary.faults > 0;
    history_free (h);
    history_free (again);
  }
  for (int id = FAULT_NONE + 1; id < FAULTS; id++)
    ASSERTm (faults[id].name, struck[id]);
  PASS ();
}

TEST a_fault_that_never_strikes_changes_nothing (void) {
  FOR_ALL (options, 1) {
    struct generate_summary summary;
    options.txns = 500;
    options.fault_rate = 1e-300;
    struct history *h = generate (&options, &summary);
    options.fault = NULL;
    struct history *right = generate (&options, &summary);
    options.fault = &faults[f_];
    ASSERT_EQm (label (&options), NULL, history_difference (h, right));
    history_free (h);
    history_free (right);
  }
  PASS ();
}

SUITE (injected) {
  RUN_TEST (table_is_sound);
  RUN_TEST (histories_break_one_level_and_keep_another);
  RUN_TEST (histories_without_the_fault_break_nothing);
  RUN_TEST (what_is_kept_is_kept_at_any_rate);
  RUN_TEST (histories_are_well_formed);
  RUN_TEST (a_fault_that_never_strikes_changes_nothing);
}

KRAIT_UNIT_MAIN (RUN_SUITE (injected);)
