// Serializability and its two stronger forms: one point per transaction, and every dependency is an edge between these points. A history is
// serializable if some choice of sources and version orders leaves the graph of ww, wr and rw acyclic (Adya's PL-3).

#include "levels/all.h"

#define EVERY_DEPENDENCY .points = 1, .ww = { true, 0, 0 }, .wr = { true, 0, 0 }, .rw = { true, 0, 0 }

const struct level level_serializable = {
  .name = "serializable",
  .aliases = "ser PL-3",
  .proscribes = "any cycle of ww, wr and rw",
  .stronger = "strong-session-serializable",
  EVERY_DEPENDENCY,
};

const struct level level_strong_session_serializable = {
  .name = "strong-session-serializable",
  .aliases = "strong-session-ser",
  .proscribes = "any cycle of ww, wr, rw and session order",
  .so = { true, 0, 0 },
  EVERY_DEPENDENCY,
};

const struct level level_strict_serializable = {
  .name = "strict-serializable",
  .aliases = "strict-ser sser strong-serializable",
  .proscribes = "any cycle of ww, wr, rw, session order and real time",
  .so = { true, 0, 0 },
  .rt = { true, 0, 0 },
  EVERY_DEPENDENCY,
};
