// Readers that need not have seen everything before them.
//
// The rule is the one for reads (p before r, which read from w, gives p before w), but at some
// levels not every path from p to r counts. Read atomicity and the axiomatic read committed ask for
// a single step: what this transaction, or an earlier read of it, read from, its session, what
// ended before it began. Monotonic view asks for paths that come in by the read or before: its
// transactions are walked through event by event with a row that grows.

#include "base/search.h"
#include "base/sort.h"
#include "saturate/saturate.h"

#include <string.h>

struct ended {   // sorted by slot and install
  uint32_t slot; // SLOT_NONE: nobody began after its end
  uint32_t install;
};

struct views {
  // Steps: the reads of the node at hand by key.
  uint32_t *key_node; // per key: the node that key_head speaks of, 0 for none
  uint32_t *key_head; // per key: its last read of that key
  uint32_t *next;     // per read: the one before
  uint32_t *seen;     // per node: the look that has dealt with this writer
  uint32_t stamp;
  // Real time: installs of each key by the end of their transactions, and per install how many of
  // them were dealt with as older ones.
  struct ended *ended;
  uint32_t *dealt_with;
  // Events.
  struct row *row;
  VEC (uint64_t) installs; // of the node at hand, by their last write
};

static struct views *views_of (struct saturation *s) {
  if (s->views)
    return s->views;
  const struct ir *ir = s->graph->ir;
  struct views *v = s->views = mem_zalloc (sizeof *v);
  v->row = mem_alloc (s->graph->rows->stride);
  if (s->graph->ir->rules.view == VIEW_PATHS)
    return v;
  v->key_node = MEM_ZARRAY (uint32_t, ir->keys);
  v->key_head = MEM_ARRAY (uint32_t, ir->keys);
  v->next = MEM_ARRAY (uint32_t, ir->reads);
  v->seen = MEM_ZARRAY (uint32_t, ir->nodes);
  return v;
}

void views_forget (struct saturation *s) {
  if (s->views && s->views->dealt_with)
    memset (s->views->dealt_with, 0, s->graph->ir->installs * sizeof *s->views->dealt_with);
}

void views_free (struct views *v) {
  if (!v)
    return;
  MEM_FREE_ALL (v->key_node, v->key_head, v->next, v->seen, v->ended, v->dealt_with, v->row, v->installs.data, v);
}

// The reader of `read` has a version by p in view.
static void in_view (struct saturation *s, uint32_t read, uint32_t p) {
  const uint32_t writer = s->graph->read_writer[read];
  if (writer == NODE_NONE || p == writer || p == graph_reader (s->graph, read))
    return;
  if (writer == 0)
    s->lost_read = read;
  else
    saturation_write_before (s, read, p, writer);
}

// ------------------------------------------------------------------------------------------- steps

// The order of events; reads that are one event do not see each other's sources as earlier.
static bool is_earlier (const struct graph *g, uint32_t a, uint32_t b) {
  return g->ir->rules.view == VIEW_STEPS || g->ir->read_op[a] < g->ir->read_op[b];
}

// Reads of the node that a version of `p` concerns, p having been read by `read`: along p's
// installs or along the reads, whichever is shorter.
static void view_of_source (struct saturation *s, uint32_t node, uint32_t read, uint32_t p) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  const struct views *v = s->views;
  const uint32_t installs = ir->node_first_install[p + 1] - ir->node_first_install[p];
  const uint32_t reads = ir->node_first_read[node + 1] - ir->node_first_read[node];
  if (installs <= 4 * reads) {
    for (uint32_t i = ir->node_first_install[p]; i < ir->node_first_install[p + 1]; i++) {
      const uint32_t key = graph_key (g, ir->node_installs[i]);
      if (!graph_installs (g, ir->node_installs[i]))
        continue;
      for (uint32_t r = v->key_node[key] == node ? v->key_head[key] : UINT32_MAX; r != UINT32_MAX; r = v->next[r])
        if (is_earlier (g, read, r))
          in_view (s, r, p);
    }
    return;
  }
  for (uint32_t r = ir->node_first_read[node]; r < ir->node_first_read[node + 1]; r++) {
    const uint32_t install = is_earlier (g, read, r) ? ir_install_of (ir, ir->read_key[r], p) : UINT32_MAX;
    if (install != UINT32_MAX && graph_installs (g, install))
      in_view (s, r, p);
  }
}

