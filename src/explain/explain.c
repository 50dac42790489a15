#include "explain/explain.h"

#include "asg/asg.h"
#include "explain/circle.h"
#include "explain/words.h"
#include "history/history.h"
#include "levels/levels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------------- a shorter cycle

// Among points that the sort could not place, the shortest way from `start` back to itself; gives up beyond `limit` points.
static bool shortest_cycle (struct graph *g, uint32_t start, uint32_t *parent, point_vec *seen, size_t limit,
                            point_vec *cycle) {
  bool found = false;
  seen->count = 0;
  VEC_PUSH (*seen, start);
  for (size_t i = 0; i < seen->count && !found && seen->count < limit; i++) {
    const uint32_t v = seen->data[i];
    const uint32_t count = graph_preds (g, v);
    for (uint32_t k = 0; k < count && !found; k++) {
      const uint32_t u = g->preds.data[k];
      if (u == start) { // start -> v -> … -> start, since parents lead forward
        cycle->count = 0;
        VEC_PUSH (*cycle, start);
        for (uint32_t p = v; p != start; p = parent[p])
          VEC_PUSH (*cycle, p);
        found = true;
      } else if (g->position[u] == POINT_NONE && parent[u] == POINT_NONE) {
        parent[u] = v;
        VEC_PUSH (*seen, u);
      }
    }
  }
  for (size_t i = 0; i < seen->count; i++)
    parent[seen->data[i]] = POINT_NONE;
  return found;
}

static void shorten_cycle (struct saturation *s) {
  struct graph *g = s->graph;
  uint32_t *parent = mem_nones (g->points);
  point_vec seen = VEC_EMPTY, best = VEC_EMPTY, tried = VEC_EMPTY;
  for (size_t i = 0; i < s->cycle.count && i < 64; i++)
    if (shortest_cycle (g, s->cycle.data[i], parent, &seen, 100000, &tried)
        && (!best.count || tried.count < best.count)) {
      const point_vec swap = best;
      best = tried;
      tried = swap;
    }
  if (best.count && best.count < s->cycle.count) {
    VEC_FREE (s->cycle);
    s->cycle = best;
  } else
    VEC_FREE (best);
  VEC_FREE (seen);
  VEC_FREE (tried);
  mem_free (parent);
}

// ------------------------------------------------------------------------------------------------------------------ edges

struct named_edge {
  uint32_t from, to; // nodes
  enum edge_kind kind;
  uint32_t key;
  uint32_t read; // UINT32_MAX: none
  enum rule rule;
  uint32_t extra; // number of a derived edge, or UINT32_MAX
  bool replaced;  // ww: the one that it leads from has read what the other one overwrote, too, and replaced it
};

typedef VEC (struct named_edge) named_edges;

static uint64_t id_of (const struct asg *asg, uint32_t node) {
  return node ? asg->history->txn_ids.data[asg->node_txn[node]] : 0;
}

static void words_txn (words *w, const struct asg *asg, uint32_t node) {
  if (node)
    words_add (w, "T%" PRIu64, id_of (asg, node));
  else
    words_add (w, "the initial state");
}

static void add_to_core (struct check_result *result, const struct asg *asg, uint32_t node) {
  if (!node)
    return;
  for (size_t i = 0; i < result->core.count; i++)
    if (result->core.data[i] == id_of (asg, node))
      return;
  VEC_PUSH (result->core, id_of (asg, node));
}

static void words_of_read (words *w, const struct asg *asg, uint32_t read) {
  words_read (w, asg->history, asg->read_op ? asg->read_op[read] : UINT32_MAX, asg->read_key[read],
              asg->read_value[read], asg->read_flags ? asg->read_flags[read] : 0);
}

