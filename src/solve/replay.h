// The last word on `valid`: the history is replayed in the witness's order, operation by operation,
// against a plain map of keys to values. It knows nothing of graphs, saturation or search.

#ifndef KRAIT_SOLVE_REPLAY_H
#define KRAIT_SOLVE_REPLAY_H

#include "asg/asg.h"
#include "ir/ir.h"
#include "levels/levels.h"

#include <stdbool.h>
#include <stdint.h>

struct hints;
struct history;

// `order`: transactions of the history; every committed one, unknown ones as chosen, each once. For
// levels with one point per transaction. Reads after an own write see that (OWN_MUST), the state
// that the transaction found (OWN_EXTERNAL), or either (OWN_MAY). False with a text in `why` if the
// order does not explain the history at this level.
bool replay_serial_order (const struct history *, const struct hints *, const struct level *, int64_t clock_skew,
                          enum own_writes, const uint32_t *order, uint32_t count, const char **why);

// Each edge leads from an earlier transaction of the order to a later one; both are in it.
bool replay_given_edges (const struct history *, const struct ir_edge *edges, size_t edge_count, const uint32_t *order,
                         uint32_t count, const char **why);

// The facts of the history's hints hold in the order. `hints` may be NULL.
bool replay_hints (const struct history *, const struct hints *, const uint32_t *order, uint32_t count,
                   const char **why);

#endif
