// The name of what an injected fault leads to. A fault is in the store; what a history shows of it
// depends on who met whom, so that several names may be right. The table says which, and why;
// anything else is a wrong name.

#include "../support/effort.h"
#include "../unit/greatest_main.h"
#include "api/explanation.h"
#include "explain/violation_words.h"
#include "generate/generate.h"
#include "history/history.h"
#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>

// Names as in anomalyName, or the class where there is no name. The first is what the fault is
// known for.
static const struct expectation {
  const char *fault, *names, *because;
} expectations[] = {
  { "lost-update", "lost-update", "" },
  { "dirty-write",
    "dirty-write circular-information-flow fractured-read read-skew non-repeatable-read lost-update "
    "phantom",
    "nobody recorded which write is the newer one: that two transactions each won a key shows in what others read, by "
    "scans too" },
  { "dirty-read", "aborted-read intermediate-read circular-information-flow",
    "what was in progress aborted later, or was overwritten by its own writer, or had itself read from the reader" },
  { "aborted-read", "aborted-read", "" },
  { "intermediate-read", "intermediate-read", "" },
  { "non-repeatable-read",
    "non-repeatable-read fractured-read read-skew lost-update write-skew read-only-anomaly long-fork",
    "what was read may change before the end: a second look sees that, or a write that rests on it does, in any cycle "
    "that a lock would have prevented" },
  { "fractured-read", "fractured-read non-repeatable-read phantom", "a scan that misses a part misses a key" },
  { "long-fork", "long-fork phantom", "readers that scan saw one of the two keys and missed the other" },
  { "write-skew", "write-skew read-only-anomaly", "a third transaction that reads may be needed to see it" },
  { "read-skew", "read-skew fractured-read non-repeatable-read lost-update phantom",
    "the two snapshots differ by one transaction or by several, in one key or in several; what was read may be "
    "written" },
  { "phantom", "phantom", "" },
  { "stale-read", "stale-read phantom timestamp-inversion",
    "a stale scan misses a key; who reads from a reader of newer things is late as well" },
  { "timestamp-inversion", "timestamp-inversion stale-read phantom",
    "to a reader that began later, a commit that has no place yet is one that it misses" },
  { "repeated-value-update", "own-write", "its own transaction reads the old value" },
  { "missed-scan-key", "phantom", "" },
  { "skipped-item", "phantom", "an iterator that steps over an item is a scan that misses it" },
  { "resurrected-key", "stale-read lost-update phantom timestamp-inversion fractured-read",
    "what is back is an old version: it is read, or replaced, instead of the newest state, beside what else its "
    "deleter did; or scans find it" },
  { "replayed-write", "fractured-read read-skew non-repeatable-read lost-update circular-information-flow phantom",
    "readers of the key see the old version again, beside newer ones that came with what it had been overwritten by" },
  { "future-read", "fractured-read non-repeatable-read phantom",
    "nothing says that a snapshot was older: the transaction saw a part of a commit and missed the rest of it" },
};

static bool is_among (const char *names, const char *name) {
  const size_t length = strlen (name);
  for (const char *at = strstr (names, name); at; at = strstr (at + 1, name))
    if ((at == names || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
      return true;
  return false;
}

static struct history *make (const struct fault *fault, const struct workload *workload, uint64_t seed) {
  struct generate_options options;
  struct generate_summary summary;
  generate_options_default (&options);
  options.fault = fault;
  options.workload = workload;
  options.isolation = isolation_find (fault->isolation);
  options.txns = strcmp (fault->name, "repeated-value-update") ? 300 : 2000; // this one shows rarely
  options.seed = seed;
  return generate (&options, &summary);
}

struct tally {
  unsigned invalid, untold, wrong;
};

static void look_at (const struct expectation *expected, const struct fault *fault, const struct workload *workload,
                     uint64_t seed, struct tally *tally) {
  struct history *h = make (fault, workload, seed);
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (fault->breaks);
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  explain_result (result, h, &options, &(struct part_limits){ .bounded = true });
  if (result->verdict == VERDICT_INVALID) {
    const struct violation *v = result->violation;
    const char *name = violation_name (v) ? violation_name (v) : violation_class (v);
    tally->invalid++;
    if (!violation_name (v) && v->part && !v->edges.count && !is_among (expected->names, name))
      tally->untold++; // too large for cases
    else if (!name || !is_among (expected->names, name)) {
      char *explanation = violation_explanation (v, h);
      tally->wrong++;
      printf ("%s, %s, seed %u: %s (%s)\n%s\n", fault->name, workload->name, (unsigned) seed, name ? name : "no name",
              violation_class (v), explanation);
      mem_free (explanation);
    }
  }
  check_result_free (result);
  history_free (h);
}

// Range queries take their time: under sanitizers they are left out where something else shows the
// fault.
static bool has_its_turn (const struct fault *fault, const struct workload *workload) {
  const bool only_ranges = !fault_shows_in (fault, "blindw-mixed") && !fault_shows_in (fault, "twitter");
  const bool slow = !strncmp (workload->name, "random", 6) || !strcmp (workload->name, "tpcc");
  return fault_shows_in (fault, workload->name) && (only_ranges || !slow || !effort_is_sanitized ());
}

TEST faults_get_their_names (void) {
  const uint64_t seeds = effort (1, 1, 25);
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
    const enum fault_id id = fault_find (expectations[i].fault);
    struct tally tally = { 0, 0, 0 };
    ASSERTm (expectations[i].fault, id != FAULT_NONE);
    for (size_t w = 0; workloads[w].name; w++)
      for (uint64_t seed = 1; seed <= seeds && has_its_turn (&faults[id], &workloads[w]); seed++)
        look_at (&expectations[i], &faults[id], &workloads[w], seed, &tally);
    ASSERTm (expectations[i].fault, tally.invalid); // else nothing was tested
    ASSERTm (expectations[i].fault, tally.untold * 5 <= tally.invalid);
    // Among hundreds of histories a fault may show in a few as something else that is just as true:
    // what it does to a scan as a lost update, say.
    ASSERTm (expectations[i].fault, tally.wrong * 20 <= tally.invalid);
  }
  PASS ();
}

TEST every_fault_is_in_the_table (void) {
  for (int id = FAULT_NONE + 1; id < FAULTS; id++) {
    bool found = false;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
      found |= !strcmp (expectations[i].fault, faults[id].name);
    ASSERTm (faults[id].name, found);
  }
  PASS ();
}

SUITE (names) {
  RUN_TEST (every_fault_is_in_the_table);
  RUN_TEST (faults_get_their_names);
}

KRAIT_UNIT_MAIN (RUN_SUITE (names);)
