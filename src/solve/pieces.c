#include "solve/pieces.h"

#include "base/search.h"

static bool speaks_of (const struct component *part, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  return find_u32 (part->variables.data, 0, (uint32_t) part->variables.count, variable) != NOT_FOUND;
}

static bool is_guarded_by (const struct component *part, const struct guarded_edge *edge) {
  for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
    if (!speaks_of (part, edge->guard[k]))
      return false;
  return true;
}

static bool is_clause_of (const struct component *part, const int32_t *literal) {
  for (; *literal; literal++)
    if (!speaks_of (part, *literal))
      return false;
  return true;
}

static bool is_suspect (const struct suspects *suspects, const struct variable *variable) {
  const uint32_t count = (uint32_t) suspects->node_count;
  switch (variable->kind) {
  case VARIABLE_SOURCE: return find_u32 (suspects->reads, 0, (uint32_t) suspects->read_count, variable->a) != NOT_FOUND;
  case VARIABLE_PAIR:
  case VARIABLE_EDGE:
    return find_u32 (suspects->nodes, 0, count, variable->a) != NOT_FOUND
           && find_u32 (suspects->nodes, 0, count, variable->b) != NOT_FOUND;
  case VARIABLE_PRESENCE: return find_u32 (suspects->nodes, 0, count, variable->b) != NOT_FOUND;
  case VARIABLE_TRUE: return find_u32 (suspects->nodes, 0, count, variable->a) != NOT_FOUND;
  case VARIABLE_INITIAL:
  case VARIABLE_ALTERNATIVE: return false;
  }
  return false;
}

bool piece_of_suspects (const struct problem *problem, const struct component *part, const uint32_t *point,
                        uint32_t points, const struct suspects *suspects, struct piece *piece) {
  *piece = (struct piece){ .points = points };
  struct component *to = &piece->part;
  for (size_t i = 0; i < part->variables.count; i++)
    if (is_suspect (suspects, &problem->variables.data[part->variables.data[i]]))
      VEC_PUSH (to->variables, part->variables.data[i]);
  for (size_t i = 0; i < part->edges.count; i++)
    if (is_guarded_by (to, &problem->edges.data[part->edges.data[i]]))
      VEC_PUSH (to->edges, part->edges.data[i]);
  for (size_t i = 0; i < part->clauses.count; i++)
    if (is_clause_of (to, problem->clauses.data + part->clauses.data[i]))
      VEC_PUSH (to->clauses, part->clauses.data[i]);
  if (!to->edges.count) {
    component_clear (to);
    return false;
  }
  piece->point = MEM_COPY (point, points);
  return true;
}
