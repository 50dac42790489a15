// A part of a history that is invalid by itself, as small as it gets.
//
// A core is a history of its own: transactions of the whole, less everything that could have to do
// with transactions that are left out. A read that one of these could have been the source of is
// taken out, a scan is cut around such a key, and no edge leads through them. So whatever is wrong
// with a core is wrong with the whole, and anybody can check it alone.

#ifndef KRAIT_CORE_CORE_H
#define KRAIT_CORE_CORE_H

#include "verdict/verdict.h"

// Which transactions and operations of a history are kept. An operation of a transaction that is
// not kept is not kept either, whatever is said of it.
struct core_mask {
  VEC (uint32_t) kept; // the transactions, ascending
  uint8_t *txn;        // per transaction: it is one of these
  uint8_t *op;         // per operation
};

// no transaction, all operations
struct core_mask core_mask_new (const struct history *);
// these and no others, in any order; NULL: the first so many
void core_mask_keep (struct core_mask *, const uint32_t *txns, size_t count);
void core_mask_free (struct core_mask *);

// What is known about a history before a part of it is written down. Built once; a part then costs
// what it holds, whatever the whole is.
struct core_index;

// NULL: the history cannot be checked at all. `own_writes` is not OWN_INFER.
struct core_index *core_index_new (const struct history *, const struct check_options *);
void core_index_free (struct core_index *);

// The history with only these. It has the hints that speak of what is left.
struct history *core_restrict (struct core_index *, const struct core_mask *);

// A core of a history that is invalid under these options for this reason: no transaction of it,
// and then no operation, can be left out; it shows the anomaly that the whole does, unless what
// does is not minimal. NULL: none was found within the budget, or there are modules, whose demands
// nobody can tell of a part.
struct history *core_find (const struct judge *, const struct history *, const struct check_options *,
                           const struct violation *);

// Cores of a history one after the other, no two of which share a transaction.
struct core_series;

// NULL: the history cannot be checked at all, or there are modules, whose demands nobody can tell
// of a part. `own_writes` is not OWN_INFER.
struct core_series *core_series_new (const struct judge *, const struct history *, const struct check_options *);
void core_series_free (struct core_series *);

// No core to come shares a transaction with this one.
void core_series_use (struct core_series *, const struct history *core);

// The next core, each invalid by itself and minimal. NULL: there is none, or the budget is spent.
struct history *core_series_next (struct core_series *);

// After the last one: what is left over is valid.
bool core_series_is_complete (const struct core_series *);

#endif
