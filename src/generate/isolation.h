// The isolation levels that the store implements, each as a combination of what databases do.

#ifndef KRAIT_GENERATE_ISOLATION_H
#define KRAIT_GENERATE_ISOLATION_H

#include <stdbool.h>
#include <stddef.h>

struct isolation {
  const char *name; // as in --level
  // the level of `krait levels` that its histories satisfy; NULL: only under a dialect
  const char *holds;
  const char *about; // one line
  // reads see a snapshot taken at the begin; else what is committed by then
  bool snapshot_reads;
  bool late_snapshot;        // not at the begin but at the first plain read
  bool first_committer_wins; // of two that overlap and write the same key, the second one aborts
  bool write_locks;          // a write locks its key until the end; reads for update, too
  bool read_locks;           // a read locks its key, shared, until the end
  bool range_locks;          // a scan locks its range, shared, until the end
  bool readers_lock_nothing; // transactions known to be read-only see a snapshot instead
  // which may be this many commits old, but not older than what its session has seen
  unsigned staleness;
  // sessions are spread over them; commits travel between them with a delay, causes first
  unsigned replicas;
};

extern const struct isolation *const isolations[]; // NULL at the end

// By name, or by a name of the level that the histories satisfy; NULL if there is none.
const struct isolation *isolation_find (const char *name);

#endif
