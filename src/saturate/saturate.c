#include "saturate/saturate.h"

#include "history/history.h"

#include <string.h>

struct saturation *saturation_new (struct graph *g) {
  struct saturation *s = mem_zalloc (sizeof *s);
  const struct asg *asg = g->asg;
  s->graph = g;
  s->lost_read = UINT32_MAX;
  s->dirty = MEM_ARRAY (uint8_t, g->points);
  for (uint32_t v = 0; v < g->points; v++)
    s->dirty[v] = graph_is_slot (g, v) || g->active[graph_node (g, v)];
  s->changed = MEM_ZARRAY (uint8_t, g->points);
  for (size_t i = 0; i < asg->choices.count; i++)
    VEC_PUSH (s->open, (struct open_read) { asg->choices.data[i].read, 0, 0, false });
  s->init_fixed = MEM_ARRAY (uint32_t, asg->keys);
  if (asg->keys)
    memcpy (s->init_fixed, asg->init_value, asg->keys * sizeof *s->init_fixed);
  return s;
}

void saturation_free (struct saturation *s) {
  if (!s)
    return;
  VEC_FREE (s->open);
  VEC_FREE (s->candidates);
  VEC_FREE (s->cycle);
  VEC_FREE (s->maximal);
  mem_free (s->init_fixed);
  mem_free (s->dirty);
  mem_free (s->changed);
  mem_free (s);
}

uint32_t last_install_not_above (const struct graph *g, uint32_t first, uint32_t end, int32_t bound, unsigned which) {
  if (bound < (int32_t) which)
    return UINT32_MAX;
  const uint32_t most = ((uint32_t) bound - which) >> g->shift;
  const uint32_t *node = g->asg->install_node;
  if (node[first] > most)
    return UINT32_MAX;
  uint32_t length = end - first;
  while (length > 1) { // without branches: node[first] <= most all along
    const uint32_t half = length / 2;
    first = node[first + half] <= most ? first + half : first;
    length -= half;
  }
  return first;
}

// The edge, and what must be looked at again because of it.
void saturation_add_edge (struct saturation *s, uint32_t from, uint32_t to, enum rule rule, uint32_t read) {
  if (!graph_add_extra (s->graph, from, to, rule, read))
    return;
  s->dirty[to] = 1;
  // A source that this sweep has not reached yet may still learn something; its successors must look again.
  if (s->graph->order_broken)
    s->dirty[from] = 1;
}

// --------------------------------------------------------------------------------------------------------- p before r, r from w

static void writes_before_read (struct saturation *s, uint32_t read, uint32_t reader, uint32_t writer) {
  struct graph *g = s->graph;
  const struct level *level = g->ir->level;
  const uint32_t key = g->asg->read_key[read];
  const uint32_t target = graph_point (g, writer, level->ww.to);
  const int32_t *of_reader = graph_before (g, graph_point (g, reader, level->rw.from));
  const int32_t *of_writer = graph_before (g, target);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t chain = g->segment_chain[segment];
    const int32_t bound = of_reader[chain];
    if (bound <= of_writer[chain])
      continue;
    const uint32_t install =
      last_install_not_above (g, g->segment_install[segment], g->segment_install[segment + 1], bound, level->rw.to);
    if (install == UINT32_MAX)
      continue;
    const uint32_t p = g->asg->install_node[install];
    const uint32_t point = graph_point (g, p, level->ww.from);
    if (p != writer && p != reader && (int32_t) point > of_writer[chain])
      saturation_add_edge (s, point, target, RULE_WRITE_BEFORE, read);
  }
}

// -------------------------------------------------------------------------------------------------------- w before p, r from w

void saturation_reader_before_write (struct saturation *s, uint32_t read, uint32_t p) {
  struct graph *g = s->graph;
  const struct level *level = g->ir->level;
  const uint32_t reader = g->read_node[read];
  if (reader == p)
    return;
  const uint32_t from = graph_point (g, reader, level->rw.from), to = graph_point (g, p, level->rw.to);
  if (!graph_reaches (g, from, to))
    saturation_add_edge (s, from, to, RULE_READ_BEFORE, read);
}

static void late_readers_before_write (struct saturation *s, uint32_t slot, uint32_t p) {
  const struct graph *g = s->graph;
  if (!g->late_head)
    return;
  for (uint32_t i = g->late_head[slot]; i != UINT32_MAX; i = g->late.data[i].next)
    saturation_reader_before_write (s, g->late.data[i].read, p);
}

static void readers_before_write (struct saturation *s, uint32_t install, uint32_t p) {
  const struct graph *g = s->graph;
  for (uint32_t i = g->reader_first[install]; i < g->reader_first[install + 1]; i++)
    saturation_reader_before_write (s, g->readers[i], p);
  late_readers_before_write (s, install, p);
}

static void initial_readers_before_write (struct saturation *s, uint32_t key, uint32_t p) {
  const struct graph *g = s->graph;
  for (uint32_t i = g->initial_reader_first[key]; i < g->initial_reader_first[key + 1]; i++)
    saturation_reader_before_write (s, g->initial_readers[i], p);
  late_readers_before_write (s, g->asg->installs + key, p);
}

// Is the version order w1 < w2 of the key's installers known, given that both precede something?
static bool known_order (const struct graph *g, uint32_t w1, uint32_t w2) {
  const struct level *level = g->ir->level;
  return graph_reaches (g, graph_point (g, w1, level->ww.to), graph_point (g, w2, level->ww.from));
}

