#include "saturate/run_plan.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#define NONE UINT32_MAX

struct builder {
  struct plan *plan;
  const struct saturation *s;
  struct graph *g;
  const struct ir *ir;
  uint32_t *place_of;    // per key; NONE: it does not matter
  uint32_t *value_first; // per key its values; one more entry at the end
  VEC (uint32_t) values; // of each key, ascending: a class each, of the same number
  uint32_t *members;     // per such class: installs
  uint32_t *install_class;
  uint32_t *key_open;      // per key: the class of an initial value that is open
  uint32_t *key_initial;   // per key: a class of its own for T0's version, or NONE
  uint8_t *value_is_split; // per class of a value: a version of it has a class of its own
  VEC (uint32_t) class_value;
  struct grouping orders; // known orders of versions, by the point that comes behind
};

// --------------------------------------------------------------------------------- what is covered

// Runs satisfy levels where everybody sees one state: that at the only point, or that at the begin.
static bool is_covered (const struct ir *ir) {
  const struct rules *r = &ir->rules;
  const bool shape =
    r->points == 1 || (!r->wr.to && !r->rw.from && r->wr.from == 1 && r->rw.to == 1 && r->ww.from == 1);
  return shape && r->wr.used && r->rw.used && r->ww.used && r->anti == ANTI_EDGE && r->view == VIEW_PATHS && !r->events
         && !r->ww_hidden && !ir->read_anti && !ir->marks_reads && !ir->deletes;
}

static void find_places (struct builder *b) {
  const struct ir *ir = b->ir;
  b->place_of = mem_nones (ir->keys);
  b->plan->locks = ir->rules.points == 2 && ir->rules.ww.to == 0;
  for (uint32_t read = ir->node_first_read[1]; read < ir->reads; read++)
    b->place_of[ir->read_key[read]] = 0;
  for (uint32_t key = 0; key < ir->keys; key++) {
    const bool contended = b->plan->locks && ir->key_first[key + 1] - ir->key_first[key] > 1;
    if (b->place_of[key] != NONE || contended)
      b->place_of[key] = b->plan->places++;
  }
}

// ----------------------------------------------------------------------------------------- classes

static bool is_plain (const struct ir *ir, uint32_t read) {
  return !(ir_read_flags (ir, read) & READ_SEVERAL);
}

// All values that a key can have, as far as somebody can ask for them.
static void collect_values (struct builder *b) {
  const struct ir *ir = b->ir;
  struct grouping reads_of_key = { .groups = ir->keys };
  while (grouping_pass (&reads_of_key))
    for (uint32_t read = 0; read < ir->reads; read++)
      if (is_plain (ir, read))
        group_put (&reads_of_key, ir->read_key[read], ir->read_value[read]);
  b->value_first = MEM_ARRAY (uint32_t, (size_t) ir->keys + 1);
  VEC (uint32_t) values = VEC_EMPTY;
  for (uint32_t key = 0; key < ir->keys; key++) {
    b->value_first[key] = (uint32_t) b->values.count;
    if (b->place_of[key] == NONE)
      continue;
    values.count = 0;
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      VEC_PUSH (values, ir->install_value[i]);
    for (uint32_t i = reads_of_key.first[key]; i < reads_of_key.first[key + 1]; i++)
      VEC_PUSH (values, reads_of_key.items[i]);
    if (b->s->init_fixed[key] != INITIAL_OPEN)
      VEC_PUSH (values, b->s->init_fixed[key]);
    values.count = sort_distinct_u32 (values.data, values.count);
    for (size_t i = 0; i < values.count; i++)
      VEC_PUSH (b->values, values.data[i]);
  }
  b->value_first[ir->keys] = (uint32_t) b->values.count;
  MEM_FREE_ALL (values.data, reads_of_key.first, reads_of_key.items);
}

static uint32_t class_of_value (const struct builder *b, uint32_t key, uint32_t value) {
  return find_u32 (b->values.data, b->value_first[key], b->value_first[key + 1], value);
}

