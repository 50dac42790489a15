// Inside of the API: judging an ASG, however it came about.

#ifndef KRAIT_API_DECIDE_H
#define KRAIT_API_DECIDE_H

#include "api/check.h"
#include "levels/lower.h"

// An empty result for the level.
struct check_result *check_result_new (const struct check_options *);
void check_result_say_unknown (struct check_result *, const char *reason);
void check_result_say_broken (struct check_result *, const char *what); // an internal error

// Fills in the verdict. The ASG is that of the whole history.
void check_asg (struct asg *, struct given, const struct check_options *, struct check_result *);

#endif
