#include "saturate/graph.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------------------------ columns

static void number_points (struct graph *g) {
  const struct asg *asg = g->asg;
  const bool timed = g->ir->slots > 0;
  g->shift = g->ir->level->points - 1;
  g->first_slot = asg->nodes << g->shift;
  g->points = g->first_slot + g->ir->slots;
  g->chains = asg->chains + timed;
  g->stride = (g->chains + 3) & ~3u;
  g->chain_first_point = MEM_ARRAY (uint32_t, (size_t) g->chains + 1);
  for (uint32_t c = 0; c < asg->chains; c++)
    g->chain_first_point[c] = asg->chain_first[c] << g->shift;
  if (timed)
    g->chain_first_point[asg->chains] = g->first_slot;
  g->chain_first_point[g->chains] = g->points;
}

static void find_known_sources (struct graph *g) {
  const struct asg *asg = g->asg;
  g->read_writer = MEM_ARRAY (uint32_t, asg->reads);
  g->read_node = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t node = 0; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t source = asg->read_source[read];
      g->read_node[read] = node;
      if (source == SOURCE_INITIAL)
        g->read_writer[read] = 0;
      else if (source & SOURCE_MANY)
        g->read_writer[read] = NODE_NONE;
      else
        g->read_writer[read] = asg->install_node[source];
    }
}

static void index_installs (struct graph *g) {
  const struct asg *asg = g->asg;
  g->install_key = MEM_ARRAY (uint32_t, asg->installs);
  g->node_first_install = MEM_ZARRAY (uint32_t, (size_t) asg->nodes + 2);
  uint32_t *next = g->node_first_install + 1;
  for (uint32_t i = 0; i < asg->installs; i++)
    next[asg->install_node[i] + 1]++;
  for (uint32_t node = 0; node < asg->nodes; node++)
    next[node + 1] += next[node];
  g->node_installs = MEM_ARRAY (uint32_t, asg->installs);
  VEC (uint32_t) chains = VEC_EMPTY;
  VEC (uint32_t) firsts = VEC_EMPTY;
  g->key_first_segment = MEM_ARRAY (uint32_t, (size_t) asg->keys + 1);
  for (uint32_t key = 0; key < asg->keys; key++) {
    g->key_first_segment[key] = (uint32_t) chains.count;
    uint32_t chain = UINT32_MAX;
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++) {
      const uint32_t node = asg->install_node[i];
      g->install_key[i] = key;
      g->node_installs[next[node]++] = i;
      if (asg->node_chain[node] != chain) {
        chain = asg->node_chain[node];
        VEC_PUSH (chains, chain);
        VEC_PUSH (firsts, i);
      }
    }
  }
  g->key_first_segment[asg->keys] = (uint32_t) chains.count;
  VEC_PUSH (firsts, asg->installs);
  g->segment_chain = chains.data;
  g->segment_install = firsts.data;
}

static void index_readers (struct graph *g) {
  const struct asg *asg = g->asg;
  g->reader_first = MEM_ZARRAY (uint32_t, (size_t) asg->installs + 2);
  g->initial_reader_first = MEM_ZARRAY (uint32_t, (size_t) asg->keys + 2);
  uint32_t *next = g->reader_first + 1, *next_initial = g->initial_reader_first + 1;
  uint32_t from_installs = 0, from_initial = 0;
  for (int fill = 0; fill < 2; fill++) {
    if (fill) {
      for (uint32_t i = 0; i < asg->installs; i++)
        next[i + 1] += next[i];
      for (uint32_t key = 0; key < asg->keys; key++)
        next_initial[key + 1] += next_initial[key];
      g->readers = MEM_ARRAY (uint32_t, from_installs);
      g->initial_readers = MEM_ARRAY (uint32_t, from_initial);
    }
    for (uint32_t node = 1; node < asg->nodes; node++) {
      if (!g->active[node])
        continue;
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
        const uint32_t writer = g->read_writer[read];
        if (writer == NODE_NONE)
          continue;
        if (writer == 0 && !fill)
          next_initial[asg->read_key[read] + 1]++, from_initial++;
        else if (writer == 0)
          g->initial_readers[next_initial[asg->read_key[read]]++] = read;
        else if (!fill)
          next[asg->read_source[read] + 1]++, from_installs++;
        else
          g->readers[next[asg->read_source[read]]++] = read;
      }
    }
  }
}

