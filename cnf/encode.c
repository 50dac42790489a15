// From what saturation left open to variables, clauses and guarded edges (ALGORITHMS 3.3). At least one candidate per open read is enough: a second
// one that is true as well only adds edges, so a model with two serves for either.

#include "cnf/encoder.h"

#include "history/history.h"

#include <stdlib.h>
#include <string.h>

int32_t encoder_variable (struct encoder *e, enum variable_kind kind, uint32_t a, uint32_t b, bool phase) {
  VEC_PUSH (e->problem->variables, (struct variable){ kind, a, b });
  VEC_PUSH (e->problem->phases, (int8_t) (phase ? 1 : -1));
  return (int32_t) e->problem->variables.count - 1;
}

void encoder_clause2 (struct encoder *e, int32_t a, int32_t b) {
  VEC_PUSH (e->problem->clauses, a);
  VEC_PUSH (e->problem->clauses, b);
  VEC_PUSH (e->problem->clauses, 0);
}

// The literal that says that a node is in; 0 if that is known.
int32_t encoder_in_literal (const struct encoder *e, uint32_t node) {
  return e->g->active[node] ? 0 : e->in_variable[node];
}

bool encoder_is_known_edge (const struct encoder *e, uint32_t from, uint32_t to) {
  const struct graph *g = e->g;
  if (from >= g->points || to >= g->points) // events are in no row
    return false;
  const bool live = (graph_is_slot (g, from) || g->active[graph_node (g, from)])
                    && (graph_is_slot (g, to) || g->active[graph_node (g, to)]);
  return live && graph_reaches (g, from, to);
}

// An edge between points of the graph under up to three guards, zeros ignored. One that forbids a path back is not needed where a path leads forward: both
// would be a cycle.
void encoder_edge_with_role (struct encoder *e, uint32_t from, uint32_t to, enum edge_kind kind, enum edge_role role,
                             uint32_t key, int32_t a, int32_t b, int32_t c) {
  if (encoder_is_known_edge (e, from, to))
    return;
  struct guarded_edge guarded = { .from = from, .to = to, .kind = kind, .role = role, .key = key };
  unsigned count = 0;
  const int32_t guards[MOST_GUARDS] = { a, b, c };
  for (unsigned i = 0; i < MOST_GUARDS; i++)
    if (guards[i] && (i == 0 || guards[i] != a) && (i < 2 || guards[i] != b))
      guarded.guard[count++] = guards[i];
  if (from == to || encoder_is_known_edge (e, to, from)) { // would close a cycle at once
    for (unsigned i = 0; i < count; i++)
      VEC_PUSH (e->problem->clauses, -guarded.guard[i]);
    VEC_PUSH (e->problem->clauses, 0);
    return;
  }
  VEC_PUSH (e->problem->edges, guarded);
}

void encoder_edge (struct encoder *e, uint32_t from, uint32_t to, enum edge_kind kind, uint32_t key, int32_t a,
                   int32_t b, int32_t c) {
  encoder_edge_with_role (e, from, to, kind, ROLE_PATH, key, a, b, c);
}

// A literal that always holds, for what is known about a transaction's reads.
static int32_t true_literal (struct encoder *e, uint32_t node) {
  if (!e->true_variable)
    e->true_variable = MEM_ZARRAY (int32_t, e->asg->nodes);
  if (!e->true_variable[node]) {
    e->true_variable[node] = encoder_variable (e, VARIABLE_TRUE, node, 0, true);
    VEC_PUSH (e->problem->clauses, e->true_variable[node]);
    VEC_PUSH (e->problem->clauses, 0);
  }
  return e->true_variable[node];
}

