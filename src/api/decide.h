// Inside of the API: judging an ASG, however it came about.

#ifndef KRAIT_API_DECIDE_H
#define KRAIT_API_DECIDE_H

#include "api/check.h"
#include "ir/witness.h"
#include "levels/lower.h"
#include "verify/verify.h"

void check_result_say_broken (struct check_result *, const char *what); // an internal error

struct decision;
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

// What else is to be said of a verdict: the hints that it rests on, and warnings.
void check_asg_conclude (const struct asg *, const struct check_options *, struct check_result *);

// Parts of a subject without error: the history as it was given, options as it was made ready with
// them, what is given besides its ASG, and a result that has its warnings.
const struct history *check_subject_history (const struct check_subject *);
struct check_options check_subject_options (const struct check_subject *, const struct check_options *);
struct given check_subject_given (const struct check_subject *);
struct check_result *check_subject_result (const struct check_subject *, const struct check_options *);

// Does a witness explain the history that its IR was lowered from? Nothing is called `valid`
// without.
struct to_accept {
  // the level that is asked for; that of the IR may be stronger
  const struct check_options *options;
  const struct given *given;
  struct certificate **certificate; // gets one if the options ask for it
  struct complaint complaint;       // the words of a refusal
};

// The context is a struct to_accept.
enum acceptance accept_witness (void *context, const struct ir_witness *, const char **why);

#endif
