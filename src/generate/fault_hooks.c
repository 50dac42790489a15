// The bugs themselves, each a few lines at the place where a database would have it. Whether one
// strikes is decided where it could make a difference, by a generator of its own: until the first
// strike all is as it would be without the fault.

#include "generate/fault_hooks.h"

enum { LAG = 24, SOON = 4 }; // commits; at most

static bool strikes (struct engine *engine) {
  const bool struck = random_chance (&engine->faults.random, engine->faults.rate);
  engine->faults.struck += struck;
  return struck;
}

static bool is (const struct engine *engine, enum fault_id id) {
  return engine->faults.id == id;
}

// ------------------------------------------------------------------------------------------- begin

// Commits can only be late where there are several replicas.
const struct isolation *fault_isolation (const struct isolation *isolation, const struct fault *fault) {
  return fault == &faults[FAULT_LONG_FORK] ? isolation_find ("parallel-snapshot-isolation") : isolation;
}

static struct snapshot older (struct engine *engine, struct snapshot snapshot) {
  const uint32_t lag = 1 + (uint32_t) random_below (&engine->faults.random, LAG);
  snapshot.seen[0] -= lag < snapshot.seen[0] ? lag : snapshot.seen[0];
  return snapshot;
}

void fault_at_begin (struct engine *engine, struct txn *txn) {
  txn->fault = (struct fault_txn){ 0 };
  switch (engine->faults.id) {
  case FAULT_STALE_READ:
    if (txn->snapshot.seen[0] && strikes (engine))
      txn->snapshot = older (engine, txn->snapshot);
    return;
  case FAULT_FRACTURED_READ:
    txn->fault.marked = txn->snapshot.seen[0] && strikes (engine);
    if (txn->fault.marked)
      txn->fault.lagging = older (engine, txn->snapshot);
    return;
  case FAULT_WRITE_SKEW:
    txn->fault.marked = !txn->read_only && strikes (engine);
    if (!txn->fault.marked)
      return;
    txn->reads_snapshot = true;
    txn->snapshot = store_now (engine->store);
    return;
  case FAULT_PHANTOM:
    // Whether a scan has to wait shows only later: it is the transaction that is chosen.
    txn->fault.marked = random_chance (&engine->faults.random, engine->faults.rate);
    return;
  default: return;
  }
}

// ------------------------------------------------------------------------------------------- locks

bool fault_reads_without_lock (struct engine *engine, const struct txn *txn, uint32_t item) {
  if (!is (engine, FAULT_NON_REPEATABLE_READ))
    return false;
  for (size_t i = 0; i < txn->locks.count; i++)
    if (txn->locks.data[i].item == item)
      return false; // it has one
  return strikes (engine);
}

bool fault_scans_without_lock (struct engine *engine, const struct txn *txn) {
  return is (engine, FAULT_PHANTOM) && txn->fault.marked;
}

bool fault_writes_without_lock (struct engine *engine, unsigned client, uint32_t item) {
  if (!is (engine, FAULT_DIRTY_WRITE))
    return false;
  const uint32_t holder = engine->store->items.data[item].exclusive;
  return holder != NONE && holder != client && strikes (engine);
}

// ------------------------------------------------------------------------------------------- reads

// Half of the keys, whatever their order; the same ones in every process.
static bool is_on_lagging_shard (const struct engine *engine, uint32_t item) {
  return scramble_u64 (engine->store->items.data[item].key) & 1;
}

const struct snapshot *fault_snapshot (const struct engine *engine, const struct txn *txn, uint32_t item) {
  if (is (engine, FAULT_FRACTURED_READ) && txn->fault.marked && is_on_lagging_shard (engine, item))
    return &txn->fault.lagging;
  return &txn->snapshot;
}

// A new snapshot after the first read, and not in the middle of a scan, whose reads are one event.
// Not after a write: then first-committer-wins would not notice what was committed before it.
void fault_before_read (struct engine *engine, struct txn *txn) {
  if (!is (engine, FAULT_READ_SKEW))
    return;
  const struct snapshot now = store_now (engine->store);
  if (txn->fault.has_read && !txn->writes.count && txn->snapshot.seen[0] != now.seen[0] && strikes (engine))
    txn->snapshot = now;
  txn->fault.has_read = true;
}

// The delete is gone for good.
static void resurrect (struct engine *engine, uint32_t item, uint32_t version) {
  const struct item_version *deleted = &engine->store->versions.data[version];
  if (!deleted->live && deleted->older != NONE && engine->store->versions.data[deleted->older].live && strikes (engine))
    engine->store->items.data[item].newest = deleted->older;
}

uint32_t fault_version (struct engine *engine, struct txn *txn, uint32_t item) {
  const uint32_t newest = engine->store->items.data[item].newest;
  switch (engine->faults.id) {
  case FAULT_RESURRECTED_KEY:
    if (newest != NONE && engine_version (engine, txn, item) == newest)
      resurrect (engine, item, newest);
    break;
  case FAULT_FUTURE_READ:
    if (engine_version (engine, txn, item) != newest && strikes (engine))
      return newest;
    break;
  default: break;
  }
  return engine_version (engine, txn, item);
}

const struct pending *fault_uncommitted (struct engine *engine, unsigned client, uint32_t item) {
  if (!is (engine, FAULT_DIRTY_READ))
    return NULL;
  const uint32_t holder = engine->store->items.data[item].exclusive;
  if (holder == NONE || holder == client)
    return NULL;
  const struct pending *write = txn_own_write (&engine->txns[holder], item);
  if (!write || !strikes (engine))
    return NULL;
  engine->txns[holder].fault.marked |= random_chance (&engine->faults.random, 0.5);
  return write;
}

