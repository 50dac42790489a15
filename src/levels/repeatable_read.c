// Repeatable read (PL-2.99): serializable as far as items are concerned. Anti-dependencies of predicate reads are left out.

#include "levels/all.h"

LEVEL_FORMS (repeatable_read, "repeatable-read", "rr PL-2.99", "a cycle of ww, wr and the rw of item reads", 0, 0,
             "serializable", .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 },
             .rules.rw = { true, 0, 0 }, .rules.anti = ANTI_EDGE, .predicates_free = true, .deletes_write = true)
