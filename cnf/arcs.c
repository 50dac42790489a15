#include "cnf/arcs.h"

#include "base/group.h"
#include "base/sort.h"
#include "base/strong_components.h"

typedef VEC (struct arc) arc_vec;

void arc_maker_open (struct arc_maker *maker, const struct problem *problem, struct formula *formula) {
  *maker = (struct arc_maker){ .problem = problem,
                               .formula = formula,
                               .edge_literal = MEM_ZARRAY (int32_t, problem->edges.count) };
}

void arc_maker_close (struct arc_maker *maker) {
  mem_free (maker->edge_literal);
}

// ------------------------------------------------------------------------------------ what is
// there

static bool is_chosen (const struct guarded_edge *edge, enum arc_choice choice) {
  return choice == ARCS_OF_ORDER ? edge->role != ROLE_FORBID : edge->role != ROLE_ORDER;
}

// With the number of the guarded edge, from 1 on, for a literal. Local points for those of the
// component.
static void gather (const struct problem *problem, enum arc_choice choice, arc_vec *arcs) {
  for (uint32_t v = 0; v < problem->points; v++)
    for (uint32_t i = problem->known_first[v]; i < problem->known_first[v + 1]; i++)
      if (choice == ARCS_OF_ORDER || !problem->known_hidden || !problem->known_hidden[i])
        VEC_PUSH (*arcs, (struct arc){ .from = v, .to = problem->known_to[i] });
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (is_chosen (edge, choice))
      VEC_PUSH (*arcs, (struct arc){ .forbids = edge->role == ROLE_FORBID,
                                     .from = edge->from,
                                     .to = edge->to,
                                     .literal = (int32_t) i + 1 });
  }
}

static bool any_forbids (const arc_vec *arcs) {
  for (size_t i = 0; i < arcs->count; i++)
    if (arcs->data[i].forbids)
      return true;
  return false;
}

// -------------------------------------------------------------------------------------- components

static uint32_t successor (const void *context, uint32_t v, uint32_t k) {
  const struct grouping *by_start = context;
  const uint32_t first = by_start->first[v];
  return k < by_start->first[v + 1] - first ? by_start->items[first + k] : VERTEX_NONE;
}

static uint32_t *components_of (uint32_t points, const arc_vec *arcs) {
  struct grouping by_start = { .groups = points };
  uint32_t count;
  while (grouping_pass (&by_start))
    for (size_t i = 0; i < arcs->count; i++)
      group_put (&by_start, arcs->data[i].from, arcs->data[i].to);
  uint32_t *component = strong_components (points, 0, successor, &by_start, &count);
  MEM_FREE_ALL (by_start.first, by_start.items);
  return component;
}

static void keep_inside (arc_vec *arcs, const uint32_t *component) {
  size_t kept = 0;
  for (size_t i = 0; i < arcs->count; i++)
    if (component[arcs->data[i].from] == component[arcs->data[i].to]) {
      arcs->data[kept] = arcs->data[i];
      arcs->data[kept++].component = component[arcs->data[i].from];
    }
  arcs->count = kept;
}

// ---------------------------------------------------------------------------------------- literals

static int32_t literal_of_edge (struct arc_maker *maker, uint32_t edge) {
  const int32_t *guard = maker->problem->edges.data[edge].guard;
  int32_t *literal = &maker->edge_literal[edge];
  if (!guard[1])
    return guard[0];
  if (*literal)
    return *literal;
  *literal = formula_helpers (maker->formula, 1, "all guards of an edge hold");
  for (unsigned i = 0; i < MOST_GUARDS && guard[i]; i++)
    formula_literal (maker->formula, -guard[i]);
  formula_literal (maker->formula, *literal);
  formula_end (maker->formula);
  return *literal;
}

static int by_ends (const void *a, const void *b) {
  const struct arc *x = a, *y = b;
  if (x->component != y->component)
    return COMPARE (x->component, y->component);
  if (x->forbids != y->forbids)
    return COMPARE (x->forbids, y->forbids);
  if (x->from != y->from)
    return COMPARE (x->from, y->from);
  return x->to != y->to ? COMPARE (x->to, y->to) : COMPARE (x->literal, y->literal);
}

