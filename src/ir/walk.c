#include "ir/walk.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

// ------------------------------------------------------------------------------------------ points

uint32_t ir_points (const struct ir *ir) {
  return ir_event_point (ir, ir->rules.events ? ir->reads : 0);
}

struct ir_point ir_point_at (const struct ir *ir, uint32_t number) {
  if (number < ir_slot_point (ir, 0)) {
    const uint32_t node = number / ir->rules.points;
    return (struct ir_point){ POINT_TXN, node, number % ir->rules.points, READ_NONE, ir_node_presence (ir, node) };
  }
  number -= ir_slot_point (ir, 0);
  if (number < ir->slots)
    return (struct ir_point){ POINT_SLOT, number, 0, READ_NONE, ALWAYS };
  const uint32_t read = number - ir->slots, node = group_of_place (ir->node_first_read, ir->nodes, read);
  return (struct ir_point){ POINT_EVENT, node, 0, read, ir_node_presence (ir, node) };
}

// ----------------------------------------------------------------------------------------- sources

struct ir_sources ir_sources_of (const struct ir *ir, uint32_t reader, uint32_t read) {
  const uint32_t source = ir->read_source[read], key = ir->read_key[read];
  struct ir_sources s = { .ir = ir, .reader = reader, .read = read };
  if (!source_is_many (source)) {
    s.initial = source == SOURCE_INITIAL;
    s.at = s.end = source;
    s.end += source < SOURCE_MANY;
    return s;
  }
  const struct choice *choice = &ir->choices[source & ~SOURCE_MANY];
  s.initial = choice->initial;
  s.listed = choice->listed;
  s.ranged = choice->listed || choice->first < choice->last;
  s.at = s.ranged ? choice->first : ir->key_first[key];
  s.end = s.ranged ? choice->last : ir->key_first[key + 1];
  return s;
}

