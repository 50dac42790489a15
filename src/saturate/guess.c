#include "saturate/guess.h"

#include "base/heap.h"

// ------------------------------------------------------------------------------------------- ranks

uint32_t *guess_ranks (const struct graph *g) {
  uint32_t *rank = MEM_ARRAY (uint32_t, g->points);
  uint32_t out = g->ordered;
  for (uint32_t v = 0; v < g->points; v++)
    rank[v] = g->position[v] == POINT_NONE ? out++ : g->position[v];
  return rank;
}

// --------------------------------------------------------------------------------------------- run

struct run {
  struct saturation *s;
  struct graph *g;
  const uint32_t *rank;
  uint32_t *cursor;     // per chain
  uint32_t *wait_head;  // per point: chains that wait for it
  uint32_t *wait_next;  // per chain
  VEC (uint32_t) ready; // a heap of chains, by the rank of their next point
  uint8_t *done;        // per point
  uint32_t *current;    // per key: the version in force: an install, or SOURCE_INITIAL
  uint32_t *pending;    // per install, then per key for T0: known readers that have not run
  uint32_t *open_of;    // per read: its entry of s->open, or UINT32_MAX; NULL if none is open
  node_vec *order;
  bool stuck;
};

static bool comes_first (const struct run *r, uint32_t a, uint32_t b) {
  return r->rank[r->cursor[a]] < r->rank[r->cursor[b]];
}

static void count_pending (struct run *r) {
  const struct graph *g = r->g;
  r->pending = MEM_ZARRAY (uint32_t, (size_t) g->ir->installs + g->ir->keys);
  for (uint32_t list = 0; list < g->ir->installs + g->ir->keys; list++) {
    r->pending[list] = g->reader_first[list + 1] - g->reader_first[list];
    for (uint32_t i = g->late_head ? g->late_head[list] : UINT32_MAX; i != UINT32_MAX; i = g->late.data[i].next)
      r->pending[list]++;
  }
}

// Somebody other than `node` who still has to read the version that is in force.
static uint32_t waiting_reader (const struct run *r, uint32_t node, uint32_t key) {
  const struct graph *g = r->g;
  if (!r->pending[graph_reader_list (g, key, r->current[key])])
    return NODE_NONE;
  struct graph_readers readers = graph_readers (g, key, r->current[key]);
  for (uint32_t read; graph_next_reader (g, &readers, &read);)
    if (graph_reader (g, read) != node && !r->done[graph_reader (g, read)])
      return graph_reader (g, read);
  return NODE_NONE;
}

static uint32_t value_in_force (const struct run *r, uint32_t key) {
  return r->current[key] == SOURCE_INITIAL ? r->s->init_fixed[key] : r->g->ir->install_value[r->current[key]];
}

// A candidate of an open read that has not run yet and could still bring the value.
static uint32_t awaited_source (const struct run *r, uint32_t read) {
  const struct open_read *open = &r->s->open.data[r->open_of[read]];
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = r->s->candidates.data[open->first + i];
    if (source != SOURCE_INITIAL && r->g->active[r->g->ir->install_node[source]]
        && !r->done[r->g->ir->install_node[source]])
      return r->g->ir->install_node[source];
  }
  return NODE_NONE;
}

// What `node` has to wait for: a predecessor, a source, a reader; NODE_NONE if nothing. Sets
// `stuck` when waiting cannot help.
static uint32_t obstacle (struct run *r, uint32_t point) {
  struct graph *g = r->g;
  const struct ir *ir = g->ir;
  const uint32_t count = graph_preds (g, point);
  for (uint32_t i = 0; i < count; i++)
    if (!r->done[g->preds.data[i]])
      return g->preds.data[i];
  if (graph_is_slot (g, point))
    return NODE_NONE;
  for (uint32_t read = ir->node_first_read[point]; read < ir->node_first_read[point + 1]; read++) {
    const uint32_t key = ir->read_key[read];
    if (g->read_writer[read] != NODE_NONE || value_in_force (r, key) == ir->read_value[read])
      continue;
    if (r->current[key] == SOURCE_INITIAL && r->s->init_fixed[key] == INITIAL_OPEN)
      continue;
    const uint32_t source = awaited_source (r, read);
    r->stuck |= source == NODE_NONE;
    return source;
  }
  for (uint32_t i = g->ir->node_first_install[point]; i < g->ir->node_first_install[point + 1]; i++) {
    const uint32_t reader = waiting_reader (r, point, graph_key (g, g->ir->node_installs[i]));
    if (reader != NODE_NONE)
      return reader;
  }
  return NODE_NONE;
}

