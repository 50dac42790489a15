// What all encodings but `boomslang` have in common: presences, the sources of open reads, what an
// order of two versions means, and what unknown transactions and deletes add. At least one
// candidate per open read is enough: a second one that is true as well only adds edges, so a model
// with two serves for either.

#include "cnf/encoder.h"

#include "base/search.h"
#include "base/sort.h"

#include <string.h>

bool encoder_stops (struct encoder *e) {
  e->too_large |= e->problem->edges.count > MOST_GUARDED_EDGES || e->problem->clauses.count > MOST_LITERALS;
  return e->too_large || budget_spent (e->budget);
}

int32_t encoder_variable (struct encoder *e, enum variable_kind kind, uint32_t a, uint32_t b, bool phase) {
  VEC_PUSH (e->problem->variables, (struct variable){ kind, a, b });
  VEC_PUSH (e->problem->phases, (int8_t) (phase ? 1 : -1));
  return (int32_t) e->problem->variables.count - 1;
}

int32_t encoder_helper (struct encoder *e) {
  return encoder_variable (e, VARIABLE_EDGE, NODE_NONE, NODE_NONE, false);
}

void encoder_clause2 (struct encoder *e, int32_t a, int32_t b) {
  VEC_PUSH (e->problem->clauses, a);
  VEC_PUSH (e->problem->clauses, b);
  VEC_PUSH (e->problem->clauses, 0);
}

void encoder_end_clause (struct encoder *e, const int32_t *literals, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (literals[i])
      VEC_PUSH (e->problem->clauses, -literals[i]);
  VEC_PUSH (e->problem->clauses, 0);
}

int32_t encoder_presence_literal (const struct encoder *e, uint32_t presence) {
  const int32_t variable = e->presence_variable[presence_entry (presence)];
  return presence_wanted (presence) ? variable : -variable;
}

int32_t encoder_in_literal (const struct encoder *e, uint32_t node) {
  return encoder_presence_literal (e, ir_node_presence (e->ir, node));
}

// A delete wrote only if its transaction is in, so that one literal says both.
int32_t encoder_install_literal (const struct encoder *e, uint32_t install) {
  const int32_t literal = encoder_presence_literal (e, ir_install_presence (e->ir, install));
  return literal ? literal : encoder_in_literal (e, e->ir->install_node[install]);
}

static void encode_presences (struct encoder *e) {
  const struct ir *ir = e->ir;
  e->presence_variable = MEM_ZARRAY (int32_t, ir->presence_count);
  for (uint32_t entry = 1; entry < ir->presence_count; entry++)
    if (e->g->presence[entry] == PRESENCE_OPEN) {
      const struct presence *presence = &ir->presences[entry];
      const uint32_t node = presence->kind == PRESENCE_IN ? presence->node : NODE_NONE;
      e->presence_variable[entry] =
        encoder_variable (e, VARIABLE_PRESENCE, entry, node, presence->kind == PRESENCE_WROTE);
    }
}

bool encoder_is_known_edge (const struct encoder *e, uint32_t from, uint32_t to) {
  const struct graph *g = e->g;
  if (from >= g->points || to >= g->points) // events are in no row
    return false;
  const bool live = (graph_is_slot (g, from) || g->active[graph_node (g, from)])
                    && (graph_is_slot (g, to) || g->active[graph_node (g, to)]);
  return live && graph_reaches (g, from, to);
}

static void add_guard (struct guarded_edge *edge, int32_t literal) {
  unsigned count = 0;
  for (; count < MOST_GUARDS && edge->guard[count]; count++)
    if (edge->guard[count] == literal)
      return;
  edge->guard[count] = literal;
}

// An edge between points of the graph under its guards. One that forbids a path back is not needed
// where a path leads forward: both would be a cycle.
void encoder_edge_with_role (struct encoder *e, uint32_t from, uint32_t to, enum edge_kind kind, enum edge_role role,
                             uint32_t key, struct guards guards) {
  if (encoder_is_known_edge (e, from, to))
    return;
  struct guarded_edge guarded = { .from = from, .to = to, .kind = kind, .role = role, .key = key };
  for (unsigned i = 0; i < MOST_GUARDS; i++)
    if (guards.literal[i])
      add_guard (&guarded, guards.literal[i]);
  if (from == to || encoder_is_known_edge (e, to, from)) { // would close a cycle at once
    encoder_end_clause (e, guarded.guard, MOST_GUARDS);
    return;
  }
  VEC_PUSH (e->problem->edges, guarded);
}

