// Results get their explanation: the smallest part that is invalid by itself (core/part.h), for one
// level, for all that fail, or for every violation.

#ifndef KRAIT_API_EXPLANATION_H
#define KRAIT_API_EXPLANATION_H

#include "api/lattice_order.h"
#include "core/part.h"

// Asks check_history.
extern const struct judge check_judge;

// Looks for the part of a history that is invalid, as the result says, under these options. What is
// found replaces the result's violation. The verifier sees a refutation of it, as verify_refutation
// (api/certify.h) says.
void explain_result (struct check_result *, const struct history *, const struct check_options *,
                     const struct part_limits *);

// Why several levels fail, where all were asked: within the limits for all together, the weakest of
// them have an explanation each; each other one that fails says then what one of these says.
void explain_weakest (const struct level_results *, const struct history *, const struct check_options *,
                      const struct part_limits *);

// Every violation, as far as they have nothing to do with each other, in the list of a result that
// is invalid and explained: its own first, then others, no two of which share a transaction, until
// nothing is wrong with the rest or the limits are reached. Whoever listens is told of each at
// once: the search may be ended from outside.
typedef void anomaly_listener (void *context, const struct check_result *so_far);
void list_anomalies (struct check_result *, const struct history *, const struct check_options *,
                     const struct part_limits *, anomaly_listener *, void *context);

#endif
