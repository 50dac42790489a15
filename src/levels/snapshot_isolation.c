// Snapshot isolation (PL-SI): a transaction reads what was committed when it began (point 0) and
// writes when it commits (point 1); of two that write the same key, one has committed before the
// other begins. A cycle of these points is a cycle of dependencies without two adjacent
// anti-dependencies.

#include "levels/all.h"

const struct level_base snapshot_isolation = {
  .name = "snapshot-isolation",
  .aliases = { "si PL-SI" },
  .proscribes = { "a cycle of ww, wr and rw without two rw in a row" },
  .rules = { .points = 2, .ww = { true, 1, 0 }, .wr = { true, 1, 0 }, .rw = { true, 0, 1 }, .anti = ANTI_EDGE },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
