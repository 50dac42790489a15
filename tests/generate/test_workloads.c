// Every workload on every isolation of the store: well-formed histories, the same from the same
// seed, that do what the workload says and hold what the store promises.

#include "../support/effort.h"
#include "../support/history_equal.h"
#include "../unit/greatest_main.h"
#include "generate/generate.h"
#include "look.h"
#include "verdict.h"

#include <string.h>

static unsigned seeds (void) {
  return effort (1, 2, 6);
}

// A history of a dialect keeps its reads apart from its writes, and which of several equal values a
// read has seen is then a matter of search: of 2,000 transactions that meet at few keys (zipf) no
// end was seen in 20 minutes.
enum { MOST_OF_DIALECT = 500 };

static struct generate_options options_for (size_t workload, size_t isolation, uint64_t seed) {
  struct generate_options options;
  generate_options_default (&options);
  options.workload = &workloads[workload];
  options.isolation = &isolations[isolation];
  options.seed = seed;
  options.txns = !effort_is_long () ? 250 + 250 * seed : isolations[isolation].holds ? 2000 : MOST_OF_DIALECT;
  options.distribution = (enum distribution) ((seed + workload + isolation) % 3);
  options.aborts = seed % 2 ? 0.05 : 0;
  options.unknowns = seed % 4 == 2 ? 0.02 : 0;
  return options;
}

static const char *label (const struct generate_options *options) {
  static char text[128];
  snprintf (text, sizeof text, "%s, %s, seed %u", options->workload->name, options->isolation->name,
            (unsigned) options->seed);
  return text;
}

// For every workload, isolation and seed.
#define FOR_ALL(options)                                                                                               \
  for (size_t w_ = 0; workloads[w_].name; w_++)                                                                        \
    for (size_t i_ = 0; isolations[i_].name; i_++)                                                                     \
      for (unsigned s_ = 1; s_ <= seeds (); s_++)                                                                      \
        for (struct generate_options options = options_for (w_, i_, s_), *once_ = &options; once_; once_ = NULL)

TEST histories_are_well_formed (void) {
  FOR_ALL (options) {
    struct generate_summary summary;
    struct history *h = generate (&options, &summary);
    const char *why = NULL;
    ASSERTm (label (&options), history_validate (h, &why));
    ASSERT_EQm (label (&options), options.txns, history_txns (h));
    ASSERT_EQm (label (&options), summary.operations, history_ops (h));
    why = look_at_ranges (h);
    ASSERTm (why, !why);
    why = look_at_lists (h, 32);
    ASSERTm (why, !why);
    history_free (h);
  }
  PASS ();
}

TEST same_seed_same_history (void) {
  FOR_ALL (options) {
    struct generate_summary summary;
    options.txns = 300;
    struct history *one = generate (&options, &summary), *two = generate (&options, &summary);
    options.seed += 1000;
    struct history *other = generate (&options, &summary);
    ASSERT_EQm (label (&options), NULL, history_difference (one, two));
    ASSERTm (label (&options), history_difference (one, other));
    history_free (one);
    history_free (two);
    history_free (other);
  }
  PASS ();
}

enum {
  READS_AND_WRITES = DOES_GET | DOES_PUT | DOES_SEVERAL | DOES_READERS,
  UPDATES = READS_AND_WRITES | DOES_UPDATE,
  MIXES = UPDATES | DOES_REWRITE | DOES_OWN_READ,
};

static const struct {
  const char *workload;
  unsigned does;
} expected[] = {
  { "blindw", READS_AND_WRITES },
  { "blindw-mixed", MIXES | DOES_SKEW },
  { "blindw-repeated", MIXES | DOES_SKEW | DOES_REPEATED },
  { "randombench", MIXES | DOES_SKEW | DOES_REPEATED | DOES_SCAN | DOES_ITER | DOES_DELETE },
  { "randomrange", MIXES | DOES_SKEW | DOES_REPEATED | DOES_SCAN | DOES_DELETE },
  { "randomrmwrange", MIXES | DOES_SCAN },
  { "list-append", DOES_SEVERAL | DOES_READERS },
  { "twitter", UPDATES },
  { "rubis", UPDATES | DOES_SKEW | DOES_REPEATED },
  { "tpcc", MIXES | DOES_SKEW | DOES_SCAN | DOES_ITER | DOES_DELETE },
  { "retwis", MIXES | DOES_REPEATED },
  { "bank", UPDATES | DOES_REPEATED },
  { "counters", DOES_GET | DOES_INC | DOES_SEVERAL | DOES_READERS },
  { "fs-metadata", UPDATES | DOES_SKEW | DOES_ITER | DOES_DELETE },
};

static unsigned found_in (size_t workload, size_t isolation, uint64_t seed) {
  struct generate_summary summary;
  struct generate_options options = options_for (workload, isolation, seed);
  options.txns = 2000;
  struct history *h = generate (&options, &summary);
  const unsigned does = look_does (h);
  history_free (h);
  // Where updates of a number get lost, values repeat that otherwise do not.
  return strcmp (options.isolation->name, "serializable") ? does & ~(unsigned) DOES_REPEATED : does;
}

