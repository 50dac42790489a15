// Each demand of the IR is checked by itself, in the plainest order: what is there and where, what
// the reads read, then every kind of edge between points. All of these are comparisons of
// positions; what they leave to check is what a reader has seen (witness_views.c, witness_paths.c).
// The version order of a key is not given, it is read off the positions.

#include "ir/witness_inside.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>

#define CLOCK_BYTES ((size_t) 512 << 20)
#define NONE UINT32_MAX

// ---------------------------------------------------------------------------- what is there, where

static void settle_presences (struct check *c) {
  const struct ir *ir = c->ir;
  c->holds = MEM_ZARRAY (uint8_t, ir->presence_count);
  c->holds[0] = 1;
  for (uint32_t entry = 1; entry < ir->presence_count; entry++) {
    const struct presence *presence = &ir->presences[entry];
    if (presence->kind == PRESENCE_IN)
      c->holds[entry] = c->w->in[presence->node];
    if (presence->kind == PRESENCE_WROTE)
      c->holds[entry] = c->w->in[presence->node] && c->w->wrote[entry - ir->first_delete];
    const uint32_t writes =
      presence->kind == PRESENCE_WROTE && presence->install != INSTALL_NONE ? ir_writes (ir, presence->node) : 0;
    if (writes && c->holds[entry])
      c->holds[writes] = 1;
  }
}

static bool took_place (struct check *c) {
  const struct ir *ir = c->ir;
  for (uint32_t node = 0; node < ir->nodes; node++)
    if (!c->w->in[node] && ir_node_presence (ir, node) == ALWAYS)
      return witness_wrong (c, "a certain transaction is left out");
  for (size_t i = 0; i < ir->holds.count; i++)
    if (!is_there (c, ir->holds.data[i]))
      return witness_wrong (c, "what is known to hold does not");
  for (size_t i = 0; i < ir->implied_count; i++)
    if (c->w->in[ir->implied[i].reader] && !c->w->in[ir->implied[i].other])
      return witness_wrong (c, "a transaction is left out whose element a list holds");
  return true;
}

static bool place_points (struct check *c) {
  const unsigned points = c->ir->rules.points;
  const size_t all = (size_t) c->ir->nodes * points;
  c->at = mem_nones (all);
  for (uint32_t node = 1; node < c->ir->nodes; node++) {
    if (!c->w->in[node])
      continue;
    for (unsigned which = 0; which < points; which++) {
      const uint32_t point = node * points + which, position = c->w->position[point];
      if (position >= all || c->at[position] != NONE)
        return witness_wrong (c, "two points in one place, or one outside the order");
      c->at[position] = point;
    }
    if (points == 2 && place (c, node, 0) > place (c, node, 1))
      return witness_wrong (c, "a commit before its begin");
  }
  return true;
}

static void list_installs (struct check *c) {
  const struct ir *ir = c->ir;
  c->version = MEM_ARRAY (struct version, ir->installs);
  c->key_end = MEM_ARRAY (uint32_t, ir->keys);
  for (uint32_t key = 0; key < ir->keys; key++) {
    c->key_end[key] = ir->key_first[key];
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      c->version[i] = (struct version){ key, ir->install_value[i], ir->install_node[i], NONE, 0, 0 };
  }
}

static void link_versions (struct check *c) {
  for (uint32_t key = 0; key < c->ir->keys; key++)
    for (uint32_t v = c->ir->key_first[key] + 1; v < c->key_end[key]; v++) {
      struct version *a = &c->version[c->versions[v - 1]], *b = &c->version[c->versions[v]];
      a->after = b->node;
      b->before = a->node;
    }
}

// Walking the positions and giving each install to its key leaves every key's installs in version
// order.
static void order_versions (struct check *c) {
  const struct ir *ir = c->ir;
  const unsigned points = ir->rules.points;
  list_installs (c);
  c->versions = MEM_ARRAY (uint32_t, ir->installs);
  for (size_t position = 0; position < (size_t) ir->nodes * points; position++) {
    const uint32_t point = c->at[position];
    if (point == NONE || point % points != ir->rules.ww.from)
      continue;
    const uint32_t node = point / points;
    for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++) {
      struct version *version = &c->version[ir->node_installs[k]];
      if (!has_install (c, ir->node_installs[k]))
        continue;
      version->rank = c->key_end[version->key]++;
      c->versions[version->rank] = ir->node_installs[k];
    }
  }
  link_versions (c);
}