bool ir_next_source (struct ir_sources *s, uint32_t *source) {
  if (s->initial) {
    s->initial = false;
    *source = SOURCE_INITIAL;
    return true;
  }
  while (s->at < s->end) {
    *source = s->ranged ? s->ir->value_installs[s->at] : s->at;
    s->at++;
    if (s->ir->install_node[*source] != s->reader && ir_accepts (s->ir, s->read, s->ir->install_value[*source]))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------- what is walked

struct initial {
  uint32_t key, value;
};

struct walk {
  const struct ir *ir;
  ir_visit_statement *visit;
  void *context;
  uint64_t next; // number of the next statement
  bool implied;  // known edges are passed over; else implications are
  bool stopped;
  condition_vec so_far; // conditions of whatever is made at the moment

  // Of keys whose initial value is open: what it may be, as far as anybody cares. Sorted by key;
  // INITIAL_OPEN, which stands for any other value, is among them.
  VEC (struct initial) initials;
};

static void list_initials (struct walk *w) {
  const struct ir *ir = w->ir;
  for (uint32_t key = 0; key < ir->keys; key++)
    if (ir->init_value[key] == INITIAL_OPEN)
      VEC_PUSH (w->initials, (struct initial){ key, INITIAL_OPEN });
  for (uint32_t read = 0; w->initials.count && read < ir->reads; read++)
    if (ir->init_value[ir->read_key[read]] == INITIAL_OPEN)
      VEC_PUSH (w->initials, (struct initial){ ir->read_key[read], ir->read_value[read] });
  VEC_SORT (w->initials, by_u32_pair);
  size_t kept = 0;
  for (size_t i = 0; i < w->initials.count; i++)
    if (!kept || by_u32_pair (&w->initials.data[i], &w->initials.data[kept - 1]))
      w->initials.data[kept++] = w->initials.data[i];
  w->initials.count = kept;
}

// Where those of a key begin.
static size_t initials_of (const struct walk *w, uint32_t key) {
  size_t first = 0;
  LOWER_BOUND (first, w->initials.count, middle, w->initials.data[middle].key < key);
  return first;
}

// ----------------------------------------------------------------------------- making implications

// Conditions are put up, something is made under them, and they are taken down to `mark` again.
static void given_that (struct walk *w, enum condition_kind kind, uint32_t a, uint32_t b) {
  if (kind != IF_PRESENCE || a != ALWAYS)
    VEC_PUSH (w->so_far, (struct condition){ kind, a, b });
}

static void given_presence (struct walk *w, uint32_t presence) {
  given_that (w, IF_PRESENCE, presence, 0);
}

static void state (struct walk *w, const struct statement *statement) {
  w->stopped = w->stopped || !w->visit (w->context, w->next++, statement);
}

static void make (struct walk *w, bool impossible, struct known_edge edge) {
  const struct statement made = { impossible ? STATES_FALSE : STATES_EDGE, w->so_far.data, (uint32_t) w->so_far.count,
                                  .edge = edge };
  if (is_known_edge (&made) != w->implied)
    state (w, &made);
}

static void make_impossible (struct walk *w) {
  make (w, true, (struct known_edge){ 0 });
}

// These two presences exclude each other.
static void exclude (struct walk *w, uint32_t a, uint32_t b) {
  given_presence (w, a);
  given_presence (w, b);
  make_impossible (w);
  w->so_far.count = 0;
}

static void make_edge (struct walk *w, uint32_t from, uint32_t to, enum edge_kind kind, enum edge_role role,
                       const char *reason) {
  make (w, false, (struct known_edge){ .from = from, .to = to, .kind = kind, .role = role, .reason = reason });
}

// An edge into a transaction leads to its events, too, from `place` on: what came in by then.
static void make_arrival (struct walk *w, struct known_edge edge, uint32_t node, uint32_t place) {
  const struct ir *ir = w->ir;
  make (w, false, edge);
  if (!ir->rules.events || edge.role != ROLE_PATH)
    return;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    if (ir->read_op[read] >= place) {
      edge.to = ir_event_point (ir, read);
      make (w, false, edge);
    }
}

static void make_step (struct walk *w, uint32_t from, uint32_t to, enum edge_kind kind, const char *reason,
                       uint32_t node) {
  make_arrival (w, (struct known_edge){ from, to, kind, .reason = reason }, node, 0);
}

// ------------------------------------------------------------------------------------------- nodes

static void make_order_edges (struct walk *w, uint32_t node) {
  const struct ir *ir = w->ir;
  const struct rules *rules = &ir->rules;
  const uint32_t before = rules->so.used ? ir_session_before (ir, node) : NODE_NONE;
  if (rules->points == 2)
    make_edge (w, ir_node_point (ir, node, 0), ir_node_point (ir, node, 1), EDGE_GIVEN, ROLE_PATH, "begin and commit");
  const size_t mark = w->so_far.count;
  given_presence (w, ir_node_presence (ir, node));
  if (before != NODE_NONE && before)
    make_step (w, ir_node_point (ir, before, rules->so.from), ir_node_point (ir, node, rules->so.to), EDGE_SO, NULL,
               node);
  if (ir->time_before && ir->time_before[node] != SLOT_NONE)
    make_step (w, ir_slot_point (ir, ir->time_before[node]), ir_node_point (ir, node, rules->rt.to), EDGE_RT, NULL,
               node);
  if (ir->time_before && ir->time_after[node] != SLOT_NONE)
    make_edge (w, ir_node_point (ir, node, rules->rt.from), ir_slot_point (ir, ir->time_after[node]), EDGE_RT,
               ROLE_PATH, NULL);
  w->so_far.count = mark;
}

static bool is_certain (const struct ir *ir, uint32_t reader, uint32_t read) {
  const uint32_t source = ir->read_source[read];
  return ir_node_presence (ir, reader) == ALWAYS && ir_read_presence (ir, read) == ALWAYS
         && (source == SOURCE_INITIAL || (source < SOURCE_MANY && ir_install_presence (ir, source) == ALWAYS));
}

static void given_source (struct walk *w, uint32_t reader, uint32_t read, uint32_t source) {
  if (!is_certain (w->ir, reader, read))
    given_that (w, IF_SOURCE, read, source);
}

// The anti-dependency of a read on p, which installs a later version.
static void make_anti (struct walk *w, uint32_t reader, uint32_t read, uint32_t install) {
  const struct ir *ir = w->ir;
  const uint32_t p = ir->install_node[install], when = ir->read_when ? ir->read_when[read] : NEVER;
  const enum anti anti = ir->read_anti ? (enum anti) ir->read_anti[read] : ir->rules.anti;
  const struct edge_points rw = ir->rules.rw;
  struct known_edge edge = { ir_node_point (ir, reader, rw.from), ir_node_point (ir, p, rw.to), EDGE_RW,
                             .predicate = ir_read_flags (ir, read) & READ_PREDICATE };
  const size_t mark = w->so_far.count;
  if (anti == ANTI_FORBID) {
    edge.role = ROLE_FORBID;
    edge.from = ir->rules.events ? ir_event_point (ir, read) : edge.from;
    make (w, false, edge);
    edge.role = ROLE_PATH;
    edge.from = ir_node_point (ir, reader, rw.from);
  }
  if (anti != ANTI_EDGE && when == NEVER)
    return;
  if (anti != ANTI_EDGE)
    given_presence (w, when);
  make_arrival (w, edge, p, ir->rules.events ? ir->install_last_op[install] + 1 : 0);
  w->so_far.count = mark;
}

static bool precedes_by_order (const struct ir *ir, uint32_t p, uint32_t reader) {
  if (ir_ended_before (ir, p, reader))
    return true;
  if (!ir->rules.so.used || ir_node_presence (ir, p) != ALWAYS)
    return false;
  const uint32_t before = ir_session_before (ir, reader);
  return before != NODE_NONE && ir->node_chain[before] == ir->node_chain[p] && p <= before;
}

// Views of one step: p is in view and may not be a later version.
static void make_views (struct walk *w, uint32_t reader, uint32_t read, uint32_t p) {
  const struct ir *ir = w->ir;
  const bool steps = ir->rules.view == VIEW_STEPS;
  if (steps && precedes_by_order (ir, p, reader))
    make_impossible (w);
  for (uint32_t other = ir->node_first_read[reader]; other < ir->node_first_read[reader + 1]; other++) {
    if (other == read || (!steps && ir->read_op[other] >= ir->read_op[read]))
      continue;
    struct ir_sources sources = ir_sources_of (ir, reader, other);
    for (uint32_t source; ir_next_source (&sources, &source);) {
      if (source == SOURCE_INITIAL || ir->install_node[source] != p)
        continue;
      const size_t mark = w->so_far.count;
      given_source (w, reader, other, source);
      make_impossible (w);
      w->so_far.count = mark;
    }
  }
}

static void make_later_versions (struct walk *w, uint32_t reader, uint32_t read, uint32_t source) {
  const struct ir *ir = w->ir;
  const uint32_t key = ir->read_key[read];
  const size_t mark = w->so_far.count;
  for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++) {
    if (i == source || ir->install_node[i] == reader)
      continue;
    if (source != SOURCE_INITIAL)
      given_that (w, IF_ORDER, source, i);
    given_presence (w, ir_install_presence (ir, i));
    make_anti (w, reader, read, i);
    if (ir->rules.view != VIEW_PATHS)
      make_views (w, reader, read, ir->install_node[i]);
    w->so_far.count = mark;
  }
}

static void make_initial (struct walk *w, uint32_t read) {
  const struct ir *ir = w->ir;
  const uint32_t key = ir->read_key[read];
  for (size_t i = initials_of (w, key); i < w->initials.count && w->initials.data[i].key == key; i++) {
    if (ir_accepts (ir, read, w->initials.data[i].value))
      continue;
    given_that (w, IF_INITIAL, key, w->initials.data[i].value);
    make_impossible (w);
    w->so_far.count--;
  }
}

static void make_read (struct walk *w, uint32_t reader, uint32_t read) {
  const struct ir *ir = w->ir;
  const struct edge_points wr = ir->rules.wr;
  struct ir_sources sources = ir_sources_of (ir, reader, read);
  for (uint32_t source; ir_next_source (&sources, &source);) {
    w->so_far.count = 0;
    given_source (w, reader, read, source);
    const size_t mark = w->so_far.count;
    if (source == SOURCE_INITIAL)
      make_initial (w, read);
    else {
      if (ir_install_presence (ir, source) != ALWAYS) {
        given_presence (w, ir_install_presence (ir, source) ^ 1);
        make_impossible (w);
        w->so_far.count = mark;
      }
      make_arrival (w,
                    (struct known_edge){ ir_node_point (ir, ir->install_node[source], wr.from),
                                         ir_node_point (ir, reader, wr.to), EDGE_WR,
                                         .predicate = ir_read_flags (ir, read) & READ_PREDICATE },
                    reader, ir->rules.events ? ir->read_op[read] : 0);
    }
    make_later_versions (w, reader, read, source);
  }
  w->so_far.count = 0;
}

static void make_node (struct walk *w, uint32_t node) {
  make_order_edges (w, node);
  for (uint32_t read = w->ir->node_first_read[node]; w->ir->rules.wr.used && read < w->ir->node_first_read[node + 1];
       read++)
    make_read (w, node, read);
}

// -------------------------------------------------------------------------------------- the others

static enum edge_role role_of_versions (const struct ir *ir) {
  return ir->rules.ww_hidden ? ROLE_ORDER : ROLE_PATH;
}

static void make_version_edge (struct walk *w, uint32_t before, uint32_t after, const char *reason) {
  const struct ir *ir = w->ir;
  const struct edge_points ww = ir->rules.ww;
  given_presence (w, ir_install_presence (ir, before));
  if (ir_install_presence (ir, after) != ir_install_presence (ir, before))
    given_presence (w, ir_install_presence (ir, after));
  make_arrival (w,
                (struct known_edge){ ir_node_point (ir, ir->install_node[before], ww.from),
                                     ir_node_point (ir, ir->install_node[after], ww.to), EDGE_WW, role_of_versions (ir),
                                     .reason = reason },
                ir->install_node[after], ir->rules.events ? ir->install_last_op[after] + 1 : 0);
  w->so_far.count = 0;
}

// Its order with all later installs of the key, both ways.
static void make_install (struct walk *w, uint32_t install) {
  const uint32_t key = group_of_place (w->ir->key_first, w->ir->keys, install);
  for (uint32_t other = install + 1; other < w->ir->key_first[key + 1]; other++) {
    given_that (w, IF_ORDER, install, other);
    make_version_edge (w, install, other, NULL);
    given_that (w, IF_ORDER, other, install);
    make_version_edge (w, other, install, NULL);
  }
}

// That some delete of the node wrote: one of these did.
static void make_writes (struct walk *w, uint32_t entry) {
  const struct ir *ir = w->ir;
  for (uint32_t d = ir->first_delete; d < ir->first_delete + ir->deletes; d++) {
    if (ir->presences[d].node != ir->presences[entry].node || ir->presences[d].install == INSTALL_NONE)
      continue;
    exclude (w, if_so (d), unless (entry));
  }
  given_presence (w, if_so (entry));
  for (uint32_t d = ir->first_delete; d < ir->first_delete + ir->deletes; d++)
    if (ir->presences[d].node == ir->presences[entry].node && ir->presences[d].install != INSTALL_NONE)
      given_presence (w, unless (d));
  make_impossible (w);
  w->so_far.count = 0;
}

static void make_presence (struct walk *w, uint32_t entry) {
  const struct presence *presence = &w->ir->presences[entry];
  if (presence->kind == PRESENCE_WRITES)
    make_writes (w, entry);
  if (presence->kind == PRESENCE_WROTE && ir_node_presence (w->ir, presence->node) != ALWAYS)
    exclude (w, if_so (entry), ir_node_presence (w->ir, presence->node) ^ 1);
}

static void make_claims (struct walk *w) {
  const struct ir *ir = w->ir;
  for (size_t i = 0; i < ir->holds.count; i++)
    exclude (w, ALWAYS, ir->holds.data[i] ^ 1);
  for (uint32_t i = 0; i < ir->implied_count; i++)
    exclude (w, ir_node_presence (ir, ir->implied[i].reader), ir_node_presence (ir, ir->implied[i].other) ^ 1);
  for (uint32_t i = 0; i < ir->order_count; i++) {
    const struct known_order *order = &ir->orders[i];
    if (order->by_absence && !ir->rules.wr.used)
      continue;
    given_presence (w, ir_node_presence (ir, order->reader));
    make_version_edge (w, order->before, order->after, "a list or a hint");
  }
}

static void make_given (struct walk *w, struct ir_edge edge, const char *reason) {
  const struct ir *ir = w->ir;
  make_step (w, ir_node_point (ir, edge.from, ir->rules.points - 1), ir_node_point (ir, edge.to, 0), EDGE_GIVEN, reason,
             edge.to);
}

// Derived edges follow from everything else; those between transactions that may not be there are
// not told.
static void make_derived (struct walk *w, const struct derived_edge *edge) {
  const struct ir *ir = w->ir;
  const struct edge_points points = derived_points (&ir->rules, edge->kind);
  if (ir_node_presence (ir, edge->from) == ALWAYS && ir_node_presence (ir, edge->to) == ALWAYS)
    make_edge (w, ir_node_point (ir, edge->from, points.from), ir_node_point (ir, edge->to, points.to), edge->kind,
               edge->kind == EDGE_WW ? role_of_versions (ir) : ROLE_PATH, "derived");
}

static void make_others (struct walk *w) {
  const struct ir *ir = w->ir;
  make_claims (w);
  for (uint32_t i = 0; i < ir->edges.count; i++) {
    const char *module = ir_edge_module (ir, i);
    make_given (w, ir->edges.data[i], module ? module : ir->edges_are_program_order ? "program order" : NULL);
  }
  for (size_t i = 0; i < ir->derived.count; i++)
    make_derived (w, &ir->derived.data[i]);
}

static void make_alternative (struct walk *w, uint32_t number, uint32_t which) {
  const struct ir *ir = w->ir;
  const struct constraint *constraint = &ir->constraints->list.data[number];
  const struct constraint_alternative *alternative =
    &ir->constraints->alternatives.data[constraint->first_alternative + which];
  const size_t mark = w->so_far.count;
  for (uint32_t i = 0; i < alternative->edges; i++) {
    const struct ir_edge edge = ir->constraints->edges.data[alternative->first_edge + i];
    if (constraint->alternatives > 1)
      given_that (w, IF_ALTERNATIVE, number, which);
    given_presence (w, ir_node_presence (ir, edge.from));
    given_presence (w, ir_node_presence (ir, edge.to));
    make_given (w, edge, ir->constraints->modules.data[constraint->module]);
    w->so_far.count = mark;
  }
}

static void make_constraint (struct walk *w, uint32_t number) {
  const struct ir *ir = w->ir;
  const struct constraint *constraint = &ir->constraints->list.data[number];
  if (constraint->known)
    return;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct constraint_condition *condition = &ir->constraints->conditions.data[constraint->first_condition + i];
    given_source (w, group_of_place (ir->node_first_read, ir->nodes, condition->read), condition->read,
                  condition->source);
  }
  if (!constraint->alternatives)
    make_impossible (w);
  for (uint32_t i = 0; i < constraint->alternatives; i++)
    make_alternative (w, number, i);
  w->so_far.count = 0;
}

