// Repeatable read (PL-2.99): serializable as far as items are concerned. Anti-dependencies of
// predicate reads are left out.

#include "levels/all.h"

const struct level_base repeatable_read = {
  .name = "repeatable-read",
  .aliases = { "rr PL-2.99" },
  .proscribes = { "a cycle of ww, wr and the rw of item reads" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .anti = ANTI_EDGE },
  .traits = { .predicates_free = true, .deletes_write = true },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
