#include "explain/explain.h"

#include "base/search.h"
#include "history/history.h"

// --------------------------------------------------------------------------------- a shorter cycle

// A shortest way from a point to another one, or back to itself, both ends included; empty if there
// is none. All edges of it are in view and older than `limit`, or, for UNPLACED, all points of it
// are of those that the sort could not place; then it gives up beyond many points. `next` is
// POINT_NONE everywhere, before and after.
#define UNPLACED (UINT32_MAX - 1)
static void shortest_way (struct graph *g, uint32_t from, uint32_t to, uint32_t limit, uint32_t *next, point_vec *way) {
  const size_t most = limit == UNPLACED ? 100000 : SIZE_MAX;
  point_vec seen = VEC_EMPTY;
  VEC_PUSH (seen, to);
  way->count = 0;
  for (size_t i = 0; i < seen.count && next[from] == POINT_NONE && seen.count < most; i++) {
    const uint32_t v = seen.data[i];
    const uint32_t count = limit == UNPLACED ? graph_preds (g, v) : graph_preds_in_view (g, v, limit);
    for (uint32_t k = 0; k < count; k++) {
      const uint32_t u = g->preds.data[k];
      const bool allowed = u == from || (u != to && (limit != UNPLACED || g->position[u] == POINT_NONE));
      if (!allowed || next[u] != POINT_NONE)
        continue;
      next[u] = v;
      VEC_PUSH (seen, u);
    }
  }
  for (uint32_t v = from; next[from] != POINT_NONE && (v != to || !way->count); v = next[v])
    VEC_PUSH (*way, v);
  if (way->count)
    VEC_PUSH (*way, to);
  for (size_t i = 0; i < seen.count; i++)
    next[seen.data[i]] = POINT_NONE;
  VEC_FREE (seen);
}

static void shorten_cycle (struct saturation *s) {
  struct graph *g = s->graph;
  uint32_t *next = mem_nones (g->points);
  point_vec found = VEC_EMPTY, starts = VEC_EMPTY;
  VEC_COPY (starts, s->cycle);
  for (size_t i = 0; i < starts.count && i < 64; i++) {
    shortest_way (g, starts.data[i], starts.data[i], UNPLACED, next, &found);
    if (!found.count || found.count > s->cycle.count)
      continue;
    const point_vec swap = s->cycle;
    s->cycle = found;
    s->cycle.count--; // it ends where it began
    found = swap;
  }
  MEM_FREE_ALL (starts.data, found.data, next);
}

// ------------------------------------------------------------------------------------------- edges

#define EXTRA_NONE UINT32_MAX // an edge that nothing had to be derived for

struct named_edge {
  uint32_t from, to; // nodes
  enum edge_kind kind;
  uint32_t key;
  uint32_t read; // or READ_NONE
  enum rule rule;
  uint32_t extra; // number of a derived edge, or EXTRA_NONE
  // ww: the one that it leads from has read what the other one overwrote, too, and replaced it
  bool replaced;
};

typedef VEC (struct named_edge) named_edges;

struct party party_of (const struct history *h, const struct ir_columns *columns, uint32_t node) {
  return (struct party){ !node, node ? h->txn_ids.data[columns->node_txn[node]] : 0 };
}

struct seen seen_by (const struct history *h, const struct ir_columns *c, uint32_t reader, uint32_t read,
                     uint32_t writer) {
  const uint32_t key = c->read_key[read], op = c->read_op && history_ops (h) ? c->read_op[read] : OP_NONE;
  const uint32_t install =
    writer ? find_u32 (c->install_node, c->key_first[key], c->key_first[key + 1], writer) : NOT_FOUND;
  return (struct seen){ party_of (h, c, reader), party_of (h, c, writer),
                        show_read (h, op, key, c->read_value[read], c->read_flags ? c->read_flags[read] : 0),
                        install != NOT_FOUND && c->install_value[install] == VALUE_ABSENT };
}

static struct party party (const struct ir *ir, uint32_t node) {
  return party_of (ir->history, &ir->columns, node);
}

static struct seen seen (const struct ir *ir, uint32_t reader, uint32_t read, uint32_t writer) {
  return seen_by (ir->history, &ir->columns, reader, read, writer);
}

