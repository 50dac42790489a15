#include "solve/windows.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>

struct windows {
  const struct problem *problem;
  const struct part *part;
  uint32_t points;
  uint32_t *track; // the part's points by position
  // edges of the problem by the place in the track of their earlier end
  uint32_t *edge_first, *edges;
  uint32_t *edge_end;               // beside `edges`: the place of the later one
  uint32_t *clause_first, *clauses; // per variable of the part: the part's clauses that speak of it
  uint8_t *has_edges;               // per variable of the part: some edge of the part does
  // per variable, per clause of the part: the window that it was last put in
  uint32_t *stamp, *clause_stamp;
  uint32_t window;   // windows so far
  uint32_t size, at; // of the next one
};

// ----------------------------------------------------------------------------------------- indexes

// Variables and clauses go by their number in the part here, so that many parts of a large problem
// cost no more than one.
static uint32_t variable_of (const struct windows *w, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  return find_u32 (w->part->variables.data, 0, (uint32_t) w->part->variables.count, variable);
}

static const int32_t *literals_of (const struct windows *w, uint32_t clause) {
  return w->problem->clauses.data + w->part->clauses.data[clause];
}

struct placed {
  uint32_t position; // sorted by
  uint32_t number;
};

// Fills the track; the result says where in it each point of the part is.
static uint32_t *lay_track (struct windows *w, const uint32_t *point) {
  struct placed *placed = MEM_ARRAY (struct placed, w->points);
  uint32_t *place = MEM_ARRAY (uint32_t, w->points);
  for (uint32_t i = 0; i < w->points; i++)
    placed[i] = (struct placed){ w->problem->local_position[point[i]], i };
  SORT (placed, w->points, by_u32);
  w->track = MEM_ARRAY (uint32_t, w->points);
  for (uint32_t i = 0; i < w->points; i++) {
    w->track[i] = point[placed[i].number];
    place[placed[i].number] = i;
  }
  mem_free (placed);
  return place;
}

static void index_edges (struct windows *w, const uint32_t *point, const uint32_t *place) {
  const size_t count = w->part->edges.count;
  w->edge_first = groups_new (w->points);
  w->edges = MEM_ARRAY (uint32_t, count);
  w->edge_end = MEM_ARRAY (uint32_t, count);
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i < count; i++) {
      const struct guarded_edge *edge = &w->problem->edges.data[w->part->edges.data[i]];
      const uint32_t from = place[find_u32 (point, 0, w->points, edge->from)],
                     to = place[find_u32 (point, 0, w->points, edge->to)], low = from < to ? from : to;
      if (!fill) {
        group_count (w->edge_first, low);
        continue;
      }
      const uint32_t at = group_next (w->edge_first, low);
      w->edge_end[at] = from + to - low;
      w->edges[at] = w->part->edges.data[i];
    }
    if (!fill)
      groups_sum (w->edge_first, w->points);
  }
}

static void index_clauses (struct windows *w) {
  struct grouping by_variable = { .groups = w->part->variables.count };
  while (grouping_pass (&by_variable))
    for (uint32_t clause = 0; clause < w->part->clauses.count; clause++)
      for (const int32_t *literal = literals_of (w, clause); *literal; literal++)
        group_put (&by_variable, variable_of (w, *literal), clause);
  w->clause_first = by_variable.first;
  w->clauses = by_variable.items;
}

static void note_variables_of_edges (struct windows *w) {
  w->has_edges = MEM_ZARRAY (uint8_t, w->part->variables.count);
  for (size_t i = 0; i < w->part->edges.count; i++) {
    const struct guarded_edge *edge = &w->problem->edges.data[w->part->edges.data[i]];
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      w->has_edges[variable_of (w, edge->guard[k])] = 1;
  }
}

struct windows *windows_new (const struct problem *problem, const struct part *part, const uint32_t *point,
                             uint32_t points, uint32_t size) {
  struct windows *w = mem_zalloc (sizeof *w);
  w->problem = problem;
  w->part = part;
  w->points = points;
  w->size = size;
  uint32_t *place = lay_track (w, point);
  index_edges (w, point, place);
  mem_free (place);
  index_clauses (w);
  note_variables_of_edges (w);
  w->stamp = MEM_ZARRAY (uint32_t, part->variables.count);
  w->clause_stamp = MEM_ZARRAY (uint32_t, part->clauses.count);
  return w;
}

void windows_free (struct windows *w) {
  if (!w)
    return;
  mem_free (w->track);
  mem_free (w->edge_first);
  mem_free (w->edges);
  mem_free (w->edge_end);
  mem_free (w->clause_first);
  mem_free (w->clauses);
  mem_free (w->has_edges);
  mem_free (w->stamp);
  mem_free (w->clause_stamp);
  mem_free (w);
}

// -------------------------------------------------------------------------------------- one window

