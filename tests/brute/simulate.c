// A run of a small multi-version store whose guarantees are drawn at random, and which errs now and
// then.
//
// Sessions take turns, one operation at a time, scans included. Versions of a key are kept in the
// order of commit. A vector of commit counts, one per session, says which commits a transaction
// sees; the ways to choose that vector make the difference between a strict store and one that
// lags.

#include "plan.h"

#include <string.h>

enum { RUN_VERSIONS = PLAN_TXNS + 1, INITIAL_SESSION = PLAN_SESSIONS };

enum view {
  VIEW_NEWEST,   // each read sees all commits so far: read committed
  VIEW_SNAPSHOT, // all commits before the begin
  VIEW_STALE,    // all commits before some earlier point
  VIEW_CAUSAL,   // the session's own commits, and what other sessions sent with all that they saw
  VIEW_LOOSE,    // the same without what they saw
  VIEWS
};

struct version {
  int value;
  unsigned session, number; // the number-th commit of the session, from 1
  unsigned txn;             // of the plan
};

struct commit {
  unsigned seen[PLAN_SESSIONS]; // by the transaction, itself included
  unsigned global;              // commits of all sessions so far
};

struct run {
  struct plan *plan;
  struct prng *prng;
  // The store's character.
  enum view view;
  bool keeps_sessions;      // a stale view is never older than the session's last commit
  bool first_writer_wins;   // a write under a newer version aborts
  bool validates_reads;     // a read under a newer version aborts
  unsigned fault_percent;   // of reads
  unsigned reorder_percent; // of commits: installed below the newest version
  unsigned alone_percent;   // of transactions: run without interruption
  unsigned own_percent;     // of reads after own writes: see the own write
  // The store.
  struct version versions[PLAN_KEYS][RUN_VERSIONS];
  unsigned version_count[PLAN_KEYS];
  struct commit commits[PLAN_SESSIONS][PLAN_TXNS + 1];
  unsigned commit_count[PLAN_SESSIONS];
  int64_t clock;
  // The transactions under way, one per session.
  unsigned current[PLAN_SESSIONS], next_op[PLAN_SESSIONS]; // PLAN_TXNS: none
  bool begun[PLAN_SESSIONS];
  unsigned seen[PLAN_SESSIONS][PLAN_SESSIONS];
};

static unsigned next_txn_of (const struct plan *plan, unsigned session, unsigned from) {
  while (from < plan->txns && plan->txn[from].session != session)
    from++;
  return from < plan->txns ? from : PLAN_TXNS;
}

static void see_everything (const struct run *run, unsigned session, unsigned *seen) {
  (void) session;
  memcpy (seen, run->commit_count, sizeof run->commit_count);
}

// All commits up to some moment of the past.
static void see_the_past (struct run *run, unsigned session, unsigned *seen) {
  unsigned total = 0;
  for (unsigned s = 0; s < PLAN_SESSIONS; s++)
    total += run->commit_count[s];
  unsigned oldest = 0;
  if (run->keeps_sessions && run->commit_count[session])
    oldest = run->commits[session][run->commit_count[session]].global;
  const unsigned moment = prng_between (run->prng, oldest, total);
  for (unsigned s = 0; s < PLAN_SESSIONS; s++) {
    seen[s] = 0;
    for (unsigned i = 1; i <= run->commit_count[s]; i++)
      if (run->commits[s][i].global <= moment)
        seen[s] = i;
  }
}

// Some commits of each other session arrive.
static void see_what_arrives (struct run *run, unsigned session, unsigned *seen) {
  seen[session] = run->commit_count[session];
  for (unsigned s = 0; s < PLAN_SESSIONS; s++) {
    if (s == session || !prng_chance (run->prng, 50))
      continue;
    const unsigned sent = prng_between (run->prng, 0, run->commit_count[s]);
    if (sent > seen[s])
      seen[s] = sent;
    for (unsigned other = 0; run->view == VIEW_CAUSAL && sent && other < PLAN_SESSIONS; other++)
      if (run->commits[s][sent].seen[other] > seen[other])
        seen[other] = run->commits[s][sent].seen[other];
  }
}

