#include "solve/components.h"

#include "base/group.h"
#include "base/strong_components.h"

#include <string.h>

// ------------------------------------------------------------------------------- strong components

struct successors {
  const struct problem *problem;
  uint32_t *guarded_first, *guarded_to; // by guarded edges
};

// Known ones first.
static uint32_t successor (const void *context, uint32_t v, uint32_t k) {
  const struct successors *s = context;
  const uint32_t known = s->problem->known_first[v + 1] - s->problem->known_first[v];
  if (k < known)
    return s->problem->known_to[s->problem->known_first[v] + k];
  k -= known;
  return k < s->guarded_first[v + 1] - s->guarded_first[v] ? s->guarded_to[s->guarded_first[v] + k] : VERTEX_NONE;
}

static uint32_t *components_of (const struct problem *problem, uint32_t *count) {
  struct grouping by_start = { .groups = problem->points };
  while (grouping_pass (&by_start))
    for (size_t i = 0; i < problem->edges.count; i++)
      group_put (&by_start, problem->edges.data[i].from, problem->edges.data[i].to);
  const struct successors successors = { problem, by_start.first, by_start.items };
  uint32_t *scc = strong_components (problem->points, 0, successor, &successors, count);
  MEM_FREE_ALL (by_start.first, by_start.items);
  return scc;
}

// ----------------------------------------------------------------------------- joining what shares

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
  MEM_FREE_ALL (size, part_of_root);
  *count = parts;
  return part_of;
}

struct components *problem_components (const struct problem *problem, bool split, uint32_t wanted) {
  struct components *parts = mem_zalloc (sizeof *parts);
  uint32_t components;
  parts->scc = components_of (problem, &components);
  if (!split)
    memset (parts->scc, 0, problem->points * sizeof *parts->scc);
  uint32_t *parent = join_all (problem, parts->scc, components, split);
  uint32_t *part_of = number_parts (problem, parent, wanted, &parts->count);
  parts->part = MEM_ZARRAY (struct component, parts->count);
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
  MEM_FREE_ALL (parent, part_of);
  return parts;
}

void component_clear (struct component *part) {
  MEM_FREE_ALL (part->variables.data, part->edges.data, part->clauses.data);
}

void components_free (struct components *parts) {
  for (uint32_t i = 0; i < parts->count; i++)
    component_clear (&parts->part[i]);
  MEM_FREE_ALL (parts->part, parts->scc, parts);
}
