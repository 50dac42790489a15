// Every fault in the store that it is for, in every workload that the table says shows it: its
// histories break the one level and keep the other. bench/faults prints how often.

#include "../support/effort.h"
#include "../support/history_equal.h"
#include "../unit/greatest_main.h"
#include "generate/generate.h"
#include "levels/lattice.h"
#include "levels/levels.h"
#include "look.h"
#include "verdict.h"

#include <string.h>

// Range queries take their time.
static bool is_slow (const struct workload *workload) {
  return !strncmp (workload->name, "random", 6) || !strcmp (workload->name, "tpcc");
}

// As `krait generate --fault=…` makes it, with fewer transactions.
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

// Of the workloads that show a fault one in `every`, and at least one; all of them in the long run.
static bool is_turn (int fault, size_t workload, unsigned every) {
  unsigned all = 0, before = 0;
  for (size_t i = 0; workloads[i].name; i++) {
    const bool shows = fault_shows_in (&faults[fault], workloads[i].name);
    all += shows;
    before += shows && i < workload;
  }
  const unsigned step = effort_is_long () ? 1 : every < all ? every : all;
  return fault_shows_in (&faults[fault], workloads[workload].name) && before % step == (unsigned) fault % step;
}

// For every fault, one in `every` of the workloads that show it, and seed.
#define FOR_ALL(options, every, seeds)                                                                                 \
  for (int f_ = FAULT_NONE + 1; f_ < FAULTS; f_++)                                                                     \
    for (size_t w_ = 0; workloads[w_].name; w_++)                                                                      \
      for (uint64_t s_ = 1; s_ <= (seeds) && is_turn (f_, w_, (every)); s_++)                                          \
        for (struct generate_options options = options_for (&faults[f_], &workloads[w_], s_), *once_ = &options;       \
             once_; once_ = NULL)

// --------------------------------------------------------------------------------------- the table

static unsigned words_in (const char *text) {
  unsigned words = 0;
  for (; *text; text += strcspn (text, " "), text += strspn (text, " "))
    words++;
  return words;
}

TEST table_is_sound (void) {
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    const struct fault *fault = &faults[id];
    const struct level *breaks = level_find (fault->breaks), *keeps = level_find (fault->keeps);
    const struct isolation *isolation = isolation_find (fault->isolation);
    ASSERT_EQm (fault->name, id, fault_find (fault->name));
    ASSERTm (fault->name, breaks && keeps && isolation && !level_implies (keeps, breaks));
    ASSERT_STR_EQm (fault->name, fault->isolation, isolation->name);
    ASSERTm (fault->name, fault->rate > 0 && fault->rate <= 1);
    unsigned shown = 0;
    for (size_t i = 0; workloads[i].name; i++)
      shown += fault_shows_in (fault, workloads[i].name);
    ASSERTm (fault->name, shown >= 2);
    ASSERT_EQ_FMTm (fault->name, words_in (fault->shows), shown, "%u"); // each is a workload, and there once
  }
  PASS ();
}

TEST lists_of_workloads_are_read (void) {
  const struct fault fault = { .shows = "bank twitter:30 blindw-mixed" };
  ASSERT_EQ (32, fault_keys (&fault, "bank", 32));
  ASSERT_EQ (30, fault_keys (&fault, "twitter", 32));
  ASSERT_EQ (32, fault_keys (&fault, "blindw-mixed", 32));
  static const char *const others[] = { "blindw", "ban", "banks", "mixed", "twitter:30", "30", "" };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ASSERT_EQm (others[i], 0, fault_keys (&fault, others[i], 32));
    ASSERT_FALSEm (others[i], fault_shows_in (&fault, others[i]));
  }
  PASS ();
}

TEST few_keys_are_for_faults_only (void) {
  struct generate_summary summary;
  struct generate_options options = options_for (&faults[FAULT_LOST_UPDATE], workload_find ("bank"), 1);
  options.txns = 10;
  history_free (generate (&options, &summary));
  ASSERT_EQ (options.workload->overbooked, summary.keys);
  options.work.keys = 7;
  history_free (generate (&options, &summary));
  ASSERT_EQ (7, summary.keys);
  options.work.keys = 0;
  options.fault = NULL;
  history_free (generate (&options, &summary));
  ASSERT_EQ (options.workload->keys, summary.keys);
  PASS ();
}