static void words_why (words *w, const struct graph *g, const struct named_edge *edge) {
  const struct asg *asg = g->ir->asg;
  switch (edge->kind) {
  case EDGE_SO:
    words_txn (w, asg, edge->from);
    words_add (w, " comes before ");
    words_txn (w, asg, edge->to);
    words_add (w, " in the same session");
    return;
  case EDGE_RT:
    words_txn (w, asg, edge->from);
    words_add (w, " ended before ");
    words_txn (w, asg, edge->to);
    words_add (w, " began");
    return;
  case EDGE_WR:
    words_txn (w, asg, edge->to);
    words_add (w, " ");
    words_of_read (w, asg, edge->read);
    words_add (w, ", which ");
    words_txn (w, asg, edge->from);
    words_add (w, " wrote");
    return;
  case EDGE_RW:
  case EDGE_WW:
    if (edge->read != UINT32_MAX && edge->kind == EDGE_RW) {
      const uint32_t writer = g->read_writer[edge->read];
      words_txn (w, asg, edge->from);
      words_add (w, " ");
      words_of_read (w, asg, edge->read);
      words_add (w, writer ? ", which " : " from ");
      words_txn (w, asg, writer);
      words_add (w, writer ? " wrote; " : "; ");
      words_txn (w, asg, edge->to);
      words_add (w, " overwrote it later");
    } else if (edge->replaced) {
      words_txn (w, asg, edge->from);
      words_add (w, " ");
      words_of_read (w, asg, edge->read);
      words_add (w, " from ");
      words_txn (w, asg, g->read_writer[edge->read]);
      words_add (w, " and replaced it; ");
      words_txn (w, asg, edge->to);
      words_add (w, " wrote it after that, too: so the write of ");
      words_txn (w, asg, edge->from);
      words_add (w, " is the older one");
    } else if (edge->read != UINT32_MAX) {
      words_txn (w, asg, g->read_node[edge->read]);
      words_add (w, " ");
      words_of_read (w, asg, edge->read);
      words_add (w, " from ");
      words_txn (w, asg, edge->to);
      words_add (w, ", although ");
      words_txn (w, asg, edge->from);
      words_add (w, ", which comes before that read, wrote it too: so the write of ");
      words_txn (w, asg, edge->from);
      words_add (w, " is the older one");
    } else {
      words_txn (w, asg, edge->from);
      words_add (w, " wrote ");
      if (edge->key != UINT32_MAX)
        words_key (w, asg->history, edge->key);
      words_add (w, " before ");
      words_txn (w, asg, edge->to);
      words_add (w, " did");
    }
    return;
  default: {
    const char *module = edge->extra == UINT32_MAX ? NULL : ir_edge_module (g->ir, g->extra.data[edge->extra].read);
    if (module || !g->ir->edges_are_program_order) {
      words_add (w, module ? "module %s demands it" : "given", module);
      return;
    }
    words_txn (w, asg, edge->from);
    words_add (w, " comes before ");
    words_txn (w, asg, edge->to);
    words_add (w, " in one and the same transaction");
    return;
  }
  }
}

// Points, each with an edge to the next, to edges between transactions: time slots vanish into one real-time edge, points of one transaction into none.
// The first and the last point are transactions.
static void name_path (const struct graph *g, const point_vec *path, named_edges *edges) {
  for (size_t i = 0; i + 1 < path->count;) {
    size_t step = 1;
    while (graph_is_slot (g, path->data[i + step]))
      step++;
    const uint32_t from = path->data[i], to = path->data[i + step];
    struct edge_reason reason = { EDGE_RT, RULE_GIVEN, UINT32_MAX, UINT32_MAX, UINT32_MAX };
    if (step == 1)
      reason = graph_reason (g, from, to);
    if (graph_node (g, from) != graph_node (g, to))
      VEC_PUSH (*edges, (struct named_edge){ graph_node (g, from), graph_node (g, to), reason.kind, reason.key,
                                             reason.read, reason.rule, reason.extra, false });
    i += step;
  }
}

static void name_cycle (const struct graph *g, const point_vec *cycle, named_edges *edges) {
  size_t start = 0;
  while (start < cycle->count && graph_is_slot (g, cycle->data[start]))
    start++;
  point_vec path = VEC_EMPTY;
  for (size_t i = 0; i <= cycle->count; i++)
    VEC_PUSH (path, cycle->data[(start + i) % cycle->count]);
  name_path (g, &path, edges);
  VEC_FREE (path);
}

