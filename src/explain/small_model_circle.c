// Shortest circles that a level forbids. A circle is a path in the graph of points back to where it
// began; where anti-dependencies are no edges, a path from the one that overwrote to the one whose
// read missed it, and the anti-dependency itself to close it.

#include "explain/small_model.h"

#include "asg/asg.h"
#include "base/group.h"
#include "levels/levels.h"

struct search {
  struct small_model *w;
  uint32_t points;     // per node
  uint32_t *out_first; // per node, into `out`
  uint32_t *out;       // edges by the node they leave
  uint32_t *came_by;   // per point: the edge it was reached by; INSIDE, or NOT_YET
  uint32_t *queue;
  uint32_t best; // edges of the shortest circle so far, or NO_CIRCLE
  circle_edge_vec *circle;
};

#define NO_CIRCLE UINT32_MAX
#define NOT_YET UINT32_MAX
#define INSIDE (UINT32_MAX - 1) // from the begin of the same transaction
#define START (UINT32_MAX - 2)

static void sort_edges (struct search *s) {
  const circle_edge_vec *edges = &s->w->edges;
  struct grouping by_start = { .groups = s->w->asg->nodes };
  while (grouping_pass (&by_start))
    for (uint32_t i = 0; i < edges->count; i++)
      group_put (&by_start, edges->data[i].from, i);
  s->out_first = by_start.first;
  s->out = by_start.items;
}

// Part of paths; `seen` asks for what a reader has in view.
static bool is_on_paths (const struct search *s, const struct circle_edge *edge, bool seen) {
  if (edge->kind == EDGE_RW)
    return s->w->anti[edge->read] == ANTI_EDGE;
  return !(seen && edge->kind == EDGE_WW && s->w->level->rules.ww_hidden);
}

// Where events count: has the transaction met this edge by the time of the read? An operation that
// reads and writes reads first.
static bool came_in_by (const struct search *s, const struct circle_edge *edge, const struct circle_edge *missed) {
  const struct asg *asg = s->w->asg;
  if (!s->w->level->rules.events || edge->kind == EDGE_SO || edge->kind == EDGE_RT)
    return true;
  const uint32_t op = asg->read_op[missed->read];
  if (edge->kind == EDGE_WR)
    return asg->read_op[edge->read] <= op;
  return asg->install_last_op[asg_install_of (asg, edge->key, edge->to)] < op;
}

// The path by which the search came from its start to the edge's source, the edge, and what closes
// the circle, if that is shorter than the best so far.
static void keep_circle (struct search *s, uint32_t last_edge, const struct circle_edge *closing) {
  const circle_edge_vec *edges = &s->w->edges;
  circle_edge_vec path = VEC_EMPTY;
  if (closing)
    VEC_PUSH (path, *closing);
  for (uint32_t edge = last_edge; edge != START;) {
    VEC_PUSH (path, edges->data[edge]);
    uint32_t point = edges->data[edge].from * s->points + model_points (s->w, edges->data[edge].kind).from;
    while (s->came_by[point] == INSIDE)
      point--;
    edge = s->came_by[point];
  }
  if (path.count < s->best) {
    s->best = (uint32_t) path.count;
    s->circle->count = 0;
    while (path.count)
      VEC_PUSH (*s->circle, path.data[--path.count]);
  }
  VEC_FREE (path);
}

struct way {
  uint32_t start, target;            // points
  const struct circle_edge *closing; // the anti-dependency, or NULL for a circle of edges alone
};

// Breadth first; each transaction's commit follows its begin.
static void find_way (struct search *s, const struct way *way) {
  const circle_edge_vec *edges = &s->w->edges;
  uint32_t count = 0;
  s->w->work += s->w->asg->nodes;
  memset (s->came_by, 0xff, (size_t) s->w->asg->nodes * s->points * sizeof *s->came_by);
  s->came_by[way->start] = START;
  s->queue[count++] = way->start;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t point = s->queue[i], node = point / s->points, offset = point % s->points;
    if (offset + 1 < s->points && s->came_by[point + 1] == NOT_YET) {
      s->came_by[point + 1] = INSIDE;
      s->queue[count++] = point + 1;
    }
    for (uint32_t k = s->out_first[node]; k < s->out_first[node + 1]; k++) {
      const struct circle_edge *edge = &edges->data[s->out[k]];
      const struct edge_points points = model_points (s->w, edge->kind);
      const uint32_t to = edge->to * s->points + points.to;
      s->w->work++;
      if (points.from != offset || !is_on_paths (s, edge, way->closing != NULL))
        continue;
      const bool arrives = to / s->points == way->target / s->points && to <= way->target;
      if (arrives && (!way->closing || came_in_by (s, edge, way->closing))) {
        keep_circle (s, s->out[k], way->closing);
        return;
      }
      if (s->came_by[to] == NOT_YET && !arrives) {
        s->came_by[to] = s->out[k];
        s->queue[count++] = to;
      }
    }
  }
}