// ------------------------------------------------------------------------- what breaks, what stays

static bool breaks (const struct generate_options *options, bool *keeps) {
  struct generate_summary summary;
  struct history *h = generate (options, &summary);
  *keeps = !strcmp (verdict_at (h, options->fault->keeps), "valid");
  const bool broken = !strcmp (verdict_at (h, options->fault->breaks), "invalid");
  history_free (h);
  return broken && summary.faults;
}

// NULL, or what is wrong. Of 100 runs, 5 may not show the fault; of a few, one, but a single one
// that does not is given another chance.
static const char *wrong_with (struct generate_options *options, unsigned seeds) {
  unsigned shown = 0;
  for (options->seed = 1; options->seed <= seeds; options->seed++) {
    bool keeps;
    shown += breaks (options, &keeps);
    if (!keeps)
      return "the level that it keeps is not kept";
    if (seeds == 1 && !shown)
      seeds++;
  }
  return (seeds - shown) * 20 <= (seeds < 20 ? 20 : seeds) ? NULL : "it does not show often enough";
}

TEST histories_break_one_level_and_keep_another (void) {
  FOR_ALL (options, is_slow (&workloads[w_]) ? effort (4, 1, 1) : 1, 1) {
    const char *wrong = wrong_with (&options, is_slow (options.workload) ? effort (1, 1, 10) : effort (1, 2, 10));
    char about[256];
    snprintf (about, sizeof about, "%s: %s", label (&options), wrong ? wrong : "");
    ASSERTm (about, !wrong);
  }
  PASS ();
}

// It is the fault that breaks it, not the store.
TEST histories_without_the_fault_break_nothing (void) {
  FOR_ALL (options, effort (7, 3, 1), effort (1, 1, 4)) {
    struct generate_summary summary;
    options.work.keys = fault_keys (options.fault, options.workload->name, options.workload->overbooked);
    // valid is hard work
    options.txns = effort_is_long () && !is_slow (options.workload) ? 2000 : 500;
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
  FOR_ALL (options, effort (5, 2, 1), effort (1, 2, 10)) {
    struct generate_summary summary;
    options.fault_rate = rates[((unsigned) f_ + s_) % 3];
    options.work.keys = ((unsigned) f_ + s_) % 2 ? 0 : options.workload->keys;
    options.txns = 500;
    options.aborts = 0.1;
    options.unknowns = 0.05;
    struct history *h = generate (&options, &summary);
    // A fault that gives up transactions may, at its highest rate, leave none to be judged.
    const char *expected = history_has_committed (h) ? "valid" : "unknown";
    ASSERT_STR_EQm (label (&options), expected, verdict_at (h, options.fault->keeps));
    history_free (h);
  }
  PASS ();
}

// ---------------------------------------------------------------------------------- all operations

TEST histories_are_well_formed (void) {
  static bool struck[FAULTS];
  FOR_ALL (options, effort (3, 1, 1), effort (1, 1, 8)) {
    struct generate_summary summary;
    options.txns = 500;
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
  FOR_ALL (options, effort (3, 1, 1), 1) {
    struct generate_summary summary;
    options.txns = 200;
    options.fault_rate = 1e-300;
    struct history *h = generate (&options, &summary);
    options.fault = NULL;
    options.work.keys = summary.keys;
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
  RUN_TEST (lists_of_workloads_are_read);
  RUN_TEST (few_keys_are_for_faults_only);
  RUN_TEST (histories_break_one_level_and_keep_another);
  RUN_TEST (histories_without_the_fault_break_nothing);
  RUN_TEST (what_is_kept_is_kept_at_any_rate);
  RUN_TEST (histories_are_well_formed);
  RUN_TEST (a_fault_that_never_strikes_changes_nothing);
}

KRAIT_UNIT_MAIN (RUN_SUITE (injected);)
