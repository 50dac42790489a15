// Snapshot isolation (PL-SI): a transaction reads what was committed when it began (point 0) and writes when it commits (point 1); of two that write the
// same key, one has committed before the other begins. A cycle of these points is a cycle of dependencies without two adjacent anti-dependencies.

#include "levels/all.h"

LEVEL_FORMS (snapshot_isolation, "snapshot-isolation", "si PL-SI", "a cycle of ww, wr and rw without two rw in a row",
             1, 0, "serializable", .rules.points = 2, .rules.ww = { true, 1, 0 }, .rules.wr = { true, 1, 0 },
             .rules.rw = { true, 0, 1 }, .rules.anti = ANTI_EDGE)
