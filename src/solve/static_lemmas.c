#include "solve/static_lemmas.h"

#include "base/group.h"

// Points looked at behind an edge, edges looked at from them, lemmas per edge: the rest is left to
// the search.
enum { NEARBY = 24, LOOKS = 64, LEMMAS = 8 };

struct finder {
  const struct guarded_edge *edges;
  const uint32_t *known_first, *known_to;
  const uint8_t *known_hidden;
  uint32_t *start_first, *starting; // edges by their start
  uint32_t *stamp;
  uint32_t near[NEARBY];
  uint32_t looks, lemmas; // for the edge at hand
  path_question path;
  const void *context;
  edge_pair_vec *found;
};

static void index_starts (struct finder *f, uint32_t count, uint32_t points) {
  struct grouping by_start = { .groups = points };
  while (grouping_pass (&by_start))
    for (uint32_t e = 0; e < count; e++)
      group_put (&by_start, f->edges[e].from, e);
  f->start_first = by_start.first;
  f->starting = by_start.items;
}

// Of the two at most one may be an edge that forbids a path, and the other one must then be in
// view; known paths asked for always are.
static bool make_a_lemma (const struct guarded_edge *a, const struct guarded_edge *b) {
  return (a->role != ROLE_FORBID && b->role != ROLE_FORBID) || a->role == ROLE_PATH || b->role == ROLE_PATH;
}

// An edge and its opposite cannot hold together anyway.
static bool excluded_already (const struct guarded_edge *a, const struct guarded_edge *b) {
  for (unsigned i = 0; i < MOST_GUARDS && a->guard[i]; i++)
    for (unsigned k = 0; k < MOST_GUARDS && b->guard[k]; k++)
      if (a->guard[i] == -b->guard[k])
        return true;
  return false;
}

static void edges_from (struct finder *f, uint32_t edge, uint32_t point) {
  const struct guarded_edge *first = &f->edges[edge];
  for (uint32_t i = f->start_first[point]; i < f->start_first[point + 1]; i++) {
    if (f->looks++ >= LOOKS || f->lemmas >= LEMMAS)
      return;
    const uint32_t other = f->starting[i];
    const struct guarded_edge *second = &f->edges[other];
    // Each pair is met from both sides; longer clauses are rarely worth having before they are
    // needed.
    if (other <= edge || first->guard[1] || second->guard[1] || excluded_already (first, second)
        || !make_a_lemma (first, second))
      continue;
    if (second->to == first->from || f->path (f->context, second->to, first->from)) {
      VEC_PUSH (*f->found, (struct edge_pair){ { edge, other } });
      f->lemmas++;
    }
  }
}

static void look_behind (struct finder *f, uint32_t edge) {
  const uint32_t stamp = edge + 1;
  uint32_t count = 1;
  f->looks = f->lemmas = 0;
  f->near[0] = f->edges[edge].to;
  f->stamp[f->near[0]] = stamp;
  for (uint32_t i = 0; i < count; i++) {
    edges_from (f, edge, f->near[i]);
    for (uint32_t k = f->known_first[f->near[i]]; k < f->known_first[f->near[i] + 1] && count < NEARBY; k++)
      if (f->stamp[f->known_to[k]] != stamp && !(f->known_hidden && f->known_hidden[k])) {
        f->stamp[f->known_to[k]] = stamp;
        f->near[count++] = f->known_to[k];
      }
  }
}

void find_static_lemmas (const struct guarded_edge *edges, uint32_t count, uint32_t points, const uint32_t *known_first,
                         const uint32_t *known_to, const uint8_t *known_hidden, path_question path, const void *context,
                         edge_pair_vec *found) {
  struct finder f = { .edges = edges,
                      .known_first = known_first,
                      .known_to = known_to,
                      .known_hidden = known_hidden,
                      .path = path,
                      .context = context,
                      .found = found };
  index_starts (&f, count, points);
  f.stamp = MEM_ZARRAY (uint32_t, points);
  for (uint32_t e = 0; e < count; e++)
    look_behind (&f, e);
  MEM_FREE_ALL (f.start_first, f.starting, f.stamp);
}
