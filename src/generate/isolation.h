// The isolation levels that the store implements, each as a combination of what databases do.

#ifndef KRAIT_GENERATE_ISOLATION_H
#define KRAIT_GENERATE_ISOLATION_H

enum {
  SNAPSHOT_READS = 1,        // reads see a snapshot taken at the begin; else what is committed by then
  LATE_SNAPSHOT = 2,         // not at the begin but at the first plain read
  FIRST_COMMITTER_WINS = 4,  // of two that overlap and write the same key, the second one aborts
  WRITE_LOCKS = 8,           // a write locks its key until the end; reads for update, too
  READ_LOCKS = 16,           // a read locks its key, shared, until the end
  RANGE_LOCKS = 32,          // a scan locks its range, shared, until the end
  READERS_LOCK_NOTHING = 64, // transactions known to be read-only see a snapshot instead
};

struct isolation {
  const char *name; // as in --level
  // the level of `krait levels` that its histories satisfy; NULL: only under a dialect
  const char *holds;
  const char *about; // one line
  unsigned does;
  // the snapshot of a read-only transaction may be this many commits old, but not older than what
  // its session has seen
  unsigned staleness;
  // sessions are spread over them; commits travel between them with a delay, causes first
  unsigned replicas;
};

extern const struct isolation isolations[]; // the first one without a name ends them

// By name, or by a name of the level that the histories satisfy; NULL if there is none.
const struct isolation *isolation_find (const char *name);

#endif
