// Every fault in the store that it is for: its histories break the level that the table says and keep the other one, over gets and puts. What only shows in
// scans, iterators and deletes gives histories that are well-formed.

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

// ----------------------------------------------------------------------------------------------------------- over get and put

// Few keys, so that transactions meet. Some faults show only in what two transactions do to the same two keys.
static uint64_t few_keys (const struct fault *fault, const struct workload *workload) {
  static const char *const crowded[] = { "lost-update", "fractured-read", "read-skew", "repeated-value-update",
                                         "future-read" };
  if (!strncmp (workload->name, "blindw", 6)) {
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++)
      if (!strcmp (crowded[i], fault->name))
        return 20;
    return 100;
  }
  return strcmp (workload->name, "bank") ? 12 : 32;
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
  enum { SEEDS = 20, LONG_SEEDS = 100, MOST_WORKLOADS = 64 };
  static unsigned shown[FAULTS][MOST_WORKLOADS];
  const unsigned seeds = is_long () ? LONG_SEEDS : SEEDS;
  FOR_ALL (options, seeds) {
    ASSERT (w_ < MOST_WORKLOADS);
    if (!gets_and_puts_only (options.workload) || shows_rarely (options.fault, options.workload))
      continue;
    bool keeps;
    options.work.keys = few_keys (options.fault, options.workload);
    options.aborts = strcmp (options.fault->name, "dirty-read") ? 0 : 0.1; // else there is hardly any abort to see
    shown[f_][w_] += breaks (&options, &keeps);
    ASSERTm (label (&options), keeps);
    if (s_ == seeds) {
      if (is_long ())
        printf ("%s: shown in %u of %u\n", label (&options), shown[f_][w_], seeds);
      ASSERTm (label (&options), shown[f_][w_] * 20 >= seeds * 19);
    }
  }
  PASS ();
}

// It is the fault that breaks it, not the store.
TEST histories_without_the_fault_break_nothing (void) {
  FOR_ALL (options, is_long () ? 20 : 2) {
    if (!gets_and_puts_only (options.workload) || shows_rarely (options.fault, options.workload))
      continue;
    struct generate_summary summary;
    options.work.keys = few_keys (options.fault, options.workload);
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
  FOR_ALL (options, is_long () ? 30 : 3) {
    if (!gets_and_puts_only (options.workload))
      continue;
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
