// Prefix consistency: as snapshot isolation, but two transactions that write the same key may
// overlap; their commits are merely ordered.

#include "levels/all.h"

const struct level_base prefix_consistency = {
  .name = "prefix-consistency",
  .aliases = { "pc" },
  .proscribes = { "a cycle of ww, and of session order or wr, each followed by at most one rw", NULL,
                  "a cycle of ww, and of session order, real time or wr, each followed by at most one rw" },
  .rules = { .points = 2, .ww = { true, 1, 1 }, .wr = { true, 1, 0 }, .rw = { true, 0, 1 }, .anti = ANTI_EDGE },
  .orders = ORDER_SESSIONS,
  .has_form = { [FORM_STRICT] = true },
  .stronger = "snapshot-isolation",
};