static void class_installs (struct builder *b) {
  const struct ir *ir = b->ir;
  VEC_COPY (b->class_value, b->values);
  b->members = MEM_ZARRAY (uint32_t, b->values.count);
  b->value_is_split = MEM_ZARRAY (uint8_t, b->values.count);
  b->install_class = mem_nones (ir->installs);
  for (uint32_t key = 0; key < ir->keys; key++)
    for (uint32_t i = ir->key_first[key]; b->place_of[key] != NONE && i < ir->key_first[key + 1]; i++) {
      b->install_class[i] = class_of_value (b, key, ir->install_value[i]);
      b->members[b->install_class[i]]++;
    }
}

static uint32_t new_class (struct builder *b, uint32_t value) {
  VEC_PUSH (b->class_value, value);
  return (uint32_t) b->class_value.count - 1;
}

// SOURCE_NONE: it is not known.
static uint32_t known_source (const struct builder *b, uint32_t read) {
  const uint32_t writer = b->g->read_writer[read];
  return writer == NODE_NONE ? SOURCE_NONE
         : writer            ? ir_install_of (b->ir, b->ir->read_key[read], writer)
                             : SOURCE_INITIAL;
}

// The version that the read names must be told from others of its value.
static bool names_version (const struct builder *b, uint32_t read) {
  const struct ir *ir = b->ir;
  const uint32_t key = ir->read_key[read], source = known_source (b, read), node = graph_reader (b->g, read);
  if (source == SOURCE_NONE)
    return false;
  const bool initial = source == SOURCE_INITIAL;
  // an initial value that was settled since may be another one than the read asks for
  if (initial && (b->s->init_fixed[key] == INITIAL_OPEN || !ir_accepts (ir, read, b->s->init_fixed[key])))
    return false;
  const uint32_t value = initial ? b->s->init_fixed[key] : ir->install_value[source];
  const uint32_t class = class_of_value (b, key, value), own = ir_install_of (ir, key, node);
  const bool is_own = own < SOURCE_MANY && ir->install_value[own] == value;
  const bool of_initial = b->s->init_fixed[key] == value || b->s->init_fixed[key] == INITIAL_OPEN;
  return b->members[class] + of_initial - is_own > 1;
}

// Hints name versions.
static void split_classes (struct builder *b) {
  const struct ir *ir = b->ir;
  b->key_initial = mem_nones (ir->keys);
  for (uint32_t read = ir->node_first_read[1]; read < ir->reads; read++) {
    if (!names_version (b, read))
      continue;
    const uint32_t source = known_source (b, read), key = ir->read_key[read];
    uint32_t *class = source == SOURCE_INITIAL ? &b->key_initial[key] : &b->install_class[source];
    const uint32_t value = source == SOURCE_INITIAL ? b->s->init_fixed[key] : ir->install_value[source];
    b->value_is_split[class_of_value (b, key, value)] = 1;
    if (*class == NONE || *class < b->values.count)
      *class = new_class (b, value);
  }
}

static void class_initial_values (struct builder *b) {
  const struct ir *ir = b->ir;
  b->plan->initial = MEM_ARRAY (uint32_t, b->plan->places);
  b->key_open = mem_nones (ir->keys);
  for (uint32_t key = 0; key < ir->keys; key++) {
    const uint32_t place = b->place_of[key], value = b->s->init_fixed[key];
    if (place == NONE)
      continue;
    if (value == INITIAL_OPEN)
      b->key_open[key] = new_class (b, value);
    b->plan->initial[place] = value == INITIAL_OPEN         ? b->key_open[key]
                              : b->key_initial[key] != NONE ? b->key_initial[key]
                                                            : class_of_value (b, key, value);
  }
}

// ------------------------------------------------------------------------------ what points access

