// What a dialect makes of a history: transactions become several, their parts (docs/dialects.md).
// The verifier does this once more by itself, from the history and the name of the dialect, so that
// a certificate need not be believed in that either.

#ifndef KRAIT_VERIFY_SPLIT_H
#define KRAIT_VERIFY_SPLIT_H

#include "verify/effects.h"

struct split {
  struct history *history;
  VEC (uint32_t) origin; // per transaction of it: the one that it is, or is a part of
};

// False, with the reason: there is no such dialect, or the parts are too many. split_free in any
// case.
bool split_make (struct split *, const struct history *, const char *dialect, enum own_policy, const char **problem);
void split_free (struct split *);

// ------------------------------------------------------------------------------------------ inside

// An operation of a part: one of the history, or a piece of one.
struct fragment {
  uint32_t op;
  uint8_t kind, flags;
  uint32_t key, value;
  struct op_range range; // of scans, iterators and lists
  bool whole;
};

// A part. Its reads see what there was between the begin of one operation and the end of another,
// if these have times.
struct split_view {
  VEC (struct fragment) fragments;
  uint32_t first_op, last_op; // OP_NONE: at the commit
};

struct fragment split_whole (const struct history *, uint32_t op);

// split_write.c: the parts of the history's next transaction, those without fragments left out.
bool split_write (struct split *, const struct history *, uint32_t txn, const struct split_view *, size_t count,
                  uint64_t *next_id, const char **problem);

#endif