static void begin (struct run *run, unsigned session) {
  unsigned *seen = run->seen[session];
  run->plan->txn[run->current[session]].begin = ++run->clock;
  run->begun[session] = true;
  run->next_op[session] = 0;
  switch (run->view) {
  case VIEW_STALE: see_the_past (run, session, seen); break;
  case VIEW_CAUSAL:
  case VIEW_LOOSE: see_what_arrives (run, session, seen); break;
  default: see_everything (run, session, seen); break;
  }
}

static bool sees (const unsigned *seen, const struct version *version) {
  return version->session == INITIAL_SESSION || version->number <= seen[version->session];
}

// A version that the transaction should not see, or a value that is none.
static int wrong_value (struct run *run, unsigned key) {
  const struct plan *plan = run->plan;
  if (prng_chance (run->prng, 50))
    return run->versions[key][prng_below (run->prng, run->version_count[key])].value;
  // Whatever anybody writes: aborted, intermediate or still to come.
  const struct plan_txn *txn = &plan->txn[prng_below (run->prng, plan->txns)];
  for (unsigned o = 0; o < txn->ops; o++)
    if (txn->op[o].wrote && txn->op[o].key == key)
      return plan_written (&txn->op[o]);
  return prng_chance (run->prng, 50) ? PLAN_ABSENT : run->versions[key][0].value;
}

// The newest version that a session sees.
static unsigned newest_seen (const struct run *run, unsigned session, unsigned key) {
  const unsigned *seen = run->view == VIEW_NEWEST ? run->commit_count : run->seen[session];
  unsigned newest = run->version_count[key] - 1;
  while (!sees (seen, &run->versions[key][newest]))
    newest--;
  return newest;
}

static int stored_value (struct run *run, unsigned session, unsigned key) {
  if (prng_chance (run->prng, run->fault_percent))
    return wrong_value (run, key);
  return run->versions[key][newest_seen (run, session, key)].value;
}

// The transaction's own write before `op`, or what is stored.
static int seen_value (struct run *run, unsigned session, const struct plan_op *op, unsigned key) {
  const struct plan_txn *txn = &run->plan->txn[run->current[session]];
  for (const struct plan_op *own = op; own-- > txn->op;)
    if (own->wrote && own->key == key && prng_chance (run->prng, run->own_percent))
      return plan_written (own);
  return stored_value (run, session, key);
}

static void range (struct run *run, unsigned session, struct plan_op *op) {
  const bool reverse = op->flags & OP_ITER_REVERSE;
  const unsigned keys = run->plan->keys;
  bool more = true;
  for (unsigned i = 0; i < keys && more; i++) {
    const unsigned key = reverse ? keys - 1 - i : i;
    if (plan_in_range (op, key))
      more = plan_answer_range (op, key, seen_value (run, session, op, key));
  }
  if (op->kind == OP_ITER && op->items < op->limit)
    op->flags |= OP_ITER_END;
  plan_spoil_items (op, run->prng, run->fault_percent / 3);
}

// A list holds what was appended up to the newest version that is seen; an error shows more or less
// than that.
static void list (struct run *run, unsigned session, struct plan_op *op) {
  const struct plan_txn *txn = &run->plan->txn[run->current[session]];
  unsigned newest = newest_seen (run, session, op->key);
  if (prng_chance (run->prng, run->fault_percent))
    newest = prng_below (run->prng, run->version_count[op->key]);
  for (unsigned i = 1; i <= newest; i++) {
    const struct plan_txn *writer = &run->plan->txn[run->versions[op->key][i].txn];
    plan_add_appends (op, writer, op->key, writer->ops);
  }
  plan_spoil_items (op, run->prng, run->fault_percent / 3);
  if (prng_chance (run->prng, run->own_percent))
    plan_add_appends (op, txn, op->key, (unsigned) (op - txn->op));
}

static void carry_out (struct run *run, unsigned session, struct plan_op *op) {
  if (op->value == PLAN_UNRECORDED)
    return;
  switch (op->kind) {
  case OP_GET: op->value = seen_value (run, session, op, op->key); break;
  case OP_DEL: plan_answer_delete (op, run->prng, seen_value (run, session, op, op->key)); break;
  case OP_INC: plan_answer_inc (op, seen_value (run, session, op, op->key)); break;
  case OP_CAS: plan_answer_cas (op, seen_value (run, session, op, op->key)); break;
  case OP_SCAN:
  case OP_ITER: range (run, session, op); break;
  case OP_LIST: list (run, session, op); break;
  default: break;
  }
}

