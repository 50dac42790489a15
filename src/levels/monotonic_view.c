// Monotonic view (PL-2L): read committed, and within a transaction the view only grows. A read must
// take into account whatever came in by it or before it, be it through an earlier read, an
// overwritten version, the session or real time.

#include "levels/all.h"

const struct level_base monotonic_view = {
  .name = "monotonic-view",
  .aliases = { "PL-2L" },
  .proscribes = { "a cycle of ww and wr; a read that misses a version on which something depends that the transaction "
                  "met before" },
  .rules = { .points = 1,
             .ww = { true, 0, 0 },
             .wr = { true, 0, 0 },
             .rw = { true, 0, 0 },
             .anti = ANTI_FORBID,
             .events = true },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
