#include "solve/acyclic.h"

#include "base/group.h"
#include "base/sort.h"

#include <string.h>

#define NONE UINT32_MAX

struct dynamic_edge {
  uint32_t from, to;
  uint32_t next_out, next_in;
  uint32_t weight;
  uint32_t place; // among the added ones
  bool hidden;
};

struct acyclic {
  uint32_t points;
  uint32_t *out_first, *out_to; // fixed edges, both ways
  uint8_t *out_hidden;          // or NULL
  uint32_t *in_first, *in_from;
  uint32_t *position, *at;      // at[position[v]] == v
  uint32_t *out_head, *in_head; // added edges
  VEC (struct dynamic_edge) edges;
  VEC (uint32_t) added;

  // scratch
  bool in_view;    // the search at hand must not use hidden edges
  uint32_t among;  // and of the added ones only the first so many
  uint32_t *stamp; // per point
  uint32_t stamps;
  VEC (uint32_t) forward, backward, slots;
  uint32_t *parent_edge; // per point: the added edge that led here, or NONE
  uint32_t *parent;
  uint32_t *distance;
  VEC (uint32_t) queue;
  VEC (uint32_t) cycle;
  uint64_t visits;
};

struct acyclic *acyclic_new (uint32_t points, const uint32_t *known_first, const uint32_t *known_to,
                             const uint8_t *known_hidden, const uint32_t *position) {
  struct acyclic *a = mem_zalloc (sizeof *a);
  const uint32_t known = points ? known_first[points] : 0;
  a->points = points;
  a->out_first = MEM_COPY (known_first, (size_t) points + 1);
  a->out_to = MEM_COPY (known_to, known);
  a->out_hidden = MEM_COPY (known_hidden, known);
  struct grouping by_end = { .groups = points };
  while (grouping_pass (&by_end))
    for (uint32_t v = 0; v < points; v++)
      for (uint32_t i = known_first[v]; i < known_first[v + 1]; i++)
        group_put (&by_end, known_to[i], v);
  a->in_first = by_end.first;
  a->in_from = by_end.items;
  a->position = MEM_COPY (position, points);
  a->at = MEM_ARRAY (uint32_t, points);
  for (uint32_t v = 0; v < points; v++)
    a->at[position[v]] = v;
  a->among = NONE;
  a->out_head = mem_nones (points);
  a->in_head = mem_nones (points);
  a->stamp = MEM_ZARRAY (uint32_t, points);
  a->parent_edge = MEM_ARRAY (uint32_t, points);
  a->parent = MEM_ARRAY (uint32_t, points);
  a->distance = MEM_ARRAY (uint32_t, points);
  return a;
}

void acyclic_free (struct acyclic *a) {
  MEM_FREE_ALL (a->out_first, a->out_to, a->out_hidden, a->in_first, a->in_from, a->position, a->at, a->out_head,
                a->in_head, a->stamp, a->parent_edge, a->parent, a->distance, a->edges.data, a->added.data,
                a->forward.data, a->backward.data, a->slots.data, a->queue.data, a->cycle.data, a);
}

void acyclic_declare (struct acyclic *a, uint32_t edge, uint32_t from, uint32_t to, unsigned weight, bool hidden) {
  while (a->edges.count <= edge)
    VEC_PUSH (a->edges, (struct dynamic_edge){ NONE, NONE, NONE, NONE, 0, NONE, false });
  a->edges.data[edge] = (struct dynamic_edge){ from, to, NONE, NONE, weight, NONE, hidden };
}

static bool skips_fixed (const struct acyclic *a, uint32_t k) {
  return a->in_view && a->out_hidden && a->out_hidden[k];
}

static bool skips_added (const struct acyclic *a, uint32_t edge) {
  return (a->in_view && a->edges.data[edge].hidden) || a->edges.data[edge].place >= a->among;
}

static uint32_t new_stamp (struct acyclic *a) {
  if (++a->stamps == 0) {
    memset (a->stamp, 0, a->points * sizeof *a->stamp);
    a->stamps = 1;
  }
  return a->stamps;
}

static void visit (struct acyclic *a, uint32_t v, uint32_t stamp, uint32_t low, uint32_t high) {
  if (a->stamp[v] == stamp || a->position[v] < low || a->position[v] > high)
    return;
  a->stamp[v] = stamp;
  VEC_PUSH (a->queue, v);
}

