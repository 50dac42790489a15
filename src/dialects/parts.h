// Writing a transaction as several: what dialects have in common. Ids, times, hints and the table
// of origins are taken care of here.

#ifndef KRAIT_DIALECTS_PARTS_H
#define KRAIT_DIALECTS_PARTS_H

#include "dialects/dialects.h"
#include "history/effects.h"

// An operation of the old history, or a piece of one.
struct piece {
  uint32_t op;
  uint8_t kind, flags;
  uint32_t key, value;
  uint32_t aux;          // of operations without a range
  struct op_range range; // of those with one; the items are the old history's
  bool whole;            // all of the operation: its hints stay with it
};

typedef VEC (struct piece) piece_vec;

struct piece piece_of (const struct history *, uint32_t op);

struct subtransaction {
  const char *name;
  const struct piece *pieces;
  size_t count;
  uint32_t first_op,
    // its view was taken between the begin of the one and the end of the other; OP_NONE: not known
    last_op;
};

struct parts_writer {
  const struct history *old;
  struct rewriting *to;
  uint64_t next_id; // of parts that need an id of their own
};

void parts_start (struct parts_writer *, const struct history *old, struct rewriting *);

// The parts of the next transaction, in program order. The last one keeps its id and hints; a
// single one is the transaction. None: it has no operations left.
bool parts_write (struct parts_writer *, uint32_t txn, const struct subtransaction *, size_t count, const char **why);

#endif
