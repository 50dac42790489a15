// From what saturation left open to variables, clauses and guarded edges (ALGORITHMS 3.3). At least one candidate per open read is enough: a second
// one that is true as well only adds edges, so a model with two serves for either.

#include "cnf/problem.h"

#include "history/history.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHAINS = 256 }; // more, and paths by clocks cost more than the graph's own edges

struct encoder {
  struct problem *problem;
  const struct saturation *s;
  const struct graph *g;
  const struct asg *asg;
  const struct level *level;
  const uint32_t *rank;
  int32_t *in_variable;       // per node, when there are unknown ones; else NULL
  uint32_t *source_head;      // per install: open candidates that name it; NULL if nothing is open
  VEC (uint32_t) source_next; // per source variable, by its order
  VEC (int32_t) source_variable;
};

static int32_t new_variable (struct encoder *e, enum variable_kind kind, uint32_t a, uint32_t b, bool phase) {
  VEC_PUSH (e->problem->variables, (struct variable){ kind, a, b });
  VEC_PUSH (e->problem->phases, (int8_t) (phase ? 1 : -1));
  return (int32_t) e->problem->variables.count - 1;
}

static void clause2 (struct encoder *e, int32_t a, int32_t b) {
  VEC_PUSH (e->problem->clauses, a);
  VEC_PUSH (e->problem->clauses, b);
  VEC_PUSH (e->problem->clauses, 0);
}

// The literal that says that a node is in; 0 if that is known.
static int32_t in_literal (const struct encoder *e, uint32_t node) {
  return e->g->active[node] ? 0 : e->in_variable[node];
}

static bool is_known_edge (const struct encoder *e, uint32_t from, uint32_t to) {
  const struct graph *g = e->g;
  const bool live = (graph_is_slot (g, from) || g->active[graph_node (g, from)])
                    && (graph_is_slot (g, to) || g->active[graph_node (g, to)]);
  return live && graph_reaches (g, from, to);
}

// An edge between points of the graph under up to three guards, zeros ignored.
static void edge (struct encoder *e, uint32_t from, uint32_t to, enum edge_kind kind, uint32_t key, int32_t a,
                  int32_t b, int32_t c) {
  if (is_known_edge (e, from, to))
    return;
  struct guarded_edge guarded = { .from = from, .to = to, .kind = kind, .key = key };
  unsigned count = 0;
  const int32_t guards[MOST_GUARDS] = { a, b, c };
  for (unsigned i = 0; i < MOST_GUARDS; i++)
    if (guards[i] && (i == 0 || guards[i] != a) && (i < 2 || guards[i] != b))
      guarded.guard[count++] = guards[i];
  if (from == to || is_known_edge (e, to, from)) { // would close a cycle at once
    for (unsigned i = 0; i < count; i++)
      VEC_PUSH (e->problem->clauses, -guarded.guard[i]);
    VEC_PUSH (e->problem->clauses, 0);
    return;
  }
  VEC_PUSH (e->problem->edges, guarded);
}

static void rw_edge (struct encoder *e, uint32_t reader, uint32_t p, uint32_t key, int32_t a, int32_t b) {
  if (reader != p && e->level->rw.used)
    edge (e, graph_point (e->g, reader, e->level->rw.from), graph_point (e->g, p, e->level->rw.to), EDGE_RW, key, a, b,
          in_literal (e, p));
}

// ------------------------------------------------------------------------------------------------------------------- sources

static bool earlier (const struct encoder *e, uint32_t a, uint32_t b) {
  return !e->rank || e->rank[a] < e->rank[b];
}

// Phase: the latest candidate that the guess puts before the reader.
static uint32_t likely_source (const struct encoder *e, const struct open_read *open) {
  const uint32_t reader = e->g->read_node[open->read];
  uint32_t best = UINT32_MAX, best_node = 0;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = e->s->candidates.data[open->first + i];
    const uint32_t node = source == SOURCE_INITIAL ? 0 : e->asg->install_node[source];
    if (!e->g->active[node] || !earlier (e, node, reader))
      continue;
    if (best == UINT32_MAX || earlier (e, best_node, node)) {
      best = i;
      best_node = node;
    }
  }
  return best;
}

