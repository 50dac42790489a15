// Consistent view (PL-2+) and its relatives: whatever a transaction depends on, it takes into account. No cycle of dependencies, and none with a
// single anti-dependency. Forward consistent view adds real time to the dependencies, parallel snapshot isolation adds session order.

#include "levels/all.h"

#define CONSISTENT                                                                                                     \
  .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .rules.rw = { true, 0, 0 },               \
  .rules.anti = ANTI_ONCE

LEVEL_FORMS (consistent_view, "consistent-view", "PL-2+", "a cycle of ww and wr with at most one rw", 0, 0,
             "snapshot-isolation", CONSISTENT)

const struct level level_forward_consistent_view = {
  .name = "forward-consistent-view",
  .aliases = "PL-FCV",
  .proscribes = "a cycle of ww, wr and real time with at most one rw",
  .stronger = "strict-consistent-view",
  .rules.rt = { true, 0, 0 },
  CONSISTENT,
};

LEVEL_WITH_TIMES (strong_session_forward_consistent_view, "strong-session-forward-consistent-view",
                  "strict-forward-consistent-view strict-PL-FCV",
                  "a cycle of ww, wr, session order and real time with at most one rw", 0, 0,
                  "strict-snapshot-isolation", CONSISTENT)

LEVEL_WITH_SESSIONS (parallel_snapshot_isolation, "parallel-snapshot-isolation", "psi",
                     "a cycle of ww, wr and session order with at most one rw", 0, 0,
                     "strong-session-snapshot-isolation", CONSISTENT)

LEVEL_WITH_TIMES (strict_parallel_snapshot_isolation, "strict-parallel-snapshot-isolation", "",
                  "a cycle of ww, wr, session order and real time with at most one rw", 0, 0,
                  "strict-snapshot-isolation", CONSISTENT)
