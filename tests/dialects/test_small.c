// Tiny histories, judged by the dialect at `serializable` and by the definition: a transaction
// takes its snapshot, makes its locking reads and commits its writes, in program order, and those
// of several transactions interleave in any way. All interleavings are tried.
//
// Locks come in twice. What W reads once more is part of the rewriting, and both must agree on it.
// A store that really holds them allows less (a locked key may not even change and change back);
// what it allows the dialect must accept.

#include "../brute/prng.h"
#include "../support/effort.h"
#include "../unit/greatest_main.h"
#include "api/check.h"
#include "dialects/dialects.h"
#include "history/history.h"
#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TXNS = 4, MOST_OPS = 5, KEYS = 2 };

struct small_op {
  bool writes, locks;
  unsigned key, value;
};

struct small_txn {
  unsigned ops;
  struct small_op op[MOST_OPS];
};

struct small {
  unsigned txns;
  struct small_txn txn[MOST_TXNS];
};

// ---------------------------------------------------------------------------------- the definition

// Where the transaction stands: at an operation, or (at the last) before its commit.
struct run {
  const struct small *small;
  bool holds_locks;
  unsigned at[MOST_TXNS];
  bool has_snapshot[MOST_TXNS], done[MOST_TXNS];
  unsigned snapshot[MOST_TXNS][KEYS];
  unsigned state[KEYS];
  bool locked[MOST_TXNS][KEYS];
};

static const struct small_op *own_write (const struct small_txn *txn, unsigned before, unsigned key) {
  while (before-- > 0)
    if (txn->op[before].writes && txn->op[before].key == key)
      return &txn->op[before];
  return NULL;
}

// A locked key was read before; it must still be as it was then when the transaction commits.
static bool keeps_what_it_locked (const struct run *run, const struct small_txn *txn) {
  for (unsigned i = 0; i < txn->ops; i++) {
    const struct small_op *op = &txn->op[i];
    if (!op->writes && op->locks && !own_write (txn, i, op->key) && own_write (txn, txn->ops, op->key)
        && run->state[op->key] != op->value)
      return false;
  }
  return true;
}

static bool is_locked_by_another (const struct run *run, unsigned me, unsigned key) {
  for (unsigned t = 0; t < run->small->txns; t++)
    if (t != me && run->locked[t][key])
      return true;
  return false;
}

// One step of transaction t, if it can be made.
static bool step (struct run *run, unsigned t) {
  const struct small_txn *txn = &run->small->txn[t];
  if (run->at[t] == txn->ops) {
    if (!keeps_what_it_locked (run, txn))
      return false;
    for (unsigned i = 0; i < txn->ops; i++)
      if (txn->op[i].writes)
        run->state[txn->op[i].key] = txn->op[i].value;
    memset (run->locked[t], 0, sizeof run->locked[t]);
    run->done[t] = true;
    return true;
  }
  const struct small_op *op = &txn->op[run->at[t]], *own = own_write (txn, run->at[t], op->key);
  run->at[t]++;
  if (run->holds_locks && (op->writes || op->locks)) {
    if (is_locked_by_another (run, t, op->key))
      return false;
    run->locked[t][op->key] = true;
  }
  if (op->writes)
    return true;
  if (!op->locks && !run->has_snapshot[t]) {
    run->has_snapshot[t] = true;
    memcpy (run->snapshot[t], run->state, sizeof run->state);
  }
  return op->value == (own ? own->value : op->locks ? run->state[op->key] : run->snapshot[t][op->key]);
}

static bool is_possible (const struct run *run) {
  bool any = false;
  for (unsigned t = 0; t < run->small->txns; t++) {
    if (run->done[t])
      continue;
    any = true;
    struct run next = *run;
    if (step (&next, t) && is_possible (&next))
      return true;
  }
  return !any;
}

static bool allows (const struct small *small, bool holds_locks) {
  const struct run start = { .small = small, .holds_locks = holds_locks };
  return is_possible (&start);
}

// ------------------------------------------------------------------------------------- the dialect

