// `invalid` of a .kir file: a refutation of the sentence that it stands for. Only what is said of
// some transactions is looked at, first those that the checker found in conflict. A solver chooses
// among the alternatives, and whatever is wrong with its choice becomes an item, until there is no
// choice left. If there is a good one, more transactions are looked at.

#include "base/budget.h"
#include "base/group.h"
#include "base/strong_components.h"
#include "certify/make.h"
#include "certify/refutation.h"
#include "solve/sat.h"
#include "verify_ir/sentence.h"
#include "verify_ir/verify_ir.h"

// Statements that are kept, edges that close walks in one choice, and items in all.
enum { MOST_STATEMENTS = 2000000, MOST_WALKS = 512, MOST_ITEMS = 50000 };

#define EDGE_NONE UINT32_MAX
#define EDGE_LAST (UINT32_MAX - 1)

// Where a search came to, and by which edge.
struct arrival {
  uint32_t point, by;
};
typedef VEC (struct arrival) arrival_vec;

struct refuter {
  const struct ir *ir;
  uint8_t *inside; // per node: what is said of it is looked at
  struct sentence *sentence;
  VEC (int32_t) literals;         // per condition of the sentence
  const struct certificate *head; // without items
  struct refutation made;
  int8_t *fixed; // per variable: 1 or -1, the value that one clause after the other leaves it

  // The edges that hold in the choice at hand, as statements.
  VEC (uint32_t) edges;
  uint8_t *chosen;        // per edge: it is there by choice, not in any case
  uint8_t *covered;       // per edge: it is part of a walk already
  struct grouping into;   // places of edges that are none forbidden, by the point that they lead to
  uint32_t *component;    // per point
  uint32_t end;           // that ways were searched to; UINT32_MAX: none yet
  bool cycle;             // within its component
  uint32_t *way;          // per point: the first edge of the way to it, or EDGE_NONE; at it EDGE_LAST
  arrival_vec now, later; // to be looked at: with as many chosen edges as now, and one more
};

// ---------------------------------------------------------------------------------- what is inside

static bool is_point_inside (const struct refuter *r, uint32_t number) {
  const struct ir_point point = ir_point_at (r->ir, number);
  return point.kind == POINT_SLOT || r->inside[point.owner];
}

static bool is_install_inside (const struct refuter *r, uint32_t install) {
  return install == SOURCE_INITIAL || r->inside[r->ir->install_node[install]];
}

static bool is_reader_inside (const struct refuter *r, uint32_t read) {
  return r->inside[group_of_place (r->ir->node_first_read, r->ir->nodes, read)];
}

static bool is_condition_inside (const struct refuter *r, const struct condition *c) {
  switch (c->kind) {
  case IF_PRESENCE: return r->inside[r->ir->presences[presence_entry (c->a)].node];
  case IF_SOURCE: return is_reader_inside (r, c->a) && is_install_inside (r, c->b);
  case IF_ORDER: return is_install_inside (r, c->a) && is_install_inside (r, c->b);
  default: return true;
  }
}

// A read is there with all of its sources, wherever these are. Edges that nothing has to be chosen
// for are kept if they are no more than there are reads: a path may lead through others.
static bool is_inside (void *context, uint64_t number, const struct statement *s) {
  const struct refuter *r = context;
  (void) number;
  if (s->kind == STATES_CHOICE && s->count && s->conditions->kind == IF_SOURCE)
    return is_reader_inside (r, s->conditions->a);
  if (s->kind == STATES_EDGE && !s->count && s->edge.kind != EDGE_RW)
    return true;
  if (s->kind == STATES_EDGE && !(is_point_inside (r, s->edge.from) && is_point_inside (r, s->edge.to)))
    return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (!is_condition_inside (r, &s->conditions[i]))
      return false;
  return true;
}

// ------------------------------------------------------------------------------------- the choice

// What no clause speaks of: alternatives are not taken, and lower versions come first.
static bool holds (const struct refuter *r, int32_t literal) {
  const int32_t variable = literal > 0 ? literal : -literal;
  if (literal == LITERAL_TRUE || literal == LITERAL_FALSE)
    return literal == LITERAL_TRUE;
  if (variable <= r->made.highest)
    return sat_value (r->made.sat, variable) == (literal > 0);
  const struct variable_name *name = &r->made.clauses->names.data[variable];
  return (name->c == IF_ORDER && name->a < name->b) == (literal > 0);
}

static int8_t fixed_value (const struct refuter *r, int32_t literal) {
  if (literal == LITERAL_TRUE || literal == LITERAL_FALSE)
    return literal == LITERAL_TRUE ? 1 : -1;
  return literal > 0 ? r->fixed[literal] : (int8_t) -r->fixed[-literal];
}

