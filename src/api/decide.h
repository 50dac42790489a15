// Inside of the API: judging an ASG, however it came about.

#ifndef KRAIT_API_DECIDE_H
#define KRAIT_API_DECIDE_H

#include "api/check.h"
#include "ir/ir.h"

// Known edges between transactions of the history (not nodes, whose numbers depend on the level), none of them unknown.
struct given_edges {
  const struct ir_edge *data;
  size_t count;
  bool program_order; // between parts of one transaction; else for whatever reason
};

// An empty result for the level.
struct check_result *check_result_new (const struct check_options *);

// Fills in the verdict. The ASG is that of the whole history.
void check_asg (struct asg *, struct given_edges, const struct check_options *, struct check_result *);

#endif
