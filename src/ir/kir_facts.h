// Inside of kir: the facts of a file, gathered line by line, and the history and the ASG that they
// make.
//
// The ASG is built from the facts themselves. The history behind it has the transactions, their
// sessions and times, and for each fact an operation to speak of: the reader stages them in the
// order of the file, and here they come into the order in which each transaction did them. Where a
// level asks for it, the file says what that order is (places); everywhere else reads come first
// and installs last.

#ifndef KRAIT_IR_KIR_FACTS_H
#define KRAIT_IR_KIR_FACTS_H

#include "asg/facts.h"
#include "base/hash.h"
#include "history/history.h"
#include "ir/ir.h"
#include "levels/levels.h"

// In the order in which a transaction does them, where places do not say more.
enum staged_phase {
  STAGED_READ,
  STAGED_UNRECORDED,  // an unrecorded delete of a key that the transaction writes again
  STAGED_FIRST_WRITE, // of a key that the transaction writes again
  STAGED_INSTALL,
  STAGED_WRONG, // the last three: only to be named
  STAGED_OWN_WRITE,
  STAGED_OWN_READ,
};

struct staged_op {
  uint32_t txn;
  uint32_t number; // of the entry, so that sorting keeps the order of the file
  uint32_t place;  // in its transaction; 0 where the level does not ask
  uint32_t slot;   // the operation of the history: so many stand before it in the transaction
  uint32_t key, value;
  enum staged_phase phase;
  uint8_t flags;           // READ_…
  bool locks;              // a read; or the operation that a read and a write share
  bool part;               // a read that is not a get but belongs to a scan, a cas or a delete
  bool undeleted;          // a read: only if the unrecorded delete wrote nothing
  bool unrecorded;         // an install: the delete may have written nothing
  bool unrecorded_is_read; // an install: some read is `undeleted`
  bool has_first_write,
    // an install: the next entries are its STAGED_FIRST_WRITE and its STAGED_UNRECORDED
    has_unrecorded;
  enum fault_kind fault; // STAGED_WRONG
};

struct staged_txn {
  struct txn_header header;
  uint32_t last_key;       // that its installs were given for
  uint32_t last_place;     // of its reads so far
  bool has_read, was_part; // the last one
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
  struct hash_set install_table; // of ops
  VEC (struct said_at) said;     // by number; only where there are places
  uint32_t keys;
  VEC (struct ir_edge) edges; // these: of staged transactions
  VEC (struct order_fact) orders;
  VEC (struct claim_fact) implied;
  VEC (uint32_t) forced;
};

// UINT32_MAX if there is none of this id.
uint32_t kir_facts_txn (const struct kir_facts *, uint64_t id);

// While the file is read: the transaction's install of the key, or NULL.
struct staged_op *kir_facts_install (const struct kir_facts *, uint32_t txn, uint32_t key);
void kir_facts_stage (struct kir_facts *, struct staged_op); // gives it its number

// Fills the history and finishes it. False after setting the error: operations whose places
// contradict each other, with line and column.
bool kir_facts_fill_history (struct kir_facts *, struct error *);

// Of the filled history.
struct asg *kir_facts_asg (const struct kir_facts *);

void kir_facts_free (struct kir_facts *);

#endif