// The literal that all others leave true; 0: more than one is open, or one is true anyway.
static int32_t literal_left (const struct refuter *r, uint32_t clause) {
  int32_t left = 0;
  for (uint32_t i = r->made.clauses->first.data[clause]; i < r->made.clauses->first.data[clause + 1]; i++) {
    const int32_t literal = r->made.clauses->literals.data[i];
    const int8_t value = fixed_value (r, literal);
    if (value > 0 || (!value && left))
      return 0;
    left = value ? left : literal;
  }
  return left;
}

static void fix_variables (struct refuter *r) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t clause = 0; clause < clauses_count (r->made.clauses); clause++) {
      const int32_t literal = literal_left (r, clause);
      if (literal)
        r->fixed[literal > 0 ? literal : -literal] = literal > 0 ? 1 : -1;
      more |= literal != 0;
    }
  }
}

static int32_t literal_of (const struct refuter *r, const struct stated *s, uint32_t which) {
  return r->literals.data[s->first + which];
}

static bool all_hold (const struct refuter *r, const struct stated *s) {
  for (uint32_t i = 0; i < s->count; i++)
    if (!holds (r, literal_of (r, s, i)))
      return false;
  return true;
}

static void begin_item (struct refuter *r, enum ir_item_kind kind) {
  VEC_PUSH (r->made.c->items,
            (struct cert_item){ .kind = (uint8_t) kind, .first_assumed = (uint32_t) r->made.c->assumed.count });
}

static void put_number (struct refuter *r, uint32_t number) {
  VEC_PUSH (r->made.c->assumed, number);
  r->made.c->items.data[r->made.c->items.count - 1].assumed++;
}

// One that says nothing is taken back.
static void end_item (struct refuter *r) {
  struct certificate *c = r->made.c;
  if (!r->made.empty && refutation_add (&r->made, c->items.count - 1))
    return;
  c->assumed.count = c->items.data[c->items.count - 1].first_assumed;
  c->items.count--;
}

static void say (struct refuter *r, enum ir_item_kind kind, const struct stated *s, uint32_t one, uint32_t other) {
  begin_item (r, kind);
  put_number (r, s->number);
  if (kind == IR_ITEM_NOT_BOTH || kind == IR_ITEM_ONLY_IF) {
    put_number (r, one);
    put_number (r, other);
  }
  end_item (r);
}

static void look_at_choice (struct refuter *r, const struct stated *s) {
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 2; i < s->count; i++) {
    if (!holds (r, literal_of (r, s, i)))
      continue;
    if (last != UINT32_MAX)
      say (r, IR_ITEM_NOT_BOTH, s, last, i - 2);
    for (uint32_t k = 0; k < 2; k++)
      if (!holds (r, literal_of (r, s, k)))
        say (r, IR_ITEM_ONLY_IF, s, i - 2, k);
    last = i - 2;
  }
  if (last == UINT32_MAX && holds (r, literal_of (r, s, 0)) && holds (r, literal_of (r, s, 1)))
    say (r, IR_ITEM_CHOICE, s, 0, 0);
}

// ------------------------------------------------------------------------------------------- walks

static const struct stated *edge_at (const struct refuter *r, uint32_t edge) {
  return &r->sentence->list.data[r->edges.data[edge]];
}

// Backwards: whom the edge comes from.
static uint32_t next_point (const void *context, uint32_t point, uint32_t number) {
  const struct refuter *r = context;
  const uint32_t at = r->into.first[point] + number;
  return at < r->into.first[point + 1] ? edge_at (r, r->into.items[at])->from : VERTEX_NONE;
}

static bool next_arrival (struct refuter *r, struct arrival *arrival, uint32_t *most_chosen) {
  if (!r->now.count && (*most_chosen)--) {
    const arrival_vec spent = r->now;
    r->now = r->later;
    r->later = spent;
  }
  if (!r->now.count)
    return false;
  *arrival = r->now.data[--r->now.count];
  return true;
}

static void arrive_by (struct refuter *r, uint32_t edge) {
  const struct arrival arrival = { edge_at (r, edge)->from, edge };
  if (r->chosen[edge])
    VEC_PUSH (r->later, arrival);
  else
    VEC_PUSH (r->now, arrival);
}

