// Does a witness explain the history that its IR was lowered from? Nothing is called `valid`
// without.

#ifndef KRAIT_API_ACCEPT_H
#define KRAIT_API_ACCEPT_H

#include "ir/witness.h"
#include "verdict/verdict.h"
#include "verify/verify.h"

struct given;

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
