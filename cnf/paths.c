// The known graph of a problem: its local points, their order, and edges between them whose paths
// are the known paths.

#include "cnf/encoder.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>

enum { MOST_CHAINS = 256 }; // more, and paths by clocks cost more than the graph's own edges

// ------------------------------------------------------------------------------------- known paths

static uint32_t local_of (const struct problem *problem, uint32_t point) {
  return lower_bound_u32 (problem->point, 0, problem->points, point);
}

static void number_points (struct problem *problem) {
  problem->point = MEM_ARRAY (uint32_t, 2 * problem->edges.count);
  for (size_t i = 0; i < problem->edges.count; i++) {
    problem->point[2 * i] = problem->edges.data[i].from;
    problem->point[2 * i + 1] = problem->edges.data[i].to;
  }
  problem->points = (uint32_t) sort_distinct_u32 (problem->point, 2 * problem->edges.count);
  MEM_RESIZE (problem->point, problem->points);
  for (size_t i = 0; i < problem->edges.count; i++) {
    problem->edges.data[i].from = local_of (problem, problem->edges.data[i].from);
    problem->edges.data[i].to = local_of (problem, problem->edges.data[i].to);
  }
}

static void all_points (struct problem *problem, uint32_t points) {
  problem->points = points;
  problem->point = MEM_ARRAY (uint32_t, points);
  for (uint32_t v = 0; v < points; v++)
    problem->point[v] = v;
}

struct pred {
  uint32_t position, local;
};

static int latest_first (const void *a, const void *b) {
  const struct pred *x = a, *y = b;
  return COMPARE (y->position, x->position);
}

// For each local point, per chain the last local point before it; latest first, what a later one
// already implies is dropped.
struct path_builder {
  const struct graph *g;
  struct problem *problem;
  uint32_t *chain_first; // local points of a chain; one more entry at the end
  uint32_t *cursor;      // per chain: local points known to come before the current one
  int32_t *covered;      // row of what is implied
  struct pred *preds;
  VEC (uint32_t) from;  // edges, grouped by target
  VEC (uint8_t) hidden; // the same, where some edges are
  uint32_t *first;      // per local point, into `from`
};

static void paths_into (struct path_builder *b, uint32_t local) {
  const struct graph *g = b->g;
  const uint32_t point = b->problem->point[local];
  b->first[local] = (uint32_t) b->from.count;
  if (!graph_is_slot (g, point) && !g->active[graph_node (g, point)])
    return;
  const struct row *row = graph_before (g, point);
  uint32_t count = 0;
  for (uint32_t c = 0; c < g->chains; c++) {
    while (b->cursor[c] < b->chain_first[c + 1] && (int32_t) b->problem->point[b->cursor[c]] <= row_last (g, row, c))
      b->cursor[c]++;
    if (b->cursor[c] > b->chain_first[c]) {
      const uint32_t from = b->cursor[c] - 1;
      b->preds[count++] = (struct pred){ g->position[b->problem->point[from]], from };
    }
  }
  SORT (b->preds, count, latest_first);
  memset (b->covered, 0xff, g->chains * sizeof *b->covered);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = b->problem->point[b->preds[i].local];
    if (b->covered[graph_chain (g, from)] >= (int32_t) from)
      continue;
    VEC_PUSH (b->from, b->preds[i].local);
    const struct row *other = graph_before (g, from);
    for (uint32_t c = 0; c < g->chains; c++) {
      const int32_t last = row_last (g, other, c);
      b->covered[c] = last > b->covered[c] ? last : b->covered[c];
    }
  }
}

static void transpose (struct path_builder *b) {
  struct problem *problem = b->problem;
  uint32_t *first = problem->known_first = groups_new (problem->points);
  problem->known_to = MEM_ARRAY (uint32_t, b->from.count);
  if (b->hidden.count)
    problem->known_hidden = MEM_ARRAY (uint8_t, b->from.count);
  for (size_t i = 0; i < b->from.count; i++)
    group_count (first, b->from.data[i]);
  groups_sum (first, problem->points);
  for (uint32_t v = 0; v < problem->points; v++)
    for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++) {
      const uint32_t at = group_next (first, b->from.data[i]);
      problem->known_to[at] = v;
      if (problem->known_hidden)
        problem->known_hidden[at] = b->hidden.data[i];
    }
}

static void add_known (struct path_builder *b, uint32_t from, bool hidden) {
  VEC_PUSH (b->from, from);
  if (b->g->ir->rules.ww_hidden)
    VEC_PUSH (b->hidden, hidden);
}

static void edges_into (struct path_builder *b, struct graph *g, uint32_t v) {
  if (g->position[v] == POINT_NONE)
    return;
  const uint32_t count = graph_preds_in_view (g, v, UINT32_MAX);
  for (uint32_t i = 0; i < count; i++)
    add_known (b, g->preds.data[i], false);
  for (uint32_t i = g->extra_head[v]; i != UINT32_MAX; i = g->extra.data[i].next)
    if (graph_is_hidden (g, g->extra.data[i].rule))
      add_known (b, g->extra.data[i].from, true);
}

