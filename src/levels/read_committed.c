// Read committed (PL-2): information flows one way. What a reader failed to see is no concern of
// it.

#include "levels/all.h"

const struct level_base read_committed = {
  .name = "read-committed",
  .aliases = { "rc PL-2" },
  .proscribes = { "a cycle of ww and wr" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 } },
  .traits = { .deletes_write = true },
  .has_form = { true, true, true },
  .stronger = "serializable",
};
