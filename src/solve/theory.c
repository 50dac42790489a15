#include "solve/theory.h"

#include "base/error.h"
#include "base/group.h"
#include "solve/acyclic.h"

#define NONE UINT32_MAX

struct trail_entry {
  int32_t literal;
  uint32_t queued_before; // length of the queue when the literal came
  uint32_t forbid_before; // and of the other one
};

struct theory {
  uint32_t variables;
  const struct theory_edge *edges;
  struct acyclic *graph;
  uint32_t *occurs_first, *occurs; // edges by guard literal
  uint8_t *missing;                // per edge: guards that are not true
  int8_t *value;                   // per variable
  uint8_t *is_fixed;               // per variable: it holds for good
  VEC (int32_t) again;             // scratch: such literals that backtracking took along
  VEC (struct trail_entry) trail;
  VEC (uint32_t) levels; // length of the trail at each level's start
  // active edges in the order of their activation; a prefix of it is in the graph
  VEC (uint32_t) queue;
  VEC (uint32_t) forbid; // active edges that only forbid; a prefix of it was looked at
  uint32_t forbid_seen;
  uint32_t *forbid_head;            // scratch: per point, those that end there; places in `forbid`
  VEC (uint32_t) forbid_next, ends; // scratch: the next of the same end; points with any
  bool in_conflict;
  VEC (int32_t) clause;
  VEC (uint32_t) lemma_first, lemma_edges;
  uint32_t taken; // lemmas handed out
  uint64_t assigned;
};

static uint32_t slot (int32_t literal) {
  return literal > 0 ? 2u * (uint32_t) literal : 2u * (uint32_t) -literal + 1;
}

static void index_guards (struct theory *t, uint32_t edge_count) {
  struct grouping by_literal = { .groups = 2 * ((size_t) t->variables + 1) };
  while (grouping_pass (&by_literal))
    for (uint32_t e = 0; e < edge_count; e++)
      for (unsigned i = 0; i < THEORY_MOST_GUARDS && t->edges[e].guard[i]; i++) {
        group_put (&by_literal, slot (t->edges[e].guard[i]), e);
        t->missing[e] = (uint8_t) (i + 1);
      }
  t->occurs_first = by_literal.first;
  t->occurs = by_literal.items;
}

struct theory *theory_new (uint32_t variables, const struct theory_edge *edges, uint32_t edge_count, uint32_t points,
                           const uint32_t *known_first, const uint32_t *known_to, const uint8_t *known_hidden,
                           const uint32_t *position) {
  struct theory *t = mem_zalloc (sizeof *t);
  t->variables = variables;
  t->edges = edges;
  t->missing = MEM_ZARRAY (uint8_t, edge_count);
  t->value = MEM_ZARRAY (int8_t, (size_t) variables + 1);
  t->is_fixed = MEM_ZARRAY (uint8_t, (size_t) variables + 1);
  index_guards (t, edge_count);
  t->forbid_head = mem_nones (points);
  t->graph = acyclic_new (points, known_first, known_to, known_hidden, position);
  for (uint32_t e = 0; e < edge_count; e++)
    acyclic_declare (t->graph, e, edges[e].from, edges[e].to, t->missing[e], edges[e].kind == THEORY_ORDER);
  return t;
}

void theory_free (struct theory *t) {
  if (!t)
    return;
  acyclic_free (t->graph);
  mem_free (t->occurs_first);
  mem_free (t->occurs);
  mem_free (t->missing);
  mem_free (t->value);
  mem_free (t->is_fixed);
  VEC_FREE (t->again);
  VEC_FREE (t->trail);
  VEC_FREE (t->levels);
  VEC_FREE (t->queue);
  VEC_FREE (t->forbid);
  mem_free (t->forbid_head);
  VEC_FREE (t->forbid_next);
  VEC_FREE (t->ends);
  VEC_FREE (t->clause);
  VEC_FREE (t->lemma_first);
  VEC_FREE (t->lemma_edges);
  mem_free (t);
}

static void push (struct theory *t, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  if (t->value[variable])
    return;
  t->value[variable] = literal > 0 ? 1 : -1;
  t->assigned++;
  VEC_PUSH (t->trail, (struct trail_entry){ literal, (uint32_t) t->queue.count, (uint32_t) t->forbid.count });
  const uint32_t s = slot (literal);
  for (uint32_t i = t->occurs_first[s]; i < t->occurs_first[s + 1]; i++) {
    const uint32_t edge = t->occurs[i];
    if (--t->missing[edge])
      continue;
    if (t->edges[edge].kind == THEORY_FORBID)
      VEC_PUSH (t->forbid, edge);
    else
      VEC_PUSH (t->queue, edge);
  }
}

void theory_assign (struct theory *t, int32_t literal, bool fixed) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  if (variable > t->variables)
    misuse (__func__, "a variable that is not observed");
  t->is_fixed[variable] |= fixed;
  push (t, literal);
}

void theory_new_level (struct theory *t) {
  VEC_PUSH (t->levels, (uint32_t) t->trail.count);
}

static void pop (struct theory *t) {
  const struct trail_entry entry = t->trail.data[--t->trail.count];
  const uint32_t s = slot (entry.literal);
  for (uint32_t i = t->occurs_first[s]; i < t->occurs_first[s + 1]; i++)
    t->missing[t->occurs[i]]++;
  const uint32_t variable = (uint32_t) (entry.literal > 0 ? entry.literal : -entry.literal);
  t->value[variable] = 0;
  t->queue.count = entry.queued_before;
  t->forbid.count = entry.forbid_before;
  if (t->is_fixed[variable])
    VEC_PUSH (t->again, entry.literal);
}