static struct history *history_of (const struct small *small) {
  struct history *h = history_new ("small");
  const char *why;
  h->init = INIT_DEFAULT;
  h->init_default = history_value (h, atom_unsigned (0), &why);
  for (unsigned t = 0; t < small->txns; t++) {
    const struct txn_header header = { .session = t, .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
    history_begin_txn (h, &header, &why);
    for (unsigned i = 0; i < small->txn[t].ops; i++) {
      const struct small_op *op = &small->txn[t].op[i];
      history_add_op (h, op->writes ? OP_PUT : OP_GET, !op->writes && op->locks ? OP_LOCK_UPDATE : 0,
                      history_key (h, atom_unsigned (op->key), &why),
                      history_value (h, atom_unsigned (op->value), &why), AUX_NONE, &why);
    }
  }
  history_finish (h);
  return h;
}

static enum verdict verdict_on (const struct history *h) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find ("serializable");
  options.dialect = dialect_find ("mariadb-rr");
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

// -------------------------------------------------------------------------------------------- both

// Values that a run gave, most of the time: what is drawn alone is nearly always impossible.
static struct small draw (struct prng *prng) {
  struct small small = { .txns = prng_between (prng, 2, MOST_TXNS) };
  const bool unique = prng_chance (prng, 50);
  unsigned next = 1;
  for (unsigned t = 0; t < small.txns; t++) {
    small.txn[t].ops = prng_between (prng, 1, small.txns == MOST_TXNS ? 3 : MOST_OPS);
    for (unsigned i = 0; i < small.txn[t].ops; i++) {
      struct small_op *op = &small.txn[t].op[i];
      op->writes = prng_chance (prng, 45);
      op->locks = prng_chance (prng, 35);
      op->key = prng_below (prng, KEYS);
      op->value = op->writes && unique ? next++ : prng_below (prng, 3);
    }
  }
  return small;
}

// Lets the transactions run in a random order and notes what they read.
static void fill_in (struct small *small, bool holds_locks, struct prng *prng) {
  struct run run = { .small = small, .holds_locks = holds_locks };
  for (unsigned tries = 0; tries < 200; tries++) {
    const unsigned t = prng_below (prng, small->txns), at = run.at[t];
    if (run.done[t])
      continue;
    struct run next = run;
    if (at < small->txn[t].ops && !small->txn[t].op[at].writes)
      for (unsigned value = 0; value < 64 && !step (&next, t); value++) {
        small->txn[t].op[at].value = value;
        next = run;
      }
    else if (!step (&next, t))
      continue;
    if (next.at[t] != run.at[t] || next.done[t])
      run = next;
  }
}

TEST the_dialect_says_what_the_definition_says (void) {
  const unsigned count = effort (6000, 20000, 200000);
  unsigned possible = 0, with_locks = 0;
  for (unsigned i = 0; i < count; i++) {
    struct prng prng = prng_fork (1, i);
    struct small small = draw (&prng);
    if (i % 4)
      fill_in (&small, i % 4 == 1, &prng);
    if (i % 8 == 7) { // nearly right
      struct small_txn *txn = &small.txn[prng_below (&prng, small.txns)];
      txn->op[prng_below (&prng, txn->ops)].value = prng_below (&prng, 4);
    }
    struct history *h = history_of (&small);
    const bool allowed = allows (&small, false), allowed_with_locks = allows (&small, true);
    const enum verdict verdict = verdict_on (h);
    static char text[32];
    snprintf (text, sizeof text, "history %u", i);
    ASSERT_EQm (text, allowed ? VERDICT_VALID : VERDICT_INVALID, verdict);
    ASSERTm (text, !allowed_with_locks || verdict == VERDICT_VALID);
    possible += allowed;
    with_locks += allowed_with_locks;
    history_free (h);
  }
  printf ("%u histories: %u possible, %u with locks\n", count, possible, with_locks);
  ASSERT (possible > count / 10 && possible < count * 9 / 10 && with_locks > count / 10 && with_locks < possible);
  PASS ();
}

SUITE (small_ones) {
  RUN_TEST (the_dialect_says_what_the_definition_says);
}

KRAIT_UNIT_MAIN (RUN_SUITE (small_ones);)
