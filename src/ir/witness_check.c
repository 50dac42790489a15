// Each demand of the IR is checked by itself, in the plainest order: what is there and where, what
// the reads read, then every kind of edge between points, as a comparison of places. What that
// leaves is what a reader has seen (witness_views.c, witness_paths.c). The version order of a key
// is not given, it is read off the positions.

#include "ir/witness_inside.h"

#include "base/group.h"

#include <string.h>

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

static bool take_positions (struct check *c) {
  const unsigned points = c->ir->rules.points;
  const uint32_t all = c->ir->nodes * points;
  c->at = mem_nones (all);
  for (uint32_t point = points; point < all; point++) {
    if (!c->w->in[point / points])
      continue;
    const uint32_t position = c->w->position[point];
    if (position >= all || c->at[position] != NONE)
      return witness_wrong (c, "two points in one place, or one outside the order");
    c->at[position] = point;
  }
  return true;
}

// False, with the reason `why`, if the edge runs backward. What `shows` something is part of paths.
static bool keeps (struct check *c, uint32_t from, uint32_t to, bool shows, const char *why) {
  if (c->place[from] >= c->place[to])
    return witness_wrong (c, why);
  if (shows && c->place[from])
    VEC_PUSH (c->shown, ((struct ir_edge){ c->place[from], c->place[to] }));
  return true;
}

// An edge into a transaction leads to its events, too, from `op` on, each of which leads to the
// next one.
static bool keeps_arrival (struct check *c, uint32_t from, uint32_t node, unsigned which, uint32_t op,
                           const char *why) {
  const struct ir *ir = c->ir;
  uint32_t read = ir->node_first_read[node];
  if (!ir->rules.events)
    return keeps (c, from, ir_node_point (ir, node, which), true, why);
  while (read < ir->node_first_read[node + 1] && ir->read_op[read] < op)
    read++;
  return (read == ir->node_first_read[node + 1] || keeps (c, from, ir_event_point (ir, read), true, why))
         && keeps (c, from, node, true, why);
}

// A transaction comes after the time slots before it, and its events before itself.
static void place_point (struct check *c, uint32_t point, uint32_t *slots) {
  const struct ir *ir = c->ir;
  const uint32_t node = point / ir->rules.points;
  if (ir->time_before && ir->time_before[node] != SLOT_NONE && point % ir->rules.points == ir->rules.rt.to)
    for (; *slots <= ir->time_before[node]; ++*slots)
      c->place[ir_slot_point (ir, *slots)] = ++c->placed;
  for (uint32_t read = ir->node_first_read[node]; ir->rules.events && read < ir->node_first_read[node + 1]; read++) {
    c->place[ir_event_point (ir, read)] = ++c->placed;
    if (read > ir->node_first_read[node])
      keeps (c, ir_event_point (ir, read - 1), ir_event_point (ir, read), true, NULL);
  }
  c->place[point] = ++c->placed;
}

static void place_points (struct check *c) {
  const struct ir *ir = c->ir;
  uint32_t slots = 0;
  c->place = MEM_ZARRAY (uint32_t, ir_points (ir));
  for (uint32_t position = 0; position < ir->nodes * ir->rules.points; position++)
    if (c->at[position] != NONE)
      place_point (c, c->at[position], &slots);
  for (; slots < ir->slots; slots++)
    c->place[ir_slot_point (ir, slots)] = ++c->placed;
}

// Walking the positions and giving each install to its key leaves every key's installs in version
// order.
static void order_versions (struct check *c) {
  const struct ir *ir = c->ir;
  c->versions = MEM_ARRAY (uint32_t, ir->installs);
  c->rank = mem_nones (ir->installs);
  c->key_end = MEM_ARRAY (uint32_t, ir->keys);
  for (uint32_t key = 0; key < ir->keys; key++)
    c->key_end[key] = ir->key_first[key];
  for (uint32_t position = 0; position < ir->nodes * ir->rules.points; position++) {
    const uint32_t point = c->at[position], node = point / ir->rules.points;
    if (point == NONE || point % ir->rules.points != ir->rules.ww.from)
      continue;
    for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++) {
      const uint32_t install = ir->node_installs[k];
      if (!has_install (c, install))
        continue;
      c->rank[install] = c->key_end[group_of_place (ir->key_first, ir->keys, install)]++;
      c->versions[c->rank[install]] = install;
    }
  }
}