void theory_backtrack (struct theory *t, uint32_t level) {
  if (level >= t->levels.count) // some versions announce levels above the current one
    return;
  const uint32_t length = t->levels.data[level];
  t->levels.count = level;
  t->again.count = 0;
  while (t->trail.count > length)
    pop (t);
  while (acyclic_added (t->graph) > t->queue.count)
    acyclic_remove_last (t->graph);
  if (t->forbid_seen > t->forbid.count)
    t->forbid_seen = (uint32_t) t->forbid.count;
  t->in_conflict = false;
  // What holds for good may have been told on a level that is gone now.
  for (size_t i = 0; i < t->again.count; i++)
    push (t, t->again.data[i]);
}

static void negate_guards (struct theory *t, uint32_t edge) {
  for (unsigned i = 0; i < THEORY_MOST_GUARDS && t->edges[edge].guard[i]; i++) {
    const int32_t literal = -t->edges[edge].guard[i];
    bool there = false;
    for (size_t k = 0; k < t->clause.count && !there; k++)
      there = t->clause.data[k] == literal;
    if (!there)
      VEC_PUSH (t->clause, literal);
  }
}

// The closing edge, and the path from its end back to its start that was found last.
static void make_lemma (struct theory *t, uint32_t closing) {
  uint32_t count;
  const uint32_t *path = acyclic_cycle (t->graph, &count); // from the end of the path to its start
  VEC_PUSH (t->lemma_first, (uint32_t) t->lemma_edges.count);
  VEC_PUSH (t->lemma_edges, closing);
  for (uint32_t i = count; i-- > 0;)
    VEC_PUSH (t->lemma_edges, path[i]);
}

static bool is_contradicted (struct theory *t, uint32_t forbid) {
  if (!acyclic_path (t->graph, t->edges[forbid].to, t->edges[forbid].from))
    return false;
  make_lemma (t, forbid);
  return true;
}

// Active edges that forbid, from one on, by their end.
static void sort_forbidding (struct theory *t, uint32_t first) {
  for (uint32_t i = first; i < t->forbid.count; i++) {
    const uint32_t end = t->edges[t->forbid.data[i]].to;
    if (t->forbid_head[end] == NONE)
      VEC_PUSH (t->ends, end);
    VEC_RESERVE (t->forbid_next, t->forbid.count);
    t->forbid_next.data[i] = t->forbid_head[end];
    t->forbid_head[end] = i;
  }
}

// Of those with this end, one that a path contradicts; NONE if there is none. One search serves for
// all.
static uint32_t contradicted_at (struct theory *t, uint32_t end) {
  uint32_t last = NONE, last_place = acyclic_position (t->graph, end);
  for (uint32_t i = t->forbid_head[end]; i != NONE; i = t->forbid_next.data[i]) {
    const uint32_t start = t->edges[t->forbid.data[i]].from, place = acyclic_position (t->graph, start);
    if (place >= last_place) {
      last = start;
      last_place = place;
    }
  }
  if (last == NONE)
    return NONE;
  acyclic_reach (t->graph, end, last);
  for (uint32_t i = t->forbid_head[end]; i != NONE; i = t->forbid_next.data[i])
    if (acyclic_reached (t->graph, t->edges[t->forbid.data[i]].from))
      return t->forbid.data[i];
  return NONE;
}

// Looks at those from one on, until there are enough lemmas: one would do, but each costs a look at
// everything.
static unsigned look_at_forbidding (struct theory *t, uint32_t first, unsigned enough) {
  unsigned found = 0;
  sort_forbidding (t, first);
  for (size_t i = 0; i < t->ends.count; i++) {
    const uint32_t forbid = found < enough ? contradicted_at (t, t->ends.data[i]) : NONE;
    found += forbid != NONE && is_contradicted (t, forbid);
    t->forbid_head[t->ends.data[i]] = NONE;
  }
  t->ends.count = 0;
  return found;
}

static void look (struct theory *t) {
  while (!t->in_conflict && acyclic_added (t->graph) < t->queue.count) {
    const uint32_t edge = t->queue.data[acyclic_added (t->graph)];
    if (acyclic_add (t->graph, edge))
      continue;
    make_lemma (t, edge);
    t->in_conflict = true;
  }
  if (t->in_conflict || t->forbid_seen == t->forbid.count)
    return;
  t->in_conflict = look_at_forbidding (t, t->forbid_seen, 1) != 0;
  if (!t->in_conflict)
    t->forbid_seen = (uint32_t) t->forbid.count;
}

const int32_t *theory_take_clause (struct theory *t) {
  if (t->taken == t->lemma_first.count)
    look (t);
  if (t->taken == t->lemma_first.count)
    return NULL;
  uint32_t count;
  const uint32_t *edges = theory_lemma (t, t->taken++, &count);
  t->clause.count = 0;
  for (uint32_t i = 0; i < count; i++)
    negate_guards (t, edges[i]);
  VEC_PUSH (t->clause, 0);
  return t->clause.data;
}

bool theory_accepts (struct theory *t) {
  enum { ENOUGH = 64 };
  look (t);
  if (!t->in_conflict)
    t->in_conflict = look_at_forbidding (t, 0, ENOUGH) != 0;
  return t->taken == t->lemma_first.count && !t->in_conflict;
}

uint64_t theory_work (const struct theory *t) {
  return t->assigned + acyclic_visits (t->graph);
}

uint32_t theory_lemmas (const struct theory *t) {
  return (uint32_t) t->lemma_first.count;
}

const uint32_t *theory_lemma (const struct theory *t, uint32_t lemma, uint32_t *count) {
  const uint32_t first = t->lemma_first.data[lemma];
  const uint32_t end =
    lemma + 1 < t->lemma_first.count ? t->lemma_first.data[lemma + 1] : (uint32_t) t->lemma_edges.count;
  *count = end - first;
  return t->lemma_edges.data + first;
}