void encoder_edge (struct encoder *e, uint32_t from, uint32_t to, enum edge_kind kind, uint32_t key,
                   struct guards guards) {
  encoder_edge_with_role (e, from, to, kind, ROLE_PATH, key, guards);
}

// A literal that always holds, for what is known about a transaction's reads.
int32_t encoder_true_literal (struct encoder *e, uint32_t node) {
  if (!e->true_variable)
    e->true_variable = MEM_ZARRAY (int32_t, e->ir->nodes);
  if (!e->true_variable[node]) {
    e->true_variable[node] = encoder_variable (e, VARIABLE_TRUE, node, 0, true);
    VEC_PUSH (e->problem->clauses, e->true_variable[node]);
    VEC_PUSH (e->problem->clauses, 0);
  }
  return e->true_variable[node];
}

// Anti-dependencies that are edges only under a presence.
static void conditional_rw_edge (struct encoder *e, uint32_t read, uint32_t from, uint32_t to, struct guards guards) {
  const uint32_t when = e->g->read_when[read];
  if (when == NEVER || graph_presence (e->g, when) == PRESENCE_FAILS)
    return;
  const int32_t literal = encoder_presence_literal (e, when);
  guards.literal[3] = literal ? literal : encoder_true_literal (e, graph_reader (e->g, read));
  encoder_edge (e, from, to, EDGE_RW, e->ir->read_key[read], guards);
}

// The read's version was overwritten by the install p, if a and b hold and p is there.
static void rw_edge (struct encoder *e, uint32_t read, uint32_t p, int32_t a, int32_t b) {
  const uint32_t reader = graph_reader (e->g, read), key = e->ir->read_key[read], node = e->ir->install_node[p];
  const enum anti anti = graph_anti (e->g, read);
  if (reader == node || !e->rules->rw.used || e->rules->view != VIEW_PATHS)
    return;
  uint32_t from = graph_point (e->g, reader, e->rules->rw.from);
  const uint32_t to = graph_point (e->g, node, e->rules->rw.to);
  struct guards guards = { { a, b, encoder_install_literal (e, p) } };
  if (e->g->read_when)
    conditional_rw_edge (e, read, from, to, guards);
  if (anti == ANTI_EDGE)
    encoder_edge (e, from, to, EDGE_RW, key, guards);
  if (anti != ANTI_FORBID || encoder_is_known_edge (e, from, to))
    return;
  if (e->rules->events)
    from = encoder_event_of (e, read);
  if (!guards.literal[0] && !guards.literal[1] && !guards.literal[2])
    guards.literal[0] = encoder_true_literal (e, reader);
  encoder_edge_with_role (e, from, to, EDGE_RW, ROLE_FORBID, key, guards);
}

// ----------------------------------------------------------------------------------------- sources

bool encoder_earlier (const struct encoder *e, uint32_t a, uint32_t b) {
  return !e->rank || e->rank[a] < e->rank[b];
}

// Phase: the latest candidate that the guess puts before the reader.
static uint32_t likely_source (const struct encoder *e, const struct open_read *open) {
  const uint32_t reader = graph_reader (e->g, open->read);
  uint32_t best = UINT32_MAX, best_node = 0;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = e->s->candidates.data[open->first + i];
    const uint32_t node = source >= SOURCE_MANY ? 0 : e->ir->install_node[source];
    if (!e->g->active[node] || !encoder_earlier (e, node, reader))
      continue;
    if (best == UINT32_MAX || encoder_earlier (e, best_node, node)) {
      best = i;
      best_node = node;
    }
  }
  return best;
}

