#include "solve/components.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// --------------------------------------------------------------------------------- strongly connected components (Tarjan)

struct tarjan {
  const struct problem *problem;
  uint32_t *guarded_first, *guarded_to; // successors by guarded edges
  uint32_t *index, *low, *scc;
  uint32_t *next_edge; // per point: successors looked at so far
  VEC (uint32_t) stack, path;
  uint32_t found, components;
};

static void index_guarded (struct tarjan *t) {
  const struct problem *problem = t->problem;
  t->guarded_first = MEM_ZARRAY (uint32_t, (size_t) problem->points + 2);
  t->guarded_to = MEM_ARRAY (uint32_t, problem->edges.count);
  uint32_t *next = t->guarded_first + 1;
  for (size_t i = 0; i < problem->edges.count; i++)
    next[problem->edges.data[i].from + 1]++;
  for (uint32_t v = 0; v < problem->points; v++)
    next[v + 1] += next[v];
  for (size_t i = 0; i < problem->edges.count; i++)
    t->guarded_to[next[problem->edges.data[i].from]++] = problem->edges.data[i].to;
}

// The k-th successor of v, known ones first; NONE past the end.
static uint32_t successor (const struct tarjan *t, uint32_t v, uint32_t k) {
  const uint32_t known = t->problem->known_first[v + 1] - t->problem->known_first[v];
  if (k < known)
    return t->problem->known_to[t->problem->known_first[v] + k];
  k -= known;
  return k < t->guarded_first[v + 1] - t->guarded_first[v] ? t->guarded_to[t->guarded_first[v] + k] : NONE;
}

static void enter (struct tarjan *t, uint32_t v) {
  t->index[v] = t->low[v] = t->found++;
  t->next_edge[v] = 0;
  VEC_PUSH (t->stack, v);
  VEC_PUSH (t->path, v);
}

static void leave (struct tarjan *t, uint32_t v) {
  t->path.count--;
  if (t->path.count) {
    const uint32_t parent = t->path.data[t->path.count - 1];
    if (t->low[v] < t->low[parent])
      t->low[parent] = t->low[v];
  }
  if (t->low[v] != t->index[v])
    return;
  uint32_t u;
  do {
    u = t->stack.data[--t->stack.count];
    t->scc[u] = t->components;
  } while (u != v);
  t->components++;
}

static void explore (struct tarjan *t, uint32_t root) {
  enter (t, root);
  while (t->path.count) {
    const uint32_t v = t->path.data[t->path.count - 1];
    const uint32_t u = successor (t, v, t->next_edge[v]);
    if (u == NONE) {
      leave (t, v);
      continue;
    }
    t->next_edge[v]++;
    if (t->index[u] == NONE)
      enter (t, u);
    else if (t->scc[u] == NONE && t->index[u] < t->low[v])
      t->low[v] = t->index[u];
  }
}

static uint32_t *strong_components (const struct problem *problem, uint32_t *count) {
  struct tarjan t = { .problem = problem };
  index_guarded (&t);
  t.index = MEM_ARRAY (uint32_t, problem->points);
  t.low = MEM_ARRAY (uint32_t, problem->points);
  t.scc = MEM_ARRAY (uint32_t, problem->points);
  t.next_edge = MEM_ARRAY (uint32_t, problem->points);
  memset (t.index, 0xff, problem->points * sizeof *t.index);
  memset (t.scc, 0xff, problem->points * sizeof *t.scc);
  for (uint32_t v = 0; v < problem->points; v++)
    if (t.index[v] == NONE)
      explore (&t, v);
  mem_free (t.guarded_first);
  mem_free (t.guarded_to);
  mem_free (t.index);
  mem_free (t.low);
  mem_free (t.next_edge);
  VEC_FREE (t.stack);
  VEC_FREE (t.path);
  *count = t.components;
  return t.scc;
}

// ---------------------------------------------------------------------------------------------------------- joining what shares

static uint32_t find (uint32_t *parent, uint32_t x) {
  while (parent[x] != x) {
    parent[x] = parent[parent[x]];
    x = parent[x];
  }
  return x;
}