// All points reachable from `start` whose position is at most `high`; true if `goal` is among them.
static bool search_forward (struct acyclic *a, uint32_t start, uint32_t goal, uint32_t high) {
  const uint32_t stamp = new_stamp (a);
  a->queue.count = 0;
  visit (a, start, stamp, 0, high);
  for (size_t i = 0; i < a->queue.count; i++) {
    const uint32_t v = a->queue.data[i];
    a->visits++;
    if (v == goal)
      return true;
    for (uint32_t k = a->out_first[v]; k < a->out_first[v + 1]; k++)
      if (!skips_fixed (a, k))
        visit (a, a->out_to[k], stamp, 0, high);
    for (uint32_t e = a->out_head[v]; e != NONE; e = a->edges.data[e].next_out)
      if (!skips_added (a, e))
        visit (a, a->edges.data[e].to, stamp, 0, high);
  }
  a->forward.count = 0;
  for (size_t i = 0; i < a->queue.count; i++)
    VEC_PUSH (a->forward, a->position[a->queue.data[i]]);
  return false;
}

// Points on one side of a point, nearest first, in `a->queue`: those whose position is not below
// `low`, and about so many at most.
static void search_side (struct acyclic *a, uint32_t start, bool forwards, uint32_t low, uint32_t most) {
  const uint32_t stamp = new_stamp (a);
  const uint32_t *first = forwards ? a->out_first : a->in_first, *other = forwards ? a->out_to : a->in_from;
  a->queue.count = 0;
  visit (a, start, stamp, low, NONE);
  for (size_t i = 0; i < a->queue.count && a->queue.count < most; i++) {
    const uint32_t v = a->queue.data[i];
    a->visits++;
    for (uint32_t k = first[v]; k < first[v + 1]; k++)
      visit (a, other[k], stamp, low, NONE);
    for (uint32_t e = forwards ? a->out_head[v] : a->in_head[v]; e != NONE;
         e = forwards ? a->edges.data[e].next_out : a->edges.data[e].next_in)
      visit (a, forwards ? a->edges.data[e].to : a->edges.data[e].from, stamp, low, NONE);
  }
}

static void search_backward (struct acyclic *a, uint32_t start, uint32_t low) {
  search_side (a, start, false, low, UINT32_MAX);
  a->backward.count = 0;
  for (size_t i = 0; i < a->queue.count; i++)
    VEC_PUSH (a->backward, a->position[a->queue.data[i]]);
}

// What must come first takes the smallest of the places that both sets hold, keeping the order
// within each.
static void reorder (struct acyclic *a) {
  VEC_SORT (a->forward, by_u32);
  VEC_SORT (a->backward, by_u32);
  const size_t total = a->forward.count + a->backward.count;
  VEC_RESERVE (a->slots, total);
  VEC_RESERVE (a->queue, total);
  size_t i = 0, k = 0;
  for (size_t n = 0; n < total; n++) // merge the places
    a->slots.data[n] = k == a->forward.count || (i < a->backward.count && a->backward.data[i] < a->forward.data[k])
                         ? a->backward.data[i++]
                         : a->forward.data[k++];
  for (i = 0; i < a->backward.count; i++)
    a->queue.data[i] = a->at[a->backward.data[i]];
  for (k = 0; k < a->forward.count; k++)
    a->queue.data[a->backward.count + k] = a->at[a->forward.data[k]];
  for (size_t n = 0; n < total; n++) {
    a->at[a->slots.data[n]] = a->queue.data[n];
    a->position[a->queue.data[n]] = a->slots.data[n];
  }
}

// ---------------------------------------------------------------------------------- lightest cycle

static void relax (struct acyclic *a, uint32_t stamp, uint32_t high, uint32_t from, uint32_t to, uint32_t edge,
                   uint32_t weight) {
  if (a->position[to] > high)
    return;
  const uint32_t distance = a->distance[from] + weight;
  if (a->stamp[to] == stamp && a->distance[to] <= distance)
    return;
  a->stamp[to] = stamp;
  a->distance[to] = distance;
  a->parent[to] = from;
  a->parent_edge[to] = edge;
  VEC_PUSH (a->queue, to);
}