static bool has_same_ends (const struct arc *x, const struct arc *y) {
  return x->component == y->component && x->forbids == y->forbids && x->from == y->from && x->to == y->to;
}

// One literal for arcs with the same ends, sorted by theirs.
static int32_t literal_of_all (struct arc_maker *maker, const struct arc *arcs, size_t count) {
  const int32_t first = arcs->literal;
  bool all_alike = true;
  for (size_t i = 0; i < count; i++) {
    if (!arcs[i].literal)
      return 0;
    all_alike = all_alike && arcs[i].literal == first;
  }
  if (all_alike)
    return first;
  const int32_t any = formula_helpers (maker->formula, 1, "one of several edges with the same ends is there");
  for (size_t i = 0; i < count; i++)
    if (!i || arcs[i].literal != arcs[i - 1].literal)
      formula_implies (maker->formula, arcs[i].literal, 0, any);
  return any;
}

static void find_literals (struct arc_maker *maker, arc_vec *arcs) {
  for (size_t i = 0; i < arcs->count; i++)
    if (arcs->data[i].literal)
      arcs->data[i].literal = literal_of_edge (maker, (uint32_t) arcs->data[i].literal - 1);
  VEC_SORT (*arcs, by_ends);
  size_t kept = 0;
  for (size_t i = 0, end; i < arcs->count; i = end) {
    for (end = i + 1; end < arcs->count && has_same_ends (&arcs->data[i], &arcs->data[end]);)
      end++;
    const int32_t literal = literal_of_all (maker, arcs->data + i, end - i);
    arcs->data[kept] = arcs->data[i];
    arcs->data[kept++].literal = literal;
  }
  arcs->count = kept;
}

// What leads from a point to itself is a cycle, and a way back, already.
static void exclude_loops (struct arc_maker *maker, arc_vec *arcs) {
  size_t kept = 0;
  for (size_t i = 0; i < arcs->count; i++)
    if (arcs->data[i].from == arcs->data[i].to)
      formula_implies (maker->formula, arcs->data[i].literal, 0, 0);
    else
      arcs->data[kept++] = arcs->data[i];
  arcs->count = kept;
}

// ---------------------------------------------------------------------------------- one at a time

// The points of a component, and its arcs between their numbers.
static void show (const struct problem *problem, struct arc *arcs, size_t count, uint32_t *point, arc_visit *visit,
                  void *context) {
  uint32_t points = 0, plain = 0;
  for (size_t i = 0; i < count; i++) {
    point[points++] = arcs[i].from;
    point[points++] = arcs[i].to;
    plain += !arcs[i].forbids;
  }
  points = (uint32_t) sort_distinct_u32 (point, points);
  for (size_t i = 0; i < count; i++) {
    arcs[i].from = lower_bound_u32 (point, 0, points, arcs[i].from);
    arcs[i].to = lower_bound_u32 (point, 0, points, arcs[i].to);
  }
  visit (context,
         &(struct arc_component){ problem, points, point, arcs, plain, arcs + plain, (uint32_t) count - plain });
}

void arcs_each_component (struct arc_maker *maker, enum arc_choice choice, arc_visit *visit, void *context) {
  const struct problem *problem = maker->problem;
  arc_vec arcs = VEC_EMPTY;
  if (problem->points)
    gather (problem, choice, &arcs);
  if (!arcs.count || (choice == ARCS_IN_VIEW && !any_forbids (&arcs))) {
    VEC_FREE (arcs);
    return;
  }
  uint32_t *component = components_of (problem->points, &arcs);
  keep_inside (&arcs, component);
  find_literals (maker, &arcs);
  exclude_loops (maker, &arcs);
  uint32_t *point = MEM_ARRAY (uint32_t, 2 * arcs.count);
  for (size_t i = 0, end; i < arcs.count && !formula_is_too_large (maker->formula); i = end) {
    for (end = i + 1; end < arcs.count && arcs.data[end].component == arcs.data[i].component;)
      end++;
    show (problem, arcs.data + i, end - i, point, visit, context);
  }
  MEM_FREE_ALL (arcs.data, component, point);
}
