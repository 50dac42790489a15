// The table of isolation levels.
//
// A level says how each kind of dependency becomes an edge between points of transactions, what an anti-dependency means, and what a
// reader is taken to have seen; some choice of read sources and version orders must leave the graph acyclic and no anti-dependency contradicted.
// The machinery below (saturate, solve) is shared. See docs/adding-a-level.md.

#ifndef KRAIT_LEVELS_LEVELS_H
#define KRAIT_LEVELS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct asg;

// Which edge kinds a level knows, and between which points of the two transactions they run. A transaction has one point, or two
// (begin and commit); a point is named by its offset. SI, for example: wr runs from point 1 (commit) to point 0 (begin).
struct edge_points {
  bool used;
  unsigned char from, to;
};

// What it means that p overwrote what r read: the anti-dependency r -> p.
enum anti {
  ANTI_NONE, // nothing
  ANTI_EDGE, // an edge of the graph like any other
  ANTI_ONCE, // no path may lead back from p to r; the anti-dependency itself is part of no path
};

// Which other transactions' versions a reader must have taken into account: one in view that it did not read must be an older one.
enum view {
  VIEW_PATHS,         // whatever a path leads from
  VIEW_STEPS,         // what one edge leads from: session order, real time, or another read
  VIEW_EARLIER_READS, // what an earlier read of the same transaction read from
};

struct level {
  const char *name;
  const char *aliases;    // separated by spaces, or ""
  const char *proscribes; // one line for `krait levels`
  unsigned points;        // per transaction: 1, or 2 with begin -> commit
  struct edge_points so, rt, ww, wr,
    rw;           // wr not used: reads say nothing at all. rw: where an anti-dependency starts and ends
  enum anti anti; // of every read
  void (*mark_reads) (const struct asg *,
                      uint8_t *anti); // or NULL; changes the entries (enum anti) of reads that differ
  void (*mark_when) (const struct asg *,
                     uint32_t *when); // or NULL; the same where it depends on a delete in doubt, see below
  bool
    last_read_counts; // of the reads of a key the last one before it is written: not to have read from outside is not always better
  const char *(*remark) (const struct asg *); // or NULL; what the reader of a verdict should know, or NULL
  bool predicates_free; // what a scan missed may be overwritten: such anti-dependencies mean nothing
  bool deletes_write;   // a delete in doubt may be taken to have written: that is never worse at this level
  enum view view;
  bool ww_hidden; // the version order orders transactions, but paths through it show nothing to readers
  bool
    events; // a reader has seen what came in by its read or before, not what its transaction reads or overwrites later
  const char *stronger; // a level that implies this one and is cheaper to check or likely to hold; or NULL
};

// Entries of `when`: the anti-dependencies of the read are edges, whatever `anti` says, if the delete in doubt of that number wrote, or if it did not, or if
// any delete in doubt of the reader wrote.
#define WHEN_NEVER UINT32_MAX
#define WHEN_READER_WRITES (UINT32_MAX - 1)
static inline uint32_t when_wrote (uint32_t doubt, bool wrote) {
  return doubt << 1 | wrote;
}

extern const struct level *const levels[]; // NULL at the end

// By name or alias, case ignored; the prefixes strong-session- and strict- go with aliases too. NULL if there is none.
const struct level *level_find (const char *name);

// Every read of this ASG is an edge with all of its consequences between single points, and no delete is in doubt: a serial order is what the level asks for,
// and its history can be replayed in it.
bool level_is_serial (const struct level *, const struct asg *);

// NULL, or what the machinery cannot deal with in a description.
const char *level_problem (const struct level *);

// It matters when in its transaction a read or a write took place (asg_options.events).
bool level_needs_events (const struct level *);

#endif
