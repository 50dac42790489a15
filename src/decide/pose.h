// An IR as a problem, for whoever lets others search: as far as `decide` goes before its own
// search, and what it does with a model after it. The same IR and options make the same problem.

#ifndef KRAIT_DECIDE_POSE_H
#define KRAIT_DECIDE_POSE_H

#include "decide/decide.h"
#include "saturate/pairs.h"

struct problem;

struct posed {
  const struct ir *ir;
  struct graph *graph;
  struct saturation *saturation; // NULL: nothing was read
  open_pair_vec pairs;
  struct problem *problem;
  const char *settled; // why the problem has no model, or any is one, whatever is asked; NULL: it is open
};

// The IR is defined, and must outlive what is posed. NULL after setting the error:
// the encoding says nothing about this IR, or the budget is spent.
struct posed *pose (const struct ir *, const struct check_options *, struct error *);
void posed_free (struct posed *);

// A model (per variable of the problem +1 or -1, entry 0 unused) as a witness, which the judge may
// take. Once: the graph is that of the witness then.
struct decision posed_accept (struct posed *, const struct check_options *, const struct witness_judge *,
                              const int8_t *values);

#endif
