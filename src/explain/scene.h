// A small history at a level, with some of what it leaves open decided: whom each read reads from, and which of two writers came first. What is decided gives
// edges, and a circle of these that the level forbids refutes the decisions.
//
// This is the semantics itself, without the shortcuts of saturation and search, and quadratic: it is for cores, and makes edges that need no derivation, so
// that people can follow.

#ifndef KRAIT_EXPLAIN_SCENE_H
#define KRAIT_EXPLAIN_SCENE_H

#include "api/check.h"
#include "explain/circle.h"

#include <stdbool.h>
#include <stdint.h>

#define SOURCE_OPEN (UINT32_MAX - 3) // no candidate was chosen yet

// Two transactions that install a common key.
struct scene_pair {
  uint32_t a, b; // nodes
  enum pair_state { PAIR_OPEN, PAIR_A_FIRST, PAIR_B_FIRST } state;
  enum pair_reason {
    BY_CASE,
    BY_LIST,
    BY_EDGE,
    BY_REPLACING
  } reason; // BY_EDGE: `edge` leads from the first to the second anyway
  struct circle_edge edge;
};

enum doubt_state { DOUBT_OPEN, DOUBT_WROTE, DOUBT_WROTE_NOTHING };

struct scene {
  const struct history *history;
  struct asg *asg;
  const struct level *level;
  int64_t clock_skew;
  uint8_t *in;      // per node: it took place. Unknown ones only once somebody reads from them
  uint8_t *anti;    // per read: enum anti
  uint8_t *doubt;   // per delete in doubt: enum doubt_state
  uint32_t *source; // per read: an install, SOURCE_INITIAL, SOURCE_NONE or SOURCE_OPEN
  VEC (struct scene_pair) pairs;
  uint32_t *pair_of; // nodes × nodes: 1 + a pair, or 0
  circle_edge_vec edges;
  circle_edge_vec fixed; // session order and real time
  uint64_t work;         // done so far, in edges looked at
};

// NULL: too large, or the history holds what is not dealt with here (several open initial values of a key, for example).
struct scene *scene_new (const struct history *, const struct check_options *);
void scene_free (struct scene *);

// The transaction took place, and so did those that it surely read from; the same for a version that was read, and a delete in doubt that made it.
void scene_include (struct scene *, uint32_t node);
void scene_take_from (struct scene *, uint32_t install);

// All edges that follow from what is decided.
void scene_make_edges (struct scene *);

// The installs that an open read can have read from, and SOURCE_INITIAL.
typedef VEC (uint32_t) source_vec;
void scene_candidates (const struct scene *, uint32_t read, source_vec *);

// The version is there, as far as is decided.
bool scene_installs (const struct scene *, uint32_t install);

// A key that both transactions of an open pair install; UINT32_MAX: none, as far as is decided.
uint32_t scene_pair_key (const struct scene *, const struct scene_pair *);

// A read that took place, as far as is decided.
bool scene_reads (const struct scene *, uint32_t read, uint32_t *reader);

// Decides pairs that an edge between the two decides by itself. Uses the edges, and makes them again.
void scene_decide_plain_pairs (struct scene *);

// The shortest circle of edges that the level forbids; false: none. Uses the edges. A ww with a read is an rw whose reader replaced what it had read.
bool scene_find_circle (struct scene *, circle_edge_vec *circle);

// For the circle's name.
struct circle_facts scene_circle_facts (const struct scene *, const struct circle_edge *, size_t count);

#endif
