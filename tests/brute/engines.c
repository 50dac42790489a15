// Histories that are too large to enumerate, large enough for what small ones never reach: long version lists, windows, many chains, components.
//
// Each comes from a serial run of many sessions, so that without a fault it must be valid; with one (a read that returns an older or another value) the
// answer is not known beforehand. Every history is judged by several engines that have little in common: saturation or none, clocks, bit sets or partial
// rows, guess or search. All must agree, and say `valid` where no fault was put in.

#include "api/check.h"
#include "history/history.h"
#include "levels/levels.h"
#include "prng.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TXNS = 250, MOST_SESSIONS = 40, MOST_KEYS = 60, MOST_VERSIONS = 4000 };

struct plan {
  unsigned txns, sessions, keys, operations, writes, values, faults, unknowns;
  bool times;
};

struct store {
  uint64_t value[MOST_KEYS][MOST_VERSIONS]; // versions, the initial absent one first
  unsigned versions[MOST_KEYS];
};

static struct plan draw_plan (struct prng *prng) {
  struct plan plan;
  plan.txns = prng_between (prng, 20, MOST_TXNS);
  plan.sessions = prng_between (prng, 1, prng_chance (prng, 50) ? 6 : MOST_SESSIONS);
  plan.keys = prng_between (prng, 1, prng_chance (prng, 50) ? 8 : MOST_KEYS);
  plan.operations = prng_between (prng, 1, 6);
  plan.writes = prng_between (prng, 10, 90);
  plan.values = prng_chance (prng, 50) ? 0 : prng_between (prng, 2, 40); // 0: unique
  plan.faults = prng_chance (prng, 50) ? 0 : prng_between (prng, 1, 3);
  plan.unknowns = prng_chance (prng, 70) ? 0 : prng_between (prng, 1, 10);
  plan.times = prng_chance (prng, 50);
  return plan;
}

static uint64_t read_value (struct prng *prng, const struct store *store, unsigned key, bool faulty) {
  const unsigned newest = store->versions[key] - 1;
  unsigned version = newest;
  if (faulty && newest)
    version = newest - 1 - prng_below (prng, newest < 4 ? newest : 4);
  return store->value[key][version];
}

static void add_operation (struct history *h, struct prng *prng, const struct plan *plan, struct store *store,
                           bool faulty) {
  const char *why = NULL;
  const unsigned key = prng_below (prng, plan->keys);
  const uint32_t name = history_key (h, atom_unsigned (key), &why);
  if (prng_chance (prng, plan->writes) && store->versions[key] < MOST_VERSIONS) {
    const uint64_t value = plan->values ? 1 + prng_below (prng, plan->values) : 1 + history_ops (h);
    store->value[key][store->versions[key]++] = value;
    history_add_op (h, OP_PUT, 0, name, history_value (h, atom_unsigned (value), &why), AUX_NONE, &why);
    return;
  }
  const uint64_t value = read_value (prng, store, key, faulty);
  history_add_op (h, OP_GET, 0, name, value ? history_value (h, atom_unsigned (value), &why) : VALUE_ABSENT, AUX_NONE,
                  &why);
}

static struct history *draw_history (struct prng *prng, const struct plan *plan) {
  static struct store store;
  struct history *h = history_new ("engines");
  const char *why = NULL;
  for (unsigned key = 0; key < plan->keys; key++)
    store.versions[key] = 1;
  unsigned faults = plan->faults;
  for (unsigned t = 0; t < plan->txns; t++) {
    const int64_t now = 10 * (int64_t) t;
    const struct txn_header header = {
      .session = prng_below (prng, plan->sessions),
      .status = prng_chance (prng, plan->unknowns) ? TXN_UNKNOWN : TXN_COMMITTED,
      .begin = plan->times ? now - prng_between (prng, 0, 60) : TIME_NONE_BEGIN,
      .end = plan->times ? now + prng_between (prng, 0, 60) : TIME_NONE_END,
    };
    history_begin_txn (h, &header, &why);
    const bool faulty = faults && prng_chance (prng, 10);
    faults -= faulty;
    for (unsigned i = prng_between (prng, 1, plan->operations); i > 0; i--)
      add_operation (h, prng, plan, &store, faulty);
  }
  history_finish (h);
  return h;
}