static void involve (struct violation *v, const struct ir *ir, uint32_t node) {
  violation_involve (v, party (ir, node));
}

// Points, each with an edge to the next, to edges between transactions: time slots vanish into one
// real-time edge, points of one transaction into none. The first and the last point are
// transactions.
static void name_path (const struct graph *g, const point_vec *path, named_edges *edges) {
  for (size_t i = 0; i + 1 < path->count;) {
    size_t step = 1;
    while (graph_is_slot (g, path->data[i + step]))
      step++;
    const uint32_t from = path->data[i], to = path->data[i + step];
    struct edge_reason reason = { EDGE_RT, RULE_GIVEN, KEY_NONE, READ_NONE, EXTRA_NONE };
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

// How the reader came to have p in view, as edges: empty if it had not, or if there is no telling.
// Only edges older than `limit` count.
static void name_view (struct graph *g, uint32_t p, uint32_t read, uint32_t limit, named_edges *edges) {
  const struct rules *rules = &g->ir->rules;
  point_vec path = VEC_EMPTY;
  edges->count = 0;
  if (rules->events || rules->view == VIEW_EARLIER_READS) // a path may arrive behind the read
    return;
  uint32_t *next = mem_nones (g->points);
  shortest_way (g, graph_point (g, p, rules->rw.to), graph_point (g, graph_reader (g, read), rules->rw.from), limit,
                next, &path);
  mem_free (next);
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

// An edge p -> w was derived because p comes before r, which read from w. If the rest of the cycle
// leads from w to p, then r comes before p as well: the cycle p => r -> p says the same with an
// anti-dependency instead of a conclusion. The path to r uses only what was known before the
// conclusion was drawn, so this comes to an end. What the old cycle was made of still supports that
// w comes before p, and stays in the core. Where anti-dependencies are not edges, a way through one
// says nothing about the order of w and p.
static bool unfold_conclusion (struct violation *v, struct graph *g, named_edges *edges) {
  size_t at = 0;
  if (g->ir->rules.anti != ANTI_EDGE && has_anti_dependency (edges))
    return false;
  while (at < edges->count && !(edges->data[at].extra != EXTRA_NONE && edges->data[at].rule == RULE_WRITE_BEFORE))
    at++;
  if (at == edges->count)
    return false;
  const struct named_edge old = edges->data[at];
  named_edges view = VEC_EMPTY;
  name_view (g, old.from, old.read, old.extra, &view);
  const bool unfolded = view.count != 0;
  if (unfolded) {
    for (size_t i = 0; i < edges->count; i++)
      involve (v, g->ir, edges->data[i].from);
    VEC_PUSH (view, (struct named_edge){ graph_reader (g, old.read), old.from, EDGE_RW, old.key, old.read,
                                         RULE_READ_BEFORE, EXTRA_NONE, false });
    VEC_FREE (*edges);
    *edges = view;
  } else
    VEC_FREE (view);
  return unfolded;
}

// Where anti-dependencies are not edges, a way through one is a way all the same if the reader
// replaced what it read: whoever wrote after that wrote after the reader. One of them may stay what
// it is, and closes the circle.
static void tell_replacements (const struct graph *g, named_edges *edges) {
  size_t kept = SIZE_MAX;
  if (g->ir->rules.anti == ANTI_EDGE)
    return;
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    if (edge->kind == EDGE_RW && (kept == SIZE_MAX || ir_install_of (g->ir, edge->key, edge->from) == INSTALL_NONE))
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

// ------------------------------------------------------------------------------------------- names

// Two transactions that both read a key from the same writer and both installed it.
static bool is_lost_update (const struct graph *g, const named_edges *edges) {
  if (edges->count != 2)
    return false;
  const struct ir *ir = g->ir;
  const uint32_t a = edges->data[0].from, b = edges->data[1].from;
  for (uint32_t i = ir->node_first_read[a]; i < ir->node_first_read[a + 1]; i++)
    for (uint32_t k = ir->node_first_read[b]; k < ir->node_first_read[b + 1]; k++) {
      const uint32_t key = ir->read_key[i];
      if (ir->read_key[k] == key && g->read_writer[i] == g->read_writer[k] && g->read_writer[i] != NODE_NONE
          && ir_install_of (ir, key, a) != INSTALL_NONE && ir_install_of (ir, key, b) != INSTALL_NONE)
        return true;
    }
  return false;
}

// Does it mean anything that something was put where a scan found nothing?
static bool predicates_count (const struct ir *ir) {
  for (uint32_t read = 0; ir->read_flags && read < ir->reads; read++)
    if ((ir->read_flags[read] & READ_PREDICATE) && (!ir->read_anti || ir->read_anti[read] != ANTI_NONE))
      return true;
  return false;
}

// The class of what every choice runs into: the mildest that it may be, for a worse one would
// accuse the database of breaking levels that it may well keep.
static enum anomaly_class refuted_class (const struct graph *g) {
  const struct rules *rules = &g->ir->rules;
  if (rules->ww_hidden) // what is in view counts as read
    return CLASS_SINGLE;
  if (rules->anti == ANTI_NONE && !g->ir->marks_reads)
    return rules->wr.used ? CLASS_G1C : CLASS_G0;
  if (rules->events)
    return CLASS_MONOTONIC;
  if (rules->anti == ANTI_NONE)
    return CLASS_CURSOR;
  if (rules->anti == ANTI_FORBID)
    return CLASS_SINGLE;
  if (rules->points == 2)
    return CLASS_NONADJACENT;
  return predicates_count (g->ir) ? CLASS_G2 : CLASS_G2_ITEM;
}

// That `second` replaced what `first` wrote follows at every level that knows reads: it has read
// that, or a list or a hint says so.
static bool is_plain_order (const struct graph *g, uint32_t key, uint32_t first, uint32_t second) {
  const struct ir *ir = g->ir;
  if (!first)
    return true;
  for (uint32_t read = ir->node_first_read[second]; read < ir->node_first_read[second + 1]; read++)
    if (ir->read_key[read] == key && g->read_writer[read] == first && !source_is_many (ir->read_source[read]))
      return true;
  for (size_t i = 0; i < ir->order_count; i++)
    if (ir->install_node[ir->orders[i].before] == first && ir->install_node[ir->orders[i].after] == second
        && !ir->orders[i].reader)
      return true;
  return false;
}

// The edge is there at other levels, too, and not only by what this one concludes from the rest of
// the history: a read of which it has left one source, or an order of two versions.
static bool is_plain (const struct graph *g, const struct named_edge *edge) {
  if (ir_node_presence (g->ir, edge->from) != ALWAYS || ir_node_presence (g->ir, edge->to) != ALWAYS)
    return false; // that it took place may be a conclusion, too
  if (edge->kind == EDGE_WW && !edge->replaced)
    return is_plain_order (g, edge->key, edge->from, edge->to);
  if (edge->read == READ_NONE)
    return true;
  return !source_is_many (g->ir->read_source[edge->read])
         && (edge->kind == EDGE_WR || is_plain_order (g, edge->key, g->read_writer[edge->read], edge->to));
}

static bool is_predicate (const struct ir *ir, uint32_t read) {
  return read != READ_NONE && ir->read_flags && (ir->read_flags[read] & READ_PREDICATE);
}

static struct anomaly only_class (enum anomaly_class class) {
  return (struct anomaly){ .class = class };
}

static struct anomaly name_anomaly (const struct graph *g, const named_edges *edges) {
  const struct ir *ir = g->ir;
  const struct rules *rules = &ir->rules;
  circle_edge_vec circle = VEC_EMPTY;
  struct circle_facts facts = { .lost_update = is_lost_update (g, edges),
                                .settled = ir->deletes_settled,
                                .single_reads = ir->marks_reads };
  bool reads_or_writes = false, derived = false, plain = true;
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    reads_or_writes |= edge->kind == EDGE_WW || edge->kind == EDGE_WR || edge->kind == EDGE_RW;
    derived |= edge->extra != EXTRA_NONE && edge->rule == RULE_WRITE_BEFORE;
    plain = plain && is_plain (g, edge);
    facts.reader_only |= ir->node_first_install[edge->from] == ir->node_first_install[edge->from + 1];
    VEC_PUSH (circle, (struct circle_edge){ edge->from, edge->to, edge->kind, is_predicate (ir, edge->read), edge->key,
                                            edge->read });
  }
  const struct anomaly anomaly = circle_anomaly (circle.data, circle.count, facts, rules);
  VEC_FREE (circle);
  if (ir->constraints && !reads_or_writes) // no reads or writes are needed for this
    return only_class (CLASS_MODULE);
  if (rules->events && derived)
    return only_class (CLASS_MONOTONIC);
  if (rules->ww_hidden && derived) // a reader missed a version that it had in view
    return (struct anomaly){ .class = CLASS_SINGLE,
                             .name = rules->view == VIEW_PATHS ? NAMED_CAUSALITY : NAMED_FRACTURED_READ };
  return plain ? anomaly : only_class (refuted_class (g));
}

static enum why why_order (const struct named_edge *edge) {
  if (edge->replaced)
    return WHY_REPLACED;
  if (edge->read == READ_NONE)
    return WHY_DERIVED;
  return edge->kind == EDGE_RW ? WHY_KIND : WHY_SEEN;
}

static struct violation_edge edge_told (struct violation *v, const struct graph *g, const struct named_edge *edge) {
  const struct ir *ir = g->ir;
  struct violation_edge told = { .from = party (ir, edge->from),
                                 .to = party (ir, edge->to),
                                 .kind = edge->kind,
                                 .predicate = is_predicate (ir, edge->read),
                                 .key = edge->key };
  if (edge->kind == EDGE_GIVEN) {
    const char *module = edge->extra == EXTRA_NONE ? NULL : ir_edge_module (g->ir, g->extra.data[edge->extra].read);
    told.why = module ? WHY_MODULE : g->ir->edges_are_program_order ? WHY_PROGRAM : WHY_GIVEN;
    told.module = module ? violation_module (v, module) : 0;
  } else if (edge->kind == EDGE_RW || edge->kind == EDGE_WW)
    told.why = why_order (edge);
  if (edge->read == READ_NONE)
    return told;
  const uint32_t writer = told.why == WHY_SEEN    ? edge->to
                          : edge->kind == EDGE_WR ? edge->from
                                                  : g->read_writer[edge->read];
  told.seen = seen (ir, graph_reader (g, edge->read), edge->read, writer);
  return told;
}

// The cycle, and what it is called.
static void tell_cycle (struct violation *v, const struct graph *g, named_edges *edges) {
  tell_replacements (g, edges);
  v->anomaly = name_anomaly (g, edges);
  for (size_t i = 0; i < edges->count; i++) {
    const struct named_edge *edge = &edges->data[i];
    const struct violation_edge told = edge_told (v, g, edge);
    VEC_PUSH (v->edges, told);
    involve (v, g->ir, edge->from);
    involve (v, g->ir, edge->to);
    if (edge->read != READ_NONE) {
      involve (v, g->ir, graph_reader (g, edge->read));
      if (g->read_writer[edge->read] != NODE_NONE)
        involve (v, g->ir, g->read_writer[edge->read]);
    }
  }
}

struct violation *explain_cycle (struct saturation *s) {
  struct graph *g = s->graph;
  struct violation *v = violation_new (VIOLATION_CIRCLE, only_class (CLASS_NONE));
  shorten_cycle (s);
  named_edges edges = VEC_EMPTY;
  name_cycle (g, &s->cycle, &edges);
  for (int rounds = 0; rounds < 100 && unfold_conclusion (v, g, &edges); rounds++)
    ;
  tell_cycle (v, g, &edges);
  VEC_FREE (edges);
  return v;
}

// ---------------------------------------------------------------------------- no candidate is left

// The initial state was read although something that overwrote it comes before: a cycle, if it can
// be told how that came into view.
static bool tell_overwritten_initial (struct violation *v, struct graph *g, uint32_t read) {
  const struct ir *ir = g->ir;
  const uint32_t key = ir->read_key[read], reader = graph_reader (g, read);
  const struct rules *rules = &g->ir->rules;
  named_edges edges = VEC_EMPTY;
  unsigned tries = 16;
  for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1] && !edges.count && tries; i++) {
    const uint32_t p = ir->install_node[i];
    if (p == reader || !graph_installs (g, i)
        || !graph_reaches (g, graph_point (g, p, rules->rw.to), graph_point (g, reader, rules->rw.from)))
      continue;
    tries--;
    involve (v, ir, p); // it has to do with it, or may have
    name_view (g, p, read, EXTRA_NONE, &edges);
    if (edges.count)
      VEC_PUSH (edges, (struct named_edge){ reader, p, EDGE_RW, key, read, RULE_READ_BEFORE, EXTRA_NONE, false });
  }
  const bool found = edges.count != 0;
  if (found) {
    v->kind = VIOLATION_CIRCLE;
    tell_cycle (v, g, &edges);
  }
  VEC_FREE (edges);
  return found;
}

// Those who wrote what was read, and why none of them will do.
static void tell_lost_sources (struct violation *v, const struct graph *g, uint32_t read, const struct choice *choice) {
  enum { MOST = 8 };
  const struct ir *ir = g->ir;
  const uint32_t reader = graph_reader (g, read);
  for (uint32_t i = choice->first; i < choice->last; i++) {
    const uint32_t writer = ir->install_node[ir->value_installs[i]];
    if (writer == reader)
      continue;
    if (v->sources.count == MOST) {
      v->more_sources = choice->last - i;
      return;
    }
    const bool later =
      g->active[writer]
      && graph_reaches (g, graph_point (g, reader, g->ir->rules.wr.to), graph_point (g, writer, g->ir->rules.wr.from));
    VEC_PUSH (v->sources, (struct lost_source){ party (ir, writer), later });
    involve (v, ir, writer);
  }
}

// What the same transaction has read of the key besides, which was not that.
static void tell_other_read (struct violation *v, const struct graph *g, uint32_t read) {
  const struct ir *ir = g->ir;
  const uint32_t reader = graph_reader (g, read);
  for (uint32_t other = ir->node_first_read[reader]; other < ir->node_first_read[reader + 1]; other++)
    if (saturation_reads_agree (g, read, other) && ir->read_value[other] != ir->read_value[read]
        && !((ir_read_flags (ir, read) | ir_read_flags (ir, other)) & READ_SEVERAL)) {
      VEC_PUSH (v->reads, seen (ir, reader, other, 0));
      return;
    }
}

struct violation *explain_lost_read (const struct saturation *s) {
  struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  const uint32_t read = s->lost_read, source = ir->read_source[read];
  const bool initial = g->read_writer[read] == 0;
  struct violation *v = violation_new (VIOLATION_LOST_READ, only_class (refuted_class (g)));
  if (initial && tell_overwritten_initial (v, g, read))
    return v;
  struct seen told = seen (ir, graph_reader (g, read), read, 0);
  told.writer.initial = initial;
  VEC_PUSH (v->reads, told);
  involve (v, ir, graph_reader (g, read));
  if (!initial)
    tell_other_read (v, g, read);
  if (source_is_many (source) && v->reads.count == 1)
    tell_lost_sources (v, g, read, &ir->choices[source & ~SOURCE_MANY]);
  return v;
}

// --------------------------------------------------------------------------- what a module forbids

// All conditions are known to hold.
static bool is_broken (const struct graph *g, const struct constraint *constraint) {
  const struct constraint_condition *condition = g->ir->constraints->conditions.data + constraint->first_condition;
  for (uint32_t i = 0; i < constraint->conditions; i++, condition++) {
    const uint32_t writer = condition->source == SOURCE_INITIAL ? 0 : g->ir->install_node[condition->source];
    if (!g->active[graph_reader (g, condition->read)] || g->read_writer[condition->read] != writer)
      return false;
  }
  return !constraint->alternatives;
}

struct violation *explain_forbidden (const struct saturation *s) {
  const struct graph *g = s->graph;
  const struct constraints *constraints = g->ir->constraints;
  const struct constraint *broken = NULL;
  for (size_t i = 0; constraints && i < constraints->list.count && !broken; i++)
    if (is_broken (g, &constraints->list.data[i]))
      broken = &constraints->list.data[i];
  if (!broken)
    return NULL;
  struct violation *v = violation_new (VIOLATION_FORBIDDEN, only_class (CLASS_MODULE));
  violation_module (v, constraints->modules.data[broken->module]);
  for (uint32_t i = 0; i < broken->conditions; i++) {
    const uint32_t read = constraints->conditions.data[broken->first_condition + i].read;
    const uint32_t reader = graph_reader (g, read), writer = g->read_writer[read];
    VEC_PUSH (v->reads, seen (g->ir, reader, read, writer));
    involve (v, g->ir, reader);
    involve (v, g->ir, writer);
  }
  return v;
}

// --------------------------------------------------------------------------------- no choice works

static void tell_choice (struct violation *v, const struct graph *g, const struct variable *variable, bool holds) {
  const struct ir *ir = g->ir;
  const struct presence *presence = variable->kind == VARIABLE_PRESENCE ? &g->ir->presences[variable->a] : NULL;
  struct violation_choice told = { .found = holds };
  switch (variable->kind) {
  case VARIABLE_TRUE: // no choice
  case VARIABLE_EDGE: return;
  case VARIABLE_PAIR:
    told.kind = CHOICE_ORDER;
    told.first = party (ir, holds ? variable->a : variable->b);
    told.then = party (ir, holds ? variable->b : variable->a);
    break;
  case VARIABLE_SOURCE:
    told.kind = CHOICE_SOURCE;
    told.seen = seen (ir, graph_reader (g, variable->a), variable->a,
                      variable->b == SOURCE_INITIAL ? 0 : ir->install_node[variable->b]);
    break;
  case VARIABLE_PRESENCE:
    told.kind = presence->kind == PRESENCE_WROTE ? CHOICE_DELETE
                : presence->kind == PRESENCE_IN  ? CHOICE_COMMITTED
                                                 : CHOICE_WROTE;
    told.key = presence->key;
    told.first = party (ir, presence->node);
    break;
  case VARIABLE_ALTERNATIVE:
    told.kind = CHOICE_ALTERNATIVE;
    told.constraint = variable->a;
    told.alternative = variable->b;
    told.module =
      violation_module (v, g->ir->constraints->modules.data[g->ir->constraints->list.data[variable->a].module]);
    break;
  case VARIABLE_INITIAL:
    told.kind = CHOICE_INITIAL;
    told.key = variable->a;
    told.value = variable->b;
    break;
  }
  VEC_PUSH (v->choices, told);
}

#define LEMMA_END UINT32_MAX // behind the edges of each lemma of a core

// `edges` end with LEMMA_END. What guards several of them is one choice.
static void tell_lemma (struct violation *v, const struct graph *g, const struct problem *problem,
                        const uint32_t *edges) {
  VEC (int32_t) told = VEC_EMPTY;
  bool constrained = false;
  for (const uint32_t *e = edges; *e != LEMMA_END; e++) {
    const struct guarded_edge *edge = &problem->edges.data[*e];
    constrained |= edge->kind == EDGE_GIVEN;
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++) {
      const int32_t literal = edge->guard[k];
      bool there = false;
      for (size_t i = 0; i < told.count && !there; i++)
        there = told.data[i] == literal;
      if (there)
        continue;
      VEC_PUSH (told, literal);
      tell_choice (v, g, &problem->variables.data[literal > 0 ? literal : -literal], literal > 0);
    }
  }
  VEC_PUSH (v->lemmas, (struct violation_lemma){ v->choices.count, constrained });
  VEC_FREE (told);
}