// Every installer p that is known to follow the source under the guard: per chain the first is
// enough.
static void edges_to_followers (struct encoder *e, uint32_t read, uint32_t writer, int32_t guard) {
  const struct graph *g = e->g;
  const uint32_t key = e->ir->read_key[read], point = graph_point (g, writer, e->rules->ww.to);
  if (!graph_anti_matters (g, read))
    return;
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    uint32_t first = g->segment_install[segment], stop = g->segment_install[segment + 1];
    // the unknown one at the end has pairs of its own, but not with T0
    if (!graph_installs (g, stop - 1)) {
      if (writer == 0)
        rw_edge (e, read, stop - 1, guard, 0);
      stop--;
    }
    LOWER_BOUND (first, stop, middle,
                 !graph_reaches (g, point, graph_point (g, e->ir->install_node[middle], e->rules->ww.from)));
    // its begin precedes its own commit
    first += first < stop && e->ir->install_node[first] == writer;
    if (first < stop)
      rw_edge (e, read, first, guard, 0);
  }
}

static void source_edges (struct encoder *e, uint32_t read, uint32_t source, int32_t guard) {
  const uint32_t reader = graph_reader (e->g, read), key = e->ir->read_key[read];
  const uint32_t writer = ir_writer_of (e->ir, source);
  if (writer) {
    const uint32_t from = graph_point (e->g, writer, e->rules->wr.from);
    const struct guards guards = { { guard } };
    encoder_edge (e, from, graph_point (e->g, reader, e->rules->wr.to), EDGE_WR, key, guards);
    if (e->rules->events)
      encoder_edge (e, from, encoder_event_from (e, reader, e->ir->read_op[read]), EDGE_WR, key, guards);
  }
  if (e->g->active[writer])
    edges_to_followers (e, read, writer, guard);
}

static void add_possible_reader (struct encoder *e, uint32_t install, uint32_t read, int32_t variable) {
  VEC_PUSH (e->possible_readers, (struct possible_reader){ e->source_head[install], read, variable });
  e->source_head[install] = (uint32_t) e->possible_readers.count - 1;
}

static void encode_open_read (struct encoder *e, const struct open_read *open) {
  const int32_t in_reader = encoder_in_literal (e, graph_reader (e->g, open->read));
  const uint32_t likely = likely_source (e, open);
  const size_t first_variable = e->problem->variables.count;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = e->s->candidates.data[open->first + i];
    const int32_t variable = encoder_variable (e, VARIABLE_SOURCE, open->read, source, i == likely);
    if (source != SOURCE_INITIAL) {
      add_possible_reader (e, source, open->read, variable);
      const int32_t there = encoder_install_literal (e, source);
      if (there)
        encoder_clause2 (e, -variable, there);
    }
    if (in_reader)
      encoder_clause2 (e, -variable, in_reader);
    source_edges (e, open->read, source, variable);
  }
  for (size_t v = first_variable; v < e->problem->variables.count; v++)
    VEC_PUSH (e->problem->clauses, (int32_t) v);
  const int32_t there = encoder_presence_literal (e, ir_read_presence (e->ir, open->read));
  encoder_end_clause (e, (int32_t[]){ there, in_reader }, 2);
}

// -------------------------------------------------------------------------------- unknown outcomes

bool encoder_is_read (const struct encoder *e, uint32_t install, uint32_t but) {
  struct graph_readers readers = graph_readers (e->g, graph_key (e->g, install), install);
  for (uint32_t read; graph_next_reader (e->g, &readers, &read);)
    if (graph_reader (e->g, read) != but)
      return true;
  return false;
}

void encoder_readers_before (struct encoder *e, uint32_t source, uint32_t p, int32_t order) {
  struct graph_readers readers = graph_readers (e->g, graph_key (e->g, p), source);
  for (uint32_t read; graph_next_reader (e->g, &readers, &read);)
    rw_edge (e, read, p, order, 0);
  for (uint32_t i = source == SOURCE_INITIAL || !e->source_head ? UINT32_MAX : e->source_head[source]; i != UINT32_MAX;
       i = e->possible_readers.data[i].next)
    rw_edge (e, e->possible_readers.data[i].read, p, order, e->possible_readers.data[i].variable);
}

