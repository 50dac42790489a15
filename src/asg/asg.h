// The abstract semantic graph: what a history means before any isolation level is chosen.
//
//  - Nodes: the initial state T0 is node 0; committed and unknown transactions follow, session by
//    session, so that a session is a chain of consecutive nodes. Aborted transactions have no node.
//    An unknown transaction that is not the last of its session stands in a chain of its own behind
//    all sessions, because session order runs into it but never out of it.
//  - Write history: per key its installers (last write of a transaction to the key), in node order.
//  - Read lineage: per node its external reads, each with the installs that can explain it.
//    Candidates are ranges of the installs grouped by value, never copied lists: with few distinct
//    values the lists would be quadratic.
//
// Operations of all kinds come down to these two. A delete installs VALUE_ABSENT, a dead version. A
// scan is an item read of each key that it returned, and a predicate read of absent of every other
// key in its range; keys that nobody writes and that start absent cost nothing. A list is read as
// its last element, and tells besides in which order its elements' writers come (`orders`). A
// delete whose result was not recorded is an `unrecorded_delete`.
//
// What contradicts every level but read-uncommitted by itself (no candidate at all, a broken own
// write) is kept as a `fault`. If an incomplete history is to be excused, a read without any
// candidate is none: it is not there.

#ifndef KRAIT_ASG_ASG_H
#define KRAIT_ASG_ASG_H

#include "base/vec.h"
#include "ir/columns.h"

struct hints;
struct history;

enum fault_kind {
  FAULT_NO_SOURCE,
  FAULT_OWN_WRITE,
  FAULT_TWO_INITIAL,
  // items of a scan out of range, out of order, or repeated; a new value that no inc gives
  FAULT_RESULT,
  FAULT_ELEMENT,  // a list holds, before its end, what nobody appended who took place
  FAULT_LIST,     // a list that no order of appends can have produced; counts at every level
  FAULT_LEFT_OUT, // an unknown transaction that took place and cannot have
};

struct asg_fault {
  enum fault_kind kind;
  uint32_t txn; // of the history
  uint32_t op;  // of the history
  uint32_t key;
  // what was read: the value, with READ_OTHER in `flags` anything else. FAULT_ELEMENT: the element
  uint32_t value;
  uint8_t flags;
  // Another operation, or OP_NONE. FAULT_TWO_INITIAL: a read that needs another initial value;
  // FAULT_OWN_WRITE: the own write; FAULT_ELEMENT: the append by an aborted transaction, or one
  // that cannot have taken place; FAULT_LIST: another list, or the append that is in the wrong
  // place.
  uint32_t other;
  // FAULT_NO_SOURCE: a hint says that it read its own write, which the policy forbids
  bool from_own;
  // FAULT_NO_SOURCE: 1 + the transaction that a hint names and that cannot have taken place; 0:
  // none
  uint32_t hinted;
};

// What is excused because the history is incomplete, and the first of it. Where reads do not count,
// excused ones do not either; lists count everywhere.
struct asg_excused {
  uint64_t reads; // without a candidate, and left out
  // of anything but a value: with candidates, but something that is missing would explain it as
  // well
  uint64_t vague;
  uint64_t unrecorded; // those of them that are there only if a delete wrote nothing
  uint64_t elements;   // of lists
  uint32_t txn, op, key, value;
  uint8_t flags; // READ_…
};

// What a read after an own write of its key sees: the latest own write; what others wrote; either;
// the strictest of these that the history allows.
enum own_writes { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };

struct asg_options {
  // reads of one key with one value by one transaction are one read (SEMANTICS 2, last point)
  bool merge_equal_reads;
  bool events;                // keep the operations of reads and installs
  enum own_writes own_writes; // not OWN_INFER: that is asked of the history first
  const struct hints *hints;  // of the history; they must outlive the ASG. NULL: none
  bool excuse;                // in an incomplete history; else it is taken as if it were complete
  unsigned threads;           // 0 and 1: none but the caller's
};

struct asg {
  const struct history *history;

