// Read committed (PL-2): information flows one way. What a reader failed to see is no concern of it.

#include "levels/all.h"

LEVEL_FORMS (read_committed, "read-committed", "rc PL-2", "a cycle of ww and wr", 0, 0, "serializable",
             .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .deletes_write = true)