static void index_slots (struct graph *g) {
  const struct ir *ir = g->ir;
  if (!ir->slots)
    return;
  g->slot_feeders_first = MEM_ZARRAY (uint32_t, (size_t) ir->slots + 2);
  g->slot_feeders = MEM_ARRAY (uint32_t, g->asg->nodes);
  uint32_t *next = g->slot_feeders_first + 1;
  for (uint32_t node = 0; node < g->asg->nodes; node++)
    if (ir->time_after[node] != SLOT_NONE)
      next[ir->time_after[node] + 1]++;
  for (uint32_t slot = 0; slot < ir->slots; slot++)
    next[slot + 1] += next[slot];
  for (uint32_t node = 0; node < g->asg->nodes; node++)
    if (ir->time_after[node] != SLOT_NONE)
      g->slot_feeders[next[ir->time_after[node]]++] = node;
}

// T0 comes before everything: every row starts with it.
static void init_rows (struct graph *g) {
  const size_t cells = (size_t) g->points * g->stride;
  g->before = MEM_ARRAY (int32_t, cells);
  memset (g->before, 0xff, cells * sizeof *g->before);
  const int32_t last_of_initial = (1 << g->shift) - 1;
  for (uint32_t v = 0; v < g->points; v++)
    graph_before (g, v)[0] = v > (uint32_t) last_of_initial ? last_of_initial : (int32_t) v - 1;
}

struct graph *graph_new (const struct ir *ir) {
  struct graph *g = mem_zalloc (sizeof *g);
  g->ir = ir;
  g->asg = ir->asg;
  number_points (g);
  g->active = MEM_ARRAY (uint8_t, ir->asg->nodes);
  for (uint32_t node = 0; node < ir->asg->nodes; node++)
    g->active[node] = !ir->asg->optional[node];
  find_known_sources (g);
  index_installs (g);
  index_readers (g);
  index_slots (g);
  init_rows (g);
  g->extra_head = MEM_ARRAY (uint32_t, g->points);
  memset (g->extra_head, 0xff, g->points * sizeof *g->extra_head);
  g->order = MEM_ARRAY (uint32_t, g->points);
  g->position = MEM_ARRAY (uint32_t, g->points);
  memset (g->position, 0xff, g->points * sizeof *g->position);
  g->order_broken = true;
  for (size_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    graph_add_extra (g, graph_point (g, edge.from, g->shift), graph_point (g, edge.to, 0), RULE_GIVEN, UINT32_MAX);
  }
  return g;
}

void graph_free (struct graph *g) {
  if (!g)
    return;
  mem_free (g->chain_first_point);
  mem_free (g->before);
  mem_free (g->after);
  mem_free (g->active);
  mem_free (g->read_writer);
  mem_free (g->read_node);
  mem_free (g->slot_feeders_first);
  mem_free (g->slot_feeders);
  mem_free (g->extra_head);
  VEC_FREE (g->extra);
  VEC_FREE (g->preds);
  mem_free (g->order);
  mem_free (g->position);
  mem_free (g->node_first_install);
  mem_free (g->node_installs);
  mem_free (g->install_key);
  mem_free (g->key_first_segment);
  mem_free (g->segment_chain);
  mem_free (g->segment_install);
  mem_free (g->reader_first);
  mem_free (g->readers);
  mem_free (g->initial_reader_first);
  mem_free (g->initial_readers);
  mem_free (g->late_head);
  VEC_FREE (g->late);
  mem_free (g);
}

// -------------------------------------------------------------------------------------------------------------------- edges

static bool has_chain_pred (const struct graph *g, uint32_t v) {
  return v > g->chain_first_point[graph_chain (g, v)];
}

static void push_slot_preds (struct graph *g, uint32_t v) {
  const unsigned from = g->ir->level->rt.from;
  const uint32_t slot = v - g->first_slot;
  for (uint32_t i = g->slot_feeders_first[slot]; i < g->slot_feeders_first[slot + 1]; i++)
    if (g->active[g->slot_feeders[i]])
      VEC_PUSH (g->preds, graph_point (g, g->slot_feeders[i], from));
}

static void push_node_preds (struct graph *g, uint32_t v) {
  const struct level *level = g->ir->level;
  const uint32_t node = graph_node (g, v);
  const unsigned which = v & ((1u << g->shift) - 1);
  if (level->wr.used && which == level->wr.to) {
    const uint32_t end = g->asg->node_first_read[node + 1];
    VEC_RESERVE (g->preds, g->preds.count + (end - g->asg->node_first_read[node]));
    for (uint32_t read = g->asg->node_first_read[node]; read < end; read++) {
      const uint32_t writer = g->read_writer[read];
      if (writer - 1 < NODE_NONE - 1) // neither T0, which comes before everything anyway, nor NODE_NONE
        g->preds.data[g->preds.count++] = graph_point (g, writer, level->wr.from);
    }
  }
  if (g->ir->time_before && which == level->rt.to && g->ir->time_before[node] != SLOT_NONE)
    VEC_PUSH (g->preds, g->first_slot + g->ir->time_before[node]);
}

