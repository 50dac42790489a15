// The verdicts at several levels, and which of those levels say it all.

#ifndef KRAIT_API_EXTREMES_H
#define KRAIT_API_EXTREMES_H

#include "api/check.h"
#include "levels/levels.h"

struct level_results {
  const struct level *const *levels;
  struct check_result *const *results; // one per level
  size_t count;
};

enum extreme { STRONGEST, WEAKEST };

// The level with this index has the verdict, and no other one that has it is stronger (weaker). Of
// two names for one level, the first counts.
bool is_extreme (const struct level_results *, size_t index, enum verdict, enum extreme);

bool has_verdict (const struct level_results *, enum verdict); // some level has

#endif
