#include "saturate/pairs.h"

#include "base/sort.h"

// Only pairs with a version that somebody reads matter, unless writers of one key may not even
// overlap, or paths through version orders show something to readers that must not see it: then any
// further edge may be one too many.
static bool every_pair_matters (const struct graph *g) {
  const struct rules *rules = &g->ir->rules;
  return rules->ww.from != rules->ww.to || (g->has_forbidding && !rules->ww_hidden);
}

// Does the version order matter at all? It does not where overwriting what somebody read is
// nobody's concern, where only steps count, and where paths through it show nothing and all sources
// are known: saturation has said then what must come before what, if rows know all paths and
// modules add none.
static bool order_matters (const struct saturation *s) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  if (every_pair_matters (g))
    return true;
  if (!rules->rw.used || rules->view != VIEW_PATHS)
    return false;
  return !rules->ww_hidden || !s->all_rules || g->kind == ROWS_PARTIAL || s->open.count || ir_has_unknown (g->ir)
         || ir_has_open_constraints (g->ir);
}

static bool any_counts (const struct graph *g, uint32_t install) {
  struct graph_readers readers = graph_readers (g, graph_key (g, install), install);
  for (uint32_t read; graph_next_reader (g, &readers, &read);)
    if (graph_anti_matters (g, read))
      return true;
  return false;
}

// Versions that somebody reads or may read, so that it matters what overwrites them.
static uint8_t *observed_installs (const struct saturation *s) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  uint8_t *observed = MEM_ZARRAY (uint8_t, (size_t) ir->installs + 1);
  for (uint32_t i = 0; i < ir->installs; i++)
    observed[i] = any_counts (g, i);
  for (size_t i = 0; i < s->open.count; i++)
    for (uint32_t c = 0; c < s->open.data[i].count && graph_anti_matters (g, s->open.data[i].read); c++) {
      const uint32_t source = s->candidates.data[s->open.data[i].first + c];
      if (source < SOURCE_MANY)
        observed[source] = 1;
    }
  for (uint32_t node = 1; ir_has_unknown (ir) && node < ir->nodes; node++)
    if (!g->active[node])
      for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
        if (ir->read_source[read] < SOURCE_MANY && graph_anti_matters (g, read))
          observed[ir->read_source[read]] = 1;
  return observed;
}

// An unknown transaction that is not known to be in stands last in its chain, if it shares one, and
// is paired separately. So is an unrecorded delete, which has a segment of its own.
static uint32_t certain_end (const struct graph *g, uint32_t segment) {
  const uint32_t end = g->segment_install[segment + 1];
  return end > g->segment_install[segment] && !graph_installs (g, end - 1) ? end - 1 : end;
}

static void add_if_open (const struct graph *g, uint32_t a, uint32_t b, const uint8_t *observed, open_pair_vec *pairs) {
  const struct rules *rules = &g->ir->rules;
  // installs of one key ascend with their nodes
  const uint32_t first = a < b ? a : b, second = a < b ? b : a;
  const uint32_t p = g->ir->install_node[first], q = g->ir->install_node[second];
  if ((every_pair_matters (g) || observed[first] || observed[second])
      && !graph_reaches (g, graph_point (g, p, rules->ww.to), graph_point (g, q, rules->ww.from))
      && !graph_reaches (g, graph_point (g, q, rules->ww.to), graph_point (g, p, rules->ww.from)))
    VEC_PUSH (*pairs, (struct open_pair){ p, q, first, second });
}

// Where only versions that somebody reads matter, an unobserved one is met from the other's side.
static bool is_met_here (const struct graph *g, uint32_t install, uint32_t other, const uint8_t *observed) {
  return other > install || (!every_pair_matters (g) && !observed[other]);
}

