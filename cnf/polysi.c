// The encoding of PolySI (Huang et al., VLDB 2023): a generalised polygraph, with one compact
// constraint for every two transactions that write common keys, over all of these keys at once; and
// its induced graph, which is about transactions alone: an anti-dependency counts only behind
// another dependency, so that the two together are one edge.
//
// Of the two points that a transaction has here, the induced graph is that of the commits: an
// anti-dependency begins at the reader's begin, and whatever is known or may lead to that begin is
// put together with it. Anti-dependencies that are known are paths of the known graph already.
//
// Beyond the paper: sources that are open, and transactions and deletes that may not have taken
// place, guard these edges.

#include "cnf/encoder.h"
#include "cnf/encodings.h"

#include "base/group.h"

static size_t encode_pair (struct encoder *e, const open_pair_vec *pairs, size_t at) {
  const uint32_t p = pairs->data[at].first, q = pairs->data[at].second;
  const int32_t order = encoder_variable (e, VARIABLE_PAIR, p, q, encoder_earlier (e, p, q));
  for (; at < pairs->count && pairs->data[at].first == p && pairs->data[at].second == q; at++) {
    encoder_order (e, pairs->data[at].first_install, pairs->data[at].second_install, order);
    encoder_order (e, pairs->data[at].second_install, pairs->data[at].first_install, -order);
  }
  return at;
}

// --------------------------------------------------------------------------------- induced graph

// An edge with a single guard: several get a variable that stands for all of them.
static int32_t guard_of (struct encoder *e, const struct guarded_edge *edge) {
  if (!edge->guard[1])
    return edge->guard[0];
  const uint32_t from = graph_is_slot (e->g, edge->from) ? NODE_NONE : graph_node (e->g, edge->from);
  const int32_t variable = encoder_variable (e, VARIABLE_EDGE, from, graph_node (e->g, edge->to), false);
  VEC_PUSH (e->problem->clauses, variable);
  encoder_end_clause (e, edge->guard, MOST_GUARDS);
  return variable;
}

static bool is_begin (const struct encoder *e, uint32_t point) {
  return !graph_is_slot (e->g, point) && point == graph_point (e->g, graph_node (e->g, point), 0);
}

// Guarded edges that lead to each transaction's begin.
struct arrivals {
  uint32_t *first, *edge; // per node, into `edge`; one more entry at the end
  int32_t *guard;         // per entry of `edge`
};

static struct arrivals list_arrivals (struct encoder *e, const struct guarded_edge *edges, size_t count) {
  struct arrivals a = { .first = groups_new (e->ir->nodes) };
  for (size_t i = 0; i < count; i++)
    if (is_begin (e, edges[i].to))
      group_count (a.first, graph_node (e->g, edges[i].to));
  const uint32_t total = groups_sum (a.first, e->ir->nodes);
  a.edge = MEM_ARRAY (uint32_t, total);
  a.guard = MEM_ARRAY (int32_t, total);
  for (size_t i = 0; i < count; i++)
    if (is_begin (e, edges[i].to)) {
      const uint32_t at = group_next (a.first, graph_node (e->g, edges[i].to));
      a.edge[at] = (uint32_t) i;
      a.guard[at] = guard_of (e, &edges[i]);
    }
  return a;
}

// Behind everything that leads to its begin.
static void compose (struct encoder *e, const struct guarded_edge *edges, const struct arrivals *a,
                     const struct guarded_edge *anti) {
  struct graph *g = e->input->saturation->graph;
  const uint32_t node = graph_node (g, anti->from);
  const int32_t guard = guard_of (e, anti);
  const uint32_t known = g->active[node] ? graph_preds (g, anti->from) : 0;
  for (uint32_t i = 0; i < known; i++)
    encoder_edge (e, g->preds.data[i], anti->to, anti->kind, anti->key, (struct guards){ { guard } });
  for (uint32_t i = a->first[node]; i < a->first[node + 1]; i++)
    encoder_edge (e, edges[a->edge[i]].from, anti->to, anti->kind, anti->key,
                  (struct guards){ { a->guard[i], guard } });
}

static void induce_graph (struct encoder *e) {
  const size_t count = e->problem->edges.count;
  struct guarded_edge *edges = e->problem->edges.data;
  e->problem->edges = (__typeof__ (e->problem->edges)) VEC_EMPTY;
  struct arrivals a = list_arrivals (e, edges, count);
  for (size_t i = 0; i < count && !encoder_stops (e); i++)
    if (is_begin (e, edges[i].from)) {
      compose (e, edges, &a, &edges[i]);
      VEC_PUSH (e->problem->replaced, edges[i]);
    } else
      VEC_PUSH (e->problem->edges, edges[i]);
  MEM_FREE_ALL (a.first, a.edge, a.guard, edges);
}

struct problem *encode_polysi (const struct to_encode *input) {
  struct encoder e;
  encoder_begin (&e, input);
  encoder_sources (&e);
  for (size_t at = 0; at < input->pairs->count && !encoder_stops (&e);)
    at = encode_pair (&e, input->pairs, at);
  encoder_others (&e);
  induce_graph (&e);
  return encoder_end (&e);
}