static void encode_unknown (struct encoder *e, uint32_t node) {
  const struct graph *g = e->g;
  const int32_t in = encoder_in_literal (e, node);
  const struct guards only_if = { { in } };
  const uint32_t previous = e->rules->so.used ? ir_session_before (e->ir, node) : NODE_NONE;
  if (previous != NODE_NONE) {
    const uint32_t from = graph_point (g, previous, e->rules->so.from);
    encoder_edge (e, from, graph_point (g, node, e->rules->so.to), EDGE_SO, UINT32_MAX, only_if);
    encoder_unknown_arrival (e, from, node, EDGE_SO, in);
  }
  if (g->ir->time_before && g->ir->time_before[node] != SLOT_NONE) {
    const uint32_t from = g->first_slot + g->ir->time_before[node];
    encoder_edge (e, from, graph_point (g, node, e->rules->rt.to), EDGE_RT, UINT32_MAX, only_if);
    encoder_unknown_arrival (e, from, node, EDGE_RT, in);
  }
  for (uint32_t k = e->ir->node_first_install[node]; k < e->ir->node_first_install[node + 1]; k++)
    encoder_readers_before (e, SOURCE_INITIAL, e->ir->node_installs[k], 0);
  if (g->shift)
    encoder_edge (e, graph_point (g, node, 0), graph_point (g, node, 1), EDGE_SO, UINT32_MAX, only_if);
  for (uint32_t read = e->ir->node_first_read[node]; read < e->ir->node_first_read[node + 1]; read++) {
    const uint32_t source = e->ir->read_source[read];
    if (source_is_many (source))
      continue;
    if (source != SOURCE_INITIAL) {
      const int32_t there = encoder_install_literal (e, source);
      if (there)
        encoder_clause2 (e, -in, there);
    }
    source_edges (e, read, source, in);
  }
}

// The reads of unknown transactions whose source is certain if they are in: as readers they matter
// for pairs.
static void index_unknown_readers (struct encoder *e, uint32_t node) {
  for (uint32_t read = e->ir->node_first_read[node]; read < e->ir->node_first_read[node + 1]; read++)
    if (e->ir->read_source[read] < SOURCE_MANY)
      add_possible_reader (e, e->ir->read_source[read], read, encoder_in_literal (e, node));
}
// ------------------------------------------------------------------------------ orders of versions

// From one version of a key to another.
static void version_edge (struct encoder *e, uint32_t p, uint32_t q, struct guards guards) {
  const uint32_t from = graph_point (e->g, e->ir->install_node[p], e->rules->ww.from);
  const uint32_t to = graph_point (e->g, e->ir->install_node[q], e->rules->ww.to);
  encoder_edge_with_role (e, from, to, EDGE_WW, e->rules->ww_hidden ? ROLE_ORDER : ROLE_PATH, graph_key (e->g, p),
                          guards);
}

void encoder_order_edge (struct encoder *e, uint32_t p, uint32_t q, int32_t order) {
  const struct guards guards = { { order, encoder_install_literal (e, p), encoder_install_literal (e, q) } };
  version_edge (e, p, q, guards);
  encoder_version_arrival (e, p, q, guards);
}

// If these hold, the order does.
static struct guards guards_of_order (const struct encoder *e, const struct known_order *known) {
  return (struct guards){ { encoder_install_literal (e, known->before), encoder_install_literal (e, known->after),
                            encoder_in_literal (e, known->reader) } };
}

// Orders that lists and hints give away, as far as they depend on unknown transactions. Those that
// are no question between two versions are edges.
static void encode_forced_orders (struct encoder *e) {
  for (size_t i = 0; i < e->s->late_orders.count; i++) {
    const struct known_order order = e->ir->orders[e->s->late_orders.data[i].order];
    if (graph_order_holds (e->g, &order))
      continue;
    VEC_PUSH (e->forced_orders, order);
    version_edge (e, order.before, order.after, guards_of_order (e, &order));
  }
  VEC_SORT (e->forced_orders, by_u32_pair);
}

void encoder_force_order (struct encoder *e, uint32_t before, uint32_t after, int32_t order) {
  const struct known_order wanted = { before, after, false, 0 };
  size_t low = 0;
  LOWER_BOUND (low, e->forced_orders.count, middle, by_u32_pair (&e->forced_orders.data[middle], &wanted) < 0);
  for (; low < e->forced_orders.count && !by_u32_pair (&e->forced_orders.data[low], &wanted); low++) {
    VEC_PUSH (e->problem->clauses, order);
    encoder_end_clause (e, guards_of_order (e, &e->forced_orders.data[low]).literal, MOST_GUARDS);
  }
}

