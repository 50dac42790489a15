// The intermediate representation: what a level makes of a history, ready for saturation and
// search. Nothing below knows histories or levels.
//
//  - Points: what edges run between. A transaction (a node; 0 is the initial state T0) has one, or
//    two (begin, commit); time slots are points, too, and so are the events of a transaction where
//    its view grows. Nodes of a chain are consecutive numbers.
//  - Known edges: chains, time slots, reads with a single source, version orders that lists and
//    hints give away, edges from elsewhere.
//  - Superpositions, exactly one of several alternatives each: the sources of a read, the order of
//    two installers of a key, a presence, an initial value that is open. The pairs of installers
//    are never written out: the installers of a key stand for all of them.
//  - Implications: source(r) = w and w before p give an edge from r to p, and what else `rules`
//    says once for all keys; and the single ones of modules (`constraints`).
//
// This header has the columns that saturation and search run over. What they mean, written out one
// by one, ir/walk.h shows; ir/builder.h makes an IR, and ir/kir.h is its text.

#ifndef KRAIT_IR_IR_H
#define KRAIT_IR_IR_H

#include "base/error.h"
#include "base/log.h"
#include "ir/columns.h"
#include "ir/constraints.h"
#include "ir/presence.h"
#include "ir/rules.h"

struct asg;
struct history;
struct level;

enum edge_kind { EDGE_SO, EDGE_RT, EDGE_WW, EDGE_WR, EDGE_RW, EDGE_GIVEN, EDGE_KINDS };

const char *edge_kind_name (enum edge_kind);

// What an edge does.
enum edge_role {
  ROLE_PATH,   // an edge of the graph
  ROLE_ORDER,  // one that must not close a cycle, but shows nothing to readers
  ROLE_FORBID, // no edge: forbids a path from its end to its start
};

// An edge that saturation derived, with the read that the reason speaks of, or the key.
struct derived_edge {
  uint32_t from, to; // nodes; of which points the rules say by the kind
  enum edge_kind kind;
  uint32_t read; // READ_NONE: two installers of `key`, and the other order closes a cycle
  uint32_t key;  // KEY_NONE where a read is named, and for EDGE_SO
};

static inline struct edge_points derived_points (const struct rules *rules, enum edge_kind kind) {
  return kind == EDGE_SO ? rules->so : kind == EDGE_RW ? rules->rw : rules->ww;
}

struct ir {
  char *label; // the level's name: a label and no more; owned
  struct rules rules;
  bool serial; // a serial order is what it asks for, and what was read can be read in it
  union {      // who installs what, and who read it: borrowed, or among `owned`
    struct {
      IR_COLUMNS (const)
    };
    struct ir_columns columns;
  };
  // consecutive nodes of a chain are in session order; else in the order of a known read
  bool chains_are_sessions;

  const struct choice *choices;
  uint32_t choice_count;
  // owned; per read: what its anti-dependencies mean (enum anti); NULL: as the rules say
  uint8_t *read_anti;
  bool marks_reads; // the level has said what they mean for single reads
  // Owned; per read: the presence under which they are edges, whatever read_anti says; NULL: none.
  uint32_t *read_when;

  // What may be there or not: those of transactions, then, from first_delete on, those of deletes,
  // then the others. Entry 0 is always there. The columns are owned, and NULL where all is always
  // there.
  struct presence *presences;
  uint32_t presence_count, first_delete, deletes;
  uint32_t *node_presence, *install_presence;
  uint32_t *read_presence; // beside that of its node
  VEC (uint32_t) holds;    // presences that are known to hold: of transactions, and of deletes

  bool deletes_settled; // there were more of them, and lowering has taken them to have written

  const struct known_order *orders;
  const struct unknown_claim *implied;
  uint32_t order_count, implied_count;

  // Real time: `slots` time points in order. A node hangs off time_before (SLOT_NONE: nothing ended
  // before it) and feeds time_after. Owned.
  uint32_t slots;
  uint32_t *time_before, *time_after; // per node; NULL when the level has no real time

  // Per node, when it probably ran: it breaks ties. Owned.
  uint32_t *hint;

  ir_edge_vec edges; // known edges from elsewhere (a dialect, a module)
  // they lead from part to part of what was one transaction; those of modules do not
  bool edges_are_program_order;
  // of the last so many edges, which modules demand in any case: the module
  VEC (uint32_t) edge_module;
  VEC (struct derived_edge) derived; // as saturation left it
  struct constraints *constraints;   // of modules, lowered; owned; NULL: none