// ----------------------------------------------------------------------------------------- sources

// The initial values that are open, as the readers so far have settled them. NULL if there are
// none.
static uint32_t *open_values (const struct ir *ir) {
  bool any = false;
  for (uint32_t key = 0; key < ir->keys && !any; key++)
    any = ir->init_value[key] == INITIAL_OPEN;
  if (!any)
    return NULL;
  uint32_t *settled = MEM_ARRAY (uint32_t, ir->keys);
  for (uint32_t key = 0; key < ir->keys; key++)
    settled[key] = INITIAL_OPEN;
  return settled;
}

// Reads that several values explain settle nothing; they are looked at when all others have been.
static bool initial_is (const struct ir *ir, uint32_t *settled, uint32_t read) {
  const uint32_t key = ir->read_key[read];
  if (ir->init_value[key] != INITIAL_OPEN)
    return ir_accepts (ir, read, ir->init_value[key]);
  if (ir_read_flags (ir, read) & READ_SEVERAL)
    return true;
  if (settled[key] == INITIAL_OPEN)
    settled[key] = ir->read_value[read];
  return settled[key] == ir->read_value[read];
}

// What the initial state of a key may still be, for reads that several values explain: the value
// that was read, or, if that is open, one of those that an inc takes for 0, of which `zero` is the
// one and absent the other.
struct several {
  uint32_t zero;
  bool zero_fits, absent_fits;
};

static void look_at_several (const struct check *c, uint32_t read, struct several *several, bool first) {
  struct several *of = &several[c->ir->read_key[read]];
  if (first && (c->ir->read_flags[read] & READ_OR_ABSENT) && of->zero == INITIAL_OPEN)
    *of = (struct several){ c->ir->read_value[read], true, true };
  if (first || of->zero == INITIAL_OPEN)
    return;
  of->zero_fits &= ir_accepts (c->ir, read, of->zero);
  of->absent_fits &= ir_accepts (c->ir, read, ABSENT);
}

// Where no value was read, and no inc has taken one for 0, one that nobody speaks of will do.
static bool several_values_fit (struct check *c, const uint32_t *settled) {
  const struct ir *ir = c->ir;
  if (!settled || !ir->read_flags)
    return true;
  struct several *several = MEM_ARRAY (struct several, ir->keys);
  for (uint32_t key = 0; key < ir->keys; key++)
    several[key] = (struct several){ settled[key], settled[key] != INITIAL_OPEN, false };
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t node = 1; node < ir->nodes; node++)
      for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
        if ((ir->read_flags[read] & READ_SEVERAL) && has_read (c, node, read) && c->read_source[read] == SOURCE_INITIAL
            && ir->init_value[ir->read_key[read]] == INITIAL_OPEN)
          look_at_several (c, read, several, !pass);
  bool fine = true;
  for (uint32_t key = 0; key < ir->keys; key++)
    fine &= several[key].zero == INITIAL_OPEN || several[key].zero_fits || several[key].absent_fits;
  mem_free (several);
  return fine || witness_wrong (c, "a read of the initial state, which has another value");
}

// Is it one of the alternatives?
static bool is_candidate (const struct ir *ir, uint32_t read, uint32_t source) {
  if (!source_is_many (ir->read_source[read]))
    return ir->read_source[read] == source;
  const struct choice *choice = &ir->choices[ir->read_source[read] & ~SOURCE_MANY];
  if (source == SOURCE_INITIAL)
    return choice->initial;
  bool listed = !choice->listed;
  for (uint32_t i = choice->first; i < choice->last && !listed; i++)
    listed = ir->value_installs[i] == source;
  return listed;
}

static bool initial_fits (struct check *c, uint32_t read, uint32_t *settled) {
  const uint32_t key = c->ir->read_key[read], first = c->ir->key_first[key];
  c->read_next[read] = first < c->key_end[key] ? version_node (c, first) : 0;
  return initial_is (c->ir, settled, read) || witness_wrong (c, "a read of the initial state, which has another value");
}

