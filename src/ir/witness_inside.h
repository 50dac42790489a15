// What the parts of the witness check share.
//
//   witness_check.c  what took place, sources, the edges between points
//   witness_views.c  rules that look at one step of visibility (VIEW_STEPS, VIEW_EARLIER_READS)
//   witness_paths.c  anti-dependencies that no path may lead back from (ANTI_FORBID)

#ifndef KRAIT_IR_WITNESS_INSIDE_H
#define KRAIT_IR_WITNESS_INSIDE_H

#include "ir/witness_check.h"

// A transaction and the time slot from which on others come after it.
struct ended {
  uint32_t slot; // sorted by
  uint32_t node;
};

// An install that is there, and its neighbours in the version order of its key. Together, because
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
  const struct ir_witness *w;
  struct budget *budget; // or NULL
  // per read: an install, or SOURCE_INITIAL; of those that are not there anything
  uint32_t *read_source;
  const struct ir *ir;
  struct witness_limits limits;

  uint8_t *holds;          // per presence
  uint32_t *at;            // per position: the point there, or UINT32_MAX
  struct version *version; // per install
  uint32_t *versions;      // installs by key; within a key those that are there, in version order
  uint32_t *key_end;       // per key: the end of its part of `versions`, which starts at key_first
  uint8_t *anti;           // per read: enum anti; of reads that are not there ANTI_NONE
  uint32_t *read_from;     // per read: who wrote what it read; 0 for those that are not there
  uint32_t *read_next;     // per read: who wrote the next version, be it the reader; 0: nobody

  ir_edge_vec edges; // given, demanded by modules, or derived
  // per node: the edges that end there; one more entry at the end. NULL: there are none
  uint32_t *edge_first;
  uint32_t *edge_from; // where each of them begins

  struct ended *ended; // by slot; with real time only, as what follows
  uint32_t ended_count;
  uint32_t *ended_most;   // per entry: the latest position (of rt.from) up to it
  uint32_t *ended_before; // per node: how many come before it in real time

  const char *why;
  bool stopped;
};

static inline bool is_there (const struct check *c, uint32_t presence) {
  return c->holds[presence_entry (presence)] == presence_wanted (presence);
}

static inline bool has_read (const struct check *c, uint32_t node, uint32_t read) {
  return c->w->in[node] && is_there (c, ir_read_presence (c->ir, read));
}

static inline bool has_install (const struct check *c, uint32_t install) {
  return c->w->in[c->ir->install_node[install]] && is_there (c, ir_install_presence (c->ir, install));
}

// The position of a node's point; T0 comes before everything.
static inline int64_t place (const struct check *c, uint32_t node, unsigned which) {
  return node ? (int64_t) c->w->position[(size_t) node * c->ir->rules.points + which] : -1;
}

// Where, in `versions`, those begin that are later than the one read.
static inline uint32_t later_versions (const struct check *c, uint32_t read) {
  const uint32_t source = c->read_source[read];
  return source == SOURCE_INITIAL ? c->ir->key_first[c->ir->read_key[read]] : c->version[source].rank + 1;
}

static inline uint32_t version_node (const struct check *c, uint32_t version) {
  return c->ir->install_node[c->versions[version]];
}

static inline bool witness_wrong (struct check *c, const char *why) {
  c->why = why;
  return false;
}

static inline bool witness_spent (struct check *c) {
  if (!budget_spent (c->budget))
    return false;
  c->stopped = true;
  c->why = "the budget is spent";
  return true;
}

// False, with `why` or `stopped`, if the rules are not kept. Edges were checked before: all of them
// run forward.
bool ir_witness_views (struct check *);
bool ir_witness_paths (struct check *);

enum acceptance ir_holds_witness_within (const struct ir *, const struct ir_witness *, struct witness_limits,
                                         struct budget *, const char **why);

#endif
