// From a refutation to words: the anomaly's name, the cycle, and why each edge of it holds.

#ifndef KRAIT_EXPLAIN_EXPLAIN_H
#define KRAIT_EXPLAIN_EXPLAIN_H

#include "api/check.h"
#include "asg/asg.h"
#include "cnf/problem.h"
#include "saturate/saturate.h"
#include "solve/solve.h"

// A read that nothing explains, or a broken own write: what the ASG found by itself.
void explain_fault (struct check_result *, const struct asg *, const struct asg_fault *);

// A cycle of known edges (saturation->cycle); shortened first.
void explain_cycle (struct check_result *, struct saturation *);

// A read that lost its last candidate during saturation.
void explain_lost_read (struct check_result *, const struct saturation *);

// What a module forbids is known to hold; false: nothing of that kind is.
bool explain_forbidden (struct check_result *, const struct saturation *);

// No choice works: the lemmas that show it.
void explain_refutation (struct check_result *, const struct saturation *, const struct problem *,
                         const struct solve_result *);

#endif