// From which points paths lead to `end`, with as few chosen edges as there can be, and so many at
// most. `cycle`: within its component, by any edges.
static void search_back (struct refuter *r, uint32_t end, bool cycle, uint32_t most_chosen) {
  struct arrival arrival = { end, EDGE_LAST };
  if (r->end == end && r->cycle == cycle)
    return;
  r->end = end;
  r->cycle = cycle;
  memset (r->way, 0xff, ir_points (r->ir) * sizeof *r->way);
  r->now.count = r->later.count = 0;
  do {
    if (r->way[arrival.point] != EDGE_NONE)
      continue;
    r->way[arrival.point] = arrival.by;
    for (uint32_t at = r->into.first[arrival.point]; at < r->into.first[arrival.point + 1]; at++) {
      const struct stated *s = edge_at (r, r->into.items[at]);
      const bool counts = cycle ? r->component[s->from] == r->component[end] : s->role == ROLE_PATH;
      if (counts && r->way[s->from] == EDGE_NONE)
        arrive_by (r, r->into.items[at]);
    }
  } while (next_arrival (r, &arrival, &most_chosen));
}

// The edge, and the way back from its end.
static void say_walk (struct refuter *r, uint32_t edge) {
  begin_item (r, IR_ITEM_WALK);
  for (uint32_t by = edge; by != EDGE_LAST; by = r->way[edge_at (r, by)->to]) {
    put_number (r, edge_at (r, by)->number);
    r->covered[by] = true;
  }
  end_item (r);
}

static void collect_edges (struct refuter *r) {
  r->edges.count = 0;
  for (uint32_t i = 0; i < r->sentence->list.count; i++) {
    const struct stated *s = &r->sentence->list.data[i];
    if (s->kind == STATES_EDGE && all_hold (r, s))
      VEC_PUSH (r->edges, i);
  }
  r->chosen = MEM_ZARRAY (uint8_t, r->edges.count);
  for (uint32_t i = 0; i < r->edges.count; i++)
    for (uint32_t k = 0; k < edge_at (r, i)->count; k++)
      r->chosen[i] |= fixed_value (r, literal_of (r, edge_at (r, i), k)) != 1;
  r->into = (struct grouping){ .groups = ir_points (r->ir) };
  while (grouping_pass (&r->into))
    for (uint32_t i = 0; i < r->edges.count; i++)
      if (edge_at (r, i)->role != ROLE_FORBID)
        group_put (&r->into, edge_at (r, i)->to, i);
}

// Walks with so many chosen edges at most, beside the one that they begin with.
static void look_for_walks (struct refuter *r, uint32_t most_chosen) {
  const size_t most = r->made.c->items.count + MOST_WALKS;
  r->end = UINT32_MAX;
  for (uint32_t i = 0; i < r->edges.count && r->made.c->items.count < most && !r->made.empty; i++) {
    const struct stated *s = edge_at (r, i);
    const bool cycle = s->role != ROLE_FORBID;
    const uint32_t from = r->component[s->from], to = r->component[s->to]; // edges lead to higher ones
    if (r->covered[i] || (cycle ? from != to : s->from == s->to || to > from))
      continue;
    search_back (r, s->from, cycle, most_chosen);
    if (r->way[s->to] != EDGE_NONE)
      say_walk (r, i);
  }
}

// Those that leave least to choose say most; others only where there are none.
static void look_at_edges (struct refuter *r) {
  static const uint32_t chosen[] = { 0, 1, UINT32_MAX };
  const size_t before = r->made.c->items.count;
  uint32_t components;
  collect_edges (r);
  r->component = strong_components (ir_points (r->ir), 0, next_point, r, &components);
  r->way = MEM_ARRAY (uint32_t, ir_points (r->ir));
  r->covered = MEM_ZARRAY (uint8_t, r->edges.count);
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen && r->made.c->items.count == before; i++)
    look_for_walks (r, chosen[i]);
  MEM_FREE_ALL (r->component, r->way, r->covered, r->chosen, r->into.first, r->into.items);
}

// ------------------------------------------------------------------------------------- refutations

// Says what is wrong with the choice at hand. False: nothing is.
static bool rule_out (struct refuter *r) {
  const size_t before = r->made.c->items.count;
  for (size_t i = 0; i < r->sentence->list.count && !r->made.empty; i++) {
    const struct stated *s = &r->sentence->list.data[i];
    if (s->kind == STATES_CHOICE)
      look_at_choice (r, s);
    else if (s->kind == STATES_FALSE && all_hold (r, s))
      say (r, IR_ITEM_FALSE, s, 0, 0);
  }
  if (r->made.c->items.count == before)
    look_at_edges (r);
  return r->made.c->items.count > before;
}

enum ending { REFUTED, EXPLAINED, GIVEN_UP };

