#include "generate/engine.h"

#include "base/error.h"
#include "generate/fault_hooks.h"

struct engine *engine_new (const struct isolation *isolation, unsigned clients, uint64_t seed,
                           const struct fault *fault, double rate) {
  struct engine *engine = mem_zalloc (sizeof *engine);
  engine->store = store_new (seed);
  engine->isolation = fault_isolation (isolation, fault);
  engine->clients = clients;
  engine->txns = MEM_ZARRAY (struct txn, clients);
  engine->random = random_fork (seed, UINT64_MAX - 1);
  for (unsigned client = 0; client < clients; client++) {
    engine->txns[client].waits_for = NONE;
    engine->txns[client].replica = client % engine->isolation->replicas;
  }
  engine->faults = (struct faults){ .rate = rate, .random = random_fork (seed, UINT64_MAX - 2) };
  if (fault)
    engine->faults.id = (enum fault_id) (fault - faults);
  return engine;
}

void engine_free (struct engine *engine) {
  if (!engine)
    return;
  for (unsigned client = 0; client < engine->clients; client++) {
    VEC_FREE (engine->txns[client].writes);
    VEC_FREE (engine->txns[client].locks);
  }
  for (unsigned replica = 0; replica < MOST_REPLICAS; replica++)
    VEC_FREE (engine->records[replica]);
  VEC_FREE (engine->faults.replays);
  store_free (engine->store);
  MEM_FREE_ALL (engine->txns, engine);
}

static bool does (const struct engine *engine, unsigned what) {
  return engine->isolation->does & what;
}

// ---------------------------------------------------------------------------------------- replicas

static bool has_seen (const struct snapshot *snapshot, const struct snapshot *causes) {
  for (unsigned replica = 0; replica < MOST_REPLICAS; replica++)
    if (snapshot->seen[replica] < causes->seen[replica])
      return false;
  return true;
}

// Applies what has arrived at a replica by now, causes before effects.
static void catch_up (struct engine *engine, unsigned replica, int64_t now) {
  struct snapshot *applied = &engine->applied[replica];
  for (bool more = true; more;) {
    more = false;
    for (unsigned origin = 0; origin < engine->isolation->replicas; origin++) {
      const uint32_t next = applied->seen[origin];
      if (next == engine->records[origin].count)
        continue;
      const struct commit_record *record = &engine->records[origin].data[next];
      // Commits of a replica are applied there at once, elsewhere in their order when they have
      // arrived.
      if (origin != replica && (record->time > now || !has_seen (applied, &record->causes)))
        continue;
      applied->seen[origin]++;
      more = true;
    }
  }
}

static void publish (struct engine *engine, const struct txn *txn, int64_t now) {
  enum { LEAST_DELAY = 200000, MOST_DELAY = 5000000 }; // nanoseconds
  const int64_t delay = (int64_t) random_between (&engine->random, LEAST_DELAY, MOST_DELAY);
  VEC_PUSH (engine->records[txn->replica],
            (struct commit_record){ now + fault_travel_time (engine, delay), txn->snapshot });
}

// ----------------------------------------------------------------------------------- begin and end

static void take_snapshot (struct engine *engine, struct txn *txn, int64_t now) {
  const struct isolation *isolation = engine->isolation;
  txn->reads_snapshot = does (engine, SNAPSHOT_READS) || (txn->read_only && does (engine, READERS_LOCK_NOTHING));
  if (!txn->reads_snapshot)
    return;
  if (isolation->replicas > 1) {
    catch_up (engine, txn->replica, now);
    txn->snapshot = engine->applied[txn->replica];
    return;
  }
  txn->snapshot = store_now (engine->store);
  if (txn->read_only && isolation->staleness) {
    const uint32_t newest = txn->snapshot.seen[0],
                   age = (uint32_t) random_below (&engine->random, isolation->staleness);
    const uint32_t wanted = age < newest ? newest - age : 0;
    txn->snapshot.seen[0] = wanted > txn->session_seen ? wanted : txn->session_seen;
    txn->session_seen = txn->snapshot.seen[0];
  }
}

void engine_begin (struct engine *engine, unsigned client, bool read_only, int64_t now) {
  struct txn *txn = &engine->txns[client];
  txn->read_only = read_only;
  txn->writes.count = 0;
  take_snapshot (engine, txn, now);
  txn->has_snapshot = !does (engine, LATE_SNAPSHOT);
  fault_at_begin (engine, txn);
}

void engine_end (struct engine *engine, unsigned client) {
  locks_release (engine, client);
  engine->txns[client].waits_for = NONE;
}