bool fault_leaves_out (struct engine *engine, const struct txn *txn, cell_vec *cells, uint64_t most) {
  if (!is (engine, most ? FAULT_SKIPPED_ITEM : FAULT_MISSED_SCAN_KEY) || !cells->count)
    return false;
  const uint64_t shown = most && most < cells->count ? most : cells->count;
  const size_t place = random_below (&engine->faults.random, shown);
  if (txn_own_write (txn, store_find (engine->store, cells->data[place].key))
      || !random_chance (&engine->faults.random, engine->faults.rate))
    return false;
  for (size_t i = place + 1; i < cells->count; i++)
    cells->data[i - 1] = cells->data[i];
  cells->count--;
  return true; // a strike if the scan does not have to be repeated
}

// ---------------------------------------------------------------------------------- writes and end

// Someone else has committed just this value since the snapshot, which shows another one.
bool fault_forgets_write (struct engine *engine, const struct txn *txn, uint32_t item, uint64_t value) {
  if (!is (engine, FAULT_REPEATED_VALUE_UPDATE) || !txn->has_snapshot || txn_own_write (txn, item))
    return false;
  const uint32_t newest = engine->store->items.data[item].newest, seen = engine_version (engine, txn, item);
  if (newest == NONE || newest == seen || !engine->store->versions.data[newest].live
      || engine->store->versions.data[newest].value != value)
    return false;
  const struct item_version *old = seen == NONE ? NULL : &engine->store->versions.data[seen];
  return (!old || !old->live || old->value != value) && strikes (engine);
}

bool fault_must_win (const struct engine *engine, const struct txn *txn) {
  return is (engine, FAULT_WRITE_SKEW) && txn->fault.marked;
}

// Where nobody gives up by himself, hardly anything that was seen too early would be taken back.
bool fault_rolls_back (const struct engine *engine, const struct txn *txn) {
  return is (engine, FAULT_DIRTY_READ) && txn->fault.marked;
}

bool fault_overlooks_conflict (struct engine *engine) {
  return is (engine, FAULT_LOST_UPDATE) && strikes (engine);
}

// The first write of the same item with another value.
static const struct pending *first_write (const struct txn *txn, const struct pending *last) {
  const struct pending *first = txn->writes.data;
  while (first->item != last->item)
    first++;
  return first->live && first->value != last->value ? first : last;
}

const struct pending *fault_installed (struct engine *engine, const struct txn *txn, const struct pending *write) {
  if (write->append)
    return write;
  const uint32_t newest = engine->store->items.data[write->item].newest;
  if (is (engine, FAULT_INTERMEDIATE_READ)) {
    const struct pending *first = first_write (txn, write);
    return first != write && strikes (engine) ? first : write;
  }
  // Writes take effect in place: what was written over this one, and committed, stays.
  if (is (engine, FAULT_DIRTY_WRITE) && newest != NONE && engine->store->versions.data[newest].commit > write->since)
    return NULL;
  return write;
}

// Writes that were overwritten by this commit come back some commits later.
static void plan_replays (struct engine *engine, const struct txn *txn, uint32_t commit) {
  const struct store *store = engine->store;
  for (size_t i = 0; i < txn->writes.count; i++) {
    const struct pending *write = &txn->writes.data[i];
    const uint32_t newest = store->items.data[write->item].newest;
    if (write->append || write != txn_own_write (txn, write->item) || store->versions.data[newest].older == NONE)
      continue;
    const struct item_version *old = &store->versions.data[store->versions.data[newest].older];
    if (old->live && old->value != write->value && random_chance (&engine->faults.random, engine->faults.rate))
      VEC_PUSH (engine->faults.replays,
                (struct replay){ write->item, commit + (uint32_t) random_between (&engine->faults.random, 1, SOON),
                                 old->value });
  }
}

static void replay (struct engine *engine, uint32_t commit) {
  struct faults *state = &engine->faults;
  size_t kept = 0;
  for (size_t i = 0; i < state->replays.count; i++) {
    const struct replay due = state->replays.data[i];
    if (due.due > commit)
      state->replays.data[kept++] = due;
    else {
      store_install (engine->store, due.item, due.value, true, 0, commit);
      state->struck++;
    }
  }
  state->replays.count = kept;
}

void fault_after_install (struct engine *engine, const struct txn *txn, uint32_t commit) {
  if (!is (engine, FAULT_REPLAYED_WRITE))
    return;
  plan_replays (engine, txn, commit);
  replay (engine, commit);
}

bool fault_denies_commit (struct engine *engine) {
  return is (engine, FAULT_ABORTED_READ) && strikes (engine);
}

int64_t fault_commit_delay (struct engine *engine, unsigned client) {
  enum { LEAST = 400000, MOST = 1000000 }; // nanoseconds; longer than an answer takes
  if (!is (engine, FAULT_TIMESTAMP_INVERSION) || !engine->txns[client].writes.count || !strikes (engine))
    return 0;
  return (int64_t) random_between (&engine->faults.random, LEAST, MOST);
}

int64_t fault_travel_time (struct engine *engine, int64_t delay) {
  return is (engine, FAULT_LONG_FORK) && !strikes (engine) ? 0 : delay;
}
