// Histories of the embedded store at mariadb-rr: the dialect accepts them at the strongest levels,
// plain levels do not, and bugs in the store are still found.

#include "../support/effort.h"
#include "../unit/greatest_main.h"
#include "api/check.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "generate/generate.h"
#include "history/history.h"
#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seeds (uint64_t few) {
  return effort_is_long () ? 5 * few : effort_is_sanitized () ? (few + 3) / 4 : few;
}

static struct generate_options options_for (const char *workload, uint64_t seed) {
  struct generate_options options;
  generate_options_default (&options);
  options.workload = workload_find (workload);
  options.isolation = isolation_find ("mariadb-rr");
  options.txns = 500;
  options.sessions = 8 + (unsigned) (seed % 3) * 8;
  options.aborts = seed % 3 ? 0 : 0.05;
  options.unknowns = seed % 4 ? 0 : 0.05;
  options.times = seed % 5 != 0;
  options.seed = seed;
  return options;
}

static enum verdict verdict_at (const struct history *h, const char *level, const char *dialect, const char **anomaly) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (level);
  options.dialect = dialect ? dialect_find (dialect) : NULL;
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  const enum verdict verdict = result->verdict;
  if (anomaly)
    *anomaly = violation_name (result->violation);
  check_result_free (result);
  return verdict;
}

static const char *label (const struct generate_options *options, const char *level) {
  static char text[160];
  snprintf (text, sizeof text, "%s, %s, seed %u at %s", options->workload->name,
            options->fault ? options->fault->name : "no fault", (unsigned) options->seed, level);
  return text;
}

struct workload_of_test {
  const char *name;
  uint64_t keys; // 0: what the workload is known for
  bool loses;    // updates, as a plain level sees it
  uint64_t seeds;
};

static const struct workload_of_test of_test[] = {
  { "blindw", 100, false, 100 },    { "blindw-mixed", 100, true, 100 }, { "blindw-repeated", 1000, false, 100 },
  { "twitter", 50, true, 100 },     { "bank", 20, true, 100 },          { "retwis", 100, true, 100 },
  { "randombench", 500, true, 20 }, { "randomrange", 500, true, 20 },   { "randomrmwrange", 100, true, 20 },
  { "list-append", 0, true, 20 },   { "rubis", 100, false, 20 },        { "tpcc", 1, true, 20 },
  { "fs-metadata", 10, true, 20 },
};

TEST the_dialect_accepts_what_the_store_does (void) {
  unsigned lost = 0;
  for (size_t w = 0; w < sizeof of_test / sizeof *of_test; w++) {
    unsigned refused = 0;
    for (uint64_t seed = 1; seed <= seeds (of_test[w].seeds); seed++) {
      struct generate_summary summary;
      struct generate_options options = options_for (of_test[w].name, seed);
      options.work.keys = of_test[w].keys;
      struct history *h = generate (&options, &summary);
      const char *const levels_of_test[] = { "serializable", "snapshot-isolation",
                                             options.times ? "strict-serializable" : "strong-session-serializable" };
      for (size_t i = 0; i < 3; i++)
        ASSERT_EQm (label (&options, levels_of_test[i]), VERDICT_VALID,
                    verdict_at (h, levels_of_test[i], "mariadb-rr", NULL));
      const char *anomaly;
      if (of_test[w].loses && verdict_at (h, "snapshot-isolation", NULL, &anomaly) == VERDICT_INVALID) {
        refused++;
        lost += anomaly && !strcmp (anomaly, "lost-update");
      }
      history_free (h);
    }
    if (of_test[w].loses)
      ASSERTm (of_test[w].name, refused > 0);
  }
  ASSERT (lost > 0);
  PASS ();
}

// Every level holds if strict serializability does; also those that are not asked through it.
TEST every_level_accepts_it (void) {
  for (uint64_t seed = 1; seed <= seeds (5); seed++)
    for (size_t i = 0; level_at (i); i++) {
      struct generate_summary summary;
      struct generate_options options = options_for ("bank", seed);
      options.work.keys = 20;
      options.times = true;
      struct history *h = generate (&options, &summary);
      struct check_options check;
      check_options_default (&check);
      check.level = level_at (i);
      check.dialect = dialect_find ("mariadb-rr");
      check.threads = 1;
      check.steps.stronger_first = false;
      struct check_result *result = check_history (h, &check);
      ASSERT_EQm (label (&options, level_at (i)->name), VERDICT_VALID, result->verdict);
      check_result_free (result);
      history_free (h);
    }
  PASS ();
}

// What breaks even this store; the others of the table break what it does not promise, or do not
// strike here.
static const struct {
  const char *fault, *workload;
  uint64_t keys;
  double rate; // 0: the usual one
} broken[] = {
  { "repeated-value-update", "blindw-repeated", 50, 1 },
  { "aborted-read", "blindw-mixed", 50, 0 },
  { "dirty-read", "blindw-mixed", 50, 0 },
  { "intermediate-read", "blindw-mixed", 10, 0 },
  { "read-skew", "blindw-mixed", 50, 1 },
  { "fractured-read", "blindw-mixed", 50, 0 },
  { "future-read", "blindw-mixed", 50, 0 },
  { "replayed-write", "blindw-mixed", 50, 0 },
  { "repeated-value-update", "randombench", 100, 1 },
  { "missed-scan-key", "randomrmwrange", 100, 0 },
  { "skipped-item", "fs-metadata", 10, 0.5 },
  { "resurrected-key", "fs-metadata", 10, 0.5 },
};

TEST faults_are_found (void) {
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= seeds (10); seed++) {
      struct generate_summary summary;
      struct generate_options options = options_for (broken[i].workload, seed);
      options.fault = &faults[fault_find (broken[i].fault)];
      options.fault_rate = broken[i].rate;
      options.work.keys = broken[i].keys;
      options.aborts = 0.1;
      struct history *h = generate (&options, &summary);
      found += verdict_at (h, "serializable", "mariadb-rr", NULL) == VERDICT_INVALID;
      history_free (h);
    }
    ASSERTm (broken[i].fault, found >= seeds (10) / 2);
  }
  PASS ();
}

SUITE (the_store) {
  RUN_TEST (the_dialect_accepts_what_the_store_does);
  RUN_TEST (every_level_accepts_it);
  RUN_TEST (faults_are_found);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_store);)