// Every installer p that is known to follow the source under the guard: per chain the first is enough.
static void edges_to_followers (struct encoder *e, uint32_t reader, uint32_t key, uint32_t writer, int32_t guard) {
  const struct graph *g = e->g;
  const uint32_t point = graph_point (g, writer, e->level->ww.to);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    uint32_t first = g->segment_install[segment], end = g->segment_install[segment + 1];
    const uint32_t last = e->asg->install_node[end - 1];
    if (!g->active[last]) { // the unknown one at the end has pairs of its own, but not with T0
      if (writer == 0)
        rw_edge (e, reader, last, key, guard, 0);
      end--;
    }
    const uint32_t stop = end;
    while (first < end) {
      const uint32_t middle = first + (end - first) / 2;
      if (graph_reaches (g, point, graph_point (g, e->asg->install_node[middle], e->level->ww.from)))
        end = middle;
      else
        first = middle + 1;
    }
    if (first == stop)
      continue;
    rw_edge (e, reader, e->asg->install_node[first], key, guard, 0);
  }
}

static void source_edges (struct encoder *e, uint32_t read, uint32_t source, int32_t guard) {
  const uint32_t reader = e->g->read_node[read], key = e->asg->read_key[read];
  const uint32_t writer = source == SOURCE_INITIAL ? 0 : e->asg->install_node[source];
  if (writer)
    edge (e, graph_point (e->g, writer, e->level->wr.from), graph_point (e->g, reader, e->level->wr.to), EDGE_WR, key,
          guard, 0, 0);
  if (e->g->active[writer])
    edges_to_followers (e, reader, key, writer, guard);
}

static void encode_open_read (struct encoder *e, const struct open_read *open) {
  const uint32_t reader = e->g->read_node[open->read];
  const int32_t in_reader = in_literal (e, reader);
  const uint32_t likely = likely_source (e, open);
  const size_t first_variable = e->problem->variables.count;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = e->s->candidates.data[open->first + i];
    const int32_t variable = new_variable (e, VARIABLE_SOURCE, open->read, source, i == likely);
    if (source != SOURCE_INITIAL) {
      VEC_PUSH (e->source_next, e->source_head[source]);
      VEC_PUSH (e->source_variable, variable);
      e->source_head[source] = (uint32_t) e->source_next.count - 1;
      const int32_t in_writer = in_literal (e, e->asg->install_node[source]);
      if (in_writer)
        clause2 (e, -variable, in_writer);
    }
    if (in_reader)
      clause2 (e, -variable, in_reader);
    source_edges (e, open->read, source, variable);
  }
  for (size_t v = first_variable; v < e->problem->variables.count; v++)
    VEC_PUSH (e->problem->clauses, (int32_t) v);
  if (in_reader)
    VEC_PUSH (e->problem->clauses, -in_reader);
  VEC_PUSH (e->problem->clauses, 0);
}

// -------------------------------------------------------------------------------------------------------- unknown outcomes

// Whoever is known to have read a key from T0 comes before an unknown transaction that installs it.
static void initial_readers_before_unknown (struct encoder *e, uint32_t node) {
  const struct graph *g = e->g;
  for (uint32_t i = g->asg->node_first_install[node]; i < g->asg->node_first_install[node + 1]; i++) {
    const uint32_t key = g->install_key[g->asg->node_installs[i]];
    for (uint32_t k = g->initial_reader_first[key]; k < g->initial_reader_first[key + 1]; k++)
      rw_edge (e, g->read_node[g->initial_readers[k]], node, key, 0, 0);
    if (g->late_head)
      for (uint32_t k = g->late_head[g->asg->installs + key]; k != UINT32_MAX; k = g->late.data[k].next)
        rw_edge (e, g->late.data[k].node, node, key, 0, 0);
  }
}

