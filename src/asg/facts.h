// An ASG from facts in the place of operations: what a .kir file says of each transaction. The
// history behind it has the transactions, their sessions and times, and operations that are there
// to be named in messages.

#ifndef KRAIT_ASG_FACTS_H
#define KRAIT_ASG_FACTS_H

#include "asg/asg.h"

// Transactions and operations are those of the history.
struct read_fact {
  uint32_t txn, op;
  uint32_t key, value;
  uint8_t flags;  // READ_…
  bool undeleted; // only if the transaction's unrecorded delete of the key wrote nothing
};

struct install_fact {
  uint32_t txn;
  uint32_t first_op, last_op;
  uint32_t key, value;
  // an unrecorded delete: the first write, if there is no certain one, or one before the first;
  // OP_NONE: none
  uint32_t unrecorded_op;
};

struct order_fact {
  uint32_t key;
  uint32_t before, after; // transactions
  bool by_absence;
  uint32_t reader; // or TXN_NONE
};

struct claim_fact {
  uint32_t reader, other; // transactions
};

struct asg_facts {
  VEC (struct read_fact) reads; // these two: transaction by transaction, in program order
  VEC (struct install_fact) installs;
  VEC (struct order_fact) orders;
  VEC (struct claim_fact) implied;
  VEC (uint32_t) forced; // transactions
  VEC (struct asg_fault) faults;
};

void asg_facts_free (struct asg_facts *);

// All reads are external, whatever stands before them.
struct asg *asg_build_from_facts (const struct history *, const struct asg_facts *, const struct asg_options *);

#endif