// ----------------------------------------------------------------------------------------- sources

// What the initial value of a key may be: one of two, or, as long as both are INITIAL_OPEN, one
// that nobody speaks of.
struct initial {
  uint32_t one, other;
};

static void narrow_initial (const struct check *c, uint32_t read, struct initial *initial) {
  const unsigned flags = ir_read_flags (c->ir, read);
  if (initial->one != INITIAL_OPEN || (flags & READ_OTHER))
    return;
  initial->one = c->ir->read_value[read];
  initial->other = flags & READ_OR_ABSENT ? ABSENT : initial->one;
}

static bool initial_fits (const struct check *c, uint32_t read, struct initial *initial) {
  const bool one = ir_accepts (c->ir, read, initial->one), other = ir_accepts (c->ir, read, initial->other);
  initial->one = one ? initial->one : initial->other;
  initial->other = other ? initial->other : initial->one;
  return one || other;
}

static bool initials_fit (struct check *c) {
  const struct ir *ir = c->ir;
  struct initial *initials = MEM_ARRAY (struct initial, ir->keys);
  bool fine = true;
  for (uint32_t key = 0; key < ir->keys; key++)
    initials[key] = (struct initial){ ir->init_value[key], ir->init_value[key] };
  for (uint32_t read = 0; read < ir->reads; read++)
    if (c->source[read] == SOURCE_INITIAL)
      narrow_initial (c, read, &initials[ir->read_key[read]]);
  for (uint32_t read = 0; fine && read < ir->reads; read++)
    fine = c->source[read] != SOURCE_INITIAL || initial_fits (c, read, &initials[ir->read_key[read]]);
  mem_free (initials);
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

static bool source_fits (struct check *c, uint32_t node, uint32_t read) {
  const struct ir *ir = c->ir;
  const uint32_t writer = c->w->read_writer[read], install = ir_install_of (ir, ir->read_key[read], writer);
  const uint32_t source = c->source[read] = writer ? install : SOURCE_INITIAL;
  if (writer && install == INSTALL_NONE)
    return witness_wrong (c, "the source of a read does not write its key");
  if (!is_candidate (ir, read, source))
    return witness_wrong (c, "the source of a read is none of its candidates");
  return !writer || (ir_accepts (ir, read, ir->install_value[install]) && writer != node && has_install (c, install))
         || witness_wrong (c, "the source of a read wrote another value, is the reader, or is left out");
}

static bool keeps_reads (struct check *c) {
  const struct ir *ir = c->ir;
  const struct edge_points wr = ir->rules.wr;
  c->source = MEM_ARRAY (uint32_t, ir->reads);
  for (uint32_t node = 0; node < ir->nodes; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
      c->source[read] = SOURCE_NONE;
      if (!c->w->in[node] || !is_there (c, ir_read_presence (ir, read)))
        continue;
      if (!source_fits (c, node, read)
          || !keeps_arrival (c, ir_node_point (ir, ir_writer_of (ir, c->source[read]), wr.from), node, wr.to,
                             ir->rules.events ? ir->read_op[read] : 0, "a read before its source"))
        return false;
    }
  return initials_fit (c) && !witness_spent (c);
}

// ------------------------------------------------------------------------------------------- edges

// Its points and session order.
static bool keeps_node (struct check *c, uint32_t node) {
  const struct ir *ir = c->ir;
  const struct edge_points so = ir->rules.so;
  const uint32_t before = so.used ? ir_session_before (ir, node) : NODE_NONE, begin = ir_node_point (ir, node, 0);
  return (ir->rules.points == 1 || keeps (c, begin, begin + 1, false, "a commit before its begin"))
         && (before == NODE_NONE
             || keeps_arrival (c, ir_node_point (ir, before, so.from), node, so.to, 0,
                               "the order breaks session order"));
}

static bool keeps_real_time (struct check *c, uint32_t node) {
  static const char why[] = "the order breaks real time";
  const struct ir *ir = c->ir;
  const struct edge_points rt = ir->rules.rt;
  return (ir->time_before[node] == SLOT_NONE
          || keeps_arrival (c, ir_slot_point (ir, ir->time_before[node]), node, rt.to, 0, why))
         && (ir->time_after[node] == SLOT_NONE
             || keeps (c, ir_node_point (ir, node, rt.from), ir_slot_point (ir, ir->time_after[node]), true, why));
}

static bool keeps_nodes (struct check *c) {
  const struct ir *ir = c->ir;
  for (uint32_t node = 1; node < ir->nodes; node++)
    if (c->w->in[node] && (!keeps_node (c, node) || (ir->rules.rt.used && !keeps_real_time (c, node))))
      return false;
  for (uint32_t slot = 1; slot < ir->slots; slot++)
    keeps (c, ir_slot_point (ir, slot - 1), ir_slot_point (ir, slot), true, NULL);
  return !witness_spent (c);
}

// From the last point of the one to the first of the other.
static bool keeps_edge (struct check *c, struct ir_edge edge, const char *why) {
  return !c->w->in[edge.from] || !c->w->in[edge.to]
         || keeps_arrival (c, ir_node_point (c->ir, edge.from + 1, 0) - 1, edge.to, 0, 0, why);
}

static bool conditions_hold (const struct check *c, const struct constraint *constraint) {
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct constraint_condition *condition =
      &c->ir->constraints->conditions.data[constraint->first_condition + i];
    if (c->source[condition->read] != condition->source)
      return false;
  }
  return true;
}

