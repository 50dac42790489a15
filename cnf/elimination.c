// Acyclicity by vertex elimination (Rankooh and Rintanen, Propositional encodings of acyclicity and
// reachability by using vertex elimination, 2022). Points are taken out one by one. For each two
// edges into and out of the one that goes, there is an edge from the first's start to the second's
// end, which holds if both do; two that lead to and fro exclude each other. A cycle is shortened so
// until it is one of these.
//
// Whoever has the fewest such paths through him goes next, so that few edges are put in. None is
// put in where a known path leads, which says more; and what a known path leads back from excludes
// each other at once. Known paths themselves stay, edge by edge.

#include "cnf/acyclicity.h"

#include "base/hash.h"
#include "base/heap.h"

struct link {
  uint32_t from, to;
  int32_t literal; // 0: it holds in any case
  bool own;        // the literal is a variable of ours, which others may imply as well
};

typedef VEC (uint32_t) link_list; // links by number

struct waiting {
  uint64_t paths; // when it was put there
  uint32_t point;
};

struct elimination {
  struct formula *formula;
  const struct arc_component *component;
  VEC (struct link) links;
  struct hash_set by_ends;
  link_list *into, *out_of; // per point; some of them lead to points that are gone
  bool *gone;
  VEC (struct waiting) heap;
};

// ------------------------------------------------------------------------------------------- links

static bool has_ends (const void *context, uint32_t index, const void *wanted) {
  const struct elimination *e = context;
  const struct link *link = wanted;
  return e->links.data[index].from == link->from && e->links.data[index].to == link->to;
}

static void add_link (struct elimination *e, struct link link) {
  const uint32_t number = (uint32_t) e->links.count;
  hash_set_insert (&e->by_ends, hash_pair (link.from, link.to), number);
  VEC_PUSH (e->links, link);
  VEC_PUSH (e->out_of[link.from], number);
  VEC_PUSH (e->into[link.to], number);
}

// The literal of an arc may be said elsewhere: what implies the link must not imply that.
static void make_own (struct elimination *e, struct link *link) {
  const int32_t literal = formula_helpers (e->formula, 1, "a path through points that were taken out, or an edge");
  if (link->literal)
    formula_implies (e->formula, link->literal, 0, literal);
  link->literal = literal;
  link->own = true;
}

static bool is_known_path (const struct elimination *e, uint32_t from, uint32_t to) {
  const uint32_t *point = e->component->point;
  return problem_path (e->component->problem, point[from], point[to]) == PATH_KNOWN;
}

// A path through the point that goes: by the one, then by the other.
static void join (struct elimination *e, const struct link *first, const struct link *second) {
  struct link path = { .from = first->from, .to = second->to };
  const int32_t a = first->literal, b = second->literal; // links move as they become more
  if (path.from == path.to || is_known_path (e, path.to, path.from)) {
    formula_implies (e->formula, a, b, 0);
    return;
  }
  if ((a && a == -b) || ((a || b) && is_known_path (e, path.from, path.to)))
    return;
  uint32_t number = hash_set_find (&e->by_ends, hash_pair (path.from, path.to), has_ends, e, &path);
  if (number == HASH_NONE) {
    if (a || b)
      make_own (e, &path);
    number = (uint32_t) e->links.count;
    add_link (e, path);
  }
  struct link *link = &e->links.data[number];
  if (!a && !b)
    link->literal = 0;
  if (link->literal && !link->own)
    make_own (e, link);
  if (link->literal)
    formula_implies (e->formula, a, b, link->literal);
}

// ------------------------------------------------------------------------------------------- order

static void forget_gone (const struct elimination *e, link_list *list, bool starts) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    const struct link *link = &e->links.data[list->data[i]];
    if (!e->gone[starts ? link->from : link->to])
      list->data[kept++] = list->data[i];
  }
  list->count = kept;
}

static uint64_t paths_through (const struct elimination *e, uint32_t point) {
  forget_gone (e, &e->into[point], true);
  forget_gone (e, &e->out_of[point], false);
  return (uint64_t) e->into[point].count * e->out_of[point].count;
}

static bool goes_first (const struct elimination *e, struct waiting a, struct waiting b) {
  (void) e;
  return a.paths != b.paths ? a.paths < b.paths : a.point < b.point;
}

static void enqueue (struct elimination *e, uint32_t point) {
  const struct waiting waiting = { paths_through (e, point), point };
  HEAP_PUSH (e->heap, waiting, goes_first, e);
}

// Whoever has another number of paths by now stands in the heap once more.
static bool take_next (struct elimination *e, uint32_t *point) {
  while (e->heap.count) {
    const struct waiting first = e->heap.data[0];
    HEAP_POP (e->heap, goes_first, e);
    *point = first.point;
    if (!e->gone[first.point] && paths_through (e, first.point) == first.paths)
      return true;
  }
  return false;
}

static void take_out (struct elimination *e, uint32_t point) {
  for (size_t i = 0; i < e->into[point].count && !formula_is_too_large (e->formula); i++)
    for (size_t k = 0; k < e->out_of[point].count; k++) {
      const struct link first = e->links.data[e->into[point].data[i]];
      const struct link second = e->links.data[e->out_of[point].data[k]];
      join (e, &first, &second);
    }
  e->gone[point] = true;
  for (size_t i = 0; i < e->into[point].count; i++)
    enqueue (e, e->links.data[e->into[point].data[i]].from);
  for (size_t k = 0; k < e->out_of[point].count; k++)
    enqueue (e, e->links.data[e->out_of[point].data[k]].to);
  VEC_FREE (e->into[point]);
  VEC_FREE (e->out_of[point]);
}

void state_elimination (struct formula *formula, const struct arc_component *component) {
  const uint32_t points = component->points;
  struct elimination e = { .formula = formula,
                           .component = component,
                           .into = MEM_ZARRAY (link_list, points),
                           .out_of = MEM_ZARRAY (link_list, points),
                           .gone = MEM_ZARRAY (bool, points) };
  for (uint32_t i = 0; i < component->count; i++) {
    const struct arc *arc = &component->arcs[i];
    add_link (&e, (struct link){ .from = arc->from, .to = arc->to, .literal = arc->literal });
  }
  for (uint32_t v = 0; v < points; v++)
    enqueue (&e, v);
  for (uint32_t point; take_next (&e, &point);)
    take_out (&e, point);
  for (uint32_t v = 0; v < points; v++)
    MEM_FREE_ALL (e.into[v].data, e.out_of[v].data);
  hash_set_free (&e.by_ends);
  MEM_FREE_ALL (e.links.data, e.into, e.out_of, e.gone, e.heap.data);
}
