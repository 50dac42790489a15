// Every violation of a history, as far as they have nothing to do with each other.

#ifndef KRAIT_EXPLAIN_INDEPENDENT_H
#define KRAIT_EXPLAIN_INDEPENDENT_H

#include "explain/part.h"

// Lists them in the result, which is invalid and explained by the part: that one first, then others, no two of which share a transaction, until nothing is wrong
// with the rest or the limits are reached. Whoever listens is told of each at once: the search may be ended from outside.
typedef void anomaly_listener (void *context, const struct check_result *so_far);
void list_anomalies (struct check_result *, const struct history *, const struct check_options *,
                     const struct part_limits *, const struct explained_part *, anomaly_listener *, void *context);

#endif
