// Where the engine asks whether to be wrong. Without the fault that a question is about, each
// answers as a correct store would.

#ifndef KRAIT_GENERATE_FAULT_HOOKS_H
#define KRAIT_GENERATE_FAULT_HOOKS_H

#include "generate/engine.h"

// Begin.
const struct isolation *fault_isolation (const struct isolation *,
                                         const struct fault *); // what the store is built as
void fault_at_begin (struct engine *, struct txn *);            // when it has its snapshot

// Locks.
bool fault_reads_without_lock (struct engine *, const struct txn *, uint32_t item);
bool fault_scans_without_lock (struct engine *, const struct txn *);
bool fault_writes_without_lock (struct engine *, unsigned client, uint32_t item);

// Reads. The snapshot for one item; a version in place of the right one; what somebody else has not
// committed, or NULL; a scan's items, of which the first `most` are going to be returned (0: all).
void fault_before_read (struct engine *, struct txn *); // once per operation
const struct snapshot *fault_snapshot (const struct engine *, const struct txn *, uint32_t item);
uint32_t fault_version (struct engine *, struct txn *, uint32_t item);
const struct pending *fault_uncommitted (struct engine *, unsigned client, uint32_t item);
bool fault_leaves_out (struct engine *, const struct txn *, cell_vec *, uint64_t most);

// Writes and the end.
bool fault_forgets_write (struct engine *, const struct txn *, uint32_t item, uint64_t value);
// where the isolation does not ask for it
bool fault_must_win (const struct engine *, const struct txn *);
bool fault_overlooks_conflict (struct engine *);
bool fault_rolls_back (const struct engine *, const struct txn *); // instead of the commit
// or NULL: none
const struct pending *fault_installed (struct engine *, const struct txn *, const struct pending *);
void fault_after_install (struct engine *, const struct txn *, uint32_t commit);
bool fault_denies_commit (struct engine *);
// between answer and commit; 0: the commit comes first
int64_t fault_commit_delay (struct engine *, unsigned client);
int64_t fault_travel_time (struct engine *, int64_t); // of a commit, to other replicas

#endif
