// The IR's checker: what saturation and search take for granted, verified. Run on every .kir file,
// and on every IR in debug builds.

#include "ir/ir.h"

static bool wrong (const char **why, const char *text) {
  *why = text;
  return false;
}

// ------------------------------------------------------------------------------------------- rules

static bool runs (struct edge_points points, unsigned from, unsigned to) {
  return !points.used || (points.from == from && points.to == to);
}

const char *rules_problem (const struct rules *rules) {
  const unsigned last = rules->points - 1;
  if (rules->points != 1 && rules->points != 2)
    return "a transaction has one point or two";
  if (!runs (rules->so, last, 0) || !runs (rules->rt, last, 0) || !runs (rules->wr, last, 0))
    return "so, rt and wr run from the last point to the first";
  if (!rules->ww.used || rules->ww.from != last || rules->ww.to > last || !runs (rules->rw, 0, last))
    return "ww starts at the last point, rw runs from the first point to the last";
  if (rules->points == 2 && (rules->anti == ANTI_FORBID || rules->events || rules->view != VIEW_PATHS))
    return "with two points every anti-dependency is an edge";
  if (rules->ww_hidden && rules->anti == ANTI_EDGE)
    return "anti-dependencies that are edges need version orders in view";
  if (rules->anti != ANTI_NONE && !rules->rw.used)
    return "anti-dependencies without points";
  if (rules->anti != ANTI_NONE && rules->view != VIEW_PATHS)
    return "anti-dependencies mean nothing where readers have seen less than what leads to them";
  if (rules->wr.used && !rules->rw.used && rules->view != VIEW_PATHS)
    return "views without points for anti-dependencies";
  return NULL;
}

// ------------------------------------------------------------------------------------------ chains

// Where chains are no sessions, each node has read from the one before it.
static bool follows (const struct ir *ir, uint32_t node) {
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    if (ir->read_source[read] < SOURCE_MANY && ir->install_node[ir->read_source[read]] == node - 1
        && ir_read_presence (ir, read) == ALWAYS)
      return true;
  return false;
}

static bool node_fine (const struct ir *ir, uint32_t node, const char **why) {
  const uint32_t chain = ir->node_chain[node], before = ir->so_before ? ir->so_before[node] : NODE_NONE;
  const bool certain = ir_node_presence (ir, node) == ALWAYS;
  if (!certain && node + 1 < ir->chain_first[chain + 1])
    return wrong (why, "an unknown transaction that is not the last of its chain");
  if (node > ir->chain_first[chain] && !ir->chains_are_sessions && (!certain || !follows (ir, node)))
    return wrong (why, "a transaction in a chain that has not read from the one before it");
  if (before != NODE_NONE
      && (certain || before >= ir->nodes || !before || ir_node_presence (ir, before) != ALWAYS
          || node != ir->chain_first[chain] || !ir->rules.so.used))
    return wrong (why, "'after' where it does not lead from a certain transaction to an unknown one of its own chain");
  if (!ir->time_before)
    return true;
  const uint32_t begin = ir->time_before[node], end = ir->time_after[node];
  if ((begin != SLOT_NONE && begin >= ir->slots) || (end != SLOT_NONE && end >= ir->slots))
    return wrong (why, "a time slot that is not there");
  if (begin != SLOT_NONE && end != SLOT_NONE && begin >= end)
    return wrong (why, "a transaction that ended before it began");
  return certain || end == SLOT_NONE || wrong (why, "an unknown transaction with an end");
}

static bool chains_fine (const struct ir *ir, const char **why) {
  if (!ir->nodes || !ir->chains || ir->chain_first[0] != 0 || ir->chain_first[ir->chains] != ir->nodes)
    return wrong (why, "chains do not cover the nodes");
  if (ir->chain_first[1] != 1)
    return wrong (why, "the initial state is not a chain of its own");
  for (uint32_t chain = 0; chain < ir->chains; chain++) {
    if (ir->chain_first[chain] >= ir->chain_first[chain + 1])
      return wrong (why, "an empty chain");
    for (uint32_t node = ir->chain_first[chain]; node < ir->chain_first[chain + 1]; node++) {
      if (ir->node_chain[node] != chain)
        return wrong (why, "a node whose chain is another one");
      if (!node_fine (ir, node, why))
        return false;
    }
  }
  return true;
}