// The last installer of the key in the reader's session before it: earlier ones follow along the
// session.
static void view_of_session (struct saturation *s, uint32_t node, uint32_t read) {
  const struct ir *ir = s->graph->ir;
  const uint32_t previous = ir_session_before (ir, node), key = ir->read_key[read];
  if (previous == NODE_NONE)
    return;
  const uint32_t first = ir->key_first[key];
  // behind `previous`
  uint32_t low = upper_bound_u32 (ir->install_node, first, ir->key_first[key + 1], previous);
  while (low > first && !graph_installs (s->graph, low - 1))
    low--;
  if (low > first && ir->node_chain[ir->install_node[low - 1]] == ir->node_chain[previous])
    in_view (s, read, ir->install_node[low - 1]);
}

static void sort_by_end (struct saturation *s) {
  const struct ir *ir = s->graph->ir;
  struct views *v = s->views;
  v->ended = MEM_ARRAY (struct ended, ir->installs);
  v->dealt_with = MEM_ZARRAY (uint32_t, ir->installs);
  for (uint32_t i = 0; i < ir->installs; i++)
    v->ended[i] = (struct ended){ ir->time_after[ir->install_node[i]], i };
  for (uint32_t key = 0; key < ir->keys; key++)
    SORT (v->ended + ir->key_first[key], ir->key_first[key + 1] - ir->key_first[key], by_u32_pair);
}

// How many installs of the key ended before the node began.
static uint32_t ended_before (const struct saturation *s, uint32_t key, uint32_t node) {
  const struct ir *ir = s->graph->ir;
  if (ir->time_before[node] == SLOT_NONE)
    return 0;
  uint32_t low = ir->key_first[key];
  LOWER_BOUND (low, ir->key_first[key + 1], middle, s->views->ended[middle].slot <= ir->time_before[node]);
  return low - ir->key_first[key];
}

// Installers of the key that ended before the reader began. Those that ended before the one it read
// from began are older anyway.
static void view_of_times (struct saturation *s, uint32_t node, uint32_t read) {
  const struct ir *ir = s->graph->ir;
  struct views *v = s->views;
  const uint32_t key = ir->read_key[read], writer = s->graph->read_writer[read];
  if (writer == NODE_NONE)
    return;
  const uint32_t seen = ended_before (s, key, node);
  if (writer == 0) {
    for (uint32_t i = 0; i < seen; i++)
      if (graph_installs (s->graph, v->ended[ir->key_first[key] + i].install))
        s->lost_read = read;
    return;
  }
  const uint32_t install = ir_install_of (ir, key, writer);
  if (!v->dealt_with[install])
    v->dealt_with[install] = ended_before (s, key, writer);
  for (; v->dealt_with[install] < seen; v->dealt_with[install]++) {
    const uint32_t other = v->ended[ir->key_first[key] + v->dealt_with[install]].install;
    if (graph_installs (s->graph, other))
      in_view (s, read, ir->install_node[other]);
  }
}

