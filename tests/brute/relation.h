// Binary relations over at most 32 nodes, a bit mask per node. Small enough to be passed by value.

#ifndef KRAIT_BRUTE_RELATION_H
#define KRAIT_BRUTE_RELATION_H

#include <stdbool.h>
#include <stdint.h>

enum { RELATION_NODES = 32 };

typedef uint32_t node_set;

struct relation {
  unsigned nodes;                 // from here on no node has an edge that leaves it
  node_set after[RELATION_NODES]; // after[i]: every j with i -> j
};

static inline node_set node_bit (unsigned node) {
  return (node_set) 1 << node;
}

static inline struct relation relation_none (void) {
  return (struct relation){ 0, { 0 } };
}

static inline void relation_add (struct relation *relation, unsigned from, unsigned to) {
  relation->after[from] |= node_bit (to);
  if (from >= relation->nodes)
    relation->nodes = from + 1;
}

static inline bool relation_has (const struct relation *relation, unsigned from, unsigned to) {
  return relation->after[from] & node_bit (to);
}

static inline struct relation relation_union (struct relation a, const struct relation *b) {
  for (unsigned i = 0; i < b->nodes; i++)
    a.after[i] |= b->after[i];
  if (a.nodes < b->nodes)
    a.nodes = b->nodes;
  return a;
}

// Only the edges between nodes of `kept`.
static inline struct relation relation_within (struct relation a, node_set kept) {
  for (unsigned i = 0; i < a.nodes; i++)
    a.after[i] = kept & node_bit (i) ? a.after[i] & kept : 0;
  return a;
}

// i -> k if i -> j in a and j -> k in b.
static inline struct relation relation_then (const struct relation *a, const struct relation *b) {
  struct relation result = relation_none ();
  result.nodes = a->nodes;
  for (unsigned i = 0; i < a->nodes; i++)
    for (node_set left = a->after[i]; left; left &= left - 1)
      result.after[i] |= b->after[__builtin_ctz (left)];
  return result;
}

// The transitive closure.
static inline struct relation relation_paths (struct relation a) {
  for (unsigned via = 0; via < a.nodes; via++)
    if (a.after[via])
      for (unsigned i = 0; i < a.nodes; i++)
        if (a.after[i] & node_bit (via))
          a.after[i] |= a.after[via];
  return a;
}

static inline bool relation_irreflexive (const struct relation *a) {
  for (unsigned i = 0; i < a->nodes; i++)
    if (relation_has (a, i, i))
      return false;
  return true;
}

static inline bool relation_acyclic (const struct relation *a) {
  const struct relation paths = relation_paths (*a);
  return relation_irreflexive (&paths);
}

#endif
