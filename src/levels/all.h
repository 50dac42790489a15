// Every level, declared once; levels.c lists them in the order of `krait levels`.

#ifndef KRAIT_LEVELS_ALL_H
#define KRAIT_LEVELS_ALL_H

#include "levels/levels.h"

// A level and its two stronger forms, with session order and with real time as further edges from point `last` to point `first`. The plain form has
// no chains for free, which makes the form with sessions the cheaper one to try first.
#define LEVEL_FORMS(id, NAME, ALIASES, PROSCRIBES, last, first, STRONGER, ...)                                         \
  const struct level level_##id = {                                                                                    \
    .name = NAME, .aliases = ALIASES, .proscribes = PROSCRIBES, .stronger = "strong-session-" NAME, __VA_ARGS__        \
  };                                                                                                                   \
  LEVEL_WITH_SESSIONS (strong_session_##id, "strong-session-" NAME, "", PROSCRIBES ", with session order", last,       \
                       first, "strong-session-" STRONGER, __VA_ARGS__)                                                 \
  LEVEL_WITH_TIMES (strict_##id, "strict-" NAME, "", PROSCRIBES ", with session order and real time", last, first,     \
                    "strict-" STRONGER, __VA_ARGS__)

#define LEVEL_WITH_SESSIONS(id, NAME, ALIASES, PROSCRIBES, last, first, STRONGER, ...)                                 \
  const struct level level_##id = { .name = NAME,                                                                      \
                                    .aliases = ALIASES,                                                                \
                                    .proscribes = PROSCRIBES,                                                          \
                                    .stronger = STRONGER,                                                              \
                                    .rules.so = { true, last, first },                                                 \
                                    __VA_ARGS__ };

#define LEVEL_WITH_TIMES(id, NAME, ALIASES, PROSCRIBES, last, first, STRONGER, ...)                                    \
  const struct level level_##id = { .name = NAME,                                                                      \
                                    .aliases = ALIASES,                                                                \
                                    .proscribes = PROSCRIBES,                                                          \
                                    .stronger = STRONGER,                                                              \
                                    .rules.so = { true, last, first },                                                 \
                                    .rules.rt = { true, last, first },                                                 \
                                    __VA_ARGS__ };

#define DECLARE_FORMS(id) extern const struct level level_##id, level_strong_session_##id, level_strict_##id

DECLARE_FORMS (read_uncommitted);
DECLARE_FORMS (read_committed);
DECLARE_FORMS (cursor_stability);
DECLARE_FORMS (monotonic_view);
DECLARE_FORMS (consistent_view);
DECLARE_FORMS (repeatable_read);
DECLARE_FORMS (snapshot_isolation);
DECLARE_FORMS (serializable);
extern const struct level level_forward_consistent_view, level_strong_session_forward_consistent_view;
extern const struct level level_update_serializable;
extern const struct level level_parallel_snapshot_isolation, level_strict_parallel_snapshot_isolation;
extern const struct level level_prefix_consistency, level_strict_prefix_consistency;
extern const struct level level_causal, level_strict_causal;
extern const struct level level_read_atomic, level_strict_read_atomic;
extern const struct level level_read_committed_axiomatic, level_strict_read_committed_axiomatic;

#endif
