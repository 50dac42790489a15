// Why a core is invalid, as a tree of cases: where circles need no choice there is one, else what
// the history leaves open is decided one way and the other, and each way ends in a circle.
//
// It is made from the semantics alone (small_model.h), not from what the checker derived. So it
// comes to nothing where that does not refute the history, and never says more than holds.

#ifndef KRAIT_EXPLAIN_CASES_H
#define KRAIT_EXPLAIN_CASES_H

#include "verdict/verdict.h"

struct violation;

// NULL: this way of telling does not do, or takes too long.
struct violation *cases_find (const struct history *, const struct check_options *);

#endif