static bool source_fits (struct check *c, uint32_t node, uint32_t read, uint32_t *settled) {
  const struct ir *ir = c->ir;
  const uint32_t source = c->read_source[read];
  if (source != SOURCE_INITIAL && (source >= ir->installs || c->version[source].key != ir->read_key[read]))
    return witness_wrong (c, "the source of a read does not write its key");
  if (!is_candidate (ir, read, source))
    return witness_wrong (c, "the source of a read is none of its candidates");
  if (source == SOURCE_INITIAL)
    return initial_fits (c, read, settled);
  const struct version *version = &c->version[source];
  if (!ir_accepts (ir, read, version->value) || version->node == node || !has_install (c, source))
    return witness_wrong (c, "the source of a read wrote another value, is the reader, or is left out");
  c->read_from[read] = version->node;
  c->read_next[read] = version->after;
  return place (c, version->node, ir->rules.wr.from) < place (c, node, ir->rules.wr.to)
         || witness_wrong (c, "a read before its source");
}

static bool keeps_reads (struct check *c) {
  const struct ir *ir = c->ir;
  uint32_t *settled = open_values (ir);
  c->read_from = MEM_ZARRAY (uint32_t, ir->reads);
  c->read_next = MEM_ZARRAY (uint32_t, ir->reads);
  bool fine = true;
  for (uint32_t node = 1; fine && node < ir->nodes; node++) {
    for (uint32_t read = ir->node_first_read[node]; fine && read < ir->node_first_read[node + 1]; read++)
      fine = !has_read (c, node, read) || source_fits (c, node, read, settled);
    fine = fine && !witness_spent (c);
  }
  fine = fine && several_values_fit (c, settled);
  mem_free (settled);
  return fine;
}

// What each read's anti-dependencies mean.
static void mark_reads (struct check *c) {
  const struct ir *ir = c->ir;
  c->anti = MEM_ZARRAY (uint8_t, ir->reads);
  for (uint32_t node = 1; node < ir->nodes; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (has_read (c, node, read))
        c->anti[read] = ir->read_when && is_there (c, ir->read_when[read]) ? (uint8_t) ANTI_EDGE
                        : ir->read_anti                                    ? ir->read_anti[read]
                                                                           : (uint8_t) ir->rules.anti;
}

// ------------------------------------------------------------------------------------------- edges

static bool keeps_sessions (struct check *c) {
  const struct edge_points so = c->ir->rules.so;
  for (uint32_t node = 1; node < c->ir->nodes; node++) {
    const uint32_t before = ir_session_before (c->ir, node);
    if (c->w->in[node] && before != NODE_NONE && place (c, before, so.from) >= place (c, node, so.to))
      return witness_wrong (c, "the order breaks session order");
  }
  return !witness_spent (c);
}

static bool runs_forward (const struct check *c, struct ir_edge edge) {
  return !c->w->in[edge.from] || !c->w->in[edge.to]
         || place (c, edge.from, c->ir->rules.points - 1) < place (c, edge.to, 0);
}

static bool conditions_hold (const struct check *c, const struct constraint *constraint) {
  const struct ir *ir = c->ir;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct constraint_condition *condition = &ir->constraints->conditions.data[constraint->first_condition + i];
    const uint32_t reader = group_of_place (ir->node_first_read, ir->nodes, condition->read);
    if (!has_read (c, reader, condition->read) || c->read_source[condition->read] != condition->source)
      return false;
  }
  return true;
}

static bool alternative_holds (struct check *c, const struct constraint_alternative *alternative) {
  const struct ir_edge *edges = c->ir->constraints->edges.data + alternative->first_edge;
  for (uint32_t i = 0; i < alternative->edges; i++)
    if (!runs_forward (c, edges[i]))
      return false;
  for (uint32_t i = 0; i < alternative->edges; i++)
    if (c->w->in[edges[i].from] && c->w->in[edges[i].to])
      VEC_PUSH (c->edges, edges[i]);
  return true;
}