// A shortest path of edges in view that are older than `limit`, both ends included; empty if there is none.
static void older_path (struct graph *g, uint32_t from, uint32_t to, uint32_t limit, point_vec *path) {
  uint32_t *next = mem_nones (g->points);
  point_vec queue = VEC_EMPTY;
  VEC_PUSH (queue, to);
  path->count = 0;
  for (size_t i = 0; i < queue.count && next[from] == POINT_NONE; i++) {
    const uint32_t v = queue.data[i], count = graph_preds_in_view (g, v, limit);
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t u = g->preds.data[k];
      if (next[u] == POINT_NONE && u != to) {
        next[u] = v;
        VEC_PUSH (queue, u);
      }
    }
  }
  if (next[from] != POINT_NONE)
    for (uint32_t v = from;; v = next[v]) {
      VEC_PUSH (*path, v);
      if (v == to)
        break;
    }
  VEC_FREE (queue);
  mem_free (next);
}

// How the reader came to have p in view, as edges: empty if it had not, or if there is no telling. Only edges older than `limit` count.
static void name_view (struct graph *g, uint32_t p, uint32_t read, uint32_t limit, named_edges *edges) {
  const struct rules *rules = &g->ir->rules;
  point_vec path = VEC_EMPTY;
  edges->count = 0;
  if (rules->events || rules->view == VIEW_EARLIER_READS) // a path may arrive behind the read
    return;
  older_path (g, graph_point (g, p, rules->rw.to), graph_point (g, g->read_node[read], rules->rw.from), limit, &path);
  if (path.count)
    name_path (g, &path, edges);
  if (rules->view == VIEW_STEPS && edges->count != 1)
    edges->count = 0;
  VEC_FREE (path);
}

static bool has_anti_dependency (const named_edges *edges) {
  for (size_t i = 0; i < edges->count; i++)
    if (edges->data[i].kind == EDGE_RW)
      return true;
  return false;
}

// An edge p -> w was derived because p comes before r, which read from w. If the rest of the cycle leads from w to p, then r comes before p as well: the
// cycle p => r -> p says the same with an anti-dependency instead of a conclusion. The path to r uses only what was known before the conclusion was
// drawn, so this comes to an end. What the old cycle was made of still supports that w comes before p, and stays in the core. Where anti-dependencies are not
// edges, a way through one says nothing about the order of w and p.
static bool unfold_conclusion (struct check_result *result, struct graph *g, named_edges *edges) {
  size_t at = 0;
  if (g->ir->rules.anti != ANTI_EDGE && has_anti_dependency (edges))
    return false;
  while (at < edges->count && !(edges->data[at].extra != UINT32_MAX && edges->data[at].rule == RULE_WRITE_BEFORE))
    at++;
  if (at == edges->count)
    return false;
  const struct named_edge old = edges->data[at];
  named_edges view = VEC_EMPTY;
  name_view (g, old.from, old.read, old.extra, &view);
  const bool unfolded = view.count != 0;
  if (unfolded) {
    for (size_t i = 0; i < edges->count; i++)
      add_to_core (result, g->ir->asg, edges->data[i].from);
    VEC_PUSH (view, (struct named_edge){ g->read_node[old.read], old.from, EDGE_RW, old.key, old.read, RULE_READ_BEFORE,
                                         UINT32_MAX, false });
    VEC_FREE (*edges);
    *edges = view;
  } else
    VEC_FREE (view);
  return unfolded;
}

// Where anti-dependencies are not edges, a way through one is a way all the same if the reader replaced what it read: whoever wrote after that wrote after the
// reader. One of them may stay what it is, and closes the circle.
static void tell_replacements (const struct graph *g, named_edges *edges) {
  size_t kept = SIZE_MAX;
  if (g->ir->rules.anti == ANTI_EDGE)
    return;
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    if (edge->kind == EDGE_RW && (kept == SIZE_MAX || asg_install_of (g->ir->asg, edge->key, edge->from) == UINT32_MAX))
      kept = i;
  }
  for (size_t i = 0; i < edges->count; i++) {
    struct named_edge *edge = &edges->data[i];
    if (edge->kind != EDGE_RW || i == kept)
      continue;
    edge->kind = EDGE_WW;
    edge->replaced = true;
  }
}

// ------------------------------------------------------------------------------------------------------------------- names

// Two transactions that both read a key from the same writer and both installed it.
static bool is_lost_update (const struct graph *g, const named_edges *edges) {
  if (edges->count != 2)
    return false;
  const struct asg *asg = g->ir->asg;
  const uint32_t a = edges->data[0].from, b = edges->data[1].from;
  for (uint32_t i = asg->node_first_read[a]; i < asg->node_first_read[a + 1]; i++)
    for (uint32_t k = asg->node_first_read[b]; k < asg->node_first_read[b + 1]; k++) {
      const uint32_t key = asg->read_key[i];
      if (asg->read_key[k] == key && g->read_writer[i] == g->read_writer[k] && g->read_writer[i] != NODE_NONE
          && asg_install_of (asg, key, a) != UINT32_MAX && asg_install_of (asg, key, b) != UINT32_MAX)
        return true;
    }
  return false;
}

