// What the parts of the witness check share.
//
//   witness.c        what took place, sources, the edges between points
//   witness_views.c  levels that look at one step of visibility (VIEW_STEPS, VIEW_EARLIER_READS)
//   witness_paths.c  anti-dependencies that no path may lead back from (ANTI_FORBID)

#ifndef KRAIT_SOLVE_WITNESS_INSIDE_H
#define KRAIT_SOLVE_WITNESS_INSIDE_H

#include "history/history.h"
#include "solve/witness.h"

// A committed transaction and the time from which on others that begin come after it.
struct ended {
  int64_t limit; // end + skew; sorted by
  uint32_t node;
};

// An install that took place, and its neighbours in the version order of its key. Together, because
// most of them are wanted at once.
struct version {
  uint32_t key, value, node;
  uint32_t rank;          // where it is in check.versions
  uint32_t before, after; // nodes; 0: T0, and none
};

// How witness_paths.c is to find its paths; for tests. The answer is the same.
struct witness_limits {
  size_t clock_bytes; // memory for clocks; not enough: searches only
  uint64_t patience;  // transactions that searches may come through before clocks take over
};

struct check {
  const struct witness *w;
  const struct asg *asg;
  const struct level *level;
  struct witness_limits limits;

  uint32_t *at;            // per position: the point there, or UINT32_MAX
  struct version *version; // per install
  uint32_t *versions;      // installs by key; within a key those that took place, in version order
  uint32_t *key_end;       // per key: the end of its part of `versions`, which starts at key_first
  uint8_t *anti;           // per read: enum anti
  uint32_t *read_from;     // per read: who wrote what it read
  uint32_t *read_next;     // per read: who wrote the next version, be it the reader; 0: nobody

  // per node: the given edges that end there; one more entry at the end. NULL: none are given
  uint32_t *edge_first;
  uint32_t *edge_from; // where each of them begins

  struct ended *ended; // by limit; with real time only, as what follows
  uint32_t ended_count;
  uint32_t *ended_most;   // per entry: the latest position (of rt.from) up to it
  uint32_t *ended_before; // per node: how many come before it in real time

  const char *why;
  bool stopped;
};

// The position of a node's point; T0 comes before everything.
static inline int64_t place (const struct check *c, uint32_t node, unsigned which) {
  return node ? (int64_t) c->w->position[(size_t) node * c->level->rules.points + which] : -1;
}

// Where, in `versions`, those begin that are later than the one read.
static inline uint32_t later_versions (const struct check *c, uint32_t read) {
  const uint32_t source = c->w->read_source[read];
  return source == SOURCE_INITIAL ? c->asg->key_first[c->asg->read_key[read]] : c->version[source].rank + 1;
}

static inline uint32_t version_node (const struct check *c, uint32_t version) {
  return c->asg->install_node[c->versions[version]];
}

static inline bool is_committed (const struct asg *asg, uint32_t node) {
  return asg->history->txn_status.data[asg->node_txn[node]] == TXN_COMMITTED;
}

static inline bool witness_wrong (struct check *c, const char *why) {
  c->why = why;
  return false;
}

static inline bool witness_spent (struct check *c) {
  if (!budget_spent (c->w->budget))
    return false;
  c->stopped = true;
  c->why = "the budget is spent";
  return true;
}

// False, with `why` or `stopped`, if the level is not met. Edges were checked before: all of them
// run forward.
bool witness_views (struct check *);
bool witness_paths (struct check *);

enum witness_answer witness_check_within (const struct witness *, struct witness_limits, const char **why);

#endif
