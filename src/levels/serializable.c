// Serializability and its two stronger forms: one point per transaction, and every dependency is an edge between these points. A history is
// serializable if some choice of sources and version orders leaves the graph of ww, wr and rw acyclic (Adya's PL-3).

#include "levels/all.h"

#define EVERY_DEPENDENCY                                                                                               \
  .rules.points = 1, .rules.ww = { true, 0, 0 }, .rules.wr = { true, 0, 0 }, .rules.rw = { true, 0, 0 },               \
  .rules.anti = ANTI_EDGE, .deletes_write = true

const struct level level_serializable = {
  .name = "serializable",
  .aliases = "ser PL-3",
  .proscribes = "any cycle of ww, wr and rw",
  .stronger = "strong-session-serializable",
  EVERY_DEPENDENCY,
};

LEVEL_WITH_SESSIONS (strong_session_serializable, "strong-session-serializable", "",
                     "any cycle of ww, wr, rw and session order", 0, 0, NULL, EVERY_DEPENDENCY)

LEVEL_WITH_TIMES (strict_serializable, "strict-serializable", "sser strong-serializable",
                  "any cycle of ww, wr, rw, session order and real time", 0, 0, NULL, EVERY_DEPENDENCY)