// Keeps in s->maximal only installs that no other one is known to follow: readers of the others already precede their followers.
static void add_maximal (struct saturation *s, uint32_t install) {
  const struct graph *g = s->graph;
  const uint32_t node = g->asg->install_node[install];
  for (size_t i = 0; i < s->maximal.count; i++)
    if (known_order (g, node, g->asg->install_node[s->maximal.data[i]]))
      return;
  size_t kept = 0;
  for (size_t i = 0; i < s->maximal.count; i++)
    if (!known_order (g, g->asg->install_node[s->maximal.data[i]], node))
      s->maximal.data[kept++] = s->maximal.data[i];
  s->maximal.count = kept;
  VEC_PUSH (s->maximal, install);
}

static void versions_before_write (struct saturation *s, uint32_t p, uint32_t own_install) {
  struct graph *g = s->graph;
  const struct level *level = g->ir->level;
  const uint32_t key = g->install_key[own_install];
  const uint32_t point = graph_point (g, p, level->ww.from);
  const int32_t *row = graph_before (g, point);
  s->maximal.count = 0;
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t first = g->segment_install[segment];
    const uint32_t install =
      last_install_not_above (g, first, g->segment_install[segment + 1], row[g->segment_chain[segment]], level->ww.to);
    if (install == UINT32_MAX)
      continue;
    if (install != own_install)
      add_maximal (s, install);
    else if (install > first) // with two points, the transaction's own begin is before its commit
      add_maximal (s, install - 1);
  }
  if (!s->maximal.count && level->rw.used)
    initial_readers_before_write (s, key, p);
  for (size_t i = 0; i < s->maximal.count; i++) {
    const uint32_t w = s->maximal.data[i];
    if (level->rw.used)
      readers_before_write (s, w, p);
    const uint32_t from = graph_point (g, g->asg->install_node[w], level->ww.from);
    const uint32_t to = graph_point (g, p, level->ww.to);
    if (!graph_reaches (g, from, to))
      saturation_add_edge (s, from, to, RULE_ORDER, key);
  }
}

// ------------------------------------------------------------------------------------------------------------------- sweeps

// The rules at one transaction.
static void apply_rules_once (struct saturation *s, uint32_t node) {
  struct graph *g = s->graph;
  const struct asg *asg = g->asg;
  const struct level *level = g->ir->level;
  if (level->rw.used && s->all_rules)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t writer = g->read_writer[read];
      if (writer - 1 < NODE_NONE - 1)
        writes_before_read (s, read, node, writer);
    }
  for (uint32_t i = g->node_first_install[node]; i < g->node_first_install[node + 1]; i++)
    versions_before_write (s, node, g->node_installs[i]);
}

// They may grow its own row, which is cheaper to follow up now than in another sweep. Bounded, because a cycle would go on for ever.
static void apply_rules (struct saturation *s, uint32_t node) {
  const uint32_t last = graph_point (s->graph, node, (1u << s->graph->shift) - 1);
  for (int round = 0; round < 8; round++) {
    apply_rules_once (s, node);
    if (!s->dirty[last])
      return;
    s->dirty[last] = s->graph->order_broken;
  }
  s->dirty[last] = 1;
}

static bool refresh_row (struct saturation *s, uint32_t v) {
  struct graph *g = s->graph;
  int32_t *row = graph_before (g, v);
  bool grew = s->dirty[v];
  const uint32_t count = graph_preds (g, v);
  const bool first_time = s->sweeps == 1;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t u = g->preds.data[i];
    // A later point of u's chain is known to come before v: what u knows arrives through that one.
    if (row[graph_chain (g, u)] > (int32_t) u)
      continue;
    if (first_time || s->changed[u] || row[graph_chain (g, u)] < (int32_t) u)
      grew |= graph_merge_row (g, row, u);
  }
  s->dirty[v] = 0;
  return grew;
}

static bool sweep (struct saturation *s, struct budget *budget) {
  struct graph *g = s->graph;
  memset (s->changed, 0, g->points);
  for (uint32_t k = 0; k < g->ordered; k++) {
    const uint32_t v = g->order[k];
    if ((k & 1023) == 0 && budget_spent (budget))
      return false;
    if (!refresh_row (s, v))
      continue;
    s->changed[v] = 1;
    // The last point of a transaction has seen all that precedes any of its points.
    if (!graph_is_slot (g, v) && ((v + 1) & ((1u << g->shift) - 1)) == 0)
      apply_rules (s, graph_node (g, v));
  }
  return true;
}

static bool anything_dirty (const struct saturation *s) {
  return memchr (s->dirty, 1, s->graph->points) != NULL;
}

enum saturate_outcome saturate (struct saturation *s, bool all_rules, struct budget *budget) {
  struct graph *g = s->graph;
  s->all_rules = all_rules;
  if (!s->sweeps)
    saturation_include_forced (s);
  if (s->lost_read != UINT32_MAX)
    return SATURATE_NO_SOURCE;
  for (;;) {
    if (g->order_broken && !graph_sort (g, &s->cycle))
      return SATURATE_CYCLE;
    s->sweeps++;
    if (!sweep (s, budget))
      return SATURATE_STOPPED;
    if (anything_dirty (s))
      continue;
    if (!s->open.count)
      return SATURATE_SETTLED;
    const enum saturate_outcome outcome = saturation_settle_open (s);
    if (outcome != SATURATE_SETTLED)
      return outcome;
    if (!g->order_broken && !anything_dirty (s))
      return SATURATE_SETTLED;
  }
}