static void encode_unknown (struct encoder *e, uint32_t node) {
  const struct graph *g = e->g;
  const int32_t in = e->in_variable[node];
  uint32_t previous = NODE_NONE;
  if (e->level->so.used) {
    if (e->asg->so_before && e->asg->so_before[node] != NODE_NONE)
      previous = e->asg->so_before[node];
    else if (node > e->asg->chain_first[e->asg->node_chain[node]])
      previous = node - 1;
  }
  if (previous != NODE_NONE)
    edge (e, graph_point (g, previous, e->level->so.from), graph_point (g, node, e->level->so.to), EDGE_SO, UINT32_MAX,
          in, 0, 0);
  if (g->ir->time_before && g->ir->time_before[node] != SLOT_NONE)
    edge (e, g->first_slot + g->ir->time_before[node], graph_point (g, node, e->level->rt.to), EDGE_RT, UINT32_MAX, in,
          0, 0);
  initial_readers_before_unknown (e, node);
  if (g->shift)
    edge (e, graph_point (g, node, 0), graph_point (g, node, 1), EDGE_SO, UINT32_MAX, in, 0, 0);
  for (uint32_t read = e->asg->node_first_read[node]; read < e->asg->node_first_read[node + 1]; read++) {
    const uint32_t source = e->asg->read_source[read];
    if (source_is_many (source))
      continue;
    if (source != SOURCE_INITIAL) {
      const int32_t in_writer = in_literal (e, e->asg->install_node[source]);
      if (in_writer)
        clause2 (e, -in, in_writer);
    }
    source_edges (e, read, source, in);
  }
}

// The reads of unknown transactions whose source is certain if they are in: as readers they matter for pairs.
static void index_unknown_readers (struct encoder *e, uint32_t node) {
  for (uint32_t read = e->asg->node_first_read[node]; read < e->asg->node_first_read[node + 1]; read++) {
    const uint32_t source = e->asg->read_source[read];
    if (source >= SOURCE_MANY)
      continue;
    VEC_PUSH (e->source_next, e->source_head[source]);
    VEC_PUSH (e->source_variable, e->in_variable[node]);
    e->source_head[source] = (uint32_t) e->source_next.count - 1;
  }
}

// ------------------------------------------------------------------------------------------------------------- initial values

struct initial_use {
  uint32_t key, value;
  int32_t literal;
};

static int by_key_and_value (const void *a, const void *b) {
  const struct initial_use *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->literal < y->literal ? -1 : x->literal > y->literal;
}

// At most one of the variables first .. last, through a ladder of helper variables.
static void at_most_one (struct encoder *e, int32_t first, int32_t last, uint32_t key) {
  int32_t below = 0; // true if one of those so far is
  for (int32_t v = first; v <= last; v++) {
    if (below)
      clause2 (e, -below, -v);
    if (v == last)
      break;
    const int32_t so_far = new_variable (e, VARIABLE_INITIAL, key, VALUE_UNRECORDED, false);
    clause2 (e, -v, so_far);
    if (below)
      clause2 (e, -below, so_far);
    below = so_far;
  }
}

// Under `init any`, everybody who reads a key from T0 reads the same.
static void encode_initial_values (struct encoder *e) {
  VEC (struct initial_use) uses = VEC_EMPTY;
  const struct problem *problem = e->problem;
  for (size_t v = 1; v < problem->variables.count; v++) {
    const struct variable *variable = &problem->variables.data[v];
    if (variable->kind == VARIABLE_SOURCE && variable->b == SOURCE_INITIAL)
      VEC_PUSH (uses,
                (struct initial_use){ e->asg->read_key[variable->a], e->asg->read_value[variable->a], (int32_t) v });
    if (variable->kind == VARIABLE_IN)
      for (uint32_t read = e->asg->node_first_read[variable->a]; read < e->asg->node_first_read[variable->a + 1];
           read++)
        if (e->asg->read_source[read] == SOURCE_INITIAL)
          VEC_PUSH (uses, (struct initial_use){ e->asg->read_key[read], e->asg->read_value[read], (int32_t) v });
  }
  if (uses.count)
    qsort (uses.data, uses.count, sizeof *uses.data, by_key_and_value);
  for (size_t i = 0; i < uses.count;) {
    const uint32_t key = uses.data[i].key, fixed = e->s->init_fixed[key];
    const int32_t first = (int32_t) e->problem->variables.count;
    size_t end = i;
    while (end < uses.count && uses.data[end].key == key)
      end++;
    for (size_t k = i; fixed == VALUE_UNRECORDED && k < end; k++)
      if (k == i || uses.data[k].value != uses.data[k - 1].value)
        new_variable (e, VARIABLE_INITIAL, key, uses.data[k].value, false);
    const int32_t last = (int32_t) e->problem->variables.count - 1;
    int32_t value_variable = first - 1;
    for (; i < end; i++) {
      if (fixed != VALUE_UNRECORDED) {
        if (uses.data[i].value != fixed) {
          VEC_PUSH (e->problem->clauses, -uses.data[i].literal);
          VEC_PUSH (e->problem->clauses, 0);
        }
        continue;
      }
      while (e->problem->variables.data[value_variable < first ? first : value_variable].b != uses.data[i].value
             || value_variable < first)
        value_variable++;
      clause2 (e, -uses.data[i].literal, value_variable);
    }
    if (fixed == VALUE_UNRECORDED && last > first)
      at_most_one (e, first, last, key);
  }
  VEC_FREE (uses);
}

