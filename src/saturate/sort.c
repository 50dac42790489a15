// A topological order by running the chains side by side: always the chain whose next transaction
// probably ran first takes the next step; a chain whose next point waits for a point of another
// chain sleeps until that one is done. Every edge is looked at about once, and no in-degrees are
// kept. The order is close to the true one, so that saturation has little to put right. What cannot
// advance in the end holds a cycle.

#include "saturate/graph.h"

#include "base/heap.h"

#include <string.h>

struct runner {
  struct graph *g;
  graph_arrive arrive; // or NULL
  void *context;
  uint32_t *cursor;     // per chain: the next point
  uint32_t *wait_head;  // per point: chains that wait for it
  uint32_t *wait_next;  // per chain
  VEC (uint64_t) ready; // a heap of chains that can be tried: (progress << 32) | chain
};

// When the chain's next point probably ran, from 0 to 2^32 - 1. A time slot has no wish of its own.
static uint64_t progress (const struct runner *run, uint32_t chain) {
  const uint32_t point = run->cursor[chain];
  return graph_is_slot (run->g, point) ? 0 : run->g->ir->hint[graph_node (run->g, point)];
}

static bool is_less (const struct runner *run, uint64_t a, uint64_t b) {
  (void) run;
  return a < b;
}

static void wake (struct runner *run, uint32_t chain) {
  HEAP_PUSH (run->ready, progress (run, chain) << 32 | chain, is_less, run);
}

static bool is_active (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) || g->active[graph_node (g, point)];
}

// The first predecessor that is not done, or POINT_NONE.
static uint32_t missing_pred (struct graph *g, uint32_t point) {
  const uint32_t count = graph_preds (g, point);
  for (uint32_t i = 0; i < count; i++)
    if (g->position[g->preds.data[i]] == POINT_NONE)
      return g->preds.data[i];
  return POINT_NONE;
}

// One step of the chain at the top of the heap.
static void step (struct runner *run) {
  struct graph *g = run->g;
  const uint32_t chain = (uint32_t) run->ready.data[0], point = run->cursor[chain];
  uint32_t missing = missing_pred (g, point);
  if (missing == POINT_NONE && run->arrive) {
    run->arrive (run->context, point);
    missing = missing_pred (g, point);
  }
  if (missing != POINT_NONE) {
    run->wait_next[chain] = run->wait_head[missing];
    run->wait_head[missing] = chain;
    HEAP_POP (run->ready, is_less, run);
    return;
  }
  g->position[point] = g->ordered;
  g->order[g->ordered++] = point;
  run->cursor[chain]++;
  if (run->cursor[chain] < g->chain_first_point[chain + 1] && is_active (g, run->cursor[chain]))
    HEAP_REPLACE (run->ready, progress (run, chain) << 32 | chain, is_less, run);
  else
    HEAP_POP (run->ready, is_less, run); // at its end; an unknown transaction closes its chain
  for (uint32_t c = run->wait_head[point]; c != UINT32_MAX; c = run->wait_next[c])
    wake (run, c);
}

// From any point that is not done, step to a predecessor that is not done; the walk must meet
// itself.
static void extract_cycle (struct graph *g, uint32_t start, point_vec *cycle) {
  uint32_t *seen_at = mem_nones (g->points);
  VEC (uint32_t) walk = VEC_EMPTY;
  uint32_t point = start;
  while (seen_at[point] == UINT32_MAX) {
    seen_at[point] = (uint32_t) walk.count;
    VEC_PUSH (walk, point);
    point = missing_pred (g, point);
  }
  // The walk went backwards along edges.
  cycle->count = 0;
  for (size_t i = walk.count; i-- > seen_at[point];)
    VEC_PUSH (*cycle, walk.data[i]);
  MEM_FREE_ALL (walk.data, seen_at);
}

bool graph_sort (struct graph *g, point_vec *cycle) {
  return graph_sort_with (g, NULL, NULL, cycle);
}

bool graph_sort_with (struct graph *g, graph_arrive arrive, void *context, point_vec *cycle) {
  struct runner run = { .g = g, .arrive = arrive, .context = context };
  run.cursor = MEM_ARRAY (uint32_t, g->chains);
  run.wait_head = mem_nones (g->points);
  run.wait_next = MEM_ARRAY (uint32_t, g->chains);
  VEC_RESERVE (run.ready, g->chains);
  memset (g->position, 0xff, g->points * sizeof *g->position);
  g->ordered = 0;
  g->order_broken = false;
  for (uint32_t c = 0; c < g->chains; c++) {
    run.cursor[c] = g->chain_first_point[c];
    if (is_active (g, run.cursor[c]))
      wake (&run, c);
  }
  while (run.ready.count)
    step (&run);
  uint32_t stuck = POINT_NONE;
  for (uint32_t c = 0; c < g->chains && stuck == POINT_NONE; c++)
    if (run.cursor[c] < g->chain_first_point[c + 1] && is_active (g, run.cursor[c]))
      stuck = run.cursor[c];
  if (stuck != POINT_NONE)
    extract_cycle (g, stuck, cycle);
  g->order_broken |= stuck != POINT_NONE;
  MEM_FREE_ALL (run.cursor, run.wait_head, run.wait_next, run.ready.data);
  return stuck == POINT_NONE;
}
