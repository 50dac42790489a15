// An order in which every open read has a candidate before it, whatever else it breaks. At levels
// where a read's source comes before the reader there must be one; where nothing but sources
// matters (read committed), it is a witness.
//
// Points are placed one by one, a reader when all that is known to precede it and, for each of its
// open reads, at least one candidate have their place. That never has to be taken back, since a
// place that is given only helps the others: if the placing gets stuck, there is no such order.

#include "saturate/saturate.h"

#include "base/group.h"
#include "base/heap.h"

#define NONE UINT32_MAX

struct schedule {
  const struct saturation *s;
  struct graph *g;
  uint32_t *next_first, *next;   // successors of each point
  uint32_t *waits_first, *waits; // per point: entries of s->open that have it as a candidate
  uint32_t *missing;             // per point: predecessors and open reads without a place
  // per entry of s->open: it may read from somebody who has a place, or whom nobody places
  uint8_t *is_met;
  VEC (uint32_t) ready; // a heap of points that can come next, by the place they had
  uint32_t *order, placed;
  uint8_t *has_place;
};

// ----------------------------------------------------------------------------- what waits for what

static uint32_t candidate_point (const struct schedule *c, const struct open_read *open, uint32_t i) {
  const uint32_t source = c->s->candidates.data[open->first + i];
  if (source >= SOURCE_MANY || !c->g->active[c->g->ir->install_node[source]])
    return NONE;
  return graph_point (c->g, c->g->ir->install_node[source], c->g->ir->rules.wr.from);
}

static uint32_t reader_point (const struct schedule *c, const struct open_read *open) {
  return graph_point (c->g, graph_reader (c->g, open->read), c->g->ir->rules.wr.to);
}

// T0, a delete that may have written, and unknown transactions need no place here.
static bool is_free (const struct schedule *c, const struct open_read *open) {
  if (!c->g->active[graph_reader (c->g, open->read)] || !saturation_is_read (c->s, open))
    return true;
  for (uint32_t i = 0; i < open->count; i++)
    if (candidate_point (c, open, i) == NONE)
      return true;
  return false;
}

static bool has_candidate_before (const struct schedule *c, const struct open_read *open) {
  const uint32_t limit = c->g->position[reader_point (c, open)];
  for (uint32_t i = 0; i < open->count; i++)
    if (c->g->position[candidate_point (c, open, i)] < limit)
      return true;
  return false;
}

// False: the order is fine as it is.
static bool look_at_reads (struct schedule *c) {
  bool all_fine = true;
  c->is_met = MEM_ZARRAY (uint8_t, c->s->open.count);
  for (size_t i = 0; i < c->s->open.count; i++) {
    const struct open_read *open = &c->s->open.data[i];
    c->is_met[i] = is_free (c, open);
    all_fine = all_fine && (c->is_met[i] || has_candidate_before (c, open));
  }
  return !all_fine;
}

static void index_successors (struct schedule *c) {
  struct graph *g = c->g;
  struct grouping by_start = { .groups = g->points };
  c->missing = MEM_ZARRAY (uint32_t, g->points);
  while (grouping_pass (&by_start))
    for (uint32_t i = 0; i < g->ordered; i++) {
      const uint32_t count = c->missing[g->order[i]] = graph_preds (g, g->order[i]);
      for (uint32_t k = 0; k < count; k++)
        group_put (&by_start, g->preds.data[k], g->order[i]);
    }
  c->next_first = by_start.first;
  c->next = by_start.items;
}

static void index_waiting (struct schedule *c) {
  struct grouping by_candidate = { .groups = c->g->points };
  while (grouping_pass (&by_candidate))
    for (uint32_t i = 0; i < c->s->open.count; i++)
      for (uint32_t k = 0; k < c->s->open.data[i].count && !c->is_met[i]; k++)
        group_put (&by_candidate, candidate_point (c, &c->s->open.data[i], k), i);
  for (size_t i = 0; i < c->s->open.count; i++)
    if (!c->is_met[i])
      c->missing[reader_point (c, &c->s->open.data[i])]++;
  c->waits_first = by_candidate.first;
  c->waits = by_candidate.items;
}

// ----------------------------------------------------------------------------------------- placing

static bool comes_first (const struct schedule *c, uint32_t a, uint32_t b) {
  return c->g->position[a] < c->g->position[b];
}

static void one_less (struct schedule *c, uint32_t point) {
  if (!--c->missing[point])
    HEAP_PUSH (c->ready, point, comes_first, c);
}

static void place_all (struct schedule *c) {
  c->order = MEM_ARRAY (uint32_t, c->g->ordered);
  c->has_place = MEM_ZARRAY (uint8_t, c->g->points);
  for (uint32_t i = 0; i < c->g->ordered; i++)
    if (!c->missing[c->g->order[i]])
      HEAP_PUSH (c->ready, c->g->order[i], comes_first, c);
  while (c->ready.count) {
    const uint32_t point = c->ready.data[0];
    HEAP_POP (c->ready, comes_first, c);
    c->order[c->placed++] = point;
    c->has_place[point] = 1;
    for (uint32_t i = c->next_first[point]; i < c->next_first[point + 1]; i++)
      one_less (c, c->next[i]);
    for (uint32_t i = c->waits_first[point]; i < c->waits_first[point + 1]; i++) {
      const uint32_t read = c->waits[i];
      if (!c->is_met[read])
        one_less (c, reader_point (c, &c->s->open.data[read]));
      c->is_met[read] = 1;
    }
  }
}

static void take_order (struct schedule *c) {
  for (uint32_t i = 0; i < c->placed; i++) {
    c->g->order[i] = c->order[i];
    c->g->position[c->order[i]] = i;
  }
}

// ------------------------------------------------------------------------------------------ public

bool schedule_sources (struct saturation *s, bool take) {
  struct schedule c = { .s = s, .g = s->graph };
  bool fine = true;
  if (s->graph->ir->rules.wr.used && look_at_reads (&c)) {
    index_successors (&c);
    index_waiting (&c);
    place_all (&c);
    fine = c.placed == c.g->ordered;
    if (fine && take)
      take_order (&c);
  }
  MEM_FREE_ALL (c.next_first, c.next, c.waits_first, c.waits, c.missing, c.is_met, c.ready.data, c.order, c.has_place);
  return fine;
}