// Nobody has committed a version of a written key that the snapshot does not show.
static bool wins (const struct engine *engine, const struct txn *txn) {
  for (size_t i = 0; i < txn->writes.count; i++) {
    const uint32_t item = txn->writes.data[i].item, newest = engine->store->items.data[item].newest;
    if (newest != NONE && !version_in (&engine->store->versions.data[newest], fault_snapshot (engine, txn, item)))
      return false;
  }
  return true;
}

static void install (struct engine *engine, const struct txn *txn, uint32_t commit) {
  for (size_t i = 0; i < txn->writes.count; i++) {
    const struct pending *write = &txn->writes.data[i];
    if (!write->append && write != txn_own_write (txn, write->item))
      continue;
    write = fault_installed (engine, txn, write);
    if (write)
      store_install (engine->store, write->item, write->value, write->live, txn->replica, commit);
  }
  fault_after_install (engine, txn, commit);
}

static bool loses (struct engine *engine, const struct txn *txn) {
  if (!does (engine, FIRST_COMMITTER_WINS) && !fault_must_win (engine, txn))
    return false;
  return !wins (engine, txn) && !fault_overlooks_conflict (engine);
}

enum outcome engine_commit (struct engine *engine, unsigned client, int64_t now) {
  struct txn *txn = &engine->txns[client];
  if (!txn->writes.count) {
    const uint32_t seen = txn->reads_snapshot ? txn->snapshot.seen[0] : engine->store->commits[0];
    if (engine->isolation->replicas == 1 && txn->session_seen < seen)
      txn->session_seen = seen;
    engine_end (engine, client);
    return STEP_DONE;
  }
  if (loses (engine, txn) || fault_rolls_back (engine, txn)) {
    engine_end (engine, client);
    return STEP_ABORT;
  }
  const uint32_t commit = ++engine->store->commits[txn->replica];
  install (engine, txn, commit);
  if (engine->isolation->replicas > 1) {
    publish (engine, txn, now);
    catch_up (engine, txn->replica, now);
  } else
    txn->session_seen = commit;
  engine_end (engine, client);
  return fault_denies_commit (engine) ? STEP_ABORT : STEP_DONE;
}

// -------------------------------------------------------------------------------------- operations

const struct pending *txn_own_write (const struct txn *txn, uint32_t item) {
  for (size_t i = txn->writes.count; i-- > 0;)
    if (txn->writes.data[i].item == item)
      return &txn->writes.data[i];
  return NULL;
}

uint32_t engine_version (const struct engine *engine, const struct txn *txn, uint32_t item) {
  return txn->reads_snapshot ? store_visible (engine->store, item, fault_snapshot (engine, txn, item))
                             : engine->store->items.data[item].newest;
}

// A plain read. InnoDB takes the snapshot at the first of them, whatever came before.
static void look (struct engine *engine, struct txn *txn) {
  if (txn->reads_snapshot && !txn->has_snapshot)
    txn->snapshot = store_now (engine->store);
  txn->has_snapshot = true;
  fault_before_read (engine, txn);
}

// Reads that lock nothing see a snapshot; where reads for update lock, these see the newest state.
static enum outcome lock_for_read (struct engine *engine, unsigned client, uint32_t item, bool for_update) {
  const struct txn *txn = &engine->txns[client];
  if (for_update && does (engine, WRITE_LOCKS) && !txn->read_only)
    return lock_item (engine, client, item, true);
  if (does (engine, READ_LOCKS) && !txn->reads_snapshot && !fault_reads_without_lock (engine, txn, item))
    return lock_item (engine, client, item, false);
  return STEP_DONE;
}

static struct cell cell_of (const struct engine *engine, uint32_t version) {
  if (version == NONE || !engine->store->versions.data[version].live)
    return (struct cell){ false, 0 };
  return (struct cell){ true, engine->store->versions.data[version].value };
}

// What the transaction sees of an item: its own write, else a committed version, the newest one or
// that of its view.
static inline struct cell look_at (struct engine *engine, unsigned client, uint32_t item, bool newest) {
  struct txn *txn = &engine->txns[client];
  const struct pending *own = txn_own_write (txn, item), *seen = own ? own : fault_uncommitted (engine, client, item);
  if (seen)
    return (struct cell){ seen->live, seen->value };
  return cell_of (engine, newest ? engine->store->items.data[item].newest : fault_version (engine, txn, item));
}