  // Nodes and chains (node_txn: TXN_NONE for T0; chain 0 is T0 alone); the write history; the read
  // lineage. What a level lowers to borrows them.
  union {
    struct {
      IR_COLUMNS ()
    };
    struct ir_columns columns;
  };
  uint32_t *txn_node; // NODE_NONE for aborted ones
  uint8_t *optional;  // 1: unknown outcome
  uint32_t optionals;
  // While it is built: installs of a value in value_installs, hence grouped by key; one more entry
  // at the end. Or, where no value was written twice, of each value its install or INSTALL_NONE.
  uint32_t *value_first, *value_install;
  // of value_installs, which are there if choices are: the installs, and behind them the groups of
  // `zero_first`
  uint32_t value_entries;
  // where some inc reads 0 or absent (else NULL): per key the installs of either; one more entry
  uint32_t *zero_first;
  VEC (struct choice) choices;
  bool predicates; // some read is a READ_PREDICATE

  // Deletes whose result was not recorded. Per read: it takes place only if that unrecorded delete
  // wrote nothing. The columns are NULL where there are no unrecorded deletes.
  VEC (struct unrecorded_delete) unrecorded;
  // there were some, and somebody has decided about them: at another level that need not be right
  bool settled;
  uint32_t *read_unrecorded;
  uint32_t *install_unrecorded;

  VEC (struct known_order) orders;
  VEC (struct unknown_claim) implied;
  // unknown nodes that took place, because a list that was read holds what they appended
  VEC (uint32_t) forced;

  // The transaction's first write of the key; only when asked for (asg_options.events), as
  // install_last_op, whose value was installed. Else NULL.
  uint32_t *install_first_op;

  struct asg_options options; // that it was built with
  const struct hints *hints;  // among these, or NULL; not owned
  unsigned hint_facts;        // FACT_… (hints/hints.h): those that told something

  // A locking iterator may have seen what its own transaction wrote while it was open, and is taken
  // to have; it may as well have read from outside. That asks for nothing, and so is never worse,
  // except where it matters which read of a cursor was the last one.
  bool own_cursors;
  // Several unrecorded deletes of a key, in one transaction, are one unrecorded delete, and a
  // cursor may have read the key before them and between them. That the first ones wrote nothing is
  // then another choice.
  bool delete_runs;

  // reads are told apart by their operations: none was merged with an equal one
  bool events;
  uint64_t external_reads; // before merging equal ones

  bool excusing; // what nothing recorded explains is excused
  struct asg_excused excused;
  // of committed transactions; the first of each kind of reason is enough for a verdict
  VEC (struct asg_fault) faults;
  // why the history holds something that is not checked yet; NULL if nothing
  char *unsupported;
};

const char *own_writes_name (enum own_writes); // "must", …

// The policy that `infer` stands for here; the whole history has one.
enum own_writes asg_infer_own_writes (const struct history *, const struct hints *);

struct asg *asg_build (const struct history *, const struct asg_options *);
void asg_free (struct asg *);

// The ASG with all unrecorded deletes taken to have written. Nodes and installs keep their numbers.
struct asg *asg_settle (const struct asg *);

// Built anew as if no unknown transaction had taken place.
struct asg *asg_without_unknown (const struct asg *);

// The same graph for levels without session order, with nodes numbered anew: its chains are paths
// of known write-read edges (each node in one chain; unknown transactions alone). If these are not
// wanted, or have a cycle, chains are single nodes and the cycle is left to be found by whoever
// sorts the graph.
struct asg *asg_rechain (const struct asg *, bool along_reads);

// How many superpositions there are before anything is decided: writer pairs of a key, and reads
// with several sources.
uint64_t asg_superpositions (const struct asg *);

// The install of `key` by `node` or by a transaction, or INSTALL_NONE.
uint32_t asg_install_of (const struct asg *, uint32_t key, uint32_t node);
uint32_t asg_install_by (const struct asg *, uint32_t key, uint32_t txn);

static inline unsigned asg_read_flags (const struct asg *asg, uint32_t read) {
  return asg->read_flags ? asg->read_flags[read] : 0;
}

static inline bool asg_accepts (const struct asg *asg, uint32_t read, uint32_t value) {
  return read_accepts (asg->read_value[read], asg_read_flags (asg, read), value);
}

// Can it have read the initial state?
bool asg_accepts_initial (const struct asg *, uint32_t read);

static inline uint32_t asg_read_unrecorded (const struct asg *asg, uint32_t read) {
  return asg->read_unrecorded ? asg->read_unrecorded[read] : UNRECORDED_NONE;
}
static inline uint32_t asg_install_unrecorded (const struct asg *asg, uint32_t install) {
  return asg->install_unrecorded ? asg->install_unrecorded[install] : UNRECORDED_NONE;
}

#endif