// One alternative of each, and its edges are edges like others.
static bool constraint_holds (struct check *c, uint32_t number) {
  const struct constraint *constraint = &c->ir->constraints->list.data[number];
  const uint32_t chosen = c->w->chosen ? c->w->chosen[number] : NONE;
  if (!conditions_hold (c, constraint))
    return true;
  for (uint32_t i = 0; i < constraint->alternatives; i++)
    if ((chosen == NONE || i == chosen)
        && alternative_holds (c, &c->ir->constraints->alternatives.data[constraint->first_alternative + i]))
      return true;
  return witness_wrong (c, "the order breaks what a module demands");
}

// As saturation left it: they follow from the rest, but a file may say more than that.
static bool keeps_derived (struct check *c) {
  const struct ir *ir = c->ir;
  for (size_t i = 0; i < ir->derived.count; i++) {
    const struct derived_edge *edge = &ir->derived.data[i];
    const struct edge_points points = derived_points (&ir->rules, edge->kind);
    if (ir_node_presence (ir, edge->from) != ALWAYS || ir_node_presence (ir, edge->to) != ALWAYS)
      continue;
    if (place (c, edge->from, points.from) >= place (c, edge->to, points.to))
      return witness_wrong (c, "the order breaks a derived edge");
    if (edge->kind != EDGE_WW)
      VEC_PUSH (c->edges, (struct ir_edge){ edge->from, edge->to });
  }
  return true;
}

// From the last point of the one to the first of the other.
static bool keeps_given_edges (struct check *c) {
  const struct ir *ir = c->ir;
  for (size_t i = 0; i < ir->edges.count; i++) {
    if (!runs_forward (c, ir->edges.data[i]))
      return witness_wrong (c, "the order breaks a given edge");
    VEC_PUSH (c->edges, ir->edges.data[i]);
  }
  for (uint32_t i = 0; ir->constraints && i < ir->constraints->list.count; i++)
    if (!constraint_holds (c, i))
      return false;
  if (!keeps_derived (c))
    return false;
  struct grouping by_target = { .groups = ir->nodes };
  while (c->edges.count && grouping_pass (&by_target))
    for (size_t i = 0; i < c->edges.count; i++)
      group_put (&by_target, c->edges.data[i].to, c->edges.data[i].from);
  c->edge_first = by_target.first;
  c->edge_from = by_target.items;
  return !witness_spent (c);
}

static void collect_ends (struct check *c) {
  const struct ir *ir = c->ir;
  c->ended = MEM_ARRAY (struct ended, ir->nodes);
  for (uint32_t node = 1; node < ir->nodes; node++)
    if (c->w->in[node] && ir->time_after[node] != SLOT_NONE)
      c->ended[c->ended_count++] = (struct ended){ ir->time_after[node], node };
  SORT (c->ended, c->ended_count, by_u32_pair);
  c->ended_most = MEM_ARRAY (uint32_t, c->ended_count);
  uint32_t most = 0;
  for (uint32_t i = 0; i < c->ended_count; i++) {
    const uint32_t position = (uint32_t) place (c, c->ended[i].node, ir->rules.rt.from);
    most = position > most ? position : most;
    c->ended_most[i] = most;
  }
}

static uint32_t count_ended_before (const struct check *c, uint32_t slot) {
  uint32_t first = 0;
  if (slot != SLOT_NONE)
    LOWER_BOUND (first, c->ended_count, middle, c->ended[middle].slot <= slot);
  return first;
}

static bool keeps_real_time (struct check *c) {
  const struct ir *ir = c->ir;
  collect_ends (c);
  c->ended_before = MEM_ZARRAY (uint32_t, ir->nodes);
  for (uint32_t node = 1; node < ir->nodes; node++) {
    if (!c->w->in[node])
      continue;
    const uint32_t before = count_ended_before (c, ir->time_before[node]);
    if (before && c->ended_most[before - 1] >= place (c, node, ir->rules.rt.to))
      return witness_wrong (c, "the order breaks real time");
    c->ended_before[node] = before;
    if (witness_spent (c))
      return false;
  }
  return true;
}

// What lists and hints say about the order of versions.
static bool keeps_known_orders (struct check *c) {
  for (size_t i = 0; i < c->ir->order_count; i++) {
    const struct known_order *order = &c->ir->orders[i];
    if ((order->by_absence && !c->ir->rules.wr.used) || !c->w->in[order->reader])
      continue;
    if (has_install (c, order->before) && has_install (c, order->after)
        && c->version[order->before].rank >= c->version[order->after].rank)
      return witness_wrong (c, "the version order is not the one that a list or a hint gives away");
  }
  return true;
}