static enum ending search (struct refuter *r, struct budget *budget) {
  for (;;) {
    if (!rule_out (r))
      return EXPLAINED;
    if (r->made.empty)
      return REFUTED;
    refutation_tell (&r->made);
    fix_variables (r);
    const enum sat_answer answer = sat_solve (r->made.sat, budget);
    if (answer == SAT_NO)
      return REFUTED;
    if (answer == SAT_STOPPED || budget_spent (budget) || r->made.c->items.count > MOST_ITEMS)
      return GIVEN_UP;
  }
}

// A round with what is inside now.
static enum ending refute (struct refuter *r, struct budget *budget) {
  r->sentence = sentence_new (r->ir, is_inside, r, MOST_STATEMENTS);
  if (!r->sentence)
    return GIVEN_UP;
  refutation_open (&r->made, MEM_COPY (r->head, 1), sentence_clauses (r->sentence));
  for (size_t i = 0; i < r->sentence->conditions.count; i++)
    VEC_PUSH (r->literals, sentence_literal (r->sentence, r->made.clauses, r->sentence->conditions.data[i]));
  r->fixed = MEM_ZARRAY (int8_t, r->made.clauses->names.count);
  for (int32_t variable = 1; variable < (int32_t) r->made.clauses->names.count; variable++)
    sat_phase (r->made.sat, holds (r, variable) ? variable : -variable);
  enum ending ending = search (r, budget);
  if (ending == REFUTED && !refutation_prove (&r->made, budget))
    ending = GIVEN_UP;
  return ending;
}

static bool take_in (struct refuter *r, uint32_t node) {
  const bool new = !r->inside[node];
  r->inside[node] = true;
  return new;
}

// Who read one of several versions of a key that are inside has something to say of their order.
static bool take_in_readers (struct refuter *r) {
  const struct ir *ir = r->ir;
  uint32_t *versions = MEM_ZARRAY (uint32_t, ir->keys);
  bool grown = false;
  for (uint32_t key = 0; key < ir->keys; key++)
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      versions[key] += r->inside[ir->install_node[i]];
  for (uint32_t node = 1; node < ir->nodes; node++)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (ir->read_source[read] < SOURCE_MANY && r->inside[ir->install_node[ir->read_source[read]]]
          && versions[ir->read_key[read]] > 1)
        grown |= take_in (r, node);
  mem_free (versions);
  return grown;
}

// Whoever the choice has a read read from is looked at, too; if all are already, who else may have
// something to say; and soon everybody, since what excludes most is found first. False: so it was
// before.
static bool grow (struct refuter *r, int round) {
  enum { SMALL_ROUNDS = 3 };
  bool grown = false;
  for (size_t i = 0; i < r->sentence->conditions.count; i++) {
    const struct condition *c = &r->sentence->conditions.data[i];
    if (c->kind == IF_SOURCE && c->b != SOURCE_INITIAL && holds (r, r->literals.data[i]))
      grown |= take_in (r, r->ir->install_node[c->b]);
  }
  if (round < SMALL_ROUNDS && (grown || take_in_readers (r)))
    return true;
  for (uint32_t node = 0; node < r->ir->nodes; node++)
    grown |= take_in (r, node);
  return grown;
}

static void end_round (struct refuter *r) {
  refutation_close (&r->made);
  sentence_free (r->sentence);
  VEC_FREE (r->literals);
  mem_free (r->fixed);
  r->fixed = NULL;
}

struct certificate *certify_ir_refutation (const struct ir *ir, const uint32_t *nodes, size_t count,
                                           struct budget *budget, const char **why) {
  static const char *const reasons[] = { "", "no choice was found to be wrong", "the limits were reached" };
  const struct ir refuted = ir_to_refute (ir);
  struct certificate *head = ir_certificate_new (ir, false), *c = NULL;
  struct refuter r = { .ir = &refuted, .head = head, .inside = MEM_ZARRAY (uint8_t, ir->nodes) };
  enum ending ending = EXPLAINED;
  r.inside[0] = true;
  for (size_t i = 0; i < count; i++)
    r.inside[nodes[i]] = true;
  bool grown = true;
  for (int round = 0; grown && ending == EXPLAINED; round++) {
    ending = refute (&r, budget);
    grown = ending == EXPLAINED && grow (&r, round);
    if (ending == REFUTED) {
      c = r.made.c;
      r.made.c = NULL;
    }
    end_round (&r);
  }
  *why = reasons[ending];
  certificate_free (head);
  MEM_FREE_ALL (r.inside, r.edges.data, r.now.data, r.later.data);
  return c;
}
