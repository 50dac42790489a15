// A plain ordered store that carries out transactions one after the other, and compares what they
// read with what was recorded. It knows nothing of graphs, saturation or search.

#ifndef KRAIT_SOLVE_STORE_H
#define KRAIT_SOLVE_STORE_H

#include "asg/asg.h"

#include <stdbool.h>
#include <stdint.h>

struct hints;
struct history;

// Does carrying out the transactions in this order give every recorded result? `why` says what
// fails. Where the policy leaves open whether a read saw its transaction's own write, hints, which
// may be NULL, decide.
bool store_replays (const struct history *, const struct hints *, enum own_writes, const uint32_t *order,
                    uint32_t count, const char **why);

#endif
