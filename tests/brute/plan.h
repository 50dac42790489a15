// A history while it is being made up: plain records that are easy to fill in any order.

#ifndef KRAIT_BRUTE_PLAN_H
#define KRAIT_BRUTE_PLAN_H

#include "history/history.h"
#include "prng.h"

enum { PLAN_TXNS = 7, PLAN_SESSIONS = 4, PLAN_KEYS = 3, PLAN_OPS = 4 };

// Values are small numbers; these two are none.
enum { PLAN_ABSENT = -1, PLAN_UNRECORDED = -2 };

struct plan_op {
  bool is_put;
  unsigned key;
  int value;
  unsigned flags; // of the history's operation
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
  enum init_mode init;
  int initial_default;
  bool mapped[PLAN_KEYS];
  int initial[PLAN_KEYS]; // what each key starts with in a run; told only as `init` and `mapped` say
  bool byte_keys, byte_values;
};

// Fills in the results of reads and the times by running the plan on a small store (simulate.c).
void plan_simulate (struct plan *, struct prng *);

#endif
