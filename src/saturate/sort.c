// A topological order by running the chains: each chain advances until its next point waits for a point of another chain, and is woken when
// that one is done. Every edge is looked at about once, and no in-degrees are kept. What cannot advance in the end holds a cycle.

#include "saturate/graph.h"

#include <string.h>

struct runner {
  struct graph *g;
  uint32_t *cursor;     // per chain: the next point
  uint32_t *wait_head;  // per point: chains that wait for it
  uint32_t *wait_next;  // per chain
  uint32_t *ready;      // queue of chains
  uint32_t head, tail;  // of the queue; a chain is in it at most once
};

static void wake (struct runner *run, uint32_t chain) {
  run->ready[run->tail] = chain;
  run->tail = run->tail + 1 == run->g->chains + 1 ? 0 : run->tail + 1;
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

static void run_chain (struct runner *run, uint32_t chain) {
  struct graph *g = run->g;
  const uint32_t end = g->chain_first_point[chain + 1];
  while (run->cursor[chain] < end) {
    const uint32_t point = run->cursor[chain];
    if (!is_active (g, point))
      return; // an unknown transaction closes its chain
    const uint32_t missing = missing_pred (g, point);
    if (missing != POINT_NONE) {
      run->wait_next[chain] = run->wait_head[missing];
      run->wait_head[missing] = chain;
      return;
    }
    g->position[point] = g->ordered;
    g->order[g->ordered++] = point;
    run->cursor[chain]++;
    for (uint32_t c = run->wait_head[point]; c != UINT32_MAX; c = run->wait_next[c])
      wake (run, c);
  }
}

// From any point that is not done, step to a predecessor that is not done; the walk must meet itself.
static void extract_cycle (struct graph *g, uint32_t start, point_vec *cycle) {
  uint32_t *seen_at = MEM_ARRAY (uint32_t, g->points);
  memset (seen_at, 0xff, g->points * sizeof *seen_at);
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
  VEC_FREE (walk);
  mem_free (seen_at);
}

bool graph_sort (struct graph *g, point_vec *cycle) {
  struct runner run = { .g = g };
  run.cursor = MEM_ARRAY (uint32_t, g->chains);
  run.wait_head = MEM_ARRAY (uint32_t, g->points);
  run.wait_next = MEM_ARRAY (uint32_t, g->chains);
  run.ready = MEM_ARRAY (uint32_t, (size_t) g->chains + 1);
  memset (run.wait_head, 0xff, g->points * sizeof *run.wait_head);
  memset (g->position, 0xff, g->points * sizeof *g->position);
  g->ordered = 0;
  for (uint32_t c = 0; c < g->chains; c++) {
    run.cursor[c] = g->chain_first_point[c];
    wake (&run, c);
  }
  while (run.head != run.tail) {
    const uint32_t chain = run.ready[run.head];
    run.head = run.head + 1 == g->chains + 1 ? 0 : run.head + 1;
    run_chain (&run, chain);
  }
  uint32_t stuck = POINT_NONE;
  for (uint32_t c = 0; c < g->chains && stuck == POINT_NONE; c++)
    if (run.cursor[c] < g->chain_first_point[c + 1] && is_active (g, run.cursor[c]))
      stuck = run.cursor[c];
  if (stuck != POINT_NONE)
    extract_cycle (g, stuck, cycle);
  g->order_broken = stuck != POINT_NONE;
  mem_free (run.cursor);
  mem_free (run.wait_head);
  mem_free (run.wait_next);
  mem_free (run.ready);
  return stuck == POINT_NONE;
}
