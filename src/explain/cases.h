// Why a core is invalid, as a tree of cases: where circles need no choice there is one, else what
// the history leaves open is decided one way and the other, and each way ends in a circle.
//
// It is made from the semantics alone (small_model.h), not from what the checker derived. So it
// comes to nothing where that does not refute the history, and never says more than holds.

#ifndef KRAIT_EXPLAIN_CASES_H
#define KRAIT_EXPLAIN_CASES_H

#include "explain/small_model.h"

// An edge of a circle, with what stood behind it then.
struct case_edge {
  struct circle_edge edge;
  uint32_t writer;       // rw, WHY_REPLACED: the node that the read reads from
  enum why why;          // ww, and rw of what was written: why the one that overwrites comes second
  struct circle_edge by; // WHY_EDGE
};

struct one_case {
  // what is assumed besides what the cases above it assume; CASE_ALL: the root, nothing
  enum case_kind kind;
  uint32_t first, then; // CASE_ORDER: nodes that write `key` in this order
  uint32_t key;
  uint32_t read, source; // CASE_SOURCE: the read reads from an install, or SOURCE_INITIAL
  uint32_t unrecorded;   // CASE_DELETE: the unrecorded delete …
  bool wrote;            // … found something, and wrote
  uint32_t parent, child, next;
  uint32_t first_edge, edges; // a leaf's circle
  // a leaf without a circle: a read that nothing can explain, or READ_NONE
  uint32_t orphan;
  struct anomaly anomaly; // of a leaf
};

struct cases {
  struct small_model *model;
  VEC (struct one_case) all; // the root first, each before those below it
  VEC (struct case_edge) edges;
  struct anomaly anomaly; // of the whole
};

// NULL: this way of telling does not do, or takes too long.
struct cases *cases_find (const struct history *, const struct check_options *);
void cases_free (struct cases *);

static inline bool case_is_leaf (const struct one_case *c) {
  return c->child == CASE_NONE;
}

// As a value that stands alone but for the history's keys and values.
struct violation *cases_violation (const struct cases *);

// The node that a source of a read is a version of.
static inline uint32_t case_source_node (const struct cases *c, uint32_t source) {
  return source == SOURCE_INITIAL ? 0 : c->model->asg->install_node[source];
}

#endif
