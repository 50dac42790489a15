// Consistent view (PL-2+) and its relatives: whatever a transaction depends on, it takes into
// account. No cycle of dependencies, and none with a single anti-dependency. Forward consistent
// view adds real time to the dependencies, parallel snapshot isolation adds session order.

#include "levels/all.h"

#define CONSISTENT                                                                                                     \
  { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .anti = ANTI_FORBID }

const struct level_base consistent_view = {
  .name = "consistent-view",
  .aliases = { "PL-2+" },
  .proscribes = { "a cycle of ww and wr with at most one rw" },
  .rules = CONSISTENT,
  .has_form = { true, true, true },
  .stronger = "snapshot-isolation",
};

const struct level_base forward_consistent_view = {
  .name = "forward-consistent-view",
  .aliases = { "PL-FCV", "strict-forward-consistent-view strict-PL-FCV" },
  .proscribes = { "a cycle of ww, wr and real time with at most one rw",
                  "a cycle of ww, wr, session order and real time with at most one rw" },
  .rules = CONSISTENT,
  .orders = ORDER_TIMES,
  .has_form = { [FORM_SESSIONS] = true },
  .stronger = "snapshot-isolation",
};

const struct level_base parallel_snapshot_isolation = {
  .name = "parallel-snapshot-isolation",
  .aliases = { "psi" },
  .proscribes = { "a cycle of ww, wr and session order with at most one rw", NULL,
                  "a cycle of ww, wr, session order and real time with at most one rw" },
  .rules = CONSISTENT,
  .orders = ORDER_SESSIONS,
  .has_form = { [FORM_STRICT] = true },
  .stronger = "snapshot-isolation",
};