// What one edge, or one earlier read, has shown to the reader.
static bool is_in_view (const struct search *s, const struct circle_edge *edge, const struct circle_edge *missed) {
  const struct asg *asg = s->w->asg;
  if (s->w->level->rules.view == VIEW_EARLIER_READS)
    return edge->kind == EDGE_WR && asg->read_op[edge->read] < asg->read_op[missed->read];
  return edge->kind == EDGE_SO || edge->kind == EDGE_RT || edge->kind == EDGE_WR;
}

static void find_step (struct search *s, const struct circle_edge *missed) {
  for (uint32_t k = s->out_first[missed->to]; k < s->out_first[missed->to + 1] && s->best > 2; k++) {
    const struct circle_edge *edge = &s->w->edges.data[s->out[k]];
    if (edge->to != missed->from || !is_in_view (s, edge, missed))
      continue;
    s->best = 2;
    s->circle->count = 0;
    VEC_PUSH (*s->circle, *edge);
    VEC_PUSH (*s->circle, *missed);
  }
}

static void look_at_anti (struct search *s, const struct circle_edge *edge) {
  const struct level *level = s->w->level;
  if (level->rules.view != VIEW_PATHS)
    find_step (s, edge);
  else if (s->w->anti[edge->read] == ANTI_FORBID)
    find_way (s, &(struct way){ edge->to * s->points + level->rules.rw.to,
                                edge->from * s->points + level->rules.rw.from, edge });
}

// An order of two writers that does is shown on the key that the rest of the circle speaks of;
// unless it matters when that was written.
static void prefer_common_key (const struct small_model *w, circle_edge_vec *circle) {
  uint32_t key = KEY_NONE;
  if (w->level->rules.events)
    return;
  for (size_t i = 0; i < circle->count; i++)
    if (circle->data[i].kind == EDGE_RW)
      key = circle->data[i].key;
  for (size_t i = 0; i < circle->count && key != KEY_NONE; i++) {
    struct circle_edge *edge = &circle->data[i];
    if (edge->kind == EDGE_WW && model_installs_key (w, key, edge->from) && model_installs_key (w, key, edge->to))
      edge->key = key;
  }
}

// Where only some anti-dependencies are edges, these are because the reader replaced what it had
// read: whoever overwrote that wrote after the reader. One of several may stay what it is.
static void tell_replacements (const struct small_model *w, circle_edge_vec *circle) {
  size_t kept = SIZE_MAX;
  if (w->level->rules.anti == ANTI_EDGE)
    return;
  for (size_t i = 0; i < circle->count; i++)
    if (circle->data[i].kind == EDGE_RW && (kept == SIZE_MAX || w->anti[circle->data[i].read] != ANTI_EDGE))
      kept = i;
  for (size_t i = 0; i < circle->count; i++)
    if (circle->data[i].kind == EDGE_RW && i != kept)
      circle->data[i].kind = EDGE_WW;
}

bool model_find_circle (struct small_model *w, circle_edge_vec *circle) {
  struct search s = { .w = w, .points = w->level->rules.points, .best = NO_CIRCLE, .circle = circle };
  circle->count = 0;
  w->work += w->edges.count + w->asg->nodes;
  sort_edges (&s);
  s.came_by = MEM_ARRAY (uint32_t, (size_t) w->asg->nodes * s.points);
  s.queue = MEM_ARRAY (uint32_t, (size_t) w->asg->nodes * s.points);
  for (uint32_t point = s.points; point < w->asg->nodes * s.points && s.best > 2; point++)
    if (s.out_first[point / s.points] < s.out_first[point / s.points + 1])
      find_way (&s, &(struct way){ point, point, NULL });
  for (size_t i = 0; i < w->edges.count && s.best > 2; i++)
    if (w->edges.data[i].kind == EDGE_RW && w->anti[w->edges.data[i].read] != ANTI_EDGE)
      look_at_anti (&s, &w->edges.data[i]);
  prefer_common_key (w, circle);
  tell_replacements (w, circle);
  MEM_FREE_ALL (s.out_first, s.out, s.came_by, s.queue);
  return circle->count != 0;
}