struct engine {
  const char *name;
  struct check_steps steps;
  enum rows_kind rows;
};

static const struct engine engines[] = {
  { "default", { true, true, true, true, true, true }, ROWS_AUTO },
  { "search", { false, true, false, true, true, true }, ROWS_CLOCKS },
  { "bits", { false, true, false, true, true, false }, ROWS_BITS },
  { "partial", { false, true, false, false, true, true }, ROWS_PARTIAL },
  { "no saturation", { false, false, false, true, true, true }, ROWS_CLOCKS },
};
enum { ENGINES = sizeof engines / sizeof *engines };

// Some of these histories are hard, and engines that lack a step may take for ever; that is no disagreement.
enum { PATIENCE = 2, OUT_OF_PATIENCE = VERDICT_UNKNOWN + 1 };

static enum verdict judge (const struct history *h, const struct level *level, const struct engine *engine,
                           char *reason, size_t size) {
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.threads = 1;
  options.steps = engine->steps;
  options.rows = engine->rows;
  struct budget budget;
  budget_start (&budget, PATIENCE, 0, NULL);
  options.budget = &budget;
  struct check_result *result = check_history (h, &options);
  enum verdict verdict = result->verdict;
  if (verdict == VERDICT_UNKNOWN && budget_check (&budget) == BUDGET_TIME)
    verdict = (enum verdict) OUT_OF_PATIENCE;
  snprintf (reason, size, "%s", result->reason ? result->reason : "");
  check_result_free (result);
  return verdict;
}

enum outcome { AGREED, DISAGREED, NO_ANSWER };

static enum outcome test_level (const struct history *h, const struct plan *plan, uint64_t index, const char *name,
                                uint64_t *tally) {
  const struct level *level = level_find (name);
  int common = OUT_OF_PATIENCE; // the verdict of those that answered
  for (unsigned i = 0; i < ENGINES; i++) {
    char reason[256];
    const enum verdict verdict = judge (h, level, &engines[i], reason, sizeof reason);
    if ((int) verdict == OUT_OF_PATIENCE)
      continue;
    const bool fine = verdict != VERDICT_UNKNOWN && (common == OUT_OF_PATIENCE || common == (int) verdict)
                      && (plan->faults || verdict == VERDICT_VALID);
    common = (int) verdict;
    if (fine)
      continue;
    fprintf (stderr, "history %" PRIu64 " (%u transactions, %u sessions, %u faults), %s: %s says %s %s\n", index,
             plan->txns, plan->sessions, plan->faults, name, engines[i].name, verdict_name (verdict), reason);
    return DISAGREED;
  }
  if (common == OUT_OF_PATIENCE)
    return NO_ANSWER;
  tally[common]++;
  return AGREED;
}

int main (int argc, char **argv) {
  const struct run run = run_arguments (argc, argv, 100, 3000);
  uint64_t passed = 0, failed = 0, skipped = 0, tally[3] = { 0 };
  for (uint64_t index = run.first; index < run.first + run.count; index++) {
    struct prng prng = prng_fork (run.seed, index);
    const struct plan plan = draw_plan (&prng);
    struct history *h = draw_history (&prng, &plan);
    static const char *const names[] = { "serializable", "strong-session-serializable", "strict-serializable" };
    for (unsigned i = 0; i < 3; i++) {
      const enum outcome outcome = i == 2 && !plan.times ? NO_ANSWER : test_level (h, &plan, index, names[i], tally);
      passed += outcome == AGREED;
      failed += outcome == DISAGREED;
      skipped += outcome == NO_ANSWER;
    }
    history_free (h);
  }
  printf ("seed %" PRIu64 ", %" PRIu64 " histories: %" PRIu64 " valid, %" PRIu64 " invalid\n", run.seed, run.count,
          tally[VERDICT_VALID], tally[VERDICT_INVALID]);
  failed += !tally[VERDICT_VALID] || !tally[VERDICT_INVALID]; // one verdict only proves little
  return run_end (passed, failed, skipped);
}
