// Which levels a core breaks and keeps. It is small, so that all of them can be asked.

#ifndef KRAIT_EXPLAIN_CORE_LEVELS_H
#define KRAIT_EXPLAIN_CORE_LEVELS_H

#include "api/check.h"

// Fills `violated` and `holding` of the result: the weakest levels that do not hold, and the strongest that do. Larger cores are left alone.
void core_levels (const struct history *, const struct check_options *, struct check_result *);

#endif
