// A history while it is being made up: plain records that are easy to fill in any order.

#ifndef KRAIT_BRUTE_PLAN_H
#define KRAIT_BRUTE_PLAN_H

#include "history/history.h"
#include "prng.h"

enum { PLAN_TXNS = 7, PLAN_SESSIONS = 4, PLAN_KEYS = 4, PLAN_OPS = 4, PLAN_ITEMS = PLAN_TXNS * PLAN_OPS + 2 };

// Values are small numbers; these two are none.
enum { PLAN_ABSENT = -1, PLAN_UNRECORDED = -2 };

// Bounds of ranges are keys, or one of their neighbours, or this.
enum { PLAN_UNBOUNDED = -9 };

struct plan_item {
  int key, value; // list elements have no key
};

struct plan_op {
  enum op_kind kind;
  unsigned key;
  // put, append: written; get: read; cas: expected; PLAN_UNRECORDED: of any operation that reads
  int value;
  int written;    // cas, inc
  int by;         // inc
  bool odd;       // inc: the new value is no number
  bool wrote;     // put, append, inc; del and cas if they did
  int low, high;  // scan, iter
  unsigned limit; // iter: fetches at most so many items
  unsigned items; // what a scan, an iterator or a list read returned
  struct plan_item item[PLAN_ITEMS];
  unsigned flags; // of the history's operation
  bool timed;     // its own times are told
  int64_t begin, end;
};

struct plan_txn {
  unsigned session;
  enum txn_status status;
  int64_t begin, end;
  unsigned ops;
  struct plan_op op[PLAN_OPS];
};

struct plan {
  unsigned txns, sessions, keys;
  struct plan_txn txn[PLAN_TXNS]; // each session's in order
  bool is_list[PLAN_KEYS];
  enum init_mode init;
  int initial_default;
  bool mapped[PLAN_KEYS];
  // what each key starts with in a run; told only as `init` and `mapped` say
  int initial[PLAN_KEYS];
  bool byte_keys, byte_values;
  bool incomplete;
};

static inline int plan_written (const struct plan_op *op) {
  return op->kind == OP_DEL ? PLAN_ABSENT : op->kind == OP_CAS || op->kind == OP_INC ? op->written : op->value;
}

static inline bool plan_in_range (const struct plan_op *op, unsigned key) {
  return (op->low == PLAN_UNBOUNDED || op->low <= (int) key) && (op->high == PLAN_UNBOUNDED || (int) key < op->high);
}

static inline bool plan_reads (const struct plan_op *op, unsigned key) {
  switch (op->kind) {
  case OP_SCAN:
  case OP_ITER: return plan_in_range (op, key);
  case OP_PUT:
  case OP_APPEND: return false;
  default: return op->key == key;
  }
}

// Fills in the results of reads and the times by running the plan on a small store (simulate.c).
void plan_simulate (struct plan *, struct prng *);

// What a store answers that sees `value`, or `elements` items, by way of each operation (answer.c).
void plan_answer_delete (struct plan_op *, struct prng *, int value);
void plan_answer_cas (struct plan_op *, int value);
void plan_answer_inc (struct plan_op *, int value);
// Called for the keys of a scan or an iterator in the order in which it comes by; false: it needs
// no more.
bool plan_answer_range (struct plan_op *, unsigned key, int value);
// Spoils the items now and then, so that no store could have returned them.
void plan_spoil_items (struct plan_op *, struct prng *, unsigned percent);
// Adds the elements that the transaction appended to the key, by operations before `before`.
void plan_add_appends (struct plan_op *, const struct plan_txn *, unsigned key, unsigned before);

#endif
