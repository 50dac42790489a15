#include "saturate/schedule.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct schedule {
  const struct saturation *s;
  struct graph *g;
  uint32_t *next_first, *next;   // successors of each point
  uint32_t *waits_first, *waits; // per point: entries of s->open that have it as a candidate
  uint32_t *missing;             // per point: predecessors and open reads without a place
  uint8_t *is_met;        // per entry of s->open: it may read from somebody who has a place, or whom nobody places
  uint32_t *heap, heaped; // points that can come next, by the place they had
  uint32_t *order, placed;
  uint8_t *has_place;
};

// ---------------------------------------------------------------------------------------------------------- what waits for what

static uint32_t candidate_point (const struct schedule *c, const struct open_read *open, uint32_t i) {
  const uint32_t source = c->s->candidates.data[open->first + i];
  if (source >= SOURCE_MANY || !c->g->active[c->g->ir->install_node[source]])
    return NONE;
  return graph_point (c->g, c->g->ir->install_node[source], c->g->ir->rules.wr.from);
}

static uint32_t reader_point (const struct schedule *c, const struct open_read *open) {
  return graph_point (c->g, c->g->read_node[open->read], c->g->ir->rules.wr.to);
}

// T0, a delete that may have written, and unknown transactions need no place here.
static bool is_free (const struct schedule *c, const struct open_read *open) {
  if (!c->g->active[c->g->read_node[open->read]] || !saturation_is_read (c->s, open))
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
  c->next_first = MEM_ZARRAY (uint32_t, (size_t) g->points + 2);
  c->missing = MEM_ZARRAY (uint32_t, g->points);
  uint32_t *next = c->next_first + 1;
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t i = 0; i < g->ordered; i++) {
      const uint32_t count = graph_preds (g, g->order[i]);
      for (uint32_t k = 0; k < count; k++)
        if (fill)
          c->next[next[g->preds.data[k]]++] = g->order[i];
        else
          next[g->preds.data[k] + 1]++;
      c->missing[g->order[i]] = count;
    }
    if (fill)
      break;
    for (uint32_t v = 0; v < g->points; v++)
      next[v + 1] += next[v];
    c->next = MEM_ARRAY (uint32_t, next[g->points]);
  }
}

static void index_waiting (struct schedule *c) {
  const uint32_t points = c->g->points;
  c->waits_first = MEM_ZARRAY (uint32_t, (size_t) points + 2);
  uint32_t *next = c->waits_first + 1;
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i < c->s->open.count; i++) {
      const struct open_read *open = &c->s->open.data[i];
      for (uint32_t k = 0; k < open->count && !c->is_met[i]; k++)
        if (fill)
          c->waits[next[candidate_point (c, open, k)]++] = (uint32_t) i;
        else
          next[candidate_point (c, open, k) + 1]++;
      if (fill && !c->is_met[i])
        c->missing[reader_point (c, open)]++;
    }
    if (fill)
      break;
    for (uint32_t v = 0; v < points; v++)
      next[v + 1] += next[v];
    c->waits = MEM_ARRAY (uint32_t, next[points]);
  }
}

// ------------------------------------------------------------------------------------------------------------------- placing

static bool comes_first (const struct schedule *c, uint32_t i, uint32_t k) {
  return c->g->position[c->heap[i]] < c->g->position[c->heap[k]];
}

static void swap (struct schedule *c, uint32_t i, uint32_t k) {
  const uint32_t point = c->heap[i];
  c->heap[i] = c->heap[k];
  c->heap[k] = point;
}

static void push (struct schedule *c, uint32_t point) {
  uint32_t i = c->heaped++;
  c->heap[i] = point;
  for (; i && comes_first (c, i, (i - 1) / 2); i = (i - 1) / 2)
    swap (c, i, (i - 1) / 2);
}

static uint32_t pop (struct schedule *c) {
  const uint32_t top = c->heap[0];
  c->heap[0] = c->heap[--c->heaped];
  for (uint32_t i = 0, least = 0;; i = least) {
    for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < c->heaped; child++)
      if (comes_first (c, child, least))
        least = child;
    if (least == i)
      return top;
    swap (c, i, least);
  }
}

static void one_less (struct schedule *c, uint32_t point) {
  if (!--c->missing[point])
    push (c, point);
}

