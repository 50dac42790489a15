#include "tests/support/saturated.h"

#include "base/error.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"

#include <string.h>

static bool has_times (const struct history *h) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (history_begin_time (h, t) != TIME_NONE_BEGIN || history_end_time (h, t) != TIME_NONE_END)
      return true;
  return false;
}

static void give_edge (struct ir *ir, struct prng *random) {
  const struct asg *asg = ir->asg;
  if (asg->nodes < 3)
    return;
  const struct ir_edge edge = { prng_between (random, 1, asg->nodes - 1), prng_between (random, 1, asg->nodes - 1) };
  if (edge.from != edge.to && !asg->optional[edge.from] && !asg->optional[edge.to])
    VEC_PUSH (ir->edges, edge);
}

// The edges alone, without rules.
static enum saturate_outcome fill_rows (struct saturation *s) {
  struct graph *g = s->graph;
  saturation_include_forced (s);
  if (!graph_sort (g, &s->cycle))
    return SATURATE_CYCLE;
  for (uint32_t k = 0; k < g->ordered; k++) {
    const uint32_t v = g->order[k], count = graph_preds (g, v);
    for (uint32_t i = 0; i < count; i++)
      graph_merge_row (g, graph_before (g, v), g->preds.data[i]);
  }
  return SATURATE_SETTLED;
}

bool saturated_make (struct saturated *s, uint64_t seed, uint64_t index, const struct level *level, enum rows_kind rows,
                     bool all_rules) {
  struct brute_options options;
  struct prng random = prng_fork (~seed, index);
  if (!random_ir_make (&s->made, seed, index, level))
    return false;
  if (level->rules.rt.used && !has_times (s->made.h)) {
    random_ir_free (&s->made);
    return false;
  }
  history_free (random_history (seed, index, &options));
  s->clock_skew = options.clock_skew;
  if (prng_chance (&random, 20))
    give_edge (s->made.ir, &random);
  s->graph = graph_new (s->made.ir, rows);
  s->saturation = saturation_new (s->graph);
  s->outcome = level->rules.points == 1 ? saturate (s->saturation, all_rules, NULL) : fill_rows (s->saturation);
  return true;
}

void saturated_free (struct saturated *s) {
  saturation_free (s->saturation);
  graph_free (s->graph);
  random_ir_free (&s->made);
}

static bool is_active (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) || g->active[graph_node (g, point)];
}

void saturated_paths (struct graph *g, uint64_t paths[64]) {
  if (g->points > 64)
    misuse (__func__, "the history is too large");
  memset (paths, 0, 64 * sizeof *paths);
  for (uint32_t v = 0; v < g->points; v++) {
    if (!is_active (g, v))
      continue;
    const uint32_t count = graph_preds (g, v);
    for (uint32_t i = 0; i < count; i++)
      paths[g->preds.data[i]] |= UINT64_C (1) << v;
    for (uint32_t u = 0; u < 1u << g->shift && u < v; u++) // points of T0
      paths[u] |= UINT64_C (1) << v;
  }
  for (uint32_t via = 0; via < g->points; via++)
    for (uint32_t u = 0; u < g->points; u++)
      if (paths[u] >> via & 1)
        paths[u] |= paths[via];
}
