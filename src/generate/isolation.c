#include "generate/isolation.h"

#include "levels/levels.h"

#include <string.h>

const struct isolation isolations[] = {
  { "read-committed", "strict-read-committed",
    "every statement sees what is committed by then; written keys stay locked", WRITE_LOCKS, 0, 1 },
  { "repeatable-read", "strict-repeatable-read",
    "two-phase locking of items: what was read or written stays locked, but new keys may appear in a range",
    WRITE_LOCKS | READ_LOCKS, 0, 1 },
  { "mariadb-rr", NULL,
    "plain reads see a snapshot, writes and locking reads the newest state, and nobody compares the two (a dialect)",
    SNAPSHOT_READS | LATE_SNAPSHOT | WRITE_LOCKS, 0, 1 },
  { "snapshot-isolation", "strict-snapshot-isolation",
    "reads see a snapshot; of two overlapping writers of a key the first to commit wins",
    SNAPSHOT_READS | FIRST_COMMITTER_WINS, 0, 1 },
  { "serializable", "strong-session-serializable",
    "two-phase locking of items and ranges; read-only transactions see a snapshot, perhaps an old one",
    WRITE_LOCKS | READ_LOCKS | RANGE_LOCKS | READERS_LOCK_NOTHING, 64, 1 },
  { "strict-serializable", "strict-serializable",
    "two-phase locking of items and ranges; read-only transactions see a snapshot of now",
    WRITE_LOCKS | READ_LOCKS | RANGE_LOCKS | READERS_LOCK_NOTHING, 0, 1 },
  { "parallel-snapshot-isolation", "parallel-snapshot-isolation",
    "three replicas, each with snapshots of its own; commits travel with a delay, causes before effects (also for "
    "causal)",
    SNAPSHOT_READS | FIRST_COMMITTER_WINS, 0, 3 },
  { 0 },
};

const struct isolation *isolation_find (const char *name) {
  const struct level *level = level_find (name);
  const char *wanted = !level ? name : !strcmp (level->name, "causal") ? "parallel-snapshot-isolation" : level->name;
  for (const struct isolation *isolation = isolations; isolation->name; isolation++)
    if (!strcmp (isolation->name, wanted))
      return isolation;
  return NULL;
}
