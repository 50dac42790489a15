// Every violation of a history, as far as they have nothing to do with each other.

#ifndef KRAIT_EXPLAIN_INDEPENDENT_H
#define KRAIT_EXPLAIN_INDEPENDENT_H

#include "explain/part.h"

// Lists them in the result, which is invalid and explained by the part: that one first, then others, no two of which share a transaction, until nothing is wrong
// with the rest or the limits are reached.
void list_anomalies (struct check_result *, const struct history *, const struct check_options *,
                     const struct part_limits *, const struct explained_part *);

#endif
