// Serializability: one point per transaction, and every dependency is an edge between these points.
// A history is serializable if some choice of sources and version orders leaves the graph of ww, wr
// and rw acyclic (Adya's PL-3).

#include "levels/all.h"

const struct level_base serializable = {
  .name = "serializable",
  .aliases = { "ser PL-3", NULL, "sser strong-serializable" },
  .proscribes = { "any cycle of ww, wr and rw", "any cycle of ww, wr, rw and session order",
                  "any cycle of ww, wr, rw, session order and real time" },
  .rules = { .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }, .anti = ANTI_EDGE },
  .traits = { .deletes_write = true },
  .has_form = { true, true, true },
};