// ----------------------------------------------------------------------------- presences, installs

static bool presences_fine (const struct ir *ir, const char **why) {
  uint32_t writer = 0;
  for (uint32_t entry = 1; entry < ir->presence_count; entry++) {
    const struct presence *presence = &ir->presences[entry];
    const bool in = entry < ir->first_delete, wrote = !in && entry < ir->first_delete + ir->deletes;
    if (presence->kind
          != (in      ? PRESENCE_IN
              : wrote ? PRESENCE_WROTE
                      : PRESENCE_WRITES)
        || !presence->node || presence->node >= ir->nodes)
      return wrong (why, "presences out of order");
    if (in && ir_node_presence (ir, presence->node) != if_so (entry))
      return wrong (why, "an outcome that its transaction does not ask for");
    if (!in && !wrote && presence->node <= writer)
      return wrong (why, "presences out of order");
    writer = in || wrote ? 0 : presence->node;
  }
  return true;
}

static bool install_fine (const struct ir *ir, uint32_t key, uint32_t install, const char **why) {
  const uint32_t node = ir->install_node[install], presence = ir_install_presence (ir, install);
  if (node == 0 || node >= ir->nodes || (install > ir->key_first[key] && node <= ir->install_node[install - 1]))
    return wrong (why, "installers of a key out of order");
  const struct presence *entry = &ir->presences[presence_entry (presence)];
  return presence == ir_node_presence (ir, node)
         || (entry->kind == PRESENCE_WROTE && presence_wanted (presence) && entry->node == node && entry->key == key
             && entry->install == install)
         || wrong (why, "an install that depends on something else");
}

static bool installs_fine (const struct ir *ir, const char **why) {
  if (ir->key_first[0] != 0 || ir->key_first[ir->keys] != ir->installs)
    return wrong (why, "keys do not cover the installs");
  for (uint32_t key = 0; key < ir->keys; key++)
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      if (!install_fine (ir, key, i, why))
        return false;
  return true;
}

// ------------------------------------------------------------------------------------------- reads

static bool is_source (const struct ir *ir, uint32_t node, uint32_t read, uint32_t source) {
  const uint32_t key = ir->read_key[read];
  if (source == SOURCE_INITIAL)
    return ir->init_value[key] == INITIAL_OPEN || ir_accepts (ir, read, ir->init_value[key]);
  return source >= ir->key_first[key] && source < ir->key_first[key + 1] && ir->install_node[source] != node
         && ir_accepts (ir, read, ir->install_value[source]);
}

static bool source_fine (const struct ir *ir, uint32_t node, uint32_t read, const char **why) {
  const uint32_t source = ir->read_source[read];
  if (ir->read_key[read] >= ir->keys)
    return wrong (why, "a read of no key");
  if (source == SOURCE_NONE)
    return ir_node_presence (ir, node) == ALWAYS || wrong (why, "a read of an unknown transaction without any source");
  if (!source_is_many (source))
    return is_source (ir, node, read, source) || wrong (why, "a read from something that did not write what it read");
  const uint32_t index = source & ~SOURCE_MANY;
  if (index >= ir->choice_count || ir->choices[index].read != read)
    return wrong (why, "a read without its candidates");
  const struct choice *choice = &ir->choices[index];
  if (choice->initial && !is_source (ir, node, read, SOURCE_INITIAL))
    return wrong (why, "a candidate that did not write what was read");
  const uint32_t key = ir->read_key[read];
  for (uint32_t i = choice->first; i < choice->last; i++) {
    const uint32_t install = ir->value_installs[i];
    if (install < ir->key_first[key] || install >= ir->key_first[key + 1])
      return wrong (why, "a candidate that does not install the key");
    if (choice->listed && !is_source (ir, node, read, install))
      return wrong (why, "a candidate that did not write what was read");
  }
  return true;
}

// What it depends on is a delete of its own transaction.
static bool depends_on_own (const struct ir *ir, uint32_t node, uint32_t presence, bool on_writes) {
  const struct presence *entry = &ir->presences[presence_entry (presence)];
  return entry->node == node
         && (entry->kind == PRESENCE_WROTE
             || (on_writes && entry->kind == PRESENCE_WRITES && presence_wanted (presence)));
}