static uint32_t node_of_local (const struct saturation *s, const struct problem *problem, uint32_t local) {
  const uint32_t point = problem->point[local];
  if (point >= s->graph->points) // an event
    return graph_reader (s->graph, point - s->graph->points);
  return graph_is_slot (s->graph, point) ? 0 : graph_node (s->graph, point);
}

struct violation *explain_refutation (const struct saturation *s, const struct problem *problem,
                                      const struct solve_result *solved) {
  enum { MOST_SHOWN = 12 };
  const struct graph *g = s->graph;
  struct violation *v = violation_new (VIOLATION_REFUTED, only_class (refuted_class (g)));
  size_t lemma = 0; // its first edge
  for (size_t i = 0; i < solved->core.count; i++) {
    if (solved->core.data[i] == LEMMA_END) {
      if (v->lemma_count++ < MOST_SHOWN)
        tell_lemma (v, g, problem, &solved->core.data[lemma]);
      lemma = i + 1;
      continue;
    }
    const struct guarded_edge *edge = &problem->edges.data[solved->core.data[i]];
    involve (v, g->ir, node_of_local (s, problem, edge->from));
    involve (v, g->ir, node_of_local (s, problem, edge->to));
  }
  if (g->ir->constraints && !v->lemma_count)
    v->anomaly.class = CLASS_MODULE;
  return v;
}