static void put_variable (struct windows *w, struct part *part, uint32_t variable) {
  if (w->stamp[variable] == w->window)
    return;
  w->stamp[variable] = w->window;
  VEC_PUSH (part->variables, variable);
}

static void put_edges (struct windows *w, struct part *part, uint32_t end) {
  for (uint32_t i = w->edge_first[w->at]; i < w->edge_first[end]; i++) {
    if (w->edge_end[i] >= end)
      continue;
    const struct guarded_edge *edge = &w->problem->edges.data[w->edges[i]];
    VEC_PUSH (part->edges, w->edges[i]);
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      put_variable (w, part, variable_of (w, edge->guard[k]));
  }
}

static bool is_inside (const struct windows *w, uint32_t clause) {
  for (const int32_t *literal = literals_of (w, clause); *literal; literal++) {
    const uint32_t variable = variable_of (w, *literal);
    if (w->has_edges[variable] && w->stamp[variable] != w->window)
      return false;
  }
  return true;
}

static void put_clauses (struct windows *w, struct part *part) {
  for (size_t v = 0; v < part->variables.count; v++) { // the list grows
    const uint32_t variable = part->variables.data[v];
    for (uint32_t i = w->clause_first[variable]; i < w->clause_first[variable + 1]; i++) {
      const uint32_t clause = w->clauses[i];
      if (w->clause_stamp[clause] == w->window || !is_inside (w, clause))
        continue;
      w->clause_stamp[clause] = w->window;
      VEC_PUSH (part->clauses, clause);
      for (const int32_t *literal = literals_of (w, clause); *literal; literal++)
        put_variable (w, part, variable_of (w, *literal));
    }
  }
}

// Numbers of the part become what they stand for in the problem; both lists are ascending.
static void name_for_problem (uint32_t *numbers, size_t count, const uint32_t *meaning) {
  SORT (numbers, count, by_u32);
  for (size_t i = 0; i < count; i++)
    numbers[i] = meaning[numbers[i]];
}

static void fill_window (struct windows *w, struct piece *window) {
  *window = (struct piece){ .points = w->size };
  w->window++;
  put_edges (w, &window->part, w->at + w->size);
  put_clauses (w, &window->part);
  name_for_problem (window->part.variables.data, window->part.variables.count, w->part->variables.data);
  name_for_problem (window->part.clauses.data, window->part.clauses.count, w->part->clauses.data);
  VEC_SORT (window->part.edges, by_u32);
  window->point = MEM_ARRAY (uint32_t, w->size);
  memcpy (window->point, w->track + w->at, w->size * sizeof *w->track);
  SORT (window->point, w->size, by_u32);
}

// The last window of a size ends where the part does.
static void go_on (struct windows *w) {
  if (w->at + w->size == w->points) {
    w->at = 0;
    w->size *= 2;
    return;
  }
  w->at += w->size / 2;
  if (w->at + w->size > w->points)
    w->at = w->points - w->size;
}

bool windows_next (struct windows *w, struct piece *window) {
  while (w->size < w->points) {
    fill_window (w, window);
    go_on (w);
    if (window->part.edges.count)
      return true;
    part_clear (&window->part);
    mem_free (window->point);
  }
  return false;
}

// ---------------------------------------------------------------------------------------- suspects

static bool speaks_of (const struct part *part, int32_t literal) {
  const uint32_t variable = (uint32_t) (literal > 0 ? literal : -literal);
  return find_u32 (part->variables.data, 0, (uint32_t) part->variables.count, variable) != NOT_FOUND;
}

static bool is_guarded_by (const struct part *part, const struct guarded_edge *edge) {
  for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
    if (!speaks_of (part, edge->guard[k]))
      return false;
  return true;
}

static bool is_clause_of (const struct part *part, const int32_t *literal) {
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
    return find_u32 (suspects->nodes, 0, count, variable->a) != NOT_FOUND
           && find_u32 (suspects->nodes, 0, count, variable->b) != NOT_FOUND;
  case VARIABLE_PRESENCE: return find_u32 (suspects->nodes, 0, count, variable->b) != NOT_FOUND;
  case VARIABLE_TRUE: return find_u32 (suspects->nodes, 0, count, variable->a) != NOT_FOUND;
  case VARIABLE_INITIAL:
  case VARIABLE_ALTERNATIVE: return false;
  }
  return false;
}

bool piece_of_suspects (const struct problem *problem, const struct part *part, const uint32_t *point, uint32_t points,
                        const struct suspects *suspects, struct piece *piece) {
  *piece = (struct piece){ .points = points };
  struct part *to = &piece->part;
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
    part_clear (to);
    return false;
  }
  piece->point = MEM_ARRAY (uint32_t, points);
  memcpy (piece->point, point, points * sizeof *point);
  return true;
}