static void run_node (struct run *r, uint32_t node) {
  struct graph *g = r->g;
  const struct ir *ir = g->ir;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
    const uint32_t key = ir->read_key[read];
    if (g->read_writer[read] != NODE_NONE) {
      r->stuck |= ir_writer_of (ir, r->current[key]) != g->read_writer[read];
      r->pending[graph_reader_list (g, key, r->current[key])]--;
    } else if (r->current[key] == SOURCE_INITIAL && r->s->init_fixed[key] == INITIAL_OPEN)
      r->s->init_fixed[key] = ir->read_value[read];
  }
  for (uint32_t i = g->ir->node_first_install[node]; i < g->ir->node_first_install[node + 1]; i++)
    r->current[graph_key (g, g->ir->node_installs[i])] = g->ir->node_installs[i];
  VEC_PUSH (*r->order, node);
}

static void advance (struct run *r, uint32_t chain) {
  struct graph *g = r->g;
  const uint32_t point = r->cursor[chain];
  const uint32_t wait_for = obstacle (r, point);
  if (wait_for != NODE_NONE) {
    r->wait_next[chain] = r->wait_head[wait_for];
    r->wait_head[wait_for] = chain;
    return;
  }
  r->done[point] = 1;
  if (!graph_is_slot (g, point) && point)
    run_node (r, point);
  for (uint32_t c = r->wait_head[point]; c != UINT32_MAX;) {
    const uint32_t next = r->wait_next[c];
    HEAP_PUSH (r->ready, c, comes_first, r);
    c = next;
  }
  if (++r->cursor[chain] < g->chain_first_point[chain + 1] && (graph_is_slot (g, point) || g->active[r->cursor[chain]]))
    HEAP_PUSH (r->ready, chain, comes_first, r);
}

bool guess_order (struct saturation *s, const uint32_t *rank, node_vec *order) {
  struct graph *g = s->graph;
  if (g->shift || g->ir->deletes) // a run would have to know which deletes write
    return false;
  struct run r = { .s = s, .g = g, .rank = rank, .order = order };
  // Running under `init any` settles initial values as it goes; the search must not see these.
  uint32_t *init_found = s->init_fixed;
  s->init_fixed = MEM_COPY (init_found, g->ir->keys);
  r.cursor = MEM_ARRAY (uint32_t, g->chains);
  r.wait_head = mem_nones (g->points);
  r.wait_next = MEM_ARRAY (uint32_t, g->chains);
  r.done = MEM_ZARRAY (uint8_t, g->points);
  r.current = mem_nones (g->ir->keys); // SOURCE_INITIAL
  count_pending (&r);
  r.open_of = s->open.count ? saturation_open_of (s) : NULL;
  order->count = 0;
  for (uint32_t c = 0; c < g->chains; c++) {
    r.cursor[c] = g->chain_first_point[c];
    if (graph_is_slot (g, r.cursor[c]) || g->active[r.cursor[c]])
      HEAP_PUSH (r.ready, c, comes_first, &r);
  }
  while (r.ready.count && !r.stuck && !budget_spent (s->budget)) {
    const uint32_t chain = r.ready.data[0];
    HEAP_POP (r.ready, comes_first, &r);
    advance (&r, chain);
  }
  uint32_t nodes = 0;
  for (uint32_t node = 1; node < g->ir->nodes; node++)
    nodes += g->active[node];
  const bool complete = !r.stuck && order->count == nodes;
  MEM_FREE_ALL (s->init_fixed, r.cursor, r.wait_head, r.wait_next, r.done, r.current, r.pending, r.open_of,
                r.ready.data);
  s->init_fixed = init_found;
  return complete;
}
