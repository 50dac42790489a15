// Inside of kir: the facts of a file, gathered line by line, and the history that they make.
//
// The reader stages operations in the order of the file; here they come into the order in which each transaction did them. Where a level asks for it,
// the file says what that order is (places); everywhere else reads come first and installs last, so that no read is taken for one of an own write.

#ifndef KRAIT_IR_KIR_FACTS_H
#define KRAIT_IR_KIR_FACTS_H

#include "base/hash.h"
#include "history/history.h"
#include "ir/ir.h"

// In the order in which a transaction does them, where places do not say more.
enum staged_phase {
  STAGED_READ,
  STAGED_FIRST_WRITE, // of a key that the transaction writes again
  STAGED_OWN_WRITE,
  STAGED_OWN_READ,
  STAGED_INSTALL,
};

struct staged_op {
  uint32_t txn;
  uint32_t number; // of the entry, so that sorting keeps the order of the file
  uint32_t place;  // in its transaction; 0 where the level does not ask
  uint32_t key, value;
  enum staged_phase phase;
  bool locks;
};

struct staged_txn {
  struct txn_header header;
  uint32_t last_key;        // that its installs were given for
  uint64_t next_read_place; // the first place where its next read may stand
};

// Where in the file an operation's place is said.
struct said_at {
  uint64_t line, column;
};

struct kir_facts {
  const struct level *level;
  bool has_places; // the level asks where operations stand
  bool locks;      // some operation of the history locks, in the file or not
  struct history *h;

  VEC (struct staged_txn) txns;
  VEC (uint64_t) ids; // the same, for the table
  struct hash_set id_table;
  VEC (struct staged_op) ops;
  VEC (struct said_at) said;   // by number; only where there are places
  VEC (uint32_t) key_first_op; // per key: its installs begin here
  VEC (struct ir_edge) edges;  // between staged transactions
};

// UINT32_MAX if there is none of this id.
uint32_t kir_facts_txn (const struct kir_facts *, uint64_t id);

// Fills the history and finishes it. False after setting the error: operations whose places contradict each other, with line and column.
bool kir_facts_fill_history (struct kir_facts *, struct error *);

// Of the filled history.
struct asg *kir_facts_asg (const struct kir_facts *);

void kir_facts_free (struct kir_facts *);

#endif
