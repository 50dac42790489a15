// Transactions on the store, many at a time, one per client. Every call is one step of one client;
// what it may see, what it must wait for and whether it may commit is up to the isolation
// (isolation.h). A fault (faults.h) makes the engine wrong on purpose, here and there.

#ifndef KRAIT_GENERATE_ENGINE_H
#define KRAIT_GENERATE_ENGINE_H

#include "generate/faults.h"
#include "generate/isolation.h"
#include "generate/play.h"
#include "generate/store.h"

enum outcome {
  STEP_DONE,
  STEP_WAIT,  // for txn.waits_for; to be tried again when that one has ended
  STEP_ABORT, // the transaction is gone
};

struct cell_at {
  uint64_t key, value;
};
typedef VEC (struct cell_at) cell_vec;

struct pending {
  uint32_t item;
  uint64_t value;
  bool live, append;
  uint32_t since; // commits at that time
};

struct lock {
  uint32_t item; // NONE: the range [low, high)
  bool exclusive;
  uint64_t low, high;
};

struct txn {
  bool read_only;
  unsigned replica;
  struct snapshot snapshot; // if it reads from one
  bool reads_snapshot;
  bool has_snapshot;           // already
  VEC (struct pending) writes; // in program order; the last one of a key counts
  VEC (struct lock) locks;
  uint32_t waits_for;    // client, or NONE
  uint32_t session_seen; // newest commit that the session has seen (one replica)
  struct fault_txn fault;
};

struct commit_record { // for the other replicas
  int64_t time;
  struct snapshot causes;
};

struct engine {
  struct store *store;
  const struct isolation *isolation;
  struct txn *txns; // per client
  unsigned clients;
  struct random random;
  unsigned range_locks; // how many are held
  // Replicas: what each has applied, and the commits of each in order.
  struct snapshot applied[MOST_REPLICAS];
  VEC (struct commit_record) records[MOST_REPLICAS];
  struct faults faults;
};

struct engine *engine_new (const struct isolation *, unsigned clients, uint64_t seed, const struct fault *,
                           double rate);
void engine_free (struct engine *);

void engine_begin (struct engine *, unsigned client, bool read_only, int64_t now);

enum outcome engine_get (struct engine *, unsigned client, uint64_t key, bool for_update, struct cell *);
// Lists: `append` puts a value at the end of the key's list.
enum outcome engine_write (struct engine *, unsigned client, uint64_t key, uint64_t value, bool append);
enum outcome engine_delete (struct engine *, unsigned client, uint64_t key, bool *found);

// Items of [low, high) in order, from the other end if `reverse`; at most `most` (0: all). `end`:
// there are no more.
enum outcome engine_scan (struct engine *, unsigned client, uint64_t low, uint64_t high, uint64_t most, bool reverse,
                          cell_vec *, bool *end);

// The whole list.
enum outcome engine_list (struct engine *, unsigned client, uint64_t key, cell_vec *);

enum outcome engine_commit (struct engine *, unsigned client, int64_t now);
void engine_end (struct engine *, unsigned client); // without a commit before it: gives it up

// Inside of the engine, and for faults:

// The newest own write of the item so far, or NULL.
const struct pending *txn_own_write (const struct txn *, uint32_t item);
// The committed version that the transaction reads, or NONE.
uint32_t engine_version (const struct engine *, const struct txn *, uint32_t item);

// locks.c: STEP_DONE when the lock is held; else the transaction waits, or has been aborted to
// break a deadlock.
enum outcome lock_item (struct engine *, unsigned client, uint32_t item, bool exclusive);
enum outcome lock_range (struct engine *, unsigned client, uint64_t low, uint64_t high);
void locks_release (struct engine *, unsigned client);

#endif
