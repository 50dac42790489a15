// Prefix consistency: as snapshot isolation, but two transactions that write the same key may overlap; their commits are merely ordered.

#include "levels/all.h"

#define PREFIX                                                                                                         \
  .rules.points = 2, .rules.ww = { true, 1, 1 }, .rules.wr = { true, 1, 0 }, .rules.rw = { true, 0, 1 },               \
  .rules.anti = ANTI_EDGE

LEVEL_WITH_SESSIONS (prefix_consistency, "prefix-consistency", "pc",
                     "a cycle of ww, and of session order or wr, each followed by at most one rw", 1, 0,
                     "strong-session-snapshot-isolation", PREFIX)

LEVEL_WITH_TIMES (strict_prefix_consistency, "strict-prefix-consistency", "",
                  "a cycle of ww, and of session order, real time or wr, each followed by at most one rw", 1, 0,
                  "strict-snapshot-isolation", PREFIX)