static bool is_derived (const named_edges *edges) {
  for (size_t i = 0; i < edges->count; i++)
    if (edges->data[i].extra != UINT32_MAX && edges->data[i].rule == RULE_WRITE_BEFORE)
      return true;
  return false;
}

// The class of what every choice runs into: the mildest that it may be, for a worse one would accuse the database of breaking levels that it may well keep.
static const char *refuted_class (const struct graph *g) {
  const struct level *level = g->ir->level;
  if (level->rules.ww_hidden) // what is in view counts as read
    return "G-single";
  if (level->rules.anti == ANTI_NONE && !level->traits.mark_reads)
    return level->rules.wr.used ? "G1c" : "G0";
  if (level->rules.events)
    return "G-monotonic";
  if (level->rules.anti == ANTI_NONE)
    return "G-cursor";
  if (level->rules.anti == ANTI_ONCE)
    return "G-single";
  if (level->rules.points == 2)
    return "G-nonadjacent";
  return g->ir->asg->predicates && !level->traits.predicates_free ? "G2" : "G2-item";
}

// That `second` replaced what `first` wrote follows at every level that knows reads: it has read that, or a list or a hint says so.
static bool is_plain_order (const struct graph *g, uint32_t key, uint32_t first, uint32_t second) {
  const struct asg *asg = g->ir->asg;
  if (!first)
    return true;
  for (uint32_t read = asg->node_first_read[second]; read < asg->node_first_read[second + 1]; read++)
    if (asg->read_key[read] == key && g->read_writer[read] == first && !source_is_many (asg->read_source[read]))
      return true;
  for (size_t i = 0; i < asg->orders.count; i++)
    if (asg->install_node[asg->orders.data[i].before] == first && asg->install_node[asg->orders.data[i].after] == second
        && !asg->orders.data[i].reader)
      return true;
  return false;
}

static bool is_plain (const struct graph *g, const struct named_edge *edge) {
  if (g->ir->asg->optional && (g->ir->asg->optional[edge->from] || g->ir->asg->optional[edge->to]))
    return false; // that it took place may be a conclusion, too
  if (edge->kind == EDGE_WW && !edge->replaced)
    return is_plain_order (g, edge->key, edge->from, edge->to);
  if (edge->read == UINT32_MAX)
    return true;
  return !source_is_many (g->ir->asg->read_source[edge->read])
         && (edge->kind == EDGE_WR || is_plain_order (g, edge->key, g->read_writer[edge->read], edge->to));
}

// The circle is there at other levels, too, and not only by what this one concludes from the rest of the history: a read of which it has left one source, or an order of
// two versions.
static bool are_plain (const struct graph *g, const named_edges *edges) {
  for (size_t i = 0; i < edges->count; i++)
    if (!is_plain (g, &edges->data[i]))
      return false;
  return true;
}

static bool is_predicate (const struct asg *asg, uint32_t read) {
  return read != UINT32_MAX && asg->read_flags && (asg->read_flags[read] & READ_PREDICATE);
}

static bool has_reader_only (const struct asg *asg, const named_edges *edges) {
  for (size_t i = 0; i < edges->count; i++)
    if (asg->node_first_install[edges->data[i].from] == asg->node_first_install[edges->data[i].from + 1])
      return true;
  return false;
}

