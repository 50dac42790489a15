// Why several levels fail, where all were asked: the weakest of them have an explanation each, and what is wrong there is wrong at the stronger ones.

#ifndef KRAIT_EXPLAIN_WEAKEST_H
#define KRAIT_EXPLAIN_WEAKEST_H

#include "api/extremes.h"
#include "explain/part.h"

// Explains, within the limits for all together, the weakest levels that fail; each other one that fails says then what one of these says.
void explain_weakest (const struct level_results *, const struct history *, const struct check_options *,
                      const struct part_limits *);

#endif
