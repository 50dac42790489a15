// Inside of building an ASG: what its files share.
//
//   nodes.c    which transactions count, and their chains
//   walk.c     one walk over the operations: installs and external reads, as the own-write policy
//     has it
//   walk_parts.c  the same in several threads
//   ranges.c   which keys a scan or an iterator covered
//   lists.c    what lists say about the order of appends
//   incs.c     which increments leave it open what others read
//   version_orders.c  what hints say about the order of versions
//   excuses.c  reads that nothing explains in a history that may lack transactions
//   lineage.c  what each read can have read from; which unknown transactions cannot matter

#ifndef KRAIT_ASG_BUILDER_H
#define KRAIT_ASG_BUILDER_H

#include "asg/asg.h"
#include "hints/hints.h"
#include "history/effects.h"

// The columns that an ASG owns, each with how many entries it has; then those of its reads.
#define ASG_COLUMNS(COLUMN)                                                                                            \
  COLUMN (node_txn, asg->nodes)                                                                                        \
  COLUMN (node_chain, asg->nodes)                                                                                      \
  COLUMN (chain_first, (size_t) asg->chains + 1)                                                                       \
  COLUMN (so_before, asg->nodes)                                                                                       \
  COLUMN (optional, asg->nodes)                                                                                        \
  COLUMN (txn_node, history_txns (asg->history))                                                                       \
  COLUMN (init_value, asg->keys)                                                                                       \
  COLUMN (key_first, (size_t) asg->keys + 1)                                                                           \
  COLUMN (install_node, asg->installs)                                                                                 \
  COLUMN (install_value, asg->installs)                                                                                \
  COLUMN (install_first_op, asg->installs)                                                                             \
  COLUMN (install_last_op, asg->installs)                                                                              \
  COLUMN (install_unrecorded, asg->installs)                                                                           \
  COLUMN (node_first_install, (size_t) asg->nodes + 1)                                                                 \
  COLUMN (node_installs, asg->installs)                                                                                \
  COLUMN (value_first, (size_t) atoms_count (&asg->history->values) + 2)                                               \
  COLUMN (value_install, (size_t) atoms_count (&asg->history->values) + 1)                                             \
  COLUMN (value_installs, asg->value_entries)                                                                          \
  COLUMN (zero_first, (size_t) asg->keys + 1)

#define ASG_READ_COLUMNS(COLUMN) /* and read_source, which is found out at the end */                                  \
  COLUMN (read_key)                                                                                                    \
  COLUMN (read_value)                                                                                                  \
  COLUMN (read_op)                                                                                                     \
  COLUMN (read_flags)                                                                                                  \
  COLUMN (read_unrecorded)

// An install while it is being collected, in the order of node_installs.
struct pending_install {
  uint32_t key;        // KEY_NONE: taken back
  uint32_t value;      // the latest one written
  uint32_t unrecorded; // or UNRECORDED_NONE
};

struct pending_unrecorded {
  uint32_t node, op;
  // in `pending`; INSTALL_NONE: its transaction wrote the key again, or it has not come up yet
  uint32_t install;
  bool nothing;    // a later read of the transaction shows that it wrote nothing
  bool wrote;      // a hint says that a read of the transaction saw it
  uint32_t joined; // an earlier delete's doubt that it is part of, or UNRECORDED_NONE
};

// What a transaction has read that nothing recorded explains.
struct excuse {
  uint32_t txn, key, value; // sorted by
  unsigned flags;           // READ_OTHER, READ_OR_ABSENT
  bool depends;             // it is there only if an unrecorded delete wrote nothing
  bool vague;               // something recorded explains it as well
};

struct builder {
  struct asg *asg;
  const struct history *h;
  const struct asg_options *options;
  uint8_t *excluded; // per transaction: an unknown one that is out
  uint32_t newly_excluded;

  // Per key, for the node at hand.
  uint32_t *own_stamp; // the node that wrote it last in this walk
  uint32_t *own_slot;  // its install in `pending`
  uint32_t *own_op;    // the operation
  // that operation is an unrecorded delete, or UNRECORDED_NONE; only if the history has such
  // deletes
  uint32_t *own_unrecorded;
  uint32_t *read_stamp; // the node that read it last from outside
  uint32_t *read_last;  // that read

  bool plain;  // all that there is are gets and puts, and there is nothing else to look at
  bool simple; // no read has flags, and there are no unrecorded deletes
  // some operation locks; only if the history has deletes that may be unrecorded
  bool some_lock;

  VEC (struct pending_install) pending;
  VEC (uint32_t) first_op; // of pending installs; with events only
  VEC (uint32_t) last_op;
  VEC (struct pending_unrecorded) unrecorded;
  // of the node at hand: unrecorded deletes that an open iterator met before their deletes came up
  VEC (uint32_t) early_unrecorded;
  VEC (uint32_t) read_key;
  VEC (uint32_t) read_value;
  VEC (uint32_t) read_op;
  VEC (uint8_t) read_flags;
  VEC (uint32_t) read_unrecorded;
  // the source that a hint names, or HINT_NONE; only if hints name sources
  VEC (uint32_t) read_hint;