TEST histories_do_what_the_workload_says (void) {
  const unsigned most = seeds () < 3 ? 3 : seeds (); // each has another distribution
  for (size_t w = 0; workloads[w].name; w++) {
    unsigned found = 0;
    for (size_t i = 0; isolations[i].name; i++)
      for (unsigned seed = 1; seed <= most; seed++)
        if (!strcmp (isolations[i].name, "serializable") || effort_is_long ())
          found |= found_in (w, i, seed);
    ASSERTm (workloads[w].name, w < sizeof expected / sizeof *expected);
    ASSERT_STR_EQ (workloads[w].name, expected[w].workload);
    ASSERT_EQ_FMTm (workloads[w].name, expected[w].does, found, "%x");
  }
  PASS ();
}

// --------------------------------------------------------------------------------------- isolation

// One that holds no level promises the strongest ones under the dialect of its name.
TEST histories_hold_what_the_store_promises (void) {
  static const char *const strongest[] = { "serializable", "snapshot-isolation", "strict-serializable" };
  FOR_ALL (options) {
    struct generate_summary summary;
    struct history *h = generate (&options, &summary);
    const struct isolation *isolation = options.isolation;
    if (isolation->holds)
      ASSERT_STR_EQm (label (&options), "valid", verdict_at (h, isolation->holds));
    for (size_t i = 0; !isolation->holds && i < sizeof strongest / sizeof *strongest; i++)
      ASSERT_STR_EQm (label (&options), "valid", verdict_under (h, strongest[i], isolation->name));
    history_free (h);
  }
  PASS ();
}

// A committed transaction that reads every account of the only branch finds all the money.
static bool total_is_right (const struct history *h, uint64_t accounts, unsigned *seen) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    const uint32_t first = h->txn_first_op.data[txn], count = h->txn_first_op.data[txn + 1] - first;
    if (h->txn_status.data[txn] != TXN_COMMITTED || count != accounts)
      continue;
    uint64_t total = 0;
    for (uint32_t op = first; op < first + count; op++) {
      const uint32_t value = h->op_values.data[op];
      total += value == VALUE_ABSENT ? 100 : atoms_get (&h->values, value).number;
    }
    ++*seen;
    if (total != 100 * accounts)
      return false;
  }
  return true;
}

TEST snapshots_of_the_bank_add_up (void) {
  enum { ACCOUNTS = 10 };
  FOR_ALL (options) {
    const struct isolation *isolation = options.isolation;
    if (strcmp (options.workload->name, "bank") || !(isolation->does & (FIRST_COMMITTER_WINS | RANGE_LOCKS)))
      continue;
    struct generate_summary summary;
    unsigned seen = 0;
    options.work.keys = ACCOUNTS;
    struct history *h = generate (&options, &summary);
    ASSERTm (label (&options), total_is_right (h, ACCOUNTS, &seen));
    ASSERTm (label (&options), seen > 20);
    history_free (h);
  }
  PASS ();
}

// ----------------------------------------------------------------------------------- concurrency

// How many transactions are in progress at a time, at most, by the times that clients report.
static unsigned most_at_a_time (const struct history *h) {
  unsigned most = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    unsigned count = 0;
    for (uint32_t other = 0; other < history_txns (h); other++)
      count += h->txn_begin.data[other] <= h->txn_begin.data[txn] && h->txn_end.data[other] >= h->txn_begin.data[txn];
    most = count > most ? count : most;
  }
  return most;
}

static bool refuses_nobody (const struct history *h) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (h->txn_status.data[txn] == TXN_ABORTED)
      return false;
  return true;
}

// With one at a time nobody is in the way of anybody, unless commits reach other replicas late.
TEST few_are_in_a_transaction_at_a_time (void) {
  FOR_ALL (options) {
    options.txns = 250;
    options.sessions = 60;
    options.concurrency = options.seed % 2 ? 5 : 1;
    const bool alone = options.concurrency == 1;
    if (alone)
      options.aborts = options.unknowns = 0;
    struct generate_summary summary;
    struct history *h = generate (&options, &summary);
    const unsigned most = most_at_a_time (h);
    ASSERTm (label (&options), alone ? most == 1 : most > 1 && most <= options.concurrency);
    ASSERTm (label (&options), !alone || options.isolation->replicas > 1 || refuses_nobody (h));
    if (options.isolation->holds)
      ASSERT_STR_EQm (label (&options), "valid", verdict_at (h, options.isolation->holds));
    history_free (h);
  }
  PASS ();
}

// Of 10,000 sessions 1 - (1 - 1/10,000)^20,000 get at least one of 20,000 turns.
TEST all_get_their_turn_alike (void) {
  struct generate_options options = options_for (0, 0, 4);
  struct generate_summary summary;
  options.txns = 20000;
  options.sessions = 10000;
  options.concurrency = 1;
  options.aborts = options.unknowns = 0;
  struct history *h = generate (&options, &summary);
  const uint32_t sessions = history_sessions (h);
  ASSERT (sessions > 8550 && sessions < 8750);
  history_free (h);
  PASS ();
}

SUITE (generated) {
  RUN_TEST (histories_are_well_formed);
  RUN_TEST (same_seed_same_history);
  RUN_TEST (histories_do_what_the_workload_says);
  RUN_TEST (histories_hold_what_the_store_promises);
  RUN_TEST (snapshots_of_the_bank_add_up);
  RUN_TEST (few_are_in_a_transaction_at_a_time);
  RUN_TEST (all_get_their_turn_alike);
}

KRAIT_UNIT_MAIN (RUN_SUITE (generated);)
