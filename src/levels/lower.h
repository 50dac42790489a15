// Lowering: the IR that a level makes of an abstract semantic graph.

#ifndef KRAIT_LEVELS_LOWER_H
#define KRAIT_LEVELS_LOWER_H

#include "ir/ir.h"

struct cert_constraints;

// What counts besides the level. Known edges between transactions of the history (not nodes, whose
// numbers depend on the level), none of them unknown; and what modules demand.
struct given {
  const struct ir_edge *edges;
  size_t edge_count;
  // the edges lead between parts of one transaction; else for whatever reason
  bool program_order;
  const struct constraints *constraints;    // of reads of the ASG that is judged; NULL: none
  const struct cert_constraints *certified; // the same for certificates
  const struct history *history;            // as it was given, before a dialect made parts of it
};

// The IR refers to the ASG, which must outlive it. Chains are sessions, or, at levels without
// session order, follow known reads; deletes without a recorded result have written where that is
// never worse.
struct ir *lower (struct asg *, const struct level *, const struct given *, int64_t clock_skew);

// Gives the nodes of a lowered IR the ids that their transactions have in the history.
void lower_names (struct ir *);

// The ASG as it is, and nothing else.
struct ir *lower_asg (struct asg *, const struct level *, int64_t clock_skew);

// `from` is the ASG that the modules saw, `to` what the level made of it. NULL: nothing is
// demanded.
struct constraints *lower_constraints (const struct constraints *, const struct asg *from, const struct asg *to,
                                       const struct level *);

#endif
