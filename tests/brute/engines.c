// Histories that are too large to enumerate, large enough for what small ones never reach: long
// version lists, many chains, components.
//
// Each comes from a serial run of many sessions, or from one in which transactions read from
// snapshots and lose when they write what changed since; so that without a fault it must be valid
// at serializable or snapshot isolation, and at all that these imply. With a fault (a read that
// returns an older or another value) the answer is not known beforehand. Every history is judged at
// some levels by several engines that have little in common: saturation or none, clocks, bit sets
// or partial rows, guess or search. All must agree, with each other and with the lattice.

#include "api/check.h"
#include "history/history.h"
#include "levels/lattice.h"
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
  bool snapshots;
};

struct store {
  uint64_t value[MOST_KEYS][MOST_VERSIONS]; // versions, the initial absent one first
  unsigned writer[MOST_KEYS][MOST_VERSIONS];
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
  plan.snapshots = prng_chance (prng, 50);
  return plan;
}

// The newest version of the key that `snapshot` transactions or fewer had written.
static unsigned version_at (const struct store *store, unsigned key, unsigned snapshot) {
  unsigned version = store->versions[key] - 1;
  while (version && store->writer[key][version] >= snapshot)
    version--;
  return version;
}

// One transaction at work: what it sees, and what it has written so far.
struct client {
  unsigned number, snapshot;
  bool faulty;
};

static uint64_t read_value (struct prng *prng, const struct store *store, const struct client *client, unsigned key) {
  const unsigned newest = store->versions[key] - 1;
  if (newest && store->writer[key][newest] == client->number) // its own
    return store->value[key][newest];
  unsigned version = version_at (store, key, client->snapshot);
  if (client->faulty && version)
    version -= 1 + prng_below (prng, version < 4 ? version : 4);
  return store->value[key][version];
}

// Nobody has written the key since the snapshot was taken.
static bool may_write (const struct store *store, const struct client *client, unsigned key) {
  const unsigned newest = store->versions[key] - 1;
  return store->versions[key] < MOST_VERSIONS
         && (!newest || store->writer[key][newest] < client->snapshot || store->writer[key][newest] == client->number);
}

static void add_operation (struct history *h, struct prng *prng, const struct plan *plan, struct store *store,
                           const struct client *client) {
  const char *why = NULL;
  const unsigned key = prng_below (prng, plan->keys);
  const uint32_t name = history_key (h, atom_unsigned (key), &why);
  if (prng_chance (prng, plan->writes) && may_write (store, client, key)) {
    const uint64_t value = plan->values ? 1 + prng_below (prng, plan->values) : 1 + history_ops (h);
    store->writer[key][store->versions[key]] = client->number;
    store->value[key][store->versions[key]++] = value;
    history_add_op (h, OP_PUT, 0, name, history_value (h, atom_unsigned (value), &why), AUX_NONE, &why);
    return;
  }
  const uint64_t value = read_value (prng, store, client, key);
  history_add_op (h, OP_GET, 0, name, value ? history_value (h, atom_unsigned (value), &why) : VALUE_ABSENT, AUX_NONE,
                  &why);
}