static void join (uint32_t *parent, uint32_t a, uint32_t b) {
  a = find (parent, a);
  b = find (parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

static uint32_t variable_of (int32_t literal) {
  return (uint32_t) (literal > 0 ? literal : -literal);
}

static bool is_inside (const uint32_t *scc, const struct guarded_edge *edge) {
  return scc[edge->from] == scc[edge->to];
}

// Elements: the variables, then the components. Variable 0 stands for nothing.
static uint32_t *join_all (const struct problem *problem, const uint32_t *scc, uint32_t components, bool split) {
  const uint32_t variables = problem_variables (problem) + 1;
  uint32_t *parent = MEM_ARRAY (uint32_t, (size_t) variables + components);
  for (uint32_t x = 0; x < variables + components; x++)
    parent[x] = split || !x || x >= variables ? x : 1;
  if (!split)
    return parent;
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (is_inside (scc, edge))
      for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
        join (parent, variable_of (edge->guard[k]), variables + scc[edge->from]);
  }
  for (size_t i = 0; i < problem->clauses.count; i++)
    for (const uint32_t first = variable_of (problem->clauses.data[i]); problem->clauses.data[i]; i++)
      join (parent, first, variable_of (problem->clauses.data[i]));
  return parent;
}

// Parts in the order of their first variable, small ones together: part_of[variable].
static uint32_t *number_parts (const struct problem *problem, uint32_t *parent, uint32_t wanted, uint32_t *count) {
  const uint32_t variables = problem_variables (problem) + 1;
  uint32_t *size = MEM_ZARRAY (uint32_t, variables);
  uint32_t *part_of = MEM_ARRAY (uint32_t, variables);
  for (uint32_t v = 1; v < variables; v++)
    size[find (parent, v)]++; // the smallest element of a set is its root, hence a variable
  uint32_t *part_of_root = MEM_ARRAY (uint32_t, variables);
  uint32_t parts = 0, filled = wanted;
  for (uint32_t v = 1; v < variables; v++) {
    if (find (parent, v) != v)
      continue;
    if (filled >= wanted || filled + size[v] > 2 * wanted) {
      parts++;
      filled = 0;
    }
    part_of_root[v] = parts - 1;
    filled += size[v];
  }
  for (uint32_t v = 1; v < variables; v++)
    part_of[v] = part_of_root[find (parent, v)];
  mem_free (size);
  mem_free (part_of_root);
  *count = parts;
  return part_of;
}

struct parts *problem_parts (const struct problem *problem, bool split, uint32_t wanted) {
  struct parts *parts = mem_zalloc (sizeof *parts);
  uint32_t components;
  parts->scc = strong_components (problem, &components);
  if (!split)
    memset (parts->scc, 0, problem->points * sizeof *parts->scc);
  uint32_t *parent = join_all (problem, parts->scc, components, split);
  uint32_t *part_of = number_parts (problem, parent, wanted, &parts->count);
  parts->part = MEM_ZARRAY (struct part, parts->count);
  for (uint32_t v = 1; v <= problem_variables (problem); v++)
    VEC_PUSH (parts->part[part_of[v]].variables, v);
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (is_inside (parts->scc, edge))
      VEC_PUSH (parts->part[part_of[variable_of (edge->guard[0])]].edges, (uint32_t) i);
  }
  for (size_t i = 0; i < problem->clauses.count; i++) {
    if (problem->clauses.data[i])
      VEC_PUSH (parts->part[part_of[variable_of (problem->clauses.data[i])]].clauses, (uint32_t) i);
    while (problem->clauses.data[i])
      i++;
  }
  mem_free (parent);
  mem_free (part_of);
  return parts;
}

uint32_t find_number (const uint32_t *sorted, uint32_t count, uint32_t wanted) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && sorted[low] == wanted ? low : UINT32_MAX;
}

void part_clear (struct part *part) {
  VEC_FREE (part->variables);
  VEC_FREE (part->edges);
  VEC_FREE (part->clauses);
}

void parts_free (struct parts *parts) {
  if (!parts)
    return;
  for (uint32_t i = 0; i < parts->count; i++)
    part_clear (&parts->part[i]);
  mem_free (parts->part);
  mem_free (parts->scc);
  mem_free (parts);
}
