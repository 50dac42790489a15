// Inside of the API: judging an ASG, however it came about.

#ifndef KRAIT_API_DECIDE_H
#define KRAIT_API_DECIDE_H

#include "api/check.h"
#include "levels/lower.h"

void check_result_say_broken (struct check_result *, const char *what); // an internal error

struct decision;
struct ir;
// Times and counts are those of all levels that were tried.
void check_result_add_decision (struct check_result *, const struct decision *);
// With a limit to what an attempt at a stronger level may cost.
struct check_options check_attempt (const struct check_options *);
// What an attempt at a stronger level said is dropped, except its times and counts.
void check_result_forget_attempt (struct check_result *);

// What the level makes of the ASG, and what is to be said of it before anything is decided: that
// the level is not defined there, or that something is wrong already.
struct ir *check_lower (struct asg *, struct given, const struct check_options *);

// Fills in the verdict. The ASG is that of the whole history.
void check_asg (struct asg *, struct given, const struct check_options *, struct check_result *);

#endif