static int by_target (const void *a, const void *b) {
  const struct ir_edge *x = a, *y = b;
  return x->to != y->to ? COMPARE (x->to, y->to) : COMPARE (x->from, y->from);
}

// Where rows are not clocks, chains are many, some edges are hidden or events are points: the edges
// of the graph themselves. Every point is local then.
static void known_edges (struct encoder *e, struct graph *g) {
  struct problem *problem = e->problem;
  struct path_builder b = { .g = g, .problem = problem };
  ir_edge_vec arrivals = VEC_EMPTY;
  if (e->rules->events)
    encoder_known_arrivals (e, &arrivals);
  VEC_SORT (arrivals, by_target);
  b.first = MEM_ARRAY (uint32_t, (size_t) problem->points + 1);
  size_t arrived = 0;
  for (uint32_t v = 0; v < problem->points; v++) {
    b.first[v] = (uint32_t) b.from.count;
    if (v < g->points)
      edges_into (&b, g, v);
    for (; arrived < arrivals.count && arrivals.data[arrived].to == v; arrived++)
      add_known (&b, arrivals.data[arrived].from, false);
  }
  b.first[problem->points] = (uint32_t) b.from.count;
  transpose (&b);
  MEM_FREE_ALL (arrivals.data, b.from.data, b.hidden.data, b.first);
}

static void known_paths (struct problem *problem, const struct graph *g) {
  struct path_builder b = { .g = g, .problem = problem };
  b.chain_first = MEM_ARRAY (uint32_t, (size_t) g->chains + 1);
  b.cursor = MEM_ARRAY (uint32_t, g->chains);
  b.covered = MEM_ARRAY (int32_t, g->chains);
  b.preds = MEM_ARRAY (struct pred, g->chains);
  b.first = MEM_ARRAY (uint32_t, (size_t) problem->points + 1);
  for (uint32_t c = 0; c <= g->chains; c++)
    b.chain_first[c] = local_of (problem, g->chain_first_point[c]);
  for (uint32_t c = 0; c < g->chains; c++) {
    memcpy (b.cursor, b.chain_first, g->chains * sizeof *b.cursor); // rows grow along a chain
    for (uint32_t local = b.chain_first[c]; local < b.chain_first[c + 1]; local++)
      paths_into (&b, local);
  }
  b.first[problem->points] = (uint32_t) b.from.count;
  transpose (&b);
  MEM_FREE_ALL (b.from.data, b.chain_first, b.cursor, b.covered, b.preds, b.first);
}

struct placed {
  uint64_t place;
  uint32_t local;
};

static int by_place (const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  return x->place != y->place ? COMPARE (x->place, y->place) : COMPARE (x->local, y->local);
}

// Events come right before their transaction: whatever leads to them leads there too.
static uint64_t place_of (const struct encoder *e, uint32_t point, const uint32_t *rank) {
  const struct graph *g = e->g;
  const bool is_event = point >= g->points;
  const uint32_t at = is_event ? graph_reader (g, point - g->points) : point;
  const bool out = !graph_is_slot (g, at) && !g->active[graph_node (g, at)];
  const uint64_t place = out ? (uint64_t) g->ordered + at : rank ? rank[at] : g->position[at];
  return 2 * place + !is_event;
}

static void order_points (struct encoder *e, const uint32_t *rank) {
  struct problem *problem = e->problem;
  struct placed *sorted = MEM_ARRAY (struct placed, problem->points);
  for (uint32_t v = 0; v < problem->points; v++)
    sorted[v] = (struct placed){ place_of (e, problem->point[v], rank), v };
  SORT (sorted, problem->points, by_place);
  problem->local_position = MEM_ARRAY (uint32_t, problem->points);
  for (uint32_t i = 0; i < problem->points; i++)
    problem->local_position[sorted[i].local] = i;
  mem_free (sorted);
}

// Rows answer at once, but know nothing of events; and where they are partial, a path may be there
// all the same.
static enum path_answer path_by_rows (const struct problem *problem, uint32_t from, uint32_t to) {
  const struct graph *g = problem->path_context;
  const uint32_t u = problem->point[from], v = problem->point[to];
  if (u >= g->points || v >= g->points)
    return PATH_UNSURE;
  return graph_reaches (g, u, v) ? PATH_KNOWN : g->kind == ROWS_PARTIAL ? PATH_UNSURE : PATH_NONE;
}

void encoder_paths (struct encoder *e, struct graph *g, const uint32_t *rank) {
  e->problem->path = path_by_rows;
  e->problem->path_context = g;
  const bool by_clocks = g->kind == ROWS_CLOCKS && g->chains <= MOST_CHAINS;
  if (by_clocks && !e->rules->ww_hidden && !e->rules->events) {
    number_points (e->problem);
    order_points (e, rank);
    known_paths (e->problem, g);
    return;
  }
  all_points (e->problem, g->points + (e->rules->events ? e->ir->reads : 0));
  order_points (e, rank);
  known_edges (e, g);
}
