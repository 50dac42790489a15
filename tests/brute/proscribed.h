// Whether a level proscribes a circle that was shown to somebody: SEMANTICS section 5 once more,
// over the edges as they are told.

#ifndef KRAIT_BRUTE_PROSCRIBED_H
#define KRAIT_BRUTE_PROSCRIBED_H

#include "explain/violation.h"

// NULL: the level proscribes it; else what is wrong with it.
const char *why_not_proscribed (const struct history *, const char *level, const struct violation_edge *, size_t count);

#endif