// A path from `start` to `goal`, known to exist, that uses as little weight as possible. Layers by
// weight: within a layer fixed edges are followed to the end before any added edge starts the next
// one.
static void lightest_path (struct acyclic *a, uint32_t start, uint32_t goal) {
  const uint32_t stamp = new_stamp (a), high = a->position[goal];
  VEC (uint32_t) layer = VEC_EMPTY;
  VEC (uint32_t) later = VEC_EMPTY; // points with their tentative distance in a->distance
  a->stamp[start] = stamp;
  a->distance[start] = 0;
  a->parent[start] = NONE;
  VEC_PUSH (later, start);
  for (uint32_t distance = 0; later.count; distance++) {
    layer.count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < later.count; i++)
      if (a->distance[later.data[i]] == distance)
        VEC_PUSH (layer, later.data[i]);
      else if (a->distance[later.data[i]] > distance)
        later.data[kept++] = later.data[i];
    later.count = kept;
    for (size_t i = 0; i < layer.count; i++) {
      const uint32_t v = layer.data[i];
      if (a->distance[v] != distance)
        continue;
      a->visits++;
      if (v == goal)
        goto found;
      a->queue.count = 0;
      for (uint32_t k = a->out_first[v]; k < a->out_first[v + 1]; k++)
        if (!skips_fixed (a, k))
          relax (a, stamp, high, v, a->out_to[k], NONE, 0);
      for (size_t k = 0; k < a->queue.count; k++)
        VEC_PUSH (layer, a->queue.data[k]);
      a->queue.count = 0;
      for (uint32_t e = a->out_head[v]; e != NONE; e = a->edges.data[e].next_out)
        if (!skips_added (a, e))
          relax (a, stamp, high, v, a->edges.data[e].to, e, a->edges.data[e].weight);
      for (size_t k = 0; k < a->queue.count; k++)
        VEC_PUSH (later, a->queue.data[k]);
    }
  }
found:
  a->cycle.count = 0;
  for (uint32_t v = goal; a->parent[v] != NONE; v = a->parent[v])
    if (a->parent_edge[v] != NONE)
      VEC_PUSH (a->cycle, a->parent_edge[v]);
  MEM_FREE_ALL (layer.data, later.data);
}

// ------------------------------------------------------------------------------------------ public

bool acyclic_add (struct acyclic *a, uint32_t edge) {
  struct dynamic_edge *e = &a->edges.data[edge];
  const uint32_t low = a->position[e->to], high = a->position[e->from];
  if (low <= high) {
    if (search_forward (a, e->to, e->from, high)) {
      lightest_path (a, e->to, e->from);
      return false;
    }
    search_backward (a, e->from, low);
    reorder (a);
  }
  e->next_out = a->out_head[e->from];
  a->out_head[e->from] = edge;
  e->next_in = a->in_head[e->to];
  a->in_head[e->to] = edge;
  e->place = (uint32_t) a->added.count;
  VEC_PUSH (a->added, edge);
  return true;
}

bool acyclic_path (struct acyclic *a, uint32_t from, uint32_t to, uint32_t added, bool in_view) {
  if (a->position[from] > a->position[to])
    return false;
  a->in_view = in_view;
  a->among = added;
  const bool found = search_forward (a, from, to, a->position[to]);
  if (found)
    lightest_path (a, from, to);
  a->in_view = false;
  a->among = NONE;
  return found;
}

const uint32_t *acyclic_surroundings (struct acyclic *a, uint32_t edge, uint32_t most, uint32_t *count) {
  search_side (a, a->edges.data[edge].to, true, 0, most);
  a->forward.count = 0;
  for (size_t i = 0; i < a->queue.count; i++)
    VEC_PUSH (a->forward, a->queue.data[i]);
  search_side (a, a->edges.data[edge].from, false, 0, most);
  *count = (uint32_t) a->forward.count;
  return a->forward.data;
}

void acyclic_reach (struct acyclic *a, uint32_t from, uint32_t last) {
  a->in_view = true;
  search_forward (a, from, NONE, a->position[last]);
  a->in_view = false;
}

bool acyclic_reached (const struct acyclic *a, uint32_t point) {
  return a->stamp[point] == a->stamps;
}

const uint32_t *acyclic_cycle (const struct acyclic *a, uint32_t *count) {
  *count = (uint32_t) a->cycle.count;
  return a->cycle.data;
}

void acyclic_remove_last (struct acyclic *a) {
  const uint32_t edge = a->added.data[--a->added.count];
  const struct dynamic_edge *e = &a->edges.data[edge];
  a->out_head[e->from] = e->next_out;
  a->in_head[e->to] = e->next_in;
}

uint32_t acyclic_added (const struct acyclic *a) {
  return (uint32_t) a->added.count;
}

uint32_t acyclic_points (const struct acyclic *a) {
  return a->points;
}

uint32_t acyclic_position (const struct acyclic *a, uint32_t point) {
  return a->position[point];
}

bool acyclic_check (const struct acyclic *a) {
  for (uint32_t v = 0; v < a->points; v++) {
    if (a->at[a->position[v]] != v)
      return false;
    for (uint32_t k = a->out_first[v]; k < a->out_first[v + 1]; k++)
      if (a->position[a->out_to[k]] <= a->position[v])
        return false;
    for (uint32_t e = a->out_head[v]; e != NONE; e = a->edges.data[e].next_out)
      if (a->position[a->edges.data[e].to] <= a->position[v])
        return false;
  }
  return true;
}

uint64_t acyclic_visits (const struct acyclic *a) {
  return a->visits;
}