static bool conflicts (const struct run *run, unsigned session) {
  const struct plan_txn *txn = &run->plan->txn[run->current[session]];
  for (unsigned o = 0; o < txn->ops; o++)
    for (unsigned key = 0; key < run->plan->keys; key++) {
      const struct plan_op *op = &txn->op[o];
      const bool unseen = !sees (run->seen[session], &run->versions[key][run->version_count[key] - 1]);
      if (unseen
          && ((op->wrote && op->key == key && run->first_writer_wins)
              || (plan_reads (op, key) && run->validates_reads)))
        return true;
    }
  return false;
}

static void install (struct run *run, unsigned key, struct version version) {
  unsigned place = run->version_count[key]++;
  while (place > 1 && prng_chance (run->prng, run->reorder_percent)) {
    run->versions[key][place] = run->versions[key][place - 1];
    place--;
  }
  run->versions[key][place] = version;
}

static void commit (struct run *run, unsigned session) {
  const struct plan_txn *txn = &run->plan->txn[run->current[session]];
  const unsigned number = ++run->commit_count[session];
  struct commit *record = &run->commits[session][number];
  memcpy (record->seen, run->seen[session], sizeof record->seen);
  record->seen[session] = number;
  for (unsigned s = 0; s < PLAN_SESSIONS; s++)
    record->global += run->commit_count[s];
  for (unsigned key = 0; key < run->plan->keys; key++)
    for (unsigned o = txn->ops; o-- > 0;)
      if (txn->op[o].wrote && txn->op[o].key == key) {
        install (run, key, (struct version){ plan_written (&txn->op[o]), session, number, run->current[session] });
        break;
      }
}

static void end (struct run *run, unsigned session) {
  struct plan_txn *txn = &run->plan->txn[run->current[session]];
  if (conflicts (run, session)) {
    if (txn->status == TXN_COMMITTED)
      txn->status = TXN_ABORTED;
  } else if (txn->status == TXN_COMMITTED || (txn->status == TXN_UNKNOWN && prng_chance (run->prng, 50)))
    commit (run, session);
  txn->end = ++run->clock;
  run->begun[session] = false;
  run->current[session] = next_txn_of (run->plan, session, run->current[session] + 1);
}

// One step of a session: a begin, an operation or an end.
static void step (struct run *run, unsigned session) {
  struct plan_txn *txn = &run->plan->txn[run->current[session]];
  run->clock++;
  if (!run->begun[session])
    begin (run, session);
  else if (run->next_op[session] == txn->ops)
    end (run, session);
  else
    carry_out (run, session, &txn->op[run->next_op[session]++]);
}

static bool anything_left (const struct run *run) {
  for (unsigned s = 0; s < run->plan->sessions; s++)
    if (run->current[s] < PLAN_TXNS)
      return true;
  return false;
}

static void choose_character (struct run *run) {
  static const unsigned rare_percents[] = { 0, 0, 0, 5, 10, 20 };
  struct prng *prng = run->prng;
  run->view = (enum view) prng_below (prng, VIEWS);
  run->keeps_sessions = prng_chance (prng, 60);
  run->first_writer_wins = prng_chance (prng, 50);
  run->validates_reads = prng_chance (prng, 20);
  run->fault_percent = rare_percents[prng_below (prng, 6)];
  run->reorder_percent = rare_percents[prng_below (prng, 6)];
  run->alone_percent = prng_chance (prng, 15) ? 100 : 15 * prng_below (prng, 4);
  run->own_percent = prng_chance (prng, 70) ? 100 : 40 * prng_below (prng, 3);
}

void plan_simulate (struct plan *plan, struct prng *prng) {
  struct run run;
  memset (&run, 0, sizeof run);
  run.plan = plan;
  run.prng = prng;
  choose_character (&run);
  for (unsigned key = 0; key < plan->keys; key++)
    run.versions[key][run.version_count[key]++] = (struct version){ plan->initial[key], INITIAL_SESSION, 0, 0 };
  for (unsigned s = 0; s < plan->sessions; s++)
    run.current[s] = next_txn_of (plan, s, 0);
  while (anything_left (&run)) {
    const unsigned session = prng_below (prng, plan->sessions);
    const unsigned txn = run.current[session];
    if (txn == PLAN_TXNS)
      continue;
    step (&run, session);
    if (prng_chance (prng, run.alone_percent))
      while (run.current[session] == txn)
        step (&run, session);
  }
}