static void name_anomaly (struct check_result *result, const struct graph *g, const named_edges *edges) {
  circle_edge_vec circle = VEC_EMPTY;
  bool reads_or_writes = false;
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    reads_or_writes |= edge->kind == EDGE_WW || edge->kind == EDGE_WR || edge->kind == EDGE_RW;
    VEC_PUSH (circle, (struct circle_edge){ edge->from, edge->to, edge->kind, is_predicate (g->ir->asg, edge->read),
                                            edge->key, edge->read });
  }
  const struct circle_facts facts = { is_lost_update (g, edges), has_reader_only (g->ir->asg, edges),
                                      g->ir->asg->settled };
  const struct anomaly anomaly = circle_anomaly (circle.data, circle.count, facts, g->ir->level);
  VEC_FREE (circle);
  if (g->ir->demands && !reads_or_writes) // no reads or writes are needed for this
    result->anomaly = "module";
  else if (g->ir->rules.events && is_derived (edges))
    result->anomaly = "G-monotonic";
  else if (g->ir->rules.ww_hidden && is_derived (edges)) { // a reader missed a version that it had in view
    result->anomaly = "G-single";
    result->anomaly_name = g->ir->rules.view == VIEW_PATHS ? "causality" : "fractured-read";
  } else if (!are_plain (g, edges))
    result->anomaly = refuted_class (g);
  else {
    result->anomaly = anomaly.class;
    result->anomaly_name = anomaly.name;
  }
}

// The cycle as edges, as words, and what it is called.
static void tell_cycle (struct check_result *result, const struct graph *g, named_edges *edges) {
  tell_replacements (g, edges);
  name_anomaly (result, g, edges);
  words text = VEC_EMPTY;
  words_add (&text, "Each of these must come before the next, in a circle:\n");
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    words why = VEC_EMPTY;
    words_why (&why, g, edge);
    struct cycle_edge out = { .from_initial = !edge->from,
                              .to_initial = !edge->to,
                              .type = circle_edge_name (edge->kind, is_predicate (g->ir->asg, edge->read)) };
    out.from = id_of (g->ir->asg, edge->from);
    out.to = id_of (g->ir->asg, edge->to);
    out.key = edge->key;
    out.why = words_take (&why);
    words_add (&text, "  ");
    words_txn (&text, g->ir->asg, edge->from);
    words_add (&text, " -> ");
    words_txn (&text, g->ir->asg, edge->to);
    words_add (&text, "  (%s)  %s\n", out.type, out.why);
    VEC_PUSH (result->cycle, out);
    add_to_core (result, g->ir->asg, edge->from);
    add_to_core (result, g->ir->asg, edge->to);
    if (edge->read != UINT32_MAX) {
      add_to_core (result, g->ir->asg, g->read_node[edge->read]);
      if (g->read_writer[edge->read] != NODE_NONE)
        add_to_core (result, g->ir->asg, g->read_writer[edge->read]);
    }
  }
  result->explanation = words_take (&text);
}

void explain_cycle (struct check_result *result, struct saturation *s) {
  struct graph *g = s->graph;
  shorten_cycle (s);
  named_edges edges = VEC_EMPTY;
  name_cycle (g, &s->cycle, &edges);
  for (int rounds = 0; rounds < 100 && unfold_conclusion (result, g, &edges); rounds++)
    ;
  tell_cycle (result, g, &edges);
  VEC_FREE (edges);
}

// ------------------------------------------------------------------------------------------------------- no candidate is left

// The initial state was read although something that overwrote it comes before: a cycle, if it can be told how that came into view.
static bool explain_overwritten_initial (struct check_result *result, struct graph *g, uint32_t read) {
  const struct asg *asg = g->ir->asg;
  const uint32_t key = asg->read_key[read], reader = g->read_node[read];
  const struct rules *rules = &g->ir->rules;
  named_edges edges = VEC_EMPTY;
  unsigned tries = 16;
  for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1] && !edges.count && tries; i++) {
    const uint32_t p = asg->install_node[i];
    if (p == reader || !graph_installs (g, i)
        || !graph_reaches (g, graph_point (g, p, rules->rw.to), graph_point (g, reader, rules->rw.from)))
      continue;
    tries--;
    add_to_core (result, asg, p); // it has to do with it, or may have
    name_view (g, p, read, UINT32_MAX, &edges);
    if (edges.count)
      VEC_PUSH (edges, (struct named_edge){ reader, p, EDGE_RW, key, read, RULE_READ_BEFORE, UINT32_MAX, false });
  }
  const bool found = edges.count != 0;
  if (found)
    tell_cycle (result, g, &edges);
  VEC_FREE (edges);
  return found;
}

