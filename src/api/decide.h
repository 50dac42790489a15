// Inside of the API: judging an ASG, however it came about.

#ifndef KRAIT_API_DECIDE_H
#define KRAIT_API_DECIDE_H

#include "api/check.h"
#include "ir/ir.h"

// What counts besides the level. Known edges between transactions of the history (not nodes, whose numbers depend on the level), none of them unknown; and
// what modules demand.
struct given {
  const struct ir_edge *edges;
  size_t edge_count;
  bool program_order;                   // the edges lead between parts of one transaction; else for whatever reason
  const struct demands *demands;        // of reads of the ASG that is judged; NULL: none
  const struct cert_demands *certified; // the same for certificates, if these are wanted
};

// An empty result for the level.
struct check_result *check_result_new (const struct check_options *);
void check_result_say_unknown (struct check_result *, const char *reason);
void check_result_say_broken (struct check_result *, const char *what); // an internal error

// Fills in the verdict. The ASG is that of the whole history.
void check_asg (struct asg *, struct given, const struct check_options *, struct check_result *);

#endif