// One alternative of each, and its edges are edges like others.
static bool keeps_constraint (struct check *c, uint32_t number) {
  static const char why[] = "the order breaks what a module demands";
  const struct constraints *all = c->ir->constraints;
  const struct constraint *constraint = &all->list.data[number];
  const uint32_t chosen = c->w->chosen ? c->w->chosen[number] : NONE;
  const size_t shown = c->shown.count;
  if (!conditions_hold (c, constraint))
    return true;
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct constraint_alternative *alternative = &all->alternatives.data[constraint->first_alternative + i];
    bool fine = chosen == NONE || i == chosen;
    for (uint32_t k = 0; fine && k < alternative->edges; k++)
      fine = keeps_edge (c, all->edges.data[alternative->first_edge + k], why);
    if (fine)
      return true;
    c->shown.count = shown;
  }
  return witness_wrong (c, why);
}

// As saturation left it: they follow from the rest, but a file may say more than that.
static bool keeps_derived (struct check *c, const struct derived_edge *edge) {
  const struct ir *ir = c->ir;
  const struct edge_points points = derived_points (&ir->rules, edge->kind);
  if (ir_node_presence (ir, edge->from) != ALWAYS || ir_node_presence (ir, edge->to) != ALWAYS)
    return true;
  return keeps (c, ir_node_point (ir, edge->from, points.from), ir_node_point (ir, edge->to, points.to),
                edge->kind != EDGE_WW || !ir->rules.ww_hidden, "the order breaks a derived edge");
}

static bool keeps_given_edges (struct check *c) {
  const struct ir *ir = c->ir;
  for (size_t i = 0; i < ir->edges.count; i++)
    if (!keeps_edge (c, ir->edges.data[i], "the order breaks a given edge"))
      return false;
  for (uint32_t i = 0; ir->constraints && i < ir->constraints->list.count; i++)
    if (!keeps_constraint (c, i))
      return false;
  for (size_t i = 0; i < ir->derived.count; i++)
    if (!keeps_derived (c, &ir->derived.data[i]))
      return false;
  return !witness_spent (c);
}

// What lists and hints say about the order of versions.
static bool keeps_known_orders (struct check *c) {
  for (size_t i = 0; i < c->ir->order_count; i++) {
    const struct known_order *order = &c->ir->orders[i];
    if ((order->by_absence && !c->ir->rules.wr.used) || !c->w->in[order->reader])
      continue;
    if (has_install (c, order->before) && has_install (c, order->after)
        && c->rank[order->before] >= c->rank[order->after])
      return witness_wrong (c, "the version order is not the one that a list or a hint gives away");
  }
  return true;
}

