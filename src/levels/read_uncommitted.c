// Read uncommitted (PL-1): versions are installed in one order. Reads say nothing, so that not even
// a read of garbage is wrong.

#include "levels/all.h"

const struct level_base read_uncommitted = {
  .name = "read-uncommitted",
  .aliases = { "ru PL-1" },
  .proscribes = { "a cycle of ww" },
  .rules = { .points = 1, .ww = { true, 0, 0 } },
  .traits = { .deletes_write = true },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