enum outcome engine_get (struct engine *engine, unsigned client, uint64_t key, bool for_update, struct cell *cell) {
  struct txn *txn = &engine->txns[client];
  const uint32_t item = store_item (engine->store, key);
  const enum outcome outcome = lock_for_read (engine, client, item, for_update);
  if (outcome != STEP_DONE)
    return outcome;
  const bool newest = for_update && does (engine, WRITE_LOCKS) && does (engine, SNAPSHOT_READS) && !txn->read_only;
  if (!newest)
    look (engine, txn);
  *cell = look_at (engine, client, item, newest);
  return STEP_DONE;
}

static enum outcome write (struct engine *engine, unsigned client, uint32_t item, uint64_t value, bool live,
                           bool append) {
  struct txn *txn = &engine->txns[client];
  if (txn->read_only)
    misuse (__func__, "a write of a transaction that said it would only read");
  if (does (engine, WRITE_LOCKS) && !fault_writes_without_lock (engine, client, item)) {
    const enum outcome outcome = lock_item (engine, client, item, true);
    if (outcome != STEP_DONE)
      return outcome;
  }
  if (live && !append && fault_forgets_write (engine, txn, item, value))
    return STEP_DONE;
  VEC_PUSH (txn->writes, (struct pending){ item, value, live, append, engine->store->commits[txn->replica] });
  return STEP_DONE;
}

enum outcome engine_write (struct engine *engine, unsigned client, uint64_t key, uint64_t value, bool append) {
  return write (engine, client, store_item (engine->store, key), value, true, append);
}

// A key that is not there is left alone: nothing is written then. Where writes see the newest
// state, so does the question whether it is there.
enum outcome engine_delete (struct engine *engine, unsigned client, uint64_t key, bool *found) {
  struct cell cell;
  const enum outcome outcome = engine_get (engine, client, key, true, &cell);
  if (outcome != STEP_DONE)
    return outcome;
  *found = cell.present;
  return cell.present ? write (engine, client, store_item (engine->store, key), 0, false, false) : STEP_DONE;
}

// --------------------------------------------------------------------------------- scans and lists

static void reverse_cells (cell_vec *cells) {
  for (size_t i = 0, k = cells->count; i + 1 < k--; i++) {
    const struct cell_at swap = cells->data[i];
    cells->data[i] = cells->data[k];
    cells->data[k] = swap;
  }
}

enum outcome engine_scan (struct engine *engine, unsigned client, uint64_t low, uint64_t high, uint64_t most,
                          bool reverse, cell_vec *cells, bool *at_end) {
  struct txn *txn = &engine->txns[client];
  const bool locks = does (engine, RANGE_LOCKS) && !txn->reads_snapshot,
             locks_wrongly = locks && fault_scans_without_lock (engine, txn);
  if (locks && !locks_wrongly) {
    const enum outcome outcome = lock_range (engine, client, low, high);
    if (outcome != STEP_DONE)
      return outcome;
  }
  look (engine, txn);
  cells->count = 0;
  for (uint32_t item = store_seek (engine->store, low); item != NONE && engine->store->items.data[item].key < high;
       item = store_next (engine->store, item)) {
    const struct cell cell = look_at (engine, client, item, false);
    if (cell.present)
      VEC_PUSH (*cells, (struct cell_at){ engine->store->items.data[item].key, cell.value });
  }
  if (reverse)
    reverse_cells (cells);
  const bool leaves_out = fault_leaves_out (engine, txn, cells, most);
  *at_end = !most || cells->count < most;
  if (most && cells->count > most)
    cells->count = most;
  for (size_t i = 0; i < cells->count; i++) {
    const enum outcome outcome = lock_for_read (engine, client, store_find (engine->store, cells->data[i].key), false);
    if (outcome != STEP_DONE)
      return outcome;
  }
  engine->faults.struck += locks_wrongly + leaves_out;
  return STEP_DONE;
}

// Versions of a list are its elements, each on top of those before it.
enum outcome engine_list (struct engine *engine, unsigned client, uint64_t key, cell_vec *cells) {
  struct txn *txn = &engine->txns[client];
  const uint32_t item = store_item (engine->store, key);
  const enum outcome outcome = lock_for_read (engine, client, item, false);
  if (outcome != STEP_DONE)
    return outcome;
  look (engine, txn);
  cells->count = 0;
  for (uint32_t version = fault_version (engine, txn, item); version != NONE;
       version = engine->store->versions.data[version].older)
    VEC_PUSH (*cells, (struct cell_at){ key, engine->store->versions.data[version].value });
  reverse_cells (cells);
  for (size_t i = 0; i < txn->writes.count; i++)
    if (txn->writes.data[i].item == item)
      VEC_PUSH (*cells, (struct cell_at){ key, txn->writes.data[i].value });
  return STEP_DONE;
}