// ---------------------------------------------------------------------------------- superpositions

// Between what is so far.
static void choose (struct walk *w, uint32_t first, uint32_t second) {
  state (
    w, &(struct statement){ STATES_CHOICE, w->so_far.data, (uint32_t) w->so_far.count, .presence = { first, second } });
  w->so_far.count = 0;
}

static void choose_presence (struct walk *w, uint32_t entry) {
  given_presence (w, if_so (entry));
  given_presence (w, unless (entry));
  choose (w, ALWAYS, ALWAYS);
}

static void choose_source (struct walk *w, uint32_t reader, uint32_t read) {
  const struct ir *ir = w->ir;
  if (is_certain (ir, reader, read))
    return;
  struct ir_sources sources = ir_sources_of (ir, reader, read);
  for (uint32_t source; ir_next_source (&sources, &source);)
    given_that (w, IF_SOURCE, read, source);
  choose (w, ir_node_presence (ir, reader), ir_read_presence (ir, read));
}

static void choose_orders (struct walk *w, uint32_t key) {
  const struct ir *ir = w->ir;
  for (uint32_t first = ir->key_first[key]; first < ir->key_first[key + 1]; first++)
    for (uint32_t second = first + 1; second < ir->key_first[key + 1]; second++) {
      given_that (w, IF_ORDER, first, second);
      given_that (w, IF_ORDER, second, first);
      choose (w, ir_install_presence (ir, first), ir_install_presence (ir, second));
    }
}

