// Every order of a small history's transactions that explains it: the plain way, by trying.

#ifndef KRAIT_TESTS_SERIAL_ORDERS_H
#define KRAIT_TESTS_SERIAL_ORDERS_H

#include "asg/asg.h"
#include "history/history.h"
#include "levels/levels.h"

enum { SERIAL_MOST_TXNS = 12 };

// Transactions of the history: all committed ones, and unknown ones. False stops the search.
typedef bool (*serial_order) (void *context, const uint32_t *order, uint32_t count);

// Calls `found` for each; returns how many. For levels that are an acyclic graph of single points,
// and histories of get and put.
uint64_t serial_orders (const struct history *, const struct level *, int64_t clock_skew, enum own_writes,
                        serial_order found, void *context);

// Why the verifier does not take such an order for `valid`; NULL: it does, or there is no verdict
// on the history at this level (nobody committed, or it has no times). Good until the next call.
bool serial_has_verdict (const struct history *, const struct level *);
const char *serial_order_refused (const struct history *, const struct level *, int64_t clock_skew, enum own_writes,
                                  const uint32_t *order, uint32_t count);

#endif