// --------------------------------------------------------------------------------------------------------------------- pairs

// If `order` holds, everybody who read the version comes before p.
static void readers_edges (struct encoder *e, uint32_t install, uint32_t p, int32_t order) {
  const struct graph *g = e->g;
  const uint32_t key = g->install_key[install];
  for (uint32_t i = g->reader_first[install]; i < g->reader_first[install + 1]; i++)
    rw_edge (e, g->read_node[g->readers[i]], p, key, order, 0);
  if (g->late_head)
    for (uint32_t i = g->late_head[install]; i != UINT32_MAX; i = g->late.data[i].next)
      rw_edge (e, g->late.data[i].node, p, key, order, 0);
  if (!e->source_head)
    return;
  for (uint32_t i = e->source_head[install]; i != UINT32_MAX; i = e->source_next.data[i]) {
    const int32_t variable = e->source_variable.data[i];
    const struct variable *of = &e->problem->variables.data[variable];
    rw_edge (e, of->kind == VARIABLE_IN ? of->a : g->read_node[of->a], p, key, order, variable);
  }
}

static size_t encode_pair (struct encoder *e, const open_pair_vec *pairs, size_t at) {
  const uint32_t p = pairs->data[at].first, q = pairs->data[at].second;
  const int32_t order = new_variable (e, VARIABLE_PAIR, p, q, earlier (e, p, q));
  const uint32_t key = e->g->install_key[pairs->data[at].first_install];
  edge (e, graph_point (e->g, p, e->level->ww.from), graph_point (e->g, q, e->level->ww.to), EDGE_WW, key, order,
        in_literal (e, p), in_literal (e, q));
  edge (e, graph_point (e->g, q, e->level->ww.from), graph_point (e->g, p, e->level->ww.to), EDGE_WW, key, -order,
        in_literal (e, p), in_literal (e, q));
  for (; at < pairs->count && pairs->data[at].first == p && pairs->data[at].second == q; at++) {
    readers_edges (e, pairs->data[at].first_install, q, order);
    readers_edges (e, pairs->data[at].second_install, p, -order);
  }
  return at;
}

// -------------------------------------------------------------------------------------------------------------- known paths

