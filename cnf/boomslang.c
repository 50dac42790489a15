// The encoding of Boomslang: the IR as it stands (ir/walk.h), written out. A variable for every
// alternative of a superposition, of which exactly one holds; a variable for every edge that is
// implied; and implications as clauses, from what they depend on to the edge.
//
// What saturation knows is left out: edges that are there, alternatives that are settled, and
// implications that say nothing more. Every two versions of a key whose order is open are a
// superposition, whether somebody can observe it or not.

#include "cnf/encoder.h"
#include "cnf/encodings.h"

#include "base/hash.h"
#include "ir/walk.h"

// What is known of a condition, if it needs no literal.
enum { LITERAL_FALSE = INT32_MIN, LITERAL_TRUE = 0 };

struct writer {
  struct encoder e;
  struct hash_set variables; // of the problem, by what they say
  struct hash_set edges;     // of the problem, by where they lead
  VEC (int32_t) literals;    // scratch
  const uint32_t *open_of;
};

// --------------------------------------------------------------------------------------- variables

static bool says (const void *context, uint32_t index, const void *wanted) {
  const struct problem *problem = context;
  const struct variable *v = &problem->variables.data[index], *w = wanted;
  return v->kind == w->kind && v->a == w->a && v->b == w->b;
}

static uint64_t hash_of (struct variable v) {
  return hash_u64 (hash_pair (v.a, v.b) + v.kind);
}

// 0: there is none.
static int32_t find_variable (const struct writer *w, struct variable wanted) {
  const uint32_t found = hash_set_find (&w->variables, hash_of (wanted), says, w->e.problem, &wanted);
  return found == HASH_NONE ? 0 : (int32_t) found;
}

static int32_t variable_of (struct writer *w, enum variable_kind kind, uint32_t a, uint32_t b, bool phase) {
  const struct variable wanted = { kind, a, b };
  const int32_t found = find_variable (w, wanted);
  if (found)
    return found;
  const int32_t variable = encoder_variable (&w->e, kind, a, b, phase);
  hash_set_insert (&w->variables, hash_of (wanted), (uint32_t) variable);
  return variable;
}

static int32_t literal_of_presence (const struct writer *w, uint32_t presence) {
  const enum presence_state state = graph_presence (w->e.g, presence);
  return state == PRESENCE_HOLDS   ? LITERAL_TRUE
         : state == PRESENCE_FAILS ? LITERAL_FALSE
                                   : encoder_presence_literal (&w->e, presence);
}

// What saturation has left of the candidates of open reads: other sources are out of the question.
static void list_candidates (struct writer *w) {
  const struct saturation *s = w->e.s;
  for (size_t i = 0; i < s->open.count; i++)
    for (uint32_t k = 0; k < s->open.data[i].count; k++) {
      const uint32_t read = s->open.data[i].read, source = s->candidates.data[s->open.data[i].first + k];
      variable_of (w, VARIABLE_SOURCE, read, source,
                   encoder_earlier (&w->e, ir_writer_of (w->e.ir, source), graph_reader (w->e.g, read)));
    }
}

static int32_t literal_of_source (struct writer *w, uint32_t read, uint32_t source) {
  const struct graph *g = w->e.g;
  if (w->open_of[read] != UINT32_MAX) {
    const int32_t variable = find_variable (w, (struct variable){ VARIABLE_SOURCE, read, source });
    return variable ? variable : LITERAL_FALSE;
  }
  if (!g->active[graph_reader (g, read)])
    return variable_of (w, VARIABLE_SOURCE, read, source, true);
  return g->read_writer[read] == ir_writer_of (w->e.ir, source) ? LITERAL_TRUE : LITERAL_FALSE;
}

static bool is_before (const struct encoder *e, uint32_t p, uint32_t q) {
  const struct edge_points ww = e->rules->ww;
  return encoder_is_known_edge (e, graph_point (e->g, p, ww.from), graph_point (e->g, q, ww.to));
}

