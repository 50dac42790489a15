// Monotonic view (PL-2L): read committed, and within a transaction the view only grows. A read must take into account whatever came in by it or before
// it, be it through an earlier read, an overwritten version, the session or real time.

#include "levels/all.h"

LEVEL_FORMS (
  monotonic_view, "monotonic-view", "PL-2L",
  "a cycle of ww and wr; a read that misses a version on which something depends that the transaction met before", 0, 0,
  "serializable", .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .rules.rw = { true, 0, 0 },
  .rules.anti = ANTI_ONCE, .rules.events = true)