// From one version to the next: versions are sorted by the point that ww starts from, so that this
// says all.
static bool keeps_version (struct check *c, uint32_t before, uint32_t after) {
  const struct ir *ir = c->ir;
  const struct edge_points ww = ir->rules.ww;
  const uint32_t from = ir_node_point (ir, ir->install_node[before], ww.from), to = ir->install_node[after];
  static const char why[] = "two versions of a key overlap";
  if (ir->rules.ww_hidden)
    return keeps (c, from, ir_node_point (ir, to, ww.to), false, why);
  return keeps_arrival (c, from, to, ww.to, ir->rules.events ? ir->install_last_op[after] + 1 : 0, why);
}

static bool keeps_versions (struct check *c) {
  for (uint32_t key = 0; key < c->ir->keys; key++) {
    for (uint32_t v = c->ir->key_first[key]; v + 1 < c->key_end[key]; v++)
      if (!keeps_version (c, c->versions[v], c->versions[v + 1]))
        return false;
    if (witness_spent (c))
      return false;
  }
  return true;
}

enum anti witness_anti (const struct check *c, uint32_t read) {
  const struct ir *ir = c->ir;
  if (ir->read_when && is_there (c, ir->read_when[read]))
    return ANTI_EDGE;
  return ir->read_anti ? (enum anti) ir->read_anti[read] : ir->rules.anti;
}

// The next version is enough: where anti-dependencies are edges, it leads to all later ones. If it
// is the reader's own, all that is said already.
static bool keeps_anti_dependency (struct check *c, uint32_t node, uint32_t read) {
  const struct ir *ir = c->ir;
  const uint32_t next = later_versions (c, read);
  const uint32_t install = next < c->key_end[ir->read_key[read]] ? c->versions[next] : INSTALL_NONE;
  if (install == INSTALL_NONE || ir->install_node[install] == node)
    return true;
  return keeps_arrival (c, ir_node_point (ir, node, ir->rules.rw.from), ir->install_node[install], ir->rules.rw.to,
                        ir->rules.events ? ir->install_last_op[install] + 1 : 0,
                        "a read behind a later version than the one it read");
}

static bool keeps_anti_dependencies (struct check *c) {
  const struct ir *ir = c->ir;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (c->source[read] != SOURCE_NONE && witness_anti (c, read) == ANTI_EDGE
          && !keeps_anti_dependency (c, node, read))
        return false;
    if (witness_spent (c))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------- together

static bool holds (struct check *c) {
  if (ir_contradiction (c->ir))
    return witness_wrong (c, "unsatisfiable by itself");
  settle_presences (c);
  if (!took_place (c) || !take_positions (c))
    return false;
  place_points (c);
  order_versions (c);
  if (!keeps_nodes (c) || !keeps_known_orders (c) || !keeps_versions (c))
    return false;
  if (!c->ir->rules.wr.used)
    return keeps_given_edges (c);
  return keeps_reads (c) && keeps_given_edges (c) && keeps_anti_dependencies (c) && ir_witness_views (c)
         && ir_witness_paths (c);
}

void ir_run_in_order (const struct ir *ir, const struct ir_witness *w, uint32_t *position, uint32_t *writer) {
  uint32_t *last = MEM_ZARRAY (uint32_t, ir->keys), at = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    const uint32_t node = w->order[i];
    for (unsigned which = 0; which < ir->rules.points; which++)
      position[node * ir->rules.points + which] = at++;
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      writer[read] = last[ir->read_key[read]];
    for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++)
      last[group_of_place (ir->key_first, ir->keys, ir->node_installs[k])] = node;
  }
  mem_free (last);
}

enum acceptance ir_holds_witness (const struct ir *ir, const struct ir_witness *w, struct budget *budget,
                                  const char **why) {
  struct ir_witness placed = *w;
  uint32_t *position = NULL, *writer = NULL;
  if (!w->position) {
    placed.position = position = MEM_ZARRAY (uint32_t, (size_t) ir->nodes * ir->rules.points);
    placed.read_writer = writer = MEM_ZARRAY (uint32_t, ir->reads);
    ir_run_in_order (ir, w, position, writer);
  }
  struct check c = { .ir = ir, .w = &placed, .budget = budget };
  const bool fine = holds (&c);
  MEM_FREE_ALL (position, writer, c.holds, c.at, c.place, c.versions, c.key_end, c.rank, c.source, c.shown.data);
  if (!fine)
    *why = c.why;
  return fine ? ACCEPTED : c.stopped ? STOPPED : REFUSED;
}
