// What the parts of the witness check share.
//
//   witness_check.c  what took place, sources, the edges between points
//   witness_views.c  rules that look at one step of visibility (VIEW_STEPS, VIEW_EARLIER_READS)
//   witness_paths.c  anti-dependencies that no path may lead back from (ANTI_FORBID)

#ifndef KRAIT_IR_WITNESS_INSIDE_H
#define KRAIT_IR_WITNESS_INSIDE_H

#include "ir/walk.h"
#include "ir/witness_check.h"

struct check {
  const struct ir *ir;
  const struct ir_witness *w;
  struct budget *budget; // or NULL
  uint8_t *holds;        // per presence
  uint32_t *at;          // per position: the point there, or UINT32_MAX
  // Per point, time slots and events included (ir/walk.h): its place in an order of all of them.
  // T0 has place 0, and so has whatever is not there.
  uint32_t *place;
  uint32_t placed;
  uint32_t *versions; // installs by key; within a key those that are there, in version order
  uint32_t *key_end;  // per key: the end of its part of `versions`, which starts at key_first
  uint32_t *rank;     // per install: where it is in `versions`
  uint32_t *source;   // per read: an install, or SOURCE_INITIAL; SOURCE_NONE: it is not there
  ir_edge_vec shown;  // what paths are made of, from place to place
  const char *why;
  bool stopped;
};

static inline bool is_there (const struct check *c, uint32_t presence) {
  return c->holds[presence_entry (presence)] == presence_wanted (presence);
}

static inline bool has_install (const struct check *c, uint32_t install) {
  return c->w->in[c->ir->install_node[install]] && is_there (c, ir_install_presence (c->ir, install));
}

static inline uint32_t place_of (const struct check *c, uint32_t node, unsigned which) {
  return c->place[ir_node_point (c->ir, node, which)];
}

// Where, in `versions`, those begin that are later than the one read.
static inline uint32_t later_versions (const struct check *c, uint32_t read) {
  const uint32_t source = c->source[read];
  return source == SOURCE_INITIAL ? c->ir->key_first[c->ir->read_key[read]] : c->rank[source] + 1;
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

enum anti witness_anti (const struct check *, uint32_t read);

// False, with `why` or `stopped`, if the rules are not kept. Edges were checked before: all of them
// run forward.
bool ir_witness_views (struct check *);
bool ir_witness_paths (struct check *);

#endif