  // Owned, or NULL. It is unsatisfiable by itself: why. It says nothing, because the level is not
  // defined there: why. What the anti-dependencies of single reads mean was chosen, and another
  // choice may do better: which.
  char *fault, *undefined, *tentative;

  unsigned threads; // that whoever works on it may use; 0 and 1: the caller's alone

  struct asg *asg;
  const struct level *level;

  // For words, and for nobody below.
  const struct history *history;
  uint64_t *node_id;     // owned; per node the transaction's id; NULL: history knows
  uint32_t *value_label; // owned; per value its number in the text; NULL: the same
  uint32_t values;       // so many have labels

  VEC (void *) owned;
  void (*release) (void *); // lets go of what it borrows; NULL: somebody else does
  void *lender;
};

void ir_free (struct ir *);

// Takes over what modules demand (lowered for the same nodes; may be NULL). What is known of it
// joins the edges.
void ir_constrain (struct ir *, struct constraints *);

// The name of the module that demands the edge; NULL: another reason.
const char *ir_edge_module (const struct ir *, uint32_t edge);
// Some demands are left to be met.
static inline bool ir_has_open_constraints (const struct ir *ir) {
  return ir->constraints && ir->constraints->open;
}

// The install of `key` by `node`, or INSTALL_NONE.
uint32_t ir_install_of (const struct ir *, uint32_t key, uint32_t node);

// Who wrote what a source stands for, which is known.
static inline uint32_t ir_writer_of (const struct ir *ir, uint32_t source) {
  return source == SOURCE_INITIAL ? 0 : ir->install_node[source];
}

static inline unsigned ir_read_flags (const struct ir *ir, uint32_t read) {
  return ir->read_flags ? ir->read_flags[read] : 0;
}

// Can the read have returned this value?
static inline bool ir_accepts (const struct ir *ir, uint32_t read, uint32_t value) {
  return read_accepts (ir->read_value[read], ir_read_flags (ir, read), value);
}

static inline uint32_t ir_node_presence (const struct ir *ir, uint32_t node) {
  return ir->node_presence ? ir->node_presence[node] : ALWAYS;
}
static inline uint32_t ir_install_presence (const struct ir *ir, uint32_t install) {
  return ir->install_presence ? ir->install_presence[install] : ALWAYS;
}
static inline uint32_t ir_read_presence (const struct ir *ir, uint32_t read) {
  return ir->read_presence ? ir->read_presence[read] : ALWAYS;
}
// Does the install depend on a delete that may have done nothing?
static inline bool ir_is_delete (const struct ir *ir, uint32_t install) {
  return presence_entry (ir_install_presence (ir, install)) >= ir->first_delete;
}
// Some transactions may not have taken place.
static inline bool ir_has_unknown (const struct ir *ir) {
  return ir->first_delete > 1;
}

// The entry that says that some delete of the node wrote; 0: there is none.
uint32_t ir_writes (const struct ir *, uint32_t node);

// The certain transaction that session order puts right before the node, or NODE_NONE.
static inline uint32_t ir_session_before (const struct ir *ir, uint32_t node) {
  if (ir->so_before && ir->so_before[node] != NODE_NONE)
    return ir->so_before[node];
  return node > ir->chain_first[ir->node_chain[node]] ? node - 1 : NODE_NONE;
}

// Had `first` ended, in real time, when `second` began?
static inline bool ir_ended_before (const struct ir *ir, uint32_t first, uint32_t second) {
  return ir->time_before && ir->time_after[first] != SLOT_NONE && ir->time_before[second] != SLOT_NONE
         && ir->time_after[first] <= ir->time_before[second];
}

// Places in the program of a transaction say something.
static inline bool ir_has_places (const struct ir *ir) {
  return ir->rules.events || ir->rules.view == VIEW_EARLIER_READS;
}

// The id of the node's transaction, for words.
uint64_t ir_txn_id (const struct ir *, uint32_t node);
// The same for the log, T0 included.
static inline uint64_t ir_name (const struct ir *ir, uint32_t node) {
  return node ? ir_txn_id (ir, node) : LOG_INITIAL;
}

// Why it is unsatisfiable by itself, in words; NULL: nothing says so before anything is decided.
const char *ir_contradiction (const struct ir *);

// Transactions run one after the other: each read is an edge with all of its consequences.
bool ir_asks_for_serial (const struct ir *);

// The IR's own invariants: indexes, orders, sources. False with a text in `why`.
bool ir_validate (const struct ir *, const char **why);

#endif