// In one order they stand for all keys that both install.
static int32_t literal_of_order (struct writer *w, uint32_t before, uint32_t after) {
  const uint32_t p = w->e.ir->install_node[before], q = w->e.ir->install_node[after];
  if (is_before (&w->e, p, q))
    return LITERAL_TRUE;
  return is_before (&w->e, q, p) ? LITERAL_FALSE : variable_of (w, VARIABLE_PAIR, p, q, encoder_earlier (&w->e, p, q));
}

static int32_t literal_of_initial (struct writer *w, uint32_t key, uint32_t value) {
  const uint32_t fixed = w->e.s->init_fixed[key];
  if (fixed == INITIAL_OPEN)
    return variable_of (w, VARIABLE_INITIAL, key, value, false);
  return fixed == value ? LITERAL_TRUE : LITERAL_FALSE;
}

static int32_t literal_of (struct writer *w, const struct condition *condition) {
  switch (condition->kind) {
  case IF_PRESENCE: return literal_of_presence (w, condition->a);
  case IF_SOURCE: return literal_of_source (w, condition->a, condition->b);
  case IF_ORDER: return literal_of_order (w, condition->a, condition->b);
  case IF_INITIAL: return literal_of_initial (w, condition->a, condition->b);
  case IF_ALTERNATIVE: return variable_of (w, VARIABLE_ALTERNATIVE, condition->a, condition->b, false);
  }
  return LITERAL_TRUE;
}

// ------------------------------------------------------------------------------------ implications

static bool leads (const void *context, uint32_t index, const void *wanted) {
  const struct problem *problem = context;
  const struct guarded_edge *x = &problem->edges.data[index], *y = wanted;
  return x->from == y->from && x->to == y->to && x->role == y->role;
}

// The variable of an edge that may be there.
static int32_t variable_of_edge (struct writer *w, const struct known_edge *edge) {
  struct encoder *e = &w->e;
  struct guarded_edge wanted = {
    .from = edge->from, .to = edge->to, .kind = edge->kind, .role = edge->role, .key = UINT32_MAX
  };
  const uint64_t hash = hash_u64 (hash_pair (edge->from, edge->to) + edge->role);
  const uint32_t found = hash_set_find (&w->edges, hash, leads, e->problem, &wanted);
  if (found != HASH_NONE)
    return e->problem->edges.data[found].guard[0];
  const struct ir_point from = ir_point_at (e->ir, edge->from), to = ir_point_at (e->ir, edge->to);
  const uint32_t a = from.kind == POINT_SLOT ? NODE_NONE : from.owner, b = to.kind == POINT_SLOT ? NODE_NONE : to.owner;
  wanted.guard[0] =
    encoder_variable (e, VARIABLE_EDGE, a, b, a == NODE_NONE || b == NODE_NONE || encoder_earlier (e, a, b));
  hash_set_insert (&w->edges, hash, (uint32_t) e->problem->edges.count);
  VEC_PUSH (e->problem->edges, wanted);
  return wanted.guard[0];
}

// The literals of the conditions, as far as they are open. False: they do not all hold.
static bool collect (struct writer *w, const struct statement *s) {
  w->literals.count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const int32_t literal = literal_of (w, &s->conditions[i]);
    if (literal == LITERAL_FALSE)
      return false;
    if (literal != LITERAL_TRUE)
      VEC_PUSH (w->literals, literal);
  }
  return true;
}

// One of these does not hold, or the last literal does (0: there is none).
static void imply (struct writer *w, int32_t literal) {
  struct encoder *e = &w->e;
  if (!w->literals.count && !literal) // no solver takes an empty clause
    literal = -encoder_true_literal (e, 0);
  for (size_t i = 0; i < w->literals.count; i++)
    VEC_PUSH (e->problem->clauses, -w->literals.data[i]);
  if (literal)
    VEC_PUSH (e->problem->clauses, literal);
  VEC_PUSH (e->problem->clauses, 0);
}