// What else follows from the lists that unknown transactions read.
static void encode_claims (struct encoder *e) {
  for (size_t i = 0; i < e->ir->implied_count; i++) {
    const struct unknown_claim claim = e->ir->implied[i];
    const int32_t reader = encoder_in_literal (e, claim.reader), other = encoder_in_literal (e, claim.other);
    if (reader && other)
      encoder_clause2 (e, -reader, other);
  }
}

void encoder_order (struct encoder *e, uint32_t p, uint32_t q, int32_t order) {
  encoder_readers_before (e, p, q, order);
  encoder_order_edge (e, p, q, order);
  encoder_force_order (e, p, q, order);
}

// -------------------------------------------------------------- what is known of overwritten reads

// Anti-dependencies that are no edges are in no row, but they hold: whoever is known to follow the
// version read must not lead back to the reader.
static void encode_known_overwrites (struct encoder *e) {
  const struct graph *g = e->g;
  if (!g->has_forbidding && !g->read_when)
    return;
  for (uint32_t node = 1; node < e->ir->nodes && !encoder_stops (e); node++)
    for (uint32_t read = e->ir->node_first_read[node]; g->active[node] && read < e->ir->node_first_read[node + 1];
         read++)
      if (g->read_writer[read] != NODE_NONE
          && (graph_anti (g, read) == ANTI_FORBID || (g->read_when && g->read_when[read] != NEVER)))
        edges_to_followers (e, read, g->read_writer[read], 0);
}
// -------------------------------------------------------------------------------- begin and end

// Of a transaction: that of its last point.
static uint32_t *ranks_of_nodes (const struct graph *g, const uint32_t *rank) {
  uint32_t *node_rank = MEM_ARRAY (uint32_t, g->ir->nodes);
  for (uint32_t node = 0; node < g->ir->nodes; node++)
    node_rank[node] = rank[graph_point (g, node, (1u << g->shift) - 1)];
  return node_rank;
}

void encoder_begin (struct encoder *e, const struct to_encode *input) {
  const struct graph *g = input->saturation->graph;
  struct problem *problem = mem_zalloc (sizeof *problem);
  *e = (struct encoder){ .input = input,
                         .problem = problem,
                         .s = input->saturation,
                         .g = g,
                         .ir = g->ir,
                         .rules = &g->ir->rules,
                         .budget = input->budget };
  e->rank = input->rank ? ranks_of_nodes (g, input->rank) : NULL;
  VEC_PUSH (problem->variables, (struct variable){ 0 });
  VEC_PUSH (problem->phases, 0);
  encode_presences (e);
}

void encoder_sources (struct encoder *e) {
  const struct saturation *s = e->s;
  const struct ir *ir = e->ir;
  if (s->open.count || ir_has_unknown (ir))
    e->source_head = mem_nones (ir->installs);
  for (uint32_t node = 1; ir_has_unknown (ir) && node < ir->nodes; node++)
    if (!e->g->active[node])
      index_unknown_readers (e, node);
  for (uint32_t node = 1; ir_has_unknown (ir) && node < ir->nodes; node++)
    if (!e->g->active[node])
      encode_unknown (e, node);
  e->open_variable = MEM_ARRAY (int32_t, s->open.count);
  for (size_t i = 0; i < s->open.count && !encoder_stops (e); i++) {
    e->open_variable[i] = (int32_t) e->problem->variables.count;
    encode_open_read (e, &s->open.data[i]);
  }
  encode_forced_orders (e);
  encode_claims (e);
}

void encoder_others (struct encoder *e) {
  encode_known_overwrites (e);
  encoder_deletes (e);
  encoder_steps (e);
  encoder_initial_values (e);
  encoder_constraints (e);
}

struct problem *encoder_end (struct encoder *e) {
  struct problem *problem = e->problem;
  const bool in_time = !e->too_large && budget_check (e->budget) == BUDGET_LEFT;
  if (in_time)
    encoder_paths (e, e->input->saturation->graph, e->input->rank);
  if (e->input->too_large)
    *e->input->too_large = e->too_large;
  MEM_FREE_ALL (e->forced_orders.data, e->possible_readers.data, e->true_variable, e->open_variable, e->source_head,
                e->presence_variable, e->rank);
  if (in_time && budget_check (e->budget) == BUDGET_LEFT)
    return problem;
  problem_free (problem);
  return NULL;
}
