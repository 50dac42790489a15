// A part of a history that is invalid by itself, as small as it gets.
//
// A core is a history of its own: transactions of the whole, less everything that could have to do with transactions that are left out. A read that one of
// these could have been the source of is taken out, a scan is cut around such a key, and no edge leads through them. So whatever is wrong with a core is wrong
// with the whole, and anybody can check it alone.

#ifndef KRAIT_EXPLAIN_CORE_H
#define KRAIT_EXPLAIN_CORE_H

#include "api/check.h"

struct history;

// Which transactions and operations of a history are kept.
struct core_mask {
  uint8_t *txn; // per transaction
  uint8_t *op;  // per operation
};

// The history with only these. `asg` is that of the history, with events. `whole_ranges`: a scan that would have to be cut is taken out instead, because it
// matters that its reads are one event.
struct history *core_restrict (const struct history *, const struct asg *, const struct core_mask *, bool whole_ranges);

// A core of a history that is invalid under these options, as `result` says: no transaction of it, and then no operation, can be left out. NULL: none was
// found within the budget, or what makes the history invalid cannot be kept apart (hints, for example).
struct history *core_find (const struct history *, const struct check_options *, const struct check_result *result);

#endif