void saturation_rule_steps (struct saturation *s, uint32_t node) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  struct views *v = views_of (s);
  const bool steps = g->ir->rules.view == VIEW_STEPS;
  const uint32_t first = ir->node_first_read[node], end = ir->node_first_read[node + 1];
  for (uint32_t read = first; read < end; read++) {
    const uint32_t key = ir->read_key[read];
    v->next[read] = v->key_node[key] == node ? v->key_head[key] : UINT32_MAX;
    v->key_node[key] = node;
    v->key_head[key] = read;
  }
  if (++v->stamp == 0) {
    memset (v->seen, 0, ir->nodes * sizeof *v->seen);
    v->stamp = 1;
  }
  for (uint32_t read = first; read < end; read++) {
    const uint32_t writer = g->read_writer[read];
    // the first read from it makes it visible
    if (writer - 1 < NODE_NONE - 1 && v->seen[writer] != v->stamp) {
      v->seen[writer] = v->stamp;
      view_of_source (s, node, read, writer);
    }
    if (steps)
      view_of_session (s, node, read);
    if (steps && g->ir->rules.rt.used) {
      if (!v->ended)
        sort_by_end (s);
      view_of_times (s, node, read);
    }
  }
  for (uint32_t read = first; read < end; read++) // the lists end with this look
    v->key_node[ir->read_key[read]] = 0;
}

// ------------------------------------------------------------------------------------------ events

// What comes in when a version is overwritten: per chain the last installer of the key that is
// known to come before.
static void overwrite (struct saturation *s, uint32_t node, uint32_t install) {
  const struct graph *g = s->graph;
  const uint32_t key = graph_key (g, install);
  const struct row *row = graph_before (g, node);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t last = last_of_segment (g, segment, row, 0);
    if (last != UINT32_MAX && g->ir->install_node[last] != node)
      graph_merge_row (g, s->views->row, g->ir->install_node[last]);
  }
}

static void look_at_event (struct saturation *s, uint32_t read) {
  const struct graph *g = s->graph;
  const uint32_t key = g->ir->read_key[read];
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t last = last_of_segment (g, segment, s->views->row, 0);
    if (last != UINT32_MAX)
      in_view (s, read, g->ir->install_node[last]);
  }
}

// What comes in before the first event: the session, real time, and edges from outside of the
// history.
static void start_row (struct saturation *s, uint32_t node) {
  struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  struct row *row = s->views->row;
  graph_empty_row (g, row, node);
  if (g->ir->chains_are_sessions && node > ir->chain_first[ir->node_chain[node]])
    graph_merge_row (g, row, node - 1);
  if (g->ir->time_before && g->ir->time_before[node] != SLOT_NONE)
    graph_merge_row (g, row, g->first_slot + g->ir->time_before[node]);
  for (uint32_t i = g->extra_head[node]; i != UINT32_MAX; i = g->extra.data[i].next)
    if (g->extra.data[i].rule == RULE_GIVEN || g->extra.data[i].rule == RULE_SESSION)
      graph_merge_row (g, row, g->extra.data[i].from);
}

void saturation_rule_events (struct saturation *s, uint32_t node) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  struct views *v = views_of (s);
  if (ir->node_first_read[node] == ir->node_first_read[node + 1])
    return;
  start_row (s, node);
  v->installs.count = 0;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t install = ir->node_installs[i];
    if (graph_installs (g, install))
      VEC_PUSH (v->installs, (uint64_t) ir->install_last_op[install] << 32 | install);
  }
  VEC_SORT (v->installs, by_u64);
  size_t written = 0;
  const uint32_t end = ir->node_first_read[node + 1];
  for (uint32_t read = ir->node_first_read[node]; read < end;) {
    const uint32_t first = read, op = ir->read_op[read];
    for (; written < v->installs.count && v->installs.data[written] >> 32 < op; written++)
      overwrite (s, node, (uint32_t) v->installs.data[written]);
    // the reads of one operation are one event
    for (; read < end && ir->read_op[read] == op; read++)
      if (g->read_writer[read] - 1 < NODE_NONE - 1)
        graph_merge_row (g, v->row, g->read_writer[read]);
    for (uint32_t r = first; r < read; r++)
      if (g->read_writer[r] != NODE_NONE)
        look_at_event (s, r);
  }
}