// The read's version was overwritten by p.
static void rw_edge (struct encoder *e, uint32_t read, uint32_t p, int32_t a, int32_t b) {
  const uint32_t reader = e->g->read_node[read], key = e->asg->read_key[read];
  const enum anti anti = graph_anti (e->g, read);
  if (reader == p || anti == ANTI_NONE || !e->level->rw.used || e->level->view != VIEW_PATHS)
    return;
  uint32_t from = graph_point (e->g, reader, e->level->rw.from);
  const uint32_t to = graph_point (e->g, p, e->level->rw.to);
  if (anti == ANTI_EDGE) {
    encoder_edge (e, from, to, EDGE_RW, key, a, b, encoder_in_literal (e, p));
    return;
  }
  if (encoder_is_known_edge (e, from, to))
    return;
  if (e->level->events)
    from = encoder_event_of (e, read);
  if (!a && !b && !encoder_in_literal (e, p))
    a = true_literal (e, reader);
  encoder_edge_with_role (e, from, to, EDGE_RW, ROLE_ONCE, key, a, b, encoder_in_literal (e, p));
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
static void edges_to_followers (struct encoder *e, uint32_t read, uint32_t writer, int32_t guard) {
  const struct graph *g = e->g;
  const uint32_t key = e->asg->read_key[read], point = graph_point (g, writer, e->level->ww.to);
  if (graph_anti (g, read) == ANTI_NONE)
    return;
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    uint32_t first = g->segment_install[segment], end = g->segment_install[segment + 1];
    const uint32_t last = e->asg->install_node[end - 1];
    if (!g->active[last]) { // the unknown one at the end has pairs of its own, but not with T0
      if (writer == 0)
        rw_edge (e, read, last, guard, 0);
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
    first += first < stop && e->asg->install_node[first] == writer; // its begin precedes its own commit
    if (first < stop)
      rw_edge (e, read, e->asg->install_node[first], guard, 0);
  }
}

static void source_edges (struct encoder *e, uint32_t read, uint32_t source, int32_t guard) {
  const uint32_t reader = e->g->read_node[read], key = e->asg->read_key[read];
  const uint32_t writer = source == SOURCE_INITIAL ? 0 : e->asg->install_node[source];
  if (writer) {
    const uint32_t from = graph_point (e->g, writer, e->level->wr.from);
    encoder_edge (e, from, graph_point (e->g, reader, e->level->wr.to), EDGE_WR, key, guard, 0, 0);
    if (e->level->events)
      encoder_edge (e, from, encoder_event_from (e, reader, e->asg->read_op[read]), EDGE_WR, key, guard, 0, 0);
  }
  if (e->g->active[writer])
    edges_to_followers (e, read, writer, guard);
}

static void encode_open_read (struct encoder *e, const struct open_read *open) {
  const uint32_t reader = e->g->read_node[open->read];
  const int32_t in_reader = encoder_in_literal (e, reader);
  const uint32_t likely = likely_source (e, open);
  const size_t first_variable = e->problem->variables.count;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = e->s->candidates.data[open->first + i];
    const int32_t variable = encoder_variable (e, VARIABLE_SOURCE, open->read, source, i == likely);
    if (source != SOURCE_INITIAL) {
      VEC_PUSH (e->source_next, e->source_head[source]);
      VEC_PUSH (e->source_read, open->read);
      VEC_PUSH (e->source_variable, variable);
      e->source_head[source] = (uint32_t) e->source_next.count - 1;
      const int32_t in_writer = encoder_in_literal (e, e->asg->install_node[source]);
      if (in_writer)
        encoder_clause2 (e, -variable, in_writer);
    }
    if (in_reader)
      encoder_clause2 (e, -variable, in_reader);
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
      rw_edge (e, g->initial_readers[k], node, 0, 0);
    if (g->late_head)
      for (uint32_t k = g->late_head[g->asg->installs + key]; k != UINT32_MAX; k = g->late.data[k].next)
        rw_edge (e, g->late.data[k].read, node, 0, 0);
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
  if (previous != NODE_NONE) {
    const uint32_t from = graph_point (g, previous, e->level->so.from);
    encoder_edge (e, from, graph_point (g, node, e->level->so.to), EDGE_SO, UINT32_MAX, in, 0, 0);
    encoder_unknown_arrival (e, from, node, EDGE_SO, in);
  }
  if (g->ir->time_before && g->ir->time_before[node] != SLOT_NONE) {
    const uint32_t from = g->first_slot + g->ir->time_before[node];
    encoder_edge (e, from, graph_point (g, node, e->level->rt.to), EDGE_RT, UINT32_MAX, in, 0, 0);
    encoder_unknown_arrival (e, from, node, EDGE_RT, in);
  }
  initial_readers_before_unknown (e, node);
  if (g->shift)
    encoder_edge (e, graph_point (g, node, 0), graph_point (g, node, 1), EDGE_SO, UINT32_MAX, in, 0, 0);
  for (uint32_t read = e->asg->node_first_read[node]; read < e->asg->node_first_read[node + 1]; read++) {
    const uint32_t source = e->asg->read_source[read];
    if (source_is_many (source))
      continue;
    if (source != SOURCE_INITIAL) {
      const int32_t in_writer = encoder_in_literal (e, e->asg->install_node[source]);
      if (in_writer)
        encoder_clause2 (e, -in, in_writer);
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
    VEC_PUSH (e->source_read, read);
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
      encoder_clause2 (e, -below, -v);
    if (v == last)
      break;
    const int32_t so_far = encoder_variable (e, VARIABLE_INITIAL, key, VALUE_UNRECORDED, false);
    encoder_clause2 (e, -v, so_far);
    if (below)
      encoder_clause2 (e, -below, so_far);
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
        encoder_variable (e, VARIABLE_INITIAL, key, uses.data[k].value, false);
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
      encoder_clause2 (e, -uses.data[i].literal, value_variable);
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
  for (uint32_t i = g->reader_first[install]; i < g->reader_first[install + 1]; i++)
    rw_edge (e, g->readers[i], p, order, 0);
  if (g->late_head)
    for (uint32_t i = g->late_head[install]; i != UINT32_MAX; i = g->late.data[i].next)
      rw_edge (e, g->late.data[i].read, p, order, 0);
  if (!e->source_head)
    return;
  for (uint32_t i = e->source_head[install]; i != UINT32_MAX; i = e->source_next.data[i])
    rw_edge (e, e->source_read.data[i], p, order, e->source_variable.data[i]);
}

// One of the two orders of a pair; `first_op` is the first of the shared keys' last writes by q.
static void order_edge (struct encoder *e, uint32_t p, uint32_t q, uint32_t key, uint32_t first_op, int32_t order) {
  const uint32_t from = graph_point (e->g, p, e->level->ww.from);
  const enum edge_role role = e->level->ww_hidden ? ROLE_ORDER : ROLE_PATH;
  encoder_edge_with_role (e, from, graph_point (e->g, q, e->level->ww.to), EDGE_WW, role, key, order,
                          encoder_in_literal (e, p), encoder_in_literal (e, q));
  const uint32_t event = e->level->events ? encoder_event_from (e, q, first_op) : UINT32_MAX;
  if (event != UINT32_MAX)
    encoder_edge (e, from, event, EDGE_WW, key, order, encoder_in_literal (e, p), encoder_in_literal (e, q));
}

static size_t encode_pair (struct encoder *e, const open_pair_vec *pairs, size_t at) {
  const uint32_t p = pairs->data[at].first, q = pairs->data[at].second;
  const int32_t order = encoder_variable (e, VARIABLE_PAIR, p, q, earlier (e, p, q));
  const uint32_t key = e->g->install_key[pairs->data[at].first_install];
  uint32_t p_op = UINT32_MAX, q_op = UINT32_MAX;
  for (; at < pairs->count && pairs->data[at].first == p && pairs->data[at].second == q; at++) {
    const struct open_pair *pair = &pairs->data[at];
    if (e->level->events && e->asg->install_last_op[pair->first_install] < p_op)
      p_op = e->asg->install_last_op[pair->first_install];
    if (e->level->events && e->asg->install_last_op[pair->second_install] < q_op)
      q_op = e->asg->install_last_op[pair->second_install];
    readers_edges (e, pair->first_install, q, order);
    readers_edges (e, pair->second_install, p, -order);
  }
  order_edge (e, p, q, key, q_op, order);
  order_edge (e, q, p, key, p_op, -order);
  return at;
}

// ---------------------------------------------------------------------------------------------- what is known of overwritten reads

// Anti-dependencies that are no edges are in no row, but they hold: whoever is known to follow the version read must not lead back to the reader.
static void encode_known_overwrites (struct encoder *e) {
  const struct graph *g = e->g;
  if (!g->has_once)
    return;
  for (uint32_t node = 1; node < e->asg->nodes && !budget_spent (e->budget); node++)
    for (uint32_t read = e->asg->node_first_read[node]; g->active[node] && read < e->asg->node_first_read[node + 1];
         read++)
      if (g->read_writer[read] != NODE_NONE && graph_anti (g, read) == ANTI_ONCE)
        edges_to_followers (e, read, g->read_writer[read], 0);
}

// ------------------------------------------------------------------------------------------------------------------- public

struct problem *problem_encode (struct saturation *s, const open_pair_vec *pairs, const uint32_t *rank,
                                struct budget *budget) {
  const struct graph *g = s->graph;
  struct problem *problem = mem_zalloc (sizeof *problem);
  struct encoder e = { .problem = problem, .s = s, .g = g, .asg = g->asg, .level = g->ir->level, .budget = budget };
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
        e.in_variable[node] = encoder_variable (&e, VARIABLE_IN, node, 0, false);
        index_unknown_readers (&e, node);
      }
    for (uint32_t node = 1; node < g->asg->nodes; node++)
      if (!g->active[node])
        encode_unknown (&e, node);
  }
  e.open_variable = MEM_ARRAY (int32_t, s->open.count);
  for (size_t i = 0; i < s->open.count && !budget_spent (budget); i++) {
    e.open_variable[i] = (int32_t) problem->variables.count;
    encode_open_read (&e, &s->open.data[i]);
  }
  for (size_t at = 0; at < pairs->count && !budget_spent (budget);)
    at = encode_pair (&e, pairs, at);
  encode_known_overwrites (&e);
  encoder_steps (&e);
  encode_initial_values (&e);
  encoder_paths (&e, s->graph, rank);
  VEC_FREE (e.source_next);
  VEC_FREE (e.source_read);
  VEC_FREE (e.source_variable);
  mem_free (e.true_variable);
  mem_free (e.open_variable);
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
  mem_free (problem->known_hidden);
  mem_free (problem);
}
