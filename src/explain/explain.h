// From a refutation to a violation: what it is called, the cycle, and why each edge of it holds.
// The caller owns what is returned.

#ifndef KRAIT_EXPLAIN_EXPLAIN_H
#define KRAIT_EXPLAIN_EXPLAIN_H

#include "asg/asg.h"
#include "cnf/problem.h"
#include "explain/violation.h"
#include "saturate/saturate.h"
#include "solve/solve.h"

// A read that nothing explains, or a broken own write: what the ASG found by itself.
struct violation *explain_fault (const struct asg *, const struct asg_fault *);

// A cycle of known edges (saturation->cycle); shortened first.
struct violation *explain_cycle (struct saturation *);

// A read that lost its last candidate during saturation.
struct violation *explain_lost_read (const struct saturation *);

// What a module forbids is known to hold; NULL: nothing of that kind is.
struct violation *explain_forbidden (const struct saturation *);

// No choice works: the lemmas that show it.
struct violation *explain_refutation (const struct saturation *, const struct problem *, const struct solve_result *);

// Nodes and reads of an ASG or an IR as violations tell them. `writer` is a node that installs what
// was read, or 0.
struct party party_of (const struct history *, const struct ir_columns *, uint32_t node);
struct seen seen_by (const struct history *, const struct ir_columns *, uint32_t reader, uint32_t read,
                     uint32_t writer);

#endif