static uint32_t class_of_read (struct builder *b, uint32_t read) {
  const struct ir *ir = b->ir;
  const uint32_t key = ir->read_key[read], source = known_source (b, read);
  const uint32_t class = is_plain (ir, read) ? class_of_value (b, key, ir->read_value[read]) : NONE;
  if (names_version (b, read))
    return source == SOURCE_INITIAL ? b->key_initial[key] : b->install_class[source];
  if (class != NONE && !b->value_is_split[class])
    return class;
  b->plan->complete &= b->key_open[key] == NONE; // what an open initial value is then stays unclear
  VEC_PUSH (b->plan->several, (struct plan_several){ ir->read_value[read], ir_read_flags (ir, read) });
  return CLASS_SEVERAL | ((uint32_t) b->plan->several.count - 1);
}

static void access_of_point (struct builder *b, uint32_t point, struct plan_access_vec *reads,
                             struct plan_access_vec *writes) {
  const struct ir *ir = b->ir;
  const uint32_t node = graph_node (b->g, point);
  const unsigned which = point & ((1u << b->g->shift) - 1);
  for (uint32_t read = ir->node_first_read[node]; which == ir->rules.wr.to && read < ir->node_first_read[node + 1];
       read++) {
    VEC_PUSH (*reads, (struct plan_access){ b->place_of[ir->read_key[read]], class_of_read (b, read) });
    if (b->key_open[ir->read_key[read]] != NONE)
      b->plan->flags[point] |= POINT_CHOOSES;
  }
  bool any = false;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t install = ir->node_installs[i], place = b->place_of[graph_key (b->g, install)];
    any |= place != NONE;
    if (place != NONE && which == ir->rules.wr.from)
      VEC_PUSH (*writes, (struct plan_access){ place, b->install_class[install] });
  }
  if (any && (which == ir->rules.wr.from || b->plan->locks))
    b->plan->flags[point] |= POINT_WRITES;
  if (!b->g->active[node])
    b->plan->flags[point] |= POINT_OPTIONAL;
}

static void lay_out_accesses (struct builder *b) {
  struct plan *plan = b->plan;
  const uint32_t points = b->g->points;
  struct plan_access_vec reads = VEC_EMPTY, writes = VEC_EMPTY;
  plan->flags = MEM_ZARRAY (uint8_t, points);
  plan->read_first = MEM_ARRAY (uint32_t, (size_t) points + 1);
  plan->write_first = MEM_ARRAY (uint32_t, (size_t) points + 1);
  for (uint32_t point = 0; point <= points; point++) {
    plan->read_first[point] = (uint32_t) reads.count;
    plan->write_first[point] = (uint32_t) writes.count;
    if (point < points && graph_node (b->g, point) && !graph_is_slot (b->g, point))
      access_of_point (b, point, &reads, &writes);
  }
  plan->reads = reads.data;
  plan->writes = writes.data;
}

// ----------------------------------------------------------------------------------------- waiting

static int by_chain_then_last (const void *a, const void *b) {
  const struct plan_wait *x = a, *y = b;
  return x->chain != y->chain ? COMPARE (x->chain, y->chain) : COMPARE (y->point, x->point);
}

static bool is_waited_for (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) || (graph_node (g, point) && g->active[graph_node (g, point)]);
}

static void waits_of_point (struct builder *b, uint32_t point, struct plan_wait_vec *waits) {
  struct graph *g = b->g;
  const size_t first = waits->count;
  const uint32_t count = graph_preds (g, point), node = graph_node (g, point);
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH (*waits, (struct plan_wait){ graph_chain (g, g->preds.data[i]), g->preds.data[i] });
  for (uint32_t i = b->orders.first[point]; i < b->orders.first[point + 1]; i++) {
    const uint32_t install = b->ir->orders[b->orders.items[i]].before;
    const uint32_t before = graph_point (g, b->ir->install_node[install], b->ir->rules.ww.from);
    VEC_PUSH (*waits, (struct plan_wait){ graph_chain (g, before), before });
  }
  const bool cut_out = !graph_is_slot (g, point) && b->ir->rules.so.used && b->ir->so_before
                       && b->ir->so_before[node] != NODE_NONE && point == graph_point (g, node, 0);
  if (cut_out) {
    const uint32_t before = graph_point (g, b->ir->so_before[node], (1u << g->shift) - 1);
    VEC_PUSH (*waits, (struct plan_wait){ graph_chain (g, before), before });
  }
  SORT (waits->data + first, waits->count - first, by_chain_then_last);
  size_t kept = first;
  for (size_t i = first; i < waits->count; i++) {
    const struct plan_wait wait = waits->data[i];
    // one that the chain has behind the point can never be met
    if ((wait.chain == graph_chain (g, point) && wait.point < point) || !is_waited_for (g, wait.point)
        || (kept > first && waits->data[kept - 1].chain == wait.chain))
      continue;
    waits->data[kept++] = wait;
  }
  waits->count = kept;
}

