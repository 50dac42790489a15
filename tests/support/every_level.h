// Every level there is, in the program's table or not.

#ifndef KRAIT_TESTS_EVERY_LEVEL_H
#define KRAIT_TESTS_EVERY_LEVEL_H

#include "levels/all.h"

#define FORMS(id) &level_##id, &level_strong_session_##id, &level_strict_##id

static const struct level *const every[] = {
  FORMS (serializable),
  FORMS (snapshot_isolation),
  FORMS (repeatable_read),
  &level_update_serializable,
  &level_parallel_snapshot_isolation,
  &level_strict_parallel_snapshot_isolation,
  &level_prefix_consistency,
  &level_strict_prefix_consistency,
  FORMS (consistent_view),
  &level_forward_consistent_view,
  &level_strong_session_forward_consistent_view,
  FORMS (monotonic_view),
  FORMS (cursor_stability),
  &level_causal,
  &level_strict_causal,
  &level_read_atomic,
  &level_strict_read_atomic,
  &level_read_committed_axiomatic,
  &level_strict_read_committed_axiomatic,
  FORMS (read_committed),
  FORMS (read_uncommitted),
};

enum { EVERY = sizeof every / sizeof *every };

#endif