// Neighbours are enough: versions are sorted by the point that ww starts from, so that an earlier
// one starts before its successor does.
static bool keeps_versions (struct check *c) {
  const struct edge_points ww = c->ir->rules.ww;
  if (ww.from == ww.to)
    return true;
  for (uint32_t key = 0; key < c->ir->keys; key++) {
    for (uint32_t v = c->ir->key_first[key]; v + 1 < c->key_end[key]; v++)
      if (place (c, version_node (c, v), ww.from) >= place (c, version_node (c, v + 1), ww.to))
        return witness_wrong (c, "two versions of a key overlap");
    if (witness_spent (c))
      return false;
  }
  return true;
}

// An edge to the next version lies before those to all later ones: rw ends at the point by which
// versions are sorted.
static bool comes_before_later_versions (const struct check *c, uint32_t node, uint32_t read) {
  const struct edge_points rw = c->ir->rules.rw;
  uint32_t next = c->read_next[read];
  if (next == node) {
    const uint32_t behind = later_versions (c, read) + 1;
    next = behind < c->key_end[c->ir->read_key[read]] ? version_node (c, behind) : 0;
  }
  return !next || place (c, node, rw.from) < place (c, next, rw.to);
}

static bool keeps_anti_dependencies (struct check *c) {
  const struct ir *ir = c->ir;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (c->anti[read] == ANTI_EDGE && !comes_before_later_versions (c, node, read))
        return witness_wrong (c, "a read behind a later version than the one it read");
    if (witness_spent (c))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------- together

static bool reads_hold (struct check *c) {
  mark_reads (c);
  return keeps_anti_dependencies (c) && ir_witness_views (c) && ir_witness_paths (c);
}

static bool ir_holds (struct check *c) {
  const struct rules *rules = &c->ir->rules;
  if (ir_contradiction (c->ir))
    return witness_wrong (c, "unsatisfiable by itself");
  settle_presences (c);
  if (!took_place (c) || !place_points (c))
    return false;
  order_versions (c);
  return (!rules->so.used || keeps_sessions (c)) && (!rules->rt.used || keeps_real_time (c)) && keeps_known_orders (c)
         && keeps_versions (c) && (!rules->wr.used || keeps_reads (c)) && keeps_given_edges (c)
         && (!rules->wr.used || reads_hold (c));
}

static void find_sources (struct check *c) {
  const struct ir *ir = c->ir;
  c->read_source = MEM_ARRAY (uint32_t, ir->reads);
  for (uint32_t read = 0; read < ir->reads; read++) {
    const uint32_t writer = c->w->read_writer[read];
    const uint32_t install = ir_install_of (ir, ir->read_key[read], writer);
    c->read_source[read] = !writer ? SOURCE_INITIAL : install == INSTALL_NONE ? SOURCE_NONE : install;
  }
}

enum acceptance ir_holds_witness_within (const struct ir *ir, const struct ir_witness *w, struct witness_limits limits,
                                         struct budget *budget, const char **why) {
  struct check c = { .w = w, .ir = ir, .limits = limits, .budget = budget };
  find_sources (&c);
  const bool holds = ir_holds (&c);
  mem_free (c.read_source);
  mem_free (c.holds);
  mem_free (c.at);
  mem_free (c.anti);
  mem_free (c.version);
  mem_free (c.versions);
  mem_free (c.key_end);
  mem_free (c.read_from);
  mem_free (c.read_next);
  VEC_FREE (c.edges);
  mem_free (c.edge_first);
  mem_free (c.edge_from);
  mem_free (c.ended);
  mem_free (c.ended_most);
  mem_free (c.ended_before);
  if (!holds)
    *why = c.why;
  return holds ? ACCEPTED : c.stopped ? STOPPED : REFUSED;
}

enum acceptance ir_holds_witness (const struct ir *ir, const struct ir_witness *w, struct budget *budget,
                                  const char **why) {
  return ir_holds_witness_within (ir, w, (struct witness_limits){ CLOCK_BYTES, ir->nodes }, budget, why);
}
