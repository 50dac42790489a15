// An order for the sources of open reads: what is returned is one, and where none is found there is
// none, worked out naively.

#include "greatest_main.h"
#include "levels/levels.h"
#include "saturate/saturate.h"
#include "tests/support/saturated.h"

#include <inttypes.h>

enum { HISTORIES = 60000 };

static uint32_t candidate_point (const struct graph *g, uint32_t source) {
  return graph_point (g, g->ir->asg->install_node[source], g->ir->level->rules.wr.from);
}

// Somebody who is placed, or whom nobody places, can be the source.
static bool is_met (const struct saturated *s, const struct open_read *open, uint64_t placed) {
  const struct graph *g = s->graph;
  for (uint32_t i = 0; i < open->count; i++) {
    const uint32_t source = s->saturation->candidates.data[open->first + i];
    if (source >= SOURCE_MANY || !g->active[g->ir->asg->install_node[source]]
        || (placed >> candidate_point (g, source) & 1))
      return true;
  }
  return !g->active[graph_reader (g, open->read)];
}

// The points that can be placed.
static uint64_t can_be_placed (struct saturated *s) {
  struct graph *g = s->graph;
  uint64_t placed = 0, before = 1;
  while (placed != before) {
    before = placed;
    for (uint32_t i = 0; i < g->ordered; i++) {
      const uint32_t v = g->order[i], count = graph_preds (g, v);
      bool ready = true;
      for (uint32_t k = 0; k < count; k++)
        ready = ready && (placed >> g->preds.data[k] & 1);
      for (size_t k = 0; k < s->saturation->open.count && ready; k++) {
        const struct open_read *open = &s->saturation->open.data[k];
        if (graph_point (g, graph_reader (g, open->read), g->ir->level->rules.wr.to) == v)
          ready = is_met (s, open, placed);
      }
      if (ready)
        placed |= UINT64_C (1) << v;
    }
  }
  return placed;
}

static uint64_t all_points (const struct graph *g) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < g->ordered; i++)
    all |= UINT64_C (1) << g->order[i];
  return all;
}

static const char *check_order (struct saturated *s, uint64_t all) {
  struct graph *g = s->graph;
  uint64_t placed = 0;
  for (uint32_t i = 0; i < g->ordered; i++) {
    const uint32_t v = g->order[i], count = graph_preds (g, v);
    if (g->position[v] != i || (placed >> v & 1))
      return "an order that is none";
    for (uint32_t k = 0; k < count; k++)
      if (!(placed >> g->preds.data[k] & 1))
        return "an order that contradicts an edge";
    for (size_t k = 0; k < s->saturation->open.count; k++) {
      const struct open_read *open = &s->saturation->open.data[k];
      if (graph_point (g, graph_reader (g, open->read), g->ir->level->rules.wr.to) == v && !is_met (s, open, placed))
        return "a read without a candidate before it";
    }
    placed |= UINT64_C (1) << v;
  }
  return placed == all ? NULL : "points are missing";
}

static const char *check (struct saturated *s, unsigned *moved, unsigned *stuck) {
  const uint64_t all = all_points (s->graph), possible = can_be_placed (s);
  const uint32_t first = s->graph->ordered > 1 ? s->graph->order[1] : 0;
  const bool fine = schedule_sources (s->saturation, true);
  const char *wrong = fine == (possible == all) ? NULL : "an order where there is none, or none where there is one";
  if (!wrong && fine)
    wrong = check_order (s, all);
  *moved += fine && s->graph->ordered > 1 && s->graph->order[1] != first;
  *stuck += !fine;
  return wrong;
}

TEST random_histories (void) {
  unsigned moved = 0, stuck = 0, count = 0;
  const struct level *tried[] = { level_find ("read-committed"), level_find ("strong-session-read-committed"),
                                  level_find ("snapshot-isolation"), level_find ("serializable") };
  for (uint64_t index = 0; index < HISTORIES; index++) {
    struct saturated s;
    if (!saturated_make (&s, 83, index, tried[index % 4], ROWS_AUTO, index % 3 == 0))
      continue;
    const char *wrong = NULL;
    if (s.outcome == SATURATE_SETTLED && s.saturation->open.count && s.graph->points <= 64) {
      wrong = check (&s, &moved, &stuck);
      count++;
    }
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 "\n", index);
      FAILm (wrong);
    }
  }
  printf ("%u histories, %u with another first transaction, %u stuck\n", count, moved, stuck);
  ASSERT (moved && stuck);
  PASS ();
}

SUITE (schedules) {
  RUN_TEST (random_histories);
}

KRAIT_UNIT_MAIN (RUN_SUITE (schedules);)