// Times of a snapshot reader: it began right after the last transaction that it sees, and ended in
// its turn.
static struct txn_header draw_header (struct prng *prng, const struct plan *plan, const struct client *client,
                                      unsigned session) {
  const int64_t now = 10 * (int64_t) client->number;
  struct txn_header header = { .session = session, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  header.status = prng_chance (prng, plan->unknowns) ? TXN_UNKNOWN : TXN_COMMITTED;
  if (plan->times) {
    header.begin =
      client->snapshot < client->number ? 10 * (int64_t) client->snapshot - 9 : now - prng_between (prng, 0, 60);
    header.end = plan->snapshots ? now : now + prng_between (prng, 0, 60);
  }
  return header;
}

static struct history *draw_history (struct prng *prng, const struct plan *plan) {
  static struct store store;
  unsigned last_of_session[MOST_SESSIONS + 1] = { 0 }; // numbers from 1 on
  struct history *h = history_new ("engines");
  const char *why = NULL;
  for (unsigned key = 0; key < plan->keys; key++)
    store.versions[key] = 1;
  unsigned faults = plan->faults;
  for (unsigned t = 1; t <= plan->txns; t++) {
    const unsigned session = prng_below (prng, plan->sessions), lag = prng_below (prng, 8);
    struct client client = { t, t, faults && prng_chance (prng, 10) };
    if (plan->snapshots && client.snapshot > lag)
      client.snapshot -= lag;
    if (client.snapshot <= last_of_session[session])
      client.snapshot = last_of_session[session] + 1;
    last_of_session[session] = t;
    const struct txn_header header = draw_header (prng, plan, &client, session);
    history_begin_txn (h, &header, &why);
    faults -= client.faulty;
    for (unsigned i = prng_between (prng, 1, plan->operations); i > 0; i--)
      add_operation (h, prng, plan, &store, &client);
  }
  history_finish (h);
  return h;
}

struct engine {
  const char *name;
  struct check_steps steps;
  enum rows_kind rows;
};

#define SEARCH .saturation = true, .priority = true, .propagation = true, .unsat_search = true
static const struct engine engines[] = {
  { "default",
    { SEARCH, .stronger_first = true, .guess = true, .run_search = true, .components = true, .static_lemmas = true },
    ROWS_AUTO },
  { "search", { SEARCH, .components = true, .static_lemmas = true }, ROWS_CLOCKS },
  { "bits", { SEARCH, .components = true, .decisions = true }, ROWS_BITS },
  { "partial", { SEARCH, .static_lemmas = true }, ROWS_PARTIAL },
  { "no saturation", { .components = true, .priority = true, .static_lemmas = true }, ROWS_CLOCKS },
};
enum { ENGINES = sizeof engines / sizeof *engines };

// Where all sources are known, these levels are decided by saturation, if it knows all paths.
static bool must_not_search (const struct plan *plan, const struct level *level, const struct engine *engine) {
  static const char *const names[] = {
    "causal",          "read-atomic", "read-committed-axiomatic", "read-committed", "strong-session-read-committed",
    "read-uncommitted"
  };
  bool listed = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    listed |= !strcmp (level->name, names[i]);
  return listed && !plan->values && !plan->unknowns && engine->steps.saturation && engine->rows != ROWS_PARTIAL;
}

// Some of these histories are hard, and engines that lack a step may take for ever; that is no
// disagreement.
enum { PATIENCE = 1, OUT_OF_PATIENCE = VERDICT_UNKNOWN + 1 };

static enum verdict judge (const struct history *h, const struct plan *plan, const struct level *level,
                           const struct engine *engine, char *reason, size_t size) {
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
  if (result->effort.used_solver && must_not_search (plan, level, engine)) {
    snprintf (reason, size, "after a search that was not needed");
    verdict = VERDICT_UNKNOWN;
  }
  check_result_free (result);
  return verdict;
}

enum outcome { AGREED, DISAGREED, NO_ANSWER };

// Valid by construction: the level follows from the one that the run kept to.
static bool must_hold (const struct plan *plan, const struct level *level) {
  const char *kept = plan->snapshots ? "strict-snapshot-isolation" : "strict-serializable";
  if (!plan->times)
    kept = plan->snapshots ? "strong-session-snapshot-isolation" : "strong-session-serializable";
  return !plan->faults && level_implies (level_find (kept), level);
}

// All engines at one level; `verdict`: what they agreed on.
static enum outcome test_level (const struct history *h, const struct plan *plan, uint64_t index,
                                const struct level *level, enum verdict *agreed) {
  int common = OUT_OF_PATIENCE; // the verdict of those that answered
  for (unsigned i = 0; i < ENGINES; i++) {
    char reason[256];
    const enum verdict verdict = judge (h, plan, level, &engines[i], reason, sizeof reason);
    if ((int) verdict == OUT_OF_PATIENCE)
      continue;
    const bool fine = verdict != VERDICT_UNKNOWN && (common == OUT_OF_PATIENCE || common == (int) verdict)
                      && (!must_hold (plan, level) || verdict == VERDICT_VALID);
    common = (int) verdict;
    if (fine)
      continue;
    fprintf (stderr, "history %" PRIu64 " (%u transactions, %u sessions, %u faults%s), %s: %s says %s %s\n", index,
             plan->txns, plan->sessions, plan->faults, plan->snapshots ? ", snapshots" : "", level->name,
             engines[i].name, verdict_name (verdict), reason);
    return DISAGREED;
  }
  *agreed = (enum verdict) common;
  return common == OUT_OF_PATIENCE ? NO_ANSWER : AGREED;
}

struct tally {
  uint64_t passed, failed, skipped, of[3];
};

enum { DRAWN = 4 }; // levels per history, besides the serializable ones

static void test_history (uint64_t index, struct prng *prng, struct tally *tally) {
  const struct plan plan = draw_plan (prng);
  struct history *h = draw_history (prng, &plan);
  size_t count = 0;
  while (level_at (count))
    count++;
  const struct level *tested[3 + DRAWN];
  enum verdict verdicts[3 + DRAWN];
  for (unsigned i = 0; i < 3 + DRAWN; i++) {
    tested[i] = i < 3 ? level_at (i) : level_at (prng_below (prng, (uint32_t) count));
    enum outcome outcome = NO_ANSWER;
    verdicts[i] = VERDICT_UNKNOWN;
    if (plan.times || !tested[i]->rules.rt.used)
      outcome = test_level (h, &plan, index, tested[i], &verdicts[i]);
    for (unsigned k = 0; k < i && outcome == AGREED; k++)
      if ((level_implies (tested[k], tested[i]) && verdicts[k] == VERDICT_VALID && verdicts[i] == VERDICT_INVALID)
          || (level_implies (tested[i], tested[k]) && verdicts[i] == VERDICT_VALID && verdicts[k] == VERDICT_INVALID)) {
        fprintf (stderr, "history %" PRIu64 ": %s and %s break the lattice\n", index, tested[k]->name, tested[i]->name);
        outcome = DISAGREED;
      }
    tally->passed += outcome == AGREED;
    tally->failed += outcome == DISAGREED;
    tally->skipped += outcome == NO_ANSWER;
    tally->of[outcome == AGREED ? verdicts[i] : VERDICT_UNKNOWN]++;
  }
  history_free (h);
}

int main (int argc, char **argv) {
  const struct run run = run_arguments (argc, argv, 60, 1500);
  struct tally tally = { 0 };
  for (uint64_t index = run.first; index < run.first + run.count; index++) {
    struct prng prng = prng_fork (run.seed, index);
    test_history (index, &prng, &tally);
  }
  printf ("seed %" PRIu64 ", %" PRIu64 " histories: %" PRIu64 " valid, %" PRIu64 " invalid\n", run.seed, run.count,
          tally.of[VERDICT_VALID], tally.of[VERDICT_INVALID]);
  // one verdict only proves little
  tally.failed += !tally.of[VERDICT_VALID] || !tally.of[VERDICT_INVALID];
  return run_end (tally.passed, tally.failed, tally.skipped);
}