static bool read_fine (const struct ir *ir, uint32_t node, uint32_t read, const char **why) {
  const uint32_t presence = ir_read_presence (ir, read), when = ir->read_when ? ir->read_when[read] : NEVER;
  if (!source_fine (ir, node, read, why))
    return false;
  if (presence != ALWAYS && (presence_wanted (presence) || !depends_on_own (ir, node, presence, false)))
    return wrong (why, "a read that depends on something else than that a delete of its transaction wrote nothing");
  if (when != NEVER && (ir->rules.points == 2 || !depends_on_own (ir, node, when, true)))
    return wrong (why, "anti-dependencies that depend on something else than a delete of the reader");
  const bool has_anti = (ir->read_anti && ir->read_anti[read] != ANTI_NONE) || when != NEVER;
  if (has_anti && !ir->rules.rw.used)
    return wrong (why, "anti-dependencies without points");
  if (has_anti && ir->rules.view != VIEW_PATHS)
    return wrong (why, "anti-dependencies mean nothing where readers have seen less than what leads to them");
  if (ir->read_anti && ir->read_anti[read] != ir->rules.anti && ir->rules.points == 2)
    return wrong (why, "with two points every anti-dependency is an edge");
  if (ir->rules.ww_hidden && ((ir->read_anti && ir->read_anti[read] == ANTI_EDGE) || when != NEVER))
    return wrong (why, "anti-dependencies that are edges need version orders in view");
  return !ir_has_places (ir) || read == ir->node_first_read[node] || ir->read_op[read - 1] <= ir->read_op[read]
         || wrong (why, "reads that are not in program order");
}

static bool reads_fine (const struct ir *ir, const char **why) {
  if (ir->node_first_read[0] != 0 || ir->node_first_read[ir->nodes] != ir->reads)
    return wrong (why, "reads without a node");
  for (uint32_t node = 0; node < ir->nodes; node++) {
    if (ir->node_first_read[node] > ir->node_first_read[node + 1])
      return wrong (why, "reads out of order");
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (!read_fine (ir, node, read, why))
        return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------- edges

static bool edge_fine (const struct ir *ir, uint32_t from, uint32_t to, const char **why) {
  return (from < ir->nodes && to < ir->nodes && to && from != to)
         || wrong (why, "an edge to a transaction that is not there, or to itself");
}

static bool derived_fine (const struct ir *ir, const struct derived_edge *edge, const char **why) {
  if (!edge_fine (ir, edge->from, edge->to, why))
    return false;
  if (edge->kind == EDGE_SO)
    return true;
  const uint32_t key = edge->read != READ_NONE ? ir->read_key[edge->read] : edge->key;
  const bool reads = edge->read != READ_NONE && edge->read >= ir->node_first_read[edge->from]
                     && edge->read < ir->node_first_read[edge->from + 1];
  if (edge->kind == EDGE_RW ? !reads : edge->from && ir_install_of (ir, key, edge->from) == INSTALL_NONE)
    return wrong (why, "a derived edge from somebody who did not read or install the key");
  return ir_install_of (ir, key, edge->to) != INSTALL_NONE
         || wrong (why, "a derived edge to somebody who did not install the key");
}

static bool edges_fine (const struct ir *ir, const char **why) {
  for (size_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    if (!edge_fine (ir, edge.from, edge.to, why))
      return false;
    if (ir_node_presence (ir, edge.from) != ALWAYS || ir_node_presence (ir, edge.to) != ALWAYS)
      return wrong (why, "an edge at a transaction that is not certain");
  }
  for (size_t i = 0; i < ir->derived.count; i++)
    if (!derived_fine (ir, &ir->derived.data[i], why))
      return false;
  for (size_t i = 0; ir->constraints && i < ir->constraints->edges.count; i++)
    if (!edge_fine (ir, ir->constraints->edges.data[i].from, ir->constraints->edges.data[i].to, why))
      return false;
  return true;
}

bool ir_validate (const struct ir *ir, const char **why) {
  *why = rules_problem (&ir->rules);
  return !*why && chains_fine (ir, why) && presences_fine (ir, why) && installs_fine (ir, why) && reads_fine (ir, why)
         && edges_fine (ir, why);
}
