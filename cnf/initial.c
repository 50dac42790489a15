// Initial values that are open (`init any`): everybody who reads a key from T0 reads the same.

#include "cnf/encoder.h"

#include "base/sort.h"

struct initial_use {
  uint32_t key, value;
  unsigned flags;  // READ_SEVERAL: more than one value will do
  int32_t literal; // if this holds; 0: it does
};

static int by_key_and_value (const void *a, const void *b) {
  const struct initial_use *x = a, *y = b;
  if (x->key != y->key)
    return COMPARE (x->key, y->key);
  if (x->flags != y->flags)
    return COMPARE (x->flags, y->flags);
  return x->value != y->value ? COMPARE (x->value, y->value) : COMPARE (x->literal, y->literal);
}

typedef VEC (struct initial_use) use_vec;

static void add_use (const struct encoder *e, use_vec *uses, uint32_t read, int32_t literal) {
  const struct ir *ir = e->ir;
  const unsigned flags = ir_read_flags (ir, read) & READ_SEVERAL;
  VEC_PUSH (*uses, (struct initial_use){ ir->read_key[read], ir->read_value[read], flags, literal });
}

// Known reads that several values explain are uses, too: they exclude the others.
static void collect_uses (const struct encoder *e, use_vec *uses) {
  const struct problem *problem = e->problem;
  const struct ir *ir = e->ir;
  for (size_t v = 1; v < problem->variables.count; v++) {
    const struct variable *variable = &problem->variables.data[v];
    if (variable->kind == VARIABLE_SOURCE && variable->b == SOURCE_INITIAL)
      add_use (e, uses, variable->a, (int32_t) v);
    const struct presence *presence = variable->kind == VARIABLE_PRESENCE ? &ir->presences[variable->a] : NULL;
    if (!presence || presence->kind != PRESENCE_IN)
      continue;
    for (uint32_t read = ir->node_first_read[presence->node]; read < ir->node_first_read[presence->node + 1]; read++)
      if (ir->read_source[read] == SOURCE_INITIAL)
        add_use (e, uses, read, (int32_t) v);
  }
  for (uint32_t read = 0; ir->read_flags && read < ir->reads; read++)
    if ((ir->read_flags[read] & READ_SEVERAL) && e->g->read_writer[read] == 0 && e->g->active[graph_reader (e->g, read)]
        && e->s->init_fixed[ir->read_key[read]] == INITIAL_OPEN)
      add_use (e, uses, read, 0);
}

// At most one of the variables first .. last, through a ladder of helper variables.
static void at_most_one (struct encoder *e, int32_t first, int32_t last) {
  int32_t below = 0; // true if one of those so far is
  for (int32_t v = first; v <= last; v++) {
    if (below)
      encoder_clause2 (e, -below, -v);
    if (v == last)
      break;
    const int32_t so_far = encoder_helper (e);
    encoder_clause2 (e, -v, so_far);
    if (below)
      encoder_clause2 (e, -below, so_far);
    below = so_far;
  }
}

// The value is settled: uses that need another one are out.
static void encode_fixed (struct encoder *e, const struct initial_use *uses, size_t count, uint32_t fixed) {
  for (size_t i = 0; i < count; i++)
    if (!read_accepts (uses[i].value, uses[i].flags, fixed))
      encoder_end_clause (e, &uses[i].literal, 1);
}

// A read that several values explain: the initial value is none of the others that somebody needs.
static void exclude_values (struct encoder *e, const struct initial_use *use, int32_t first, int32_t last) {
  for (int32_t v = first; v <= last; v++)
    if (!read_accepts (use->value, use->flags, e->problem->variables.data[v].b)) {
      VEC_PUSH (e->problem->clauses, -v);
      encoder_end_clause (e, &use->literal, 1);
    }
}

// A variable for each value that somebody needs; if none is true, it is some value that nobody
// asked for.
static void encode_open (struct encoder *e, const struct initial_use *uses, size_t count) {
  const int32_t first = (int32_t) e->problem->variables.count;
  for (size_t i = 0; i < count && !uses[i].flags; i++)
    if (i == 0 || uses[i].value != uses[i - 1].value)
      encoder_variable (e, VARIABLE_INITIAL, uses[i].key, uses[i].value, false);
  const int32_t last = (int32_t) e->problem->variables.count - 1;
  int32_t at = first;
  for (size_t i = 0; i < count; i++) {
    if (uses[i].flags) {
      exclude_values (e, &uses[i], first, last);
      continue;
    }
    at += i && uses[i].value != uses[i - 1].value; // they are sorted as the variables are
    encoder_clause2 (e, -uses[i].literal, at);
  }
  if (last > first)
    at_most_one (e, first, last);
}

void encoder_initial_values (struct encoder *e) {
  use_vec uses = VEC_EMPTY;
  collect_uses (e, &uses);
  VEC_SORT (uses, by_key_and_value);
  for (size_t i = 0; i < uses.count;) {
    size_t end = i;
    while (end < uses.count && uses.data[end].key == uses.data[i].key)
      end++;
    const uint32_t fixed = e->s->init_fixed[uses.data[i].key];
    if (fixed == INITIAL_OPEN)
      encode_open (e, uses.data + i, end - i);
    else
      encode_fixed (e, uses.data + i, end - i, fixed);
    i = end;
  }
  VEC_FREE (uses);
}