static void place_all (struct schedule *c) {
  c->heap = MEM_ARRAY (uint32_t, c->g->ordered);
  c->order = MEM_ARRAY (uint32_t, c->g->ordered);
  c->has_place = MEM_ZARRAY (uint8_t, c->g->points);
  for (uint32_t i = 0; i < c->g->ordered; i++)
    if (!c->missing[c->g->order[i]])
      push (c, c->g->order[i]);
  while (c->heaped) {
    const uint32_t point = pop (c);
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

// --------------------------------------------------------------------------------------------------------------- stuck points

// A point that is left has a predecessor that is left, or an open read all of whose candidates are. Go from each point to such a predecessor as long as there
// is one, and at the end, a root, take one such read: it depends on the roots of its candidates. Some set of roots depends on nothing but itself.
struct stuck {
  struct schedule *c;
  uint32_t *root;            // per point that is left
  uint32_t *read;            // per root: an entry of s->open
  uint32_t *index, *low;     // of Tarjan's algorithm, per root; NONE: not met
  uint32_t *next;            // candidates looked at so far
  VEC (uint32_t) path, pile; // the current path, and roots that belong to no set yet
};

static void find_roots (struct stuck *k) {
  struct graph *g = k->c->g;
  for (uint32_t i = 0; i < g->ordered; i++) {
    const uint32_t point = g->order[i];
    k->root[point] = point;
    const uint32_t count = k->c->has_place[point] ? 0 : graph_preds (g, point);
    for (uint32_t p = 0; p < count && k->root[point] == point; p++)
      if (!k->c->has_place[g->preds.data[p]])
        k->root[point] = k->root[g->preds.data[p]]; // predecessors come first in the order
  }
}

static void find_reads (struct stuck *k) {
  const struct saturation *s = k->c->s;
  for (uint32_t i = 0; i < s->open.count; i++) {
    if (k->c->is_met[i])
      continue;
    uint32_t *best = &k->read[reader_point (k->c, &s->open.data[i])];
    if (*best == NONE || s->open.data[i].count < s->open.data[*best].count)
      *best = i;
  }
}

static void enter (struct stuck *k, uint32_t root) {
  k->index[root] = k->low[root] = (uint32_t) k->pile.count;
  VEC_PUSH (k->pile, root);
  VEC_PUSH (k->path, root);
}

static int by_number (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

// Depth first until a set is complete: the first one to be leads nowhere else.
static void find_closed_set (struct stuck *k, uint32_t start, read_vec *reads) {
  const struct saturation *s = k->c->s;
  enter (k, start);
  for (;;) {
    const uint32_t at = k->path.data[k->path.count - 1];
    const struct open_read *open = &s->open.data[k->read[at]];
    if (k->next[at] < open->count) {
      const uint32_t to = k->root[candidate_point (k->c, open, k->next[at]++)];
      if (k->index[to] == NONE)
        enter (k, to);
      else if (k->index[to] < k->low[at])
        k->low[at] = k->index[to];
      continue;
    }
    if (k->low[at] == k->index[at])
      break;
    k->path.count--;
    const uint32_t parent = k->path.data[k->path.count - 1];
    if (k->low[at] < k->low[parent])
      k->low[parent] = k->low[at];
  }
  for (size_t i = k->index[k->path.data[k->path.count - 1]]; i < k->pile.count; i++)
    VEC_PUSH (*reads, s->open.data[k->read[k->pile.data[i]]].read);
  qsort (reads->data, reads->count, sizeof *reads->data, by_number);
}

static void name_stuck (struct schedule *c, read_vec *reads) {
  struct stuck k = { .c = c };
  const size_t points = c->g->points;
  k.root = MEM_ARRAY (uint32_t, points);
  k.read = MEM_ARRAY (uint32_t, points);
  k.index = MEM_ARRAY (uint32_t, points);
  k.low = MEM_ARRAY (uint32_t, points);
  k.next = MEM_ZARRAY (uint32_t, points);
  memset (k.read, 0xff, points * sizeof *k.read);
  memset (k.index, 0xff, points * sizeof *k.index);
  find_roots (&k);
  find_reads (&k);
  for (uint32_t i = 0; i < c->g->ordered && !reads->count; i++)
    if (!c->has_place[c->g->order[i]])
      find_closed_set (&k, k.root[c->g->order[i]], reads);
  mem_free (k.root);
  mem_free (k.read);
  mem_free (k.index);
  mem_free (k.low);
  mem_free (k.next);
  VEC_FREE (k.path);
  VEC_FREE (k.pile);
}

// -------------------------------------------------------------------------------------------------------------------- public

bool schedule_sources (struct saturation *s, bool take, read_vec *stuck) {
  struct schedule c = { .s = s, .g = s->graph };
  bool fine = true;
  if (s->graph->ir->rules.wr.used && look_at_reads (&c)) {
    index_successors (&c);
    index_waiting (&c);
    place_all (&c);
    fine = c.placed == c.g->ordered;
    if (!fine)
      name_stuck (&c, stuck);
    else if (take)
      take_order (&c);
  }
  mem_free (c.next_first);
  mem_free (c.next);
  mem_free (c.waits_first);
  mem_free (c.waits);
  mem_free (c.missing);
  mem_free (c.is_met);
  mem_free (c.heap);
  mem_free (c.order);
  mem_free (c.has_place);
  return fine;
}