// In each other segment: behind what precedes p, up to the first that follows it. Installers of one
// chain are in order.
static void pairs_by_chains (const struct graph *g, uint32_t install, uint32_t own_segment, const uint8_t *observed,
                             open_pair_vec *pairs) {
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = graph_key (g, install), p = g->ir->install_node[install];
  const struct row *before = graph_before (g, graph_point (g, p, rules->ww.from));
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t end = certain_end (g, segment);
    uint32_t i = g->segment_install[segment];
    if (i == end || segment == own_segment)
      continue;
    const uint32_t last =
      last_install_not_above (g, i, end, row_last (g, before, g->segment_track[segment]), rules->ww.to);
    for (i = last == UINT32_MAX ? i : last + 1; i < end; i++) {
      if (graph_reaches (g, graph_point (g, p, rules->ww.to), graph_point (g, g->ir->install_node[i], rules->ww.from)))
        break;
      if (is_met_here (g, install, i, observed))
        add_if_open (g, install, i, observed, pairs);
    }
  }
}

static void pairs_of_install (const struct saturation *s, uint32_t install, uint32_t segment, const uint8_t *observed,
                              open_pair_vec *pairs) {
  const struct graph *g = s->graph;
  const uint32_t first = g->segment_install[segment], end = g->segment_install[segment + 1];
  struct window w;
  if (!every_pair_matters (g) && !observed[install])
    return;
  if (!versions_window (s, graph_key (g, install), install, &w))
    pairs_by_chains (g, install, segment, observed, pairs);
  else
    for (uint32_t i = w.first; i < w.end; i++) {
      const uint32_t other = w.list[i].install;
      if ((other < first || other >= end) && graph_installs (g, other) && is_met_here (g, install, other, observed))
        add_if_open (g, install, other, observed, pairs);
    }
}

// Is the order of two versions part of the known graph, so that nothing is left to be said if both
// are there?
static bool is_ordered (const struct graph *g, uint32_t a, uint32_t b) {
  const struct edge_points ww = g->ir->rules.ww;
  const uint32_t p = g->ir->install_node[a], q = g->ir->install_node[b];
  return g->active[p] && g->active[q] && graph_reaches (g, graph_point (g, p, ww.from), graph_point (g, q, ww.to));
}

static bool is_open_to (const struct graph *g, uint32_t install, uint32_t other, const uint8_t *observed) {
  if (other == install || (!graph_installs (g, other) && other < install))
    return false;
  return (every_pair_matters (g) || observed[install] || observed[other]) && !is_ordered (g, install, other)
         && !is_ordered (g, other, install);
}

// Nothing is known about an unknown transaction while it may be out: every other installer is open
// to it. Of an unrecorded delete much is known.
static void pairs_of_unknown (const struct graph *g, uint32_t install, const uint8_t *observed, open_pair_vec *pairs) {
  const uint32_t key = graph_key (g, install), *node = g->ir->install_node;
  for (uint32_t i = g->ir->key_first[key]; i < g->ir->key_first[key + 1]; i++) {
    if (!is_open_to (g, install, i, observed))
      continue;
    if (i < install)
      VEC_PUSH (*pairs, (struct open_pair){ node[i], node[install], i, install });
    else
      VEC_PUSH (*pairs, (struct open_pair){ node[install], node[i], install, i });
  }
}

bool open_pairs (struct saturation *s, open_pair_vec *pairs, struct budget *budget) {
  const struct graph *g = s->graph;
  if (!order_matters (s))
    return true;
  uint8_t *observed = observed_installs (s);
  bool in_time = true;
  for (uint32_t key = 0; key < g->ir->keys && in_time; key++) {
    for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
      const uint32_t end = certain_end (g, segment);
      for (uint32_t i = g->segment_install[segment]; i < end && in_time; i++) {
        in_time = ((i & 63) || !budget_spent (budget)) && pairs->count <= most_pairs (g->ir);
        pairs_of_install (s, i, segment, observed, pairs);
      }
      if (end < g->segment_install[segment + 1] && pairs->count <= most_pairs (g->ir))
        pairs_of_unknown (g, end, observed, pairs);
    }
    in_time = in_time && !budget_spent (budget) && pairs->count <= most_pairs (g->ir);
  }
  mem_free (observed);
  VEC_SORT (*pairs, by_u32_triple);
  return in_time;
}