// All initial values that are open.
static void choose_initials (struct walk *w) {
  for (size_t i = 0; i < w->initials.count; i++) {
    const uint32_t key = w->initials.data[i].key;
    given_that (w, IF_INITIAL, key, w->initials.data[i].value);
    if (i + 1 == w->initials.count || w->initials.data[i + 1].key != key)
      choose (w, ALWAYS, ALWAYS);
  }
}

static void choose_alternative (struct walk *w, uint32_t number) {
  const struct constraint *constraint = &w->ir->constraints->list.data[number];
  if (constraint->known || constraint->alternatives < 2)
    return;
  for (uint32_t i = 0; i < constraint->alternatives; i++)
    given_that (w, IF_ALTERNATIVE, number, i);
  choose (w, ALWAYS, ALWAYS);
}

// ---------------------------------------------------------------------------------------- together

// Known edges, or implications.
static void walk (struct walk *w) {
  const struct ir *ir = w->ir;
  if (ir->fault)
    make_impossible (w);
  for (uint32_t entry = 1; entry < ir->presence_count; entry++)
    make_presence (w, entry);
  for (uint32_t node = 1; node < ir->nodes && !w->stopped; node++)
    make_node (w, node);
  // no order is known
  for (uint32_t install = 0; w->implied && install < ir->installs && !w->stopped; install++)
    make_install (w, install);
  for (uint32_t slot = 0; slot + 1 < ir->slots; slot++)
    make_edge (w, ir_slot_point (ir, slot), ir_slot_point (ir, slot + 1), EDGE_RT, ROLE_PATH, NULL);
  make_others (w);
  for (uint32_t i = 0; ir->constraints && i < ir->constraints->list.count; i++)
    make_constraint (w, i);
}

static void walk_superpositions (struct walk *w) {
  const struct ir *ir = w->ir;
  for (uint32_t entry = 1; entry < ir->presence_count; entry++)
    choose_presence (w, entry);
  for (uint32_t node = 1; ir->rules.wr.used && node < ir->nodes && !w->stopped; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      choose_source (w, node, read);
  for (uint32_t key = 0; key < ir->keys && !w->stopped; key++)
    choose_orders (w, key);
  choose_initials (w);
  for (uint32_t i = 0; ir->constraints && i < ir->constraints->list.count; i++)
    choose_alternative (w, i);
}

void ir_each_statement (const struct ir *ir, ir_visit_statement *visit, void *context) {
  struct walk w = { .ir = ir, .visit = visit, .context = context };
  if (ir->rules.wr.used)
    list_initials (&w);
  walk (&w);
  walk_superpositions (&w);
  w.implied = true;
  walk (&w);
  MEM_FREE_ALL (w.initials.data, w.so_far.data);
}
