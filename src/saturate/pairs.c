#include "saturate/pairs.h"

#include <stdlib.h>

// Versions that somebody reads or may read.
static uint8_t *observed_installs (const struct saturation *s) {
  const struct graph *g = s->graph;
  const struct asg *asg = g->asg;
  uint8_t *observed = MEM_ZARRAY (uint8_t, (size_t) asg->installs + 1);
  for (uint32_t i = 0; i < asg->installs; i++)
    observed[i] = g->reader_first[i] < g->reader_first[i + 1] || (g->late_head && g->late_head[i] != UINT32_MAX);
  for (size_t i = 0; i < s->open.count; i++)
    for (uint32_t c = 0; c < s->open.data[i].count; c++) {
      const uint32_t source = s->candidates.data[s->open.data[i].first + c];
      if (source != SOURCE_INITIAL)
        observed[source] = 1;
    }
  for (uint32_t node = 1; asg->optionals && node < asg->nodes; node++)
    if (!g->active[node])
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
        if (asg->read_source[read] < SOURCE_MANY)
          observed[asg->read_source[read]] = 1;
  return observed;
}

// An unknown transaction that is not known to be in stands last in its chain, if it shares one, and is paired separately.
static uint32_t certain_end (const struct graph *g, uint32_t segment) {
  const uint32_t end = g->segment_install[segment + 1];
  return end > g->segment_install[segment] && !g->active[g->asg->install_node[end - 1]] ? end - 1 : end;
}

// The first install of [first, end) whose point is not below `bound`.
static uint32_t first_install_not_below (const struct graph *g, uint32_t first, uint32_t end, int32_t bound, unsigned which) {
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if ((int32_t) graph_point (g, g->asg->install_node[middle], which) < bound)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

static bool is_decided (const struct graph *g, uint32_t p, uint32_t q) {
  return g->kind == ROWS_PARTIAL
         && graph_reaches (g, graph_point (g, p, g->ir->level->ww.to), graph_point (g, q, g->ir->level->ww.from));
}

static void pairs_of_install (const struct graph *g, uint32_t install, uint32_t from_segment, const uint8_t *observed,
                              open_pair_vec *pairs) {
  const struct level *level = g->ir->level;
  const uint32_t key = g->install_key[install], p = g->asg->install_node[install];
  const int32_t *before = graph_before (g, graph_point (g, p, level->ww.from));
  const int32_t *after = graph_after (g, graph_point (g, p, level->ww.to));
  for (uint32_t segment = from_segment; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t track = g->segment_track[segment], end = certain_end (g, segment);
    uint32_t first = g->segment_install[segment];
    if (first == end)
      continue;
    const uint32_t last = last_install_not_above (g, first, end, row_last (g, before, track), level->ww.to);
    if (last != UINT32_MAX)
      first = last + 1;
    // What is decided must be what the rules took for decided. Rows of some chains only know less than their mirror images.
    const int32_t bound = g->kind == ROWS_PARTIAL ? CLOCK_NEVER : row_first (g, after, track);
    if (first == end || (int32_t) graph_point (g, g->asg->install_node[first], level->ww.from) >= bound)
      continue;
    const uint32_t stop = first_install_not_below (g, first, end, bound, level->ww.from);
    for (uint32_t i = first; i < stop; i++)
      if ((g->shift || observed[install] || observed[i]) && !is_decided (g, p, g->asg->install_node[i]))
        VEC_PUSH (*pairs, (struct open_pair) { p, g->asg->install_node[i], install, i });
  }
}

// Nothing is known about an unknown transaction while it may be out: every other installer is open to it.
static void pairs_of_unknown (const struct graph *g, uint32_t install, const uint8_t *observed, open_pair_vec *pairs) {
  const uint32_t key = g->install_key[install], *node = g->asg->install_node;
  for (uint32_t i = g->asg->key_first[key]; i < g->asg->key_first[key + 1]; i++) {
    if (i == install || (!g->active[node[i]] && i < install) || !(g->shift || observed[install] || observed[i]))
      continue;
    if (i < install)
      VEC_PUSH (*pairs, (struct open_pair) { node[i], node[install], i, install });
    else
      VEC_PUSH (*pairs, (struct open_pair) { node[install], node[i], install, i });
  }
}

static int by_nodes (const void *a, const void *b) {
  const struct open_pair *x = a, *y = b;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->second != y->second)
    return x->second < y->second ? -1 : 1;
  return x->first_install < y->first_install ? -1 : x->first_install > y->first_install;
}

bool open_pairs (struct saturation *s, open_pair_vec *pairs, struct budget *budget) {
  const struct graph *g = s->graph;
  uint8_t *observed = observed_installs (s);
  bool in_time = true;
  for (uint32_t key = 0; key < g->asg->keys && in_time; key++) {
    for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
      const uint32_t end = certain_end (g, segment);
      for (uint32_t i = g->segment_install[segment]; i < end; i++)
        pairs_of_install (g, i, segment + 1, observed, pairs); // installers of one chain are in order
      if (end < g->segment_install[segment + 1])
        pairs_of_unknown (g, end, observed, pairs);
    }
    in_time = !budget_spent (budget);
  }
  mem_free (observed);
  if (pairs->count)
    qsort (pairs->data, pairs->count, sizeof *pairs->data, by_nodes);
  return in_time;
}
