// Lemmas that need no search: two guarded edges that close a cycle through known paths exclude each
// other.

#ifndef KRAIT_SOLVE_STATIC_LEMMAS_H
#define KRAIT_SOLVE_STATIC_LEMMAS_H

#include "solve/theory.h"

struct edge_pair {
  uint32_t edge[2]; // the end of each leads, by known paths, to the start of the other
};

typedef VEC (struct edge_pair) edge_pair_vec;

typedef bool (*path_question) (const void *context, uint32_t from, uint32_t to);

// Known paths that are asked for, and those that are followed, leave hidden edges aside. For each
// edge, a look at the edges that start a short known path behind its end. Not all pairs: those that
// a search would meet first.
void find_static_lemmas (const struct guarded_edge *edges, uint32_t count, uint32_t points, const uint32_t *known_first,
                         const uint32_t *known_to, const uint8_t *known_hidden, path_question, const void *context,
                         edge_pair_vec *);

#endif