static void encode_implication (struct writer *w, const struct statement *s) {
  const struct known_edge *edge = &s->edge;
  const struct encoder *e = &w->e;
  if (s->kind == STATES_EDGE && encoder_is_known_edge (e, edge->from, edge->to))
    return;
  if (!collect (w, s))
    return;
  if (s->kind == STATES_FALSE || edge->from == edge->to || encoder_is_known_edge (e, edge->to, edge->from))
    imply (w, 0);
  else
    imply (w, variable_of_edge (w, edge));
}

// ---------------------------------------------------------------------------------- superpositions

// The second holds only if the first does. Both may be known.
static void only_if (struct writer *w, int32_t first, int32_t second) {
  if (second == LITERAL_FALSE || first == LITERAL_TRUE)
    return;
  w->literals.count = 0;
  if (second != LITERAL_TRUE)
    VEC_PUSH (w->literals, second);
  imply (w, first == LITERAL_FALSE ? 0 : first);
}

// Of the literals at hand.
static void at_most_one (struct writer *w) {
  struct encoder *e = &w->e;
  int32_t below = 0; // holds if one of those so far does
  for (size_t i = 0; i < w->literals.count; i++) {
    const int32_t literal = w->literals.data[i];
    if (below)
      encoder_clause2 (e, -below, -literal);
    if (i + 1 == w->literals.count)
      return;
    const int32_t so_far = w->literals.count == 2 ? literal : encoder_helper (e);
    if (so_far != literal)
      encoder_clause2 (e, -literal, so_far);
    if (below)
      encoder_clause2 (e, -below, so_far);
    below = so_far;
  }
}

// Exactly one holds if both presences do. (Orders are shared between keys, so that one may hold
// although the presences of a key do not; of the others none holds then.)
static void encode_choice (struct writer *w, const struct statement *s) {
  const int32_t there[2] = { literal_of_presence (w, s->presence[0]), literal_of_presence (w, s->presence[1]) };
  bool settled = there[0] == LITERAL_FALSE || there[1] == LITERAL_FALSE;
  if (s->count && s->conditions->kind == IF_PRESENCE) // a variable and its opposite
    return;
  for (uint32_t i = 0; i < s->count; i++)
    for (unsigned k = 0; k < 2 && s->conditions[i].kind != IF_ORDER; k++)
      only_if (w, there[k], literal_of (w, &s->conditions[i]));
  w->literals.count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const int32_t literal = literal_of (w, &s->conditions[i]);
    settled |= literal == LITERAL_TRUE;
    if (literal != LITERAL_TRUE && literal != LITERAL_FALSE)
      VEC_PUSH (w->literals, literal);
  }
  at_most_one (w);
  if (settled)
    return;
  for (size_t i = 0; i < w->literals.count; i++)
    VEC_PUSH (w->e.problem->clauses, w->literals.data[i]);
  encoder_end_clause (&w->e, there, 2);
}

// ------------------------------------------------------------------------------------------ public

static bool encode_statement (void *context, uint64_t number, const struct statement *s) {
  struct writer *w = context;
  (void) number;
  if (encoder_stops (&w->e))
    return false;
  if (s->kind == STATES_CHOICE)
    encode_choice (w, s);
  else
    encode_implication (w, s);
  return true;
}

struct problem *encode_boomslang (const struct to_encode *input) {
  struct writer w = { .open_of = NULL };
  encoder_begin (&w.e, input);
  uint32_t *open_of = saturation_open_of (input->saturation);
  w.open_of = open_of;
  list_candidates (&w);
  ir_each_statement (w.e.ir, encode_statement, &w);
  hash_set_free (&w.variables);
  hash_set_free (&w.edges);
  MEM_FREE_ALL (w.literals.data, open_of);
  return encoder_end (&w.e);
}