void explain_lost_read (struct check_result *result, const struct saturation *s) {
  struct graph *g = s->graph;
  const struct asg *asg = g->ir->asg;
  const uint32_t read = s->lost_read, reader = g->read_node[read];
  if (g->read_writer[read] == 0 && explain_overwritten_initial (result, g, read))
    return;
  words w = VEC_EMPTY;
  result->anomaly = refuted_class (g);
  add_to_core (result, asg, reader);
  words_txn (&w, asg, reader);
  words_add (&w, " ");
  words_of_read (&w, asg, read);
  if (g->read_writer[read] == 0)
    words_add (&w, ", the initial state, although a write of it comes before that read\n");
  else
    words_add (&w, ", but every write of that value either comes later or is overwritten before it:\n");
  const uint32_t source = asg->read_source[read];
  unsigned shown = 0;
  if (source_is_many (source)) {
    const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
    for (uint32_t i = choice->first; i < choice->last; i++) {
      const uint32_t writer = asg->install_node[asg->value_installs[i]];
      if (writer == reader)
        continue;
      if (shown++ == 8) {
        words_add (&w, "  … and %u more\n", choice->last - i);
        break;
      }
      const bool later = g->active[writer]
                         && graph_reaches (g, graph_point (g, reader, g->ir->rules.wr.to),
                                           graph_point (g, writer, g->ir->rules.wr.from));
      words_add (&w, "  ");
      words_txn (&w, asg, writer);
      words_add (&w, later ? " comes after the read\n" : " was overwritten before the read\n");
      add_to_core (result, asg, writer);
    }
  }
  result->explanation = words_take (&w);
}

// -------------------------------------------------------------------------------------------------------- what a module forbids

static bool is_known_to_hold (const struct graph *g, const struct demand_condition *condition) {
  const uint32_t writer = condition->source == SOURCE_INITIAL ? 0 : g->ir->asg->install_node[condition->source];
  return g->active[g->read_node[condition->read]] && g->read_writer[condition->read] == writer;
}

static bool is_broken (const struct graph *g, const struct demand *demand) {
  const struct demand_condition *conditions = g->ir->demands->conditions.data + demand->first_condition;
  for (uint32_t i = 0; i < demand->conditions; i++)
    if (!is_known_to_hold (g, &conditions[i]))
      return false;
  return !demand->alternatives;
}

bool explain_forbidden (struct check_result *result, const struct saturation *s) {
  const struct graph *g = s->graph;
  const struct demands *demands = g->ir->demands;
  const struct demand *broken = NULL;
  for (size_t i = 0; demands && i < demands->list.count && !broken; i++)
    if (is_broken (g, &demands->list.data[i]))
      broken = &demands->list.data[i];
  if (!broken)
    return false;
  words w = VEC_EMPTY;
  words_add (&w, "Module %s forbids it:\n", demands->modules.data[broken->module]);
  for (uint32_t i = 0; i < broken->conditions; i++) {
    const struct demand_condition *condition = &demands->conditions.data[broken->first_condition + i];
    const uint32_t reader = g->read_node[condition->read], writer = g->read_writer[condition->read];
    words_add (&w, "  ");
    words_txn (&w, g->ir->asg, reader);
    words_add (&w, " ");
    words_of_read (&w, g->ir->asg, condition->read);
    words_add (&w, " from ");
    words_txn (&w, g->ir->asg, writer);
    words_add (&w, "\n");
    add_to_core (result, g->ir->asg, reader);
    add_to_core (result, g->ir->asg, writer);
  }
  result->anomaly = "module";
  result->explanation = words_take (&w);
  return true;
}

// ------------------------------------------------------------------------------------------------------------ no choice works

// What a presence means, or, if it does not hold, its opposite.
static void add_presence (words *w, const struct ir *ir, uint32_t entry, bool holds) {
  const struct presence *presence = &ir->presences[entry];
  if (presence->kind == PRESENCE_WROTE) {
    words_add (w, "the delete of ");
    words_key (w, ir->asg->history, presence->key);
    words_add (w, " by ");
    words_txn (w, ir->asg, presence->node);
    words_add (w, holds ? " found something" : " found nothing");
    return;
  }
  words_txn (w, ir->asg, presence->node);
  words_add (w, presence->kind == PRESENCE_IN ? " committed" : " wrote");
}