  VEC (struct excuse) excuses; // of an incomplete history
  VEC (uint32_t) refuted;      // operations: its deletes that surely wrote nothing
  struct ranges *ranges;       // NULL: no scans
  struct lists *lists;         // NULL: no lists

  // own_writes.c: reads after an own write, which `external` takes for external.
  bool note_after_own;
  VEC (uint32_t) after_own; // reads
};

static inline bool builder_has_node (const struct builder *b, uint32_t txn) {
  return b->h->txn_status.data[txn] != TXN_ABORTED && !b->excluded[txn];
}
static inline bool builder_is_optional (const struct builder *b, uint32_t txn) {
  return b->h->txn_status.data[txn] == TXN_UNKNOWN;
}

void builder_init (struct builder *, struct asg *, const struct history *, const struct asg_options *);
void builder_release (struct builder *);

// Leaves an unknown transaction out from the next round on.
void builder_exclude (struct builder *, uint32_t txn);
// A committed transaction's fault is kept; an unknown transaction that has one did not take place.
void builder_fault (struct builder *, struct asg_fault);
// An operation of a node and what it read of a key, with nothing else to be said of it.
struct asg_fault builder_fault_of (const struct builder *, enum fault_kind, uint32_t node, uint32_t op, uint32_t key,
                                   uint32_t value, uint8_t flags, uint32_t other);

// What a walk remembers of each key.
void builder_new_stamps (struct builder *);
void builder_free_stamps (struct builder *);

void builder_number_nodes (struct builder *);

void builder_walk (struct builder *);
void builder_walk_nodes (struct builder *, uint32_t first, uint32_t end);
// Into how many parts the nodes are cut, each of which takes memory for every key.
uint32_t builder_parts (const struct builder *);
// Of a plain history, and more than one part.
void builder_walk_in_parts (struct builder *, uint32_t parts);
// A read of the key by the node at hand: of `value`, or with READ_OTHER of anything else.
void builder_read (struct builder *, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags);

void builder_external_read (struct builder *, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                            uint32_t unrecorded);
// The doubt that a later delete of the transaction will be, or be part of: it has no recorded
// result, and nothing before it surely writes its key.
uint32_t builder_early_unrecorded (struct builder *, uint32_t node, uint32_t op);
bool builder_has_written (const struct builder *, uint32_t node, uint32_t key);

struct ranges *ranges_new (const struct history *);
void ranges_free (struct ranges *);
void ranges_read (struct builder *, uint32_t node, uint32_t op); // a scan or an iterator
// A key with a mark in the range that some scan or iterator of a transaction that is not aborted
// covered, or KEY_NONE. `counts`: which of these matter; NULL: all do.
uint32_t ranges_cover_marked (const struct ranges *, const struct history *, const uint8_t *marks,
                              bool (*counts) (const void *context, uint32_t op, uint32_t key), const void *context);

// Why the incs of a history cannot be checked, or NULL; allocated.
char *incs_problem (const struct history *);

// Why the appends of a history cannot be checked, or NULL; allocated.
char *lists_problem (const struct lists *, const struct history *, bool has_ranges);
void lists_read (struct builder *, uint32_t node, uint32_t op);
// After the walk: version orders that lists give away, who must have taken place, and lists that
// cannot be.
void lists_compare (struct builder *);
struct lists *lists_new (const struct history *);
void lists_forget (struct lists *); // what was read so far
void lists_free (struct lists *);

// What hints say about the order of versions.
void version_orders_add (struct builder *);

// Finds what is to be excused, before anything is built; leaves nothing else behind.
void excuses_find (struct builder *);
// Is the read excused? Then it is counted.
bool excuses_read (struct builder *, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags,
                   uint32_t unrecorded);
void excuses_note (struct builder *, struct asg_excused);

void lineage_group_by_value (struct builder *);
// At the end: nothing but choices still has to be looked up.
void lineage_forget_values (struct asg *);
void lineage_initial_values (struct asg *);
// Installs of what the read asks for by others than its node. `range`: for reads of one value,
// where they stand in value_installs, the node's own one among them perhaps. `only`: one of them.
// Another transaction than the node's wrote the value last to the key, or may have.
bool lineage_is_written (const struct asg *, uint32_t node, uint32_t key, uint32_t value);
uint32_t lineage_candidates (const struct asg *, uint32_t node, uint32_t read, uint32_t range[2], uint32_t *only);
void lineage_find_sources (struct builder *);
void lineage_exclude_unread (struct builder *);

#endif
