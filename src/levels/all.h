// Every level, declared once; levels.c lists them in the order of `krait levels`.

#ifndef KRAIT_LEVELS_ALL_H
#define KRAIT_LEVELS_ALL_H

#include "levels/levels.h"

extern const struct level_base serializable, snapshot_isolation, repeatable_read, update_serializable,
  parallel_snapshot_isolation, prefix_consistency, consistent_view, forward_consistent_view, monotonic_view,
  cursor_stability, causal, read_atomic, read_committed_axiomatic, read_committed, read_uncommitted;

#endif
