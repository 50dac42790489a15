// Read uncommitted (PL-1): versions are installed in one order. Reads say nothing, so that not even a read of garbage is wrong.

#include "levels/all.h"

LEVEL_FORMS (read_uncommitted, "read-uncommitted", "ru PL-1", "a cycle of ww", 0, 0, "serializable", .rules.points = 1,
             .rules.ww = { true, 0, 0 }, .deletes_write = true)