// Orders of versions that lists and hints give away: saturation may not have been told of them yet.
static void index_orders (struct builder *b) {
  const struct ir *ir = b->ir;
  b->orders = (struct grouping){ .groups = b->g->points };
  while (grouping_pass (&b->orders))
    for (uint32_t i = 0; i < ir->order_count; i++)
      if (graph_order_holds (b->g, &ir->orders[i]))
        group_put (&b->orders, graph_point (b->g, ir->install_node[ir->orders[i].after], ir->rules.ww.to), i);
}

static void lay_out_waits (struct builder *b) {
  struct plan *plan = b->plan;
  index_orders (b);
  struct plan_wait_vec waits = VEC_EMPTY;
  plan->wait_first = MEM_ARRAY (uint32_t, (size_t) b->g->points + 1);
  for (uint32_t point = 0; point <= b->g->points; point++) {
    plan->wait_first[point] = (uint32_t) waits.count;
    if (point < b->g->points && (graph_is_slot (b->g, point) || graph_node (b->g, point)))
      waits_of_point (b, point, &waits);
  }
  plan->waits = waits.data;
}

// ------------------------------------------------------------------------------------ chains, uses

static void find_ends (struct builder *b) {
  struct plan *plan = b->plan;
  plan->chain_end = MEM_ARRAY (uint32_t, plan->chains);
  for (uint32_t c = 0; c < plan->chains; c++) {
    const uint32_t first = plan->chain_first[c];
    uint32_t end = plan->chain_first[c + 1];
    while (end > first && (graph_is_slot (b->g, end - 1) || (plan->flags[end - 1] & POINT_OPTIONAL)))
      end--;
    plan->chain_end[c] = end;
  }
}

struct use_builder {
  struct plan *plan;
  uint32_t *last_chain; // per class: that of its latest entry
};

static void note_use (struct use_builder *u, uint32_t class, uint32_t chain, uint32_t point, bool read) {
  struct plan *plan = u->plan;
  if (class & CLASS_SEVERAL)
    return;
  const bool is_new = u->last_chain[class] != chain;
  u->last_chain[class] = chain;
  if (!plan->uses) {
    if (is_new)
      group_count (plan->use_first, class);
    return;
  }
  struct plan_use *use = &plan->uses[is_new ? group_next (plan->use_first, class) : plan->use_first[class + 1] - 1];
  if (is_new)
    *use = (struct plan_use){ .chain = chain };
  if (read)
    use->last_read = point;
  else
    use->last_write = point;
}

static void note_uses (struct use_builder *u) {
  struct plan *plan = u->plan;
  u->last_chain = mem_nones (plan->classes);
  for (uint32_t c = 1; c < plan->chains; c++)
    for (uint32_t point = plan->chain_first[c]; point < plan->chain_first[c + 1]; point++) {
      for (uint32_t i = plan->read_first[point];
           i < plan->read_first[point + 1] && !(plan->flags[point] & POINT_OPTIONAL); i++)
        note_use (u, plan->reads[i].class, c, point, true);
      for (uint32_t i = plan->write_first[point]; i < plan->write_first[point + 1]; i++)
        note_use (u, plan->writes[i].class, c, point, false);
    }
  mem_free (u->last_chain);
}