static int by_number (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

static uint32_t local_of (const struct problem *problem, uint32_t point) {
  uint32_t low = 0, high = problem->points;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (problem->point[middle] < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void number_points (struct problem *problem) {
  problem->point = MEM_ARRAY (uint32_t, 2 * problem->edges.count);
  for (size_t i = 0; i < problem->edges.count; i++) {
    problem->point[2 * i] = problem->edges.data[i].from;
    problem->point[2 * i + 1] = problem->edges.data[i].to;
  }
  if (problem->edges.count)
    qsort (problem->point, 2 * problem->edges.count, sizeof *problem->point, by_number);
  for (size_t i = 0; i < 2 * problem->edges.count; i++)
    if (!i || problem->point[i] != problem->point[problem->points - 1])
      problem->point[problem->points++] = problem->point[i];
  MEM_RESIZE (problem->point, problem->points);
  for (size_t i = 0; i < problem->edges.count; i++) {
    problem->edges.data[i].from = local_of (problem, problem->edges.data[i].from);
    problem->edges.data[i].to = local_of (problem, problem->edges.data[i].to);
  }
}

static void all_points (struct problem *problem, const struct graph *g) {
  problem->points = g->points;
  problem->point = MEM_ARRAY (uint32_t, g->points);
  for (uint32_t v = 0; v < g->points; v++)
    problem->point[v] = v;
}

struct pred {
  uint32_t position, local;
};

static int latest_first (const void *a, const void *b) {
  const struct pred *x = a, *y = b;
  return (x->position < y->position) - (x->position > y->position);
}

// For each local point, per chain the last local point before it; latest first, what a later one already implies is dropped.
struct path_builder {
  const struct graph *g;
  struct problem *problem;
  uint32_t *chain_first; // local points of a chain; one more entry at the end
  uint32_t *cursor;      // per chain: local points known to come before the current one
  int32_t *covered;      // row of what is implied
  struct pred *preds;
  VEC (uint32_t) from; // edges, grouped by target
  uint32_t *first;     // per local point, into `from`
};

static void paths_into (struct path_builder *b, uint32_t local) {
  const struct graph *g = b->g;
  const uint32_t point = b->problem->point[local];
  b->first[local] = (uint32_t) b->from.count;
  if (!graph_is_slot (g, point) && !g->active[graph_node (g, point)])
    return;
  const int32_t *row = graph_before (g, point);
  uint32_t count = 0;
  for (uint32_t c = 0; c < g->chains; c++) {
    while (b->cursor[c] < b->chain_first[c + 1] && (int32_t) b->problem->point[b->cursor[c]] <= row[c])
      b->cursor[c]++;
    if (b->cursor[c] > b->chain_first[c]) {
      const uint32_t from = b->cursor[c] - 1;
      b->preds[count++] = (struct pred){ g->position[b->problem->point[from]], from };
    }
  }
  qsort (b->preds, count, sizeof *b->preds, latest_first);
  memset (b->covered, 0xff, g->stride * sizeof *b->covered);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = b->problem->point[b->preds[i].local];
    if (b->covered[graph_chain (g, from)] >= (int32_t) from)
      continue;
    VEC_PUSH (b->from, b->preds[i].local);
    const int32_t *other = graph_before (g, from);
    for (uint32_t c = 0; c < g->stride; c++)
      b->covered[c] = other[c] > b->covered[c] ? other[c] : b->covered[c];
  }
}

static void transpose (struct path_builder *b) {
  struct problem *problem = b->problem;
  problem->known_first = MEM_ZARRAY (uint32_t, (size_t) problem->points + 2);
  problem->known_to = MEM_ARRAY (uint32_t, b->from.count);
  uint32_t *next = problem->known_first + 1;
  for (size_t i = 0; i < b->from.count; i++)
    next[b->from.data[i] + 1]++;
  for (uint32_t v = 0; v < problem->points; v++)
    next[v + 1] += next[v];
  for (uint32_t v = 0; v < problem->points; v++)
    for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
      problem->known_to[next[b->from.data[i]]++] = v;
}

// With rows that are not clocks, or with many chains, the edges of the graph themselves: every point is local then.
static void known_edges (struct problem *problem, struct graph *g) {
  struct path_builder b = { .g = g, .problem = problem };
  b.first = MEM_ARRAY (uint32_t, (size_t) problem->points + 1);
  for (uint32_t v = 0; v < problem->points; v++) {
    b.first[v] = (uint32_t) b.from.count;
    const uint32_t count = g->position[v] == POINT_NONE ? 0 : graph_preds (g, v);
    for (uint32_t i = 0; i < count; i++)
      VEC_PUSH (b.from, g->preds.data[i]);
  }
  b.first[problem->points] = (uint32_t) b.from.count;
  transpose (&b);
  VEC_FREE (b.from);
  mem_free (b.first);
}

static void known_paths (struct problem *problem, const struct graph *g) {
  struct path_builder b = { .g = g, .problem = problem };
  b.chain_first = MEM_ARRAY (uint32_t, (size_t) g->chains + 1);
  b.cursor = MEM_ARRAY (uint32_t, g->chains);
  b.covered = MEM_ARRAY (int32_t, g->stride);
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
  VEC_FREE (b.from);
  mem_free (b.chain_first);
  mem_free (b.cursor);
  mem_free (b.covered);
  mem_free (b.preds);
  mem_free (b.first);
}

// ------------------------------------------------------------------------------------------------------------------- public

static void order_points (struct problem *problem, const struct graph *g, const uint32_t *rank) {
  struct pred *sorted = MEM_ARRAY (struct pred, problem->points);
  for (uint32_t v = 0; v < problem->points; v++) {
    const uint32_t point = problem->point[v];
    const bool out = !graph_is_slot (g, point) && !g->active[graph_node (g, point)];
    const uint32_t place = out ? g->ordered + point : rank ? rank[point] : g->position[point];
    sorted[v] = (struct pred){ UINT32_MAX - place, v };
  }
  qsort (sorted, problem->points, sizeof *sorted, latest_first);
  problem->local_position = MEM_ARRAY (uint32_t, problem->points);
  for (uint32_t i = 0; i < problem->points; i++)
    problem->local_position[sorted[i].local] = i;
  mem_free (sorted);
}

struct problem *problem_encode (struct saturation *s, const open_pair_vec *pairs, const uint32_t *rank,
                                struct budget *budget) {
  const struct graph *g = s->graph;
  struct problem *problem = mem_zalloc (sizeof *problem);
  struct encoder e = { .problem = problem, .s = s, .g = g, .asg = g->asg, .level = g->ir->level };
  uint32_t *node_rank = NULL;
  if (rank) { // of a transaction: that of its last point
    node_rank = MEM_ARRAY (uint32_t, g->asg->nodes);
    for (uint32_t node = 0; node < g->asg->nodes; node++)
      node_rank[node] = rank[graph_point (g, node, (1u << g->shift) - 1)];
    e.rank = node_rank;
  }
  VEC_PUSH (problem->variables, (struct variable){ 0 });
  VEC_PUSH (problem->phases, 0);
  if (s->open.count || g->asg->optionals) {
    e.source_head = MEM_ARRAY (uint32_t, g->asg->installs);
    memset (e.source_head, 0xff, g->asg->installs * sizeof *e.source_head);
  }
  if (g->asg->optionals) {
    e.in_variable = MEM_ZARRAY (int32_t, g->asg->nodes);
    for (uint32_t node = 1; node < g->asg->nodes; node++)
      if (!g->active[node]) {
        e.in_variable[node] = new_variable (&e, VARIABLE_IN, node, 0, false);
        index_unknown_readers (&e, node);
      }
    for (uint32_t node = 1; node < g->asg->nodes; node++)
      if (!g->active[node])
        encode_unknown (&e, node);
  }
  for (size_t i = 0; i < s->open.count && !budget_spent (budget); i++)
    encode_open_read (&e, &s->open.data[i]);
  for (size_t at = 0; at < pairs->count && !budget_spent (budget);)
    at = encode_pair (&e, pairs, at);
  encode_initial_values (&e);
  if (g->kind == ROWS_CLOCKS && g->chains <= MOST_CHAINS) {
    number_points (problem);
    order_points (problem, g, rank);
    known_paths (problem, g);
  } else {
    all_points (problem, g);
    order_points (problem, g, rank);
    known_edges (problem, s->graph);
  }
  VEC_FREE (e.source_next);
  VEC_FREE (e.source_variable);
  mem_free (e.source_head);
  mem_free (e.in_variable);
  mem_free (node_rank);
  if (budget_check (budget) != BUDGET_LEFT) {
    problem_free (problem);
    return NULL;
  }
  return problem;
}

void problem_free (struct problem *problem) {
  if (!problem)
    return;
  VEC_FREE (problem->variables);
  VEC_FREE (problem->phases);
  VEC_FREE (problem->edges);
  VEC_FREE (problem->clauses);
  mem_free (problem->point);
  mem_free (problem->local_position);
  mem_free (problem->known_first);
  mem_free (problem->known_to);
  mem_free (problem);
}
