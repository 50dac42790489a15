// The rules of an IR, as data: how each kind of dependency becomes an edge between points of
// transactions, what an anti-dependency means, and what a reader is taken to have seen. They hold
// for all keys alike, and are what a level is made of.

#ifndef KRAIT_IR_RULES_H
#define KRAIT_IR_RULES_H

#include <stdbool.h>

// Between which points of the two transactions edges of a kind run. A transaction has one point, or
// two (begin and commit); a point is named by its offset. SI, for example: wr runs from point 1
// (commit) to point 0 (begin).
struct edge_points {
  bool used;
  unsigned char from, to;
};

// What it means that p overwrote what r read: the anti-dependency r -> p.
enum anti {
  ANTI_NONE,   // nothing
  ANTI_EDGE,   // an edge of the graph like any other
  ANTI_FORBID, // no path may lead back from p to r; the anti-dependency itself is part of no path
};

// Which other transactions' versions a reader must have taken into account: one in view that it did
// not read must be an older one.
enum view {
  VIEW_PATHS,         // whatever a path leads from
  VIEW_STEPS,         // what one edge leads from: session order, real time, or another read
  VIEW_EARLIER_READS, // what an earlier read of the same transaction read from
};

struct rules {
  unsigned points; // per transaction: 1, or 2 with begin -> commit
  // wr not used: reads say nothing at all. rw: where an anti-dependency starts and ends.
  struct edge_points so, rt, ww, wr, rw;
  enum anti anti; // of reads that the IR says nothing else of
  enum view view;
  // the version order orders transactions, but paths through it show nothing to readers
  bool ww_hidden;
  // A reader has seen what came in by its read or before, not what its transaction reads or
  // overwrites later.
  bool events;
};

// NULL, or what saturation and search cannot deal with.
const char *rules_problem (const struct rules *);

#endif