static void index_uses (struct plan *plan) {
  struct use_builder u = { .plan = plan };
  plan->use_first = groups_new (plan->classes);
  note_uses (&u);
  plan->uses = MEM_ARRAY (struct plan_use, groups_sum (plan->use_first, plan->classes) + 1);
  note_uses (&u);
}

// -------------------------------------------------------------------------------------------- odds

// The natural logarithm in thousandths, the same on every machine: bit by bit, by squaring.
static int64_t logarithm (uint32_t n) {
  enum { BITS = 12 };
  const unsigned whole = 31 - (unsigned) __builtin_clz (n);
  uint64_t rest = ((uint64_t) n << 30) >> whole, log2 = whole; // rest: 1 to 2, times 2^30
  for (unsigned i = 0; i < BITS; i++) {
    rest = (rest * rest) >> 30;
    log2 = log2 << 1 | rest >> 31;
    rest >>= rest >> 31;
  }
  return (int64_t) (log2 * 693147 / 1000) >> BITS;
}

static void tabulate_factorials (struct plan *plan) {
  plan->log_factorial = MEM_ZARRAY (int64_t, (size_t) plan->g->points + 1);
  for (uint32_t n = 2; n <= plan->g->points; n++)
    plan->log_factorial[n] = plan->log_factorial[n - 1] + logarithm (n);
}

// What few write is rarely in force.
static void tabulate_hardness (struct plan *plan) {
  const uint32_t points = plan->g->points, accesses = plan->write_first[points];
  uint32_t *of_class = MEM_ZARRAY (uint32_t, plan->classes), *of_place = MEM_ZARRAY (uint32_t, plan->places);
  for (uint32_t i = 0; i < accesses; i++) {
    of_class[plan->writes[i].class]++;
    of_place[plan->writes[i].place]++;
  }
  plan->hardness = MEM_ZARRAY (int64_t, (size_t) points + 1);
  for (uint32_t point = 0; point < points; point++) {
    plan->hardness[point + 1] = plan->hardness[point];
    for (uint32_t i = plan->read_first[point]; i < plan->read_first[point + 1]; i++) {
      const struct plan_access *read = &plan->reads[i];
      const uint32_t all = of_place[read->place] + 1;
      const uint32_t fitting = read->class & CLASS_SEVERAL ? all / 2 + 1 : of_class[read->class] + 1;
      plan->hardness[point + 1] += logarithm (all) - logarithm (fitting);
    }
  }
  MEM_FREE_ALL (of_class, of_place);
}

// ------------------------------------------------------------------------------------------ public

static void builder_free (struct builder *b) {
  MEM_FREE_ALL (b->place_of, b->value_first, b->values.data, b->members, b->install_class, b->key_open, b->key_initial,
                b->value_is_split, b->orders.first, b->orders.items);
}

struct plan *plan_new (const struct saturation *s) {
  struct graph *g = s->graph;
  if (!is_covered (g->ir))
    return NULL;
  struct plan *plan = mem_zalloc (sizeof *plan);
  struct builder b = { .plan = plan, .s = s, .g = g, .ir = g->ir };
  plan->g = g;
  plan->complete = true;
  plan->chains = g->chains;
  plan->chain_first = g->chain_first_point;
  find_places (&b);
  collect_values (&b);
  class_installs (&b);
  split_classes (&b);
  class_initial_values (&b);
  lay_out_accesses (&b);
  lay_out_waits (&b);
  find_ends (&b);
  plan->classes = (uint32_t) b.class_value.count;
  plan->class_value = b.class_value.data;
  index_uses (plan);
  tabulate_factorials (plan);
  tabulate_hardness (plan);
  builder_free (&b);
  return plan;
}

void plan_free (struct plan *plan) {
  if (!plan)
    return;
  MEM_FREE_ALL (plan->chain_end, plan->flags, plan->wait_first, plan->read_first, plan->write_first, plan->waits,
                plan->reads, plan->writes, plan->initial, plan->class_value, plan->several.data, plan->use_first,
                plan->uses, plan->log_factorial, plan->hardness, plan);
}