uint32_t graph_preds (struct graph *g, uint32_t v) {
  g->preds.count = 0;
  if (has_chain_pred (g, v))
    VEC_PUSH (g->preds, v - 1);
  if (graph_is_slot (g, v))
    push_slot_preds (g, v);
  else
    push_node_preds (g, v);
  for (uint32_t i = g->extra_head[v]; i != UINT32_MAX; i = g->extra.data[i].next)
    VEC_PUSH (g->preds, g->extra.data[i].from);
  return (uint32_t) g->preds.count;
}

bool graph_merge_row (const struct graph *g, int32_t *row, uint32_t from) {
  const int32_t *other = graph_before (g, from);
  int32_t grown = 0;
  for (uint32_t c = 0; c < g->stride; c++) {
    const int32_t most = other[c] > row[c] ? other[c] : row[c];
    grown |= most ^ row[c];
    row[c] = most;
  }
  const uint32_t chain = graph_chain (g, from);
  if (row[chain] < (int32_t) from) {
    row[chain] = (int32_t) from;
    grown = 1;
  }
  return grown != 0;
}

bool graph_add_extra (struct graph *g, uint32_t from, uint32_t to, enum rule rule, uint32_t read) {
  const bool grew = graph_merge_row (g, graph_before (g, to), from);
  if (!grew && rule != RULE_GIVEN)
    return false;
  // A point without a place will find one behind `from`.
  if (g->position[to] != POINT_NONE && (g->position[from] == POINT_NONE || g->position[from] >= g->position[to]))
    g->order_broken = true;
  VEC_PUSH (g->extra, (struct extra_edge) { g->extra_head[to], from, read, rule });
  g->extra_head[to] = (uint32_t) (g->extra.count - 1);
  return true;
}

struct edge_reason graph_reason (const struct graph *g, uint32_t from, uint32_t to) {
  struct edge_reason reason = { EDGE_GIVEN, RULE_GIVEN, false, UINT32_MAX, UINT32_MAX };
  if (graph_is_slot (g, from) || graph_is_slot (g, to)) {
    reason.kind = EDGE_RT;
    return reason;
  }
  const struct asg *asg = g->asg;
  const uint32_t source = graph_node (g, from), target = graph_node (g, to);
  if (source == target || (g->ir->chains_are_sessions && has_chain_pred (g, to) && from + 1 == to)) {
    reason.kind = EDGE_SO;
    return reason;
  }
  for (uint32_t read = asg->node_first_read[target]; read < asg->node_first_read[target + 1]; read++)
    if (g->read_writer[read] == source && to == graph_point (g, target, g->ir->level->wr.to)) {
      reason.kind = EDGE_WR;
      reason.read = read;
      reason.key = asg->read_key[read];
      return reason;
    }
  for (uint32_t i = g->extra_head[to]; i != UINT32_MAX; i = g->extra.data[i].next) {
    const struct extra_edge *extra = &g->extra.data[i];
    if (extra->from != from)
      continue;
    reason.rule = extra->rule;
    reason.derived = true;
    if (extra->rule == RULE_SESSION)
      reason.kind = EDGE_SO;
    else if (extra->rule == RULE_ORDER) {
      reason.kind = EDGE_WW;
      reason.key = extra->read;
    } else if (extra->rule != RULE_GIVEN) {
      reason.kind = extra->rule == RULE_WRITE_BEFORE ? EDGE_WW : EDGE_RW;
      reason.read = extra->read;
      reason.key = asg->read_key[extra->read];
    }
    break;
  }
  return reason;
}

void graph_compute_after (struct graph *g) {
  const size_t cells = (size_t) g->points * g->stride;
  if (!g->after)
    g->after = MEM_ARRAY (int32_t, cells);
  for (size_t i = 0; i < cells; i++)
    g->after[i] = CLOCK_NEVER;
  for (uint32_t k = g->ordered; k-- > 0;) {
    const uint32_t v = g->order[k];
    const uint32_t chain = graph_chain (g, v);
    const int32_t *row = graph_after (g, v);
    const uint32_t count = graph_preds (g, v);
    for (uint32_t i = 0; i < count; i++) {
      int32_t *to = graph_after (g, g->preds.data[i]);
      for (uint32_t c = 0; c < g->stride; c++)
        to[c] = row[c] < to[c] ? row[c] : to[c];
      if (to[chain] > (int32_t) v)
        to[chain] = (int32_t) v;
    }
  }
}
