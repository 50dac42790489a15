#include "generate/isolation.h"

#include "levels/levels.h"

#include <string.h>

static const struct isolation read_committed = {
  .name = "read-committed",
  .holds = "strict-read-committed",
  .about = "every statement sees what is committed by then; written keys stay locked",
  .write_locks = true,
  .replicas = 1,
};

static const struct isolation repeatable_read = {
  .name = "repeatable-read",
  .holds = "strict-repeatable-read",
  .about = "two-phase locking of items: what was read or written stays locked, but new keys may appear in a range",
  .write_locks = true,
  .read_locks = true,
  .replicas = 1,
};

static const struct isolation mariadb_rr = {
  .name = "mariadb-rr",
  .about =
    "plain reads see a snapshot, writes and locking reads the newest state, and nobody compares the two (a dialect)",
  .snapshot_reads = true,
  .late_snapshot = true,
  .write_locks = true,
  .replicas = 1,
};

static const struct isolation snapshot_isolation = {
  .name = "snapshot-isolation",
  .holds = "strict-snapshot-isolation",
  .about = "reads see a snapshot; of two overlapping writers of a key the first to commit wins",
  .snapshot_reads = true,
  .first_committer_wins = true,
  .replicas = 1,
};

static const struct isolation serializable = {
  .name = "serializable",
  .holds = "strong-session-serializable",
  .about = "two-phase locking of items and ranges; read-only transactions see a snapshot, perhaps an old one",
  .write_locks = true,
  .read_locks = true,
  .range_locks = true,
  .readers_lock_nothing = true,
  .staleness = 64,
  .replicas = 1,
};

static const struct isolation strict_serializable = {
  .name = "strict-serializable",
  .holds = "strict-serializable",
  .about = "two-phase locking of items and ranges; read-only transactions see a snapshot of now",
  .write_locks = true,
  .read_locks = true,
  .range_locks = true,
  .readers_lock_nothing = true,
  .replicas = 1,
};

static const struct isolation replicated = {
  .name = "parallel-snapshot-isolation",
  .holds = "parallel-snapshot-isolation",
  .about = "three replicas, each with snapshots of its own; commits travel with a delay, causes before effects (also "
           "for causal)",
  .snapshot_reads = true,
  .first_committer_wins = true,
  .replicas = 3,
};

const struct isolation *const isolations[] = { &read_committed, &repeatable_read,     &mariadb_rr, &snapshot_isolation,
                                               &serializable,   &strict_serializable, &replicated, NULL };

const struct isolation *isolation_find (const char *name) {
  const struct level *level = level_find (name);
  if (level && !strcmp (level->name, "causal"))
    return &replicated;
  for (size_t i = 0; isolations[i]; i++)
    if (!strcmp (isolations[i]->name, level ? level->name : name))
      return isolations[i];
  return NULL;
}