static void words_choice (words *w, const struct saturation *s, const struct problem *problem, int32_t literal) {
  const struct asg *asg = s->graph->ir->asg;
  const struct variable *variable = &problem->variables.data[literal > 0 ? literal : -literal];
  switch (variable->kind) {
  case VARIABLE_PAIR:
    words_txn (w, asg, literal > 0 ? variable->a : variable->b);
    words_add (w, " writes before ");
    words_txn (w, asg, literal > 0 ? variable->b : variable->a);
    return;
  case VARIABLE_SOURCE:
    words_txn (w, asg, s->graph->read_node[variable->a]);
    words_add (w, " ");
    words_of_read (w, asg, variable->a);
    words_add (w, " from ");
    words_txn (w, asg, variable->b == SOURCE_INITIAL ? 0 : asg->install_node[variable->b]);
    return;
  case VARIABLE_PRESENCE: add_presence (w, s->graph->ir, variable->a, literal > 0); return;
  case VARIABLE_ALTERNATIVE:
    words_add (w, "alternative %u of demand %u by module %s", variable->b + 1, variable->a + 1,
               s->graph->ir->demands->modules.data[s->graph->ir->demands->list.data[variable->a].module]);
    return;
  case VARIABLE_TRUE:
    words_add (w, "what is known of ");
    words_txn (w, asg, variable->a);
    return;
  case VARIABLE_INITIAL:
    words_add (w, "the initial value of ");
    words_key (w, asg->history, variable->a);
    words_add (w, " is ");
    words_value (w, asg->history, variable->b);
    return;
  }
}

static void words_lemma (words *w, const struct saturation *s, const struct problem *problem, const uint32_t *edges) {
  VEC (int32_t) choices = VEC_EMPTY;
  bool demanded = false;
  for (const uint32_t *e = edges; *e != UINT32_MAX; e++) {
    demanded |= problem->edges.data[*e].kind == EDGE_GIVEN;
    for (unsigned k = 0; k < MOST_GUARDS && problem->edges.data[*e].guard[k]; k++) {
      const int32_t literal = problem->edges.data[*e].guard[k];
      bool there = problem->variables.data[literal > 0 ? literal : -literal].kind == VARIABLE_TRUE;
      for (size_t i = 0; i < choices.count && !there; i++)
        there = choices.data[i] == literal;
      if (!there)
        VEC_PUSH (choices, literal);
    }
  }
  words_add (w, "  not all of:");
  for (size_t i = 0; i < choices.count; i++) {
    words_add (w, i ? "; " : " ");
    words_choice (w, s, problem, choices.data[i]);
  }
  words_add (w, demanded ? " (with an edge that a module demands then)\n" : "\n");
  VEC_FREE (choices);
}

static uint32_t node_of_local (const struct saturation *s, const struct problem *problem, uint32_t local) {
  const uint32_t point = problem->point[local];
  if (point >= s->graph->points) // an event
    return s->graph->read_node[point - s->graph->points];
  return graph_is_slot (s->graph, point) ? 0 : graph_node (s->graph, point);
}

void explain_refutation (struct check_result *result, const struct saturation *s, const struct problem *problem,
                         const struct solve_result *solved) {
  words w = VEC_EMPTY;
  unsigned lemmas = 0;
  for (size_t i = 0; i < solved->core.count; i++) {
    if (solved->core.data[i] == UINT32_MAX) {
      lemmas++;
      continue;
    }
    const struct guarded_edge *edge = &problem->edges.data[solved->core.data[i]];
    add_to_core (result, s->graph->ir->asg, node_of_local (s, problem, edge->from));
    add_to_core (result, s->graph->ir->asg, node_of_local (s, problem, edge->to));
  }
  result->anomaly = s->graph->ir->demands && !lemmas ? "module" : refuted_class (s->graph);
  words_add (
    &w,
    "No choice of version orders and read sources works: %u combinations that each close a cycle exclude each other.\n",
    lemmas);
  unsigned shown = 0;
  for (size_t i = 0; i < solved->core.count && shown < 12; i++) {
    words_lemma (&w, s, problem, &solved->core.data[i]);
    shown++;
    while (solved->core.data[i] != UINT32_MAX)
      i++;
  }
  if (shown < lemmas)
    words_add (&w, "  … and %u more\n", lemmas - shown);
  words_add (&w, "Transactions involved:");
  for (size_t i = 0; i < result->core.count && i < 40; i++)
    words_add (&w, " T%" PRIu64, result->core.data[i]);
  words_add (&w, result->core.count > 40 ? " …\n" : "\n");
  result->explanation = words_take (&w);
}
