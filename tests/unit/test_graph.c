// The known graph: its order, its rows of all three kinds and the cycles that it names, against a
// closure of its edges.

#include "greatest_main.h"
#include "tests/support/saturated.h"

#include <inttypes.h>

enum { HISTORIES = 1500 };

// Two points per transaction, as for snapshot isolation; only the graph's own promises are tested
// with them.
static const struct level two_points = {
  .name = "two points",
  .aliases = "",
  .rules.points = 2,
  .rules.ww = { true, 1, 0 },
  .rules.wr = { true, 1, 0 },
  .rules.rw = { true, 0, 1 },
};
static const struct level two_points_strict = {
  .name = "two points, strict",
  .aliases = "",
  .rules.points = 2,
  .rules.so = { true, 1, 0 },
  .rules.rt = { true, 1, 0 },
  .rules.ww = { true, 1, 0 },
  .rules.wr = { true, 1, 0 },
  .rules.rw = { true, 0, 1 },
};

static const struct level *level_number (uint64_t index) {
  const unsigned number = (unsigned) (index % 5);
  return number < 3 ? level_at (number) : number == 3 ? &two_points : &two_points_strict;
}

static const char *const row_names[] = { "auto", "clocks", "bits", "partial" };

#define FOR_EACH_GRAPH(seed, s)                                                                                        \
  for (enum rows_kind rows = ROWS_CLOCKS; rows <= ROWS_PARTIAL; rows++)                                                \
    for (uint64_t index = 0; index < HISTORIES; index++)                                                               \
      if (saturated_make (&(s), seed, index, level_number (index), rows, index % 7 != 0))

static bool has (uint64_t set, uint32_t point) {
  return set >> point & 1;
}

static bool is_active (const struct graph *g, uint32_t point) {
  return graph_is_slot (g, point) || g->active[graph_node (g, point)];
}

// --- Order -------------------------------------------------------------------

static const char *check_order (struct graph *g) {
  uint32_t active = 0;
  for (uint32_t v = 0; v < g->points; v++) {
    if (!is_active (g, v)) {
      if (g->position[v] != POINT_NONE)
        return "a place for a point that is not in the graph";
      continue;
    }
    active++;
    if (g->position[v] >= g->ordered || g->order[g->position[v]] != v)
      return "a point without a place";
    const uint32_t count = graph_preds (g, v);
    for (uint32_t i = 0; i < count; i++)
      if (g->position[g->preds.data[i]] >= g->position[v])
        return "the order breaks an edge";
  }
  return active == g->ordered ? NULL : "more places than points";
}

static bool is_edge (struct graph *g, uint32_t from, uint32_t to) {
  const uint32_t count = graph_preds (g, to);
  for (uint32_t i = 0; i < count; i++)
    if (g->preds.data[i] == from)
      return true;
  return false;
}

static const char *check_cycle (struct graph *g, const point_vec *cycle) {
  if (!cycle->count)
    return "no cycle is named";
  for (size_t i = 0; i < cycle->count; i++) {
    const uint32_t from = cycle->data[i], to = cycle->data[i + 1 == cycle->count ? 0 : i + 1];
    if (!is_active (g, from) || !is_edge (g, from, to))
      return "a cycle that is none";
  }
  return NULL;
}

static bool is_cyclic (struct graph *g) {
  uint64_t paths[64];
  saturated_paths (g, paths);
  for (uint32_t v = 0; v < g->points; v++)
    if (has (paths[v], v))
      return true;
  return false;
}

TEST sorting (void) {
  unsigned sorted = 0, cyclic = 0;
  struct saturated s;
  FOR_EACH_GRAPH (51, s) {
    point_vec cycle = VEC_EMPTY;
    const bool fine = graph_sort (s.graph, &cycle);
    const char *wrong = fine == is_cyclic (s.graph) ? "sorted a cycle, or did not sort what has none"
                        : fine                      ? check_order (s.graph)
                                                    : check_cycle (s.graph, &cycle);
    sorted += fine;
    cyclic += !fine;
    VEC_FREE (cycle);
    if (!wrong && s.outcome == SATURATE_CYCLE)
      wrong = check_cycle (s.graph, &s.saturation->cycle);
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 ", %s\n", index, row_names[rows]);
      FAILm (wrong);
    }
  }
  ASSERT (sorted > 500);
  ASSERT (cyclic > 500);
  PASS ();
}

// --- Rows --------------------------------------------------------------------

static const char *check_before (struct graph *g, const uint64_t *paths) {
  for (uint32_t v = 0; v < g->points; v++)
    for (uint32_t u = 0; u < g->points; u++) {
      if (!is_active (g, u) || !is_active (g, v) || u == v)
        continue;
      if (graph_reaches (g, u, v) && !has (paths[u], v))
        return "a path that is none";
      if (!graph_reaches (g, u, v) && has (paths[u], v) && g->kind != ROWS_PARTIAL)
        return "a path was missed";
    }
  return NULL;
}

TEST rows_are_paths (void) {
  unsigned settled = 0;
  struct saturated s;
  FOR_EACH_GRAPH (52, s) {
    uint64_t paths[64];
    const char *wrong = NULL;
    if (s.outcome == SATURATE_SETTLED) {
      settled++;
      saturated_paths (s.graph, paths);
      wrong = check_order (s.graph);
      wrong = wrong ? wrong : check_before (s.graph, paths);
    }
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 ", %s\n", index, row_names[rows]);
      FAILm (wrong);
    }
  }
  ASSERT (settled > 800);
  PASS ();
}

// --- Reasons -----------------------------------------------------------------

static const char *check_reason (struct graph *g, uint32_t from, uint32_t to) {
  const struct edge_reason reason = graph_reason (g, from, to);
  const uint32_t source = graph_node (g, from), target = graph_node (g, to);
  if ((reason.kind == EDGE_RT) != (graph_is_slot (g, from) || graph_is_slot (g, to)))
    return "real time without a slot, or a slot without real time";
  if (reason.kind == EDGE_WR
      && (graph_reader (g, reason.read) != target || g->read_writer[reason.read] != source
          || g->ir->asg->read_key[reason.read] != reason.key))
    return "a read that is not there";
  if (reason.kind == EDGE_RW
      && (graph_reader (g, reason.read) != source || asg_install_of (g->ir->asg, reason.key, target) == UINT32_MAX))
    return "an anti-dependency without a read and a write";
  if (reason.kind == EDGE_WW
      && (asg_install_of (g->ir->asg, reason.key, source) == UINT32_MAX
          || asg_install_of (g->ir->asg, reason.key, target) == UINT32_MAX))
    return "a write order of what does not write";
  return NULL;
}

TEST edges_have_reasons (void) {
  unsigned kinds[EDGE_KINDS] = { 0 };
  struct saturated s;
  FOR_EACH_GRAPH (53, s) {
    const char *wrong = NULL;
    for (uint32_t v = 0; !wrong && v < s.graph->points; v++) {
      const uint32_t count = is_active (s.graph, v) ? graph_preds (s.graph, v) : 0;
      for (uint32_t i = 0; !wrong && i < count; i++) {
        wrong = check_reason (s.graph, s.graph->preds.data[i], v);
        kinds[graph_reason (s.graph, s.graph->preds.data[i], v).kind]++;
      }
    }
    saturated_free (&s);
    if (wrong) {
      printf ("history %" PRIu64 ", %s\n", index, row_names[rows]);
      FAILm (wrong);
    }
  }
  for (unsigned kind = 0; kind < EDGE_KINDS; kind++)
    ASSERTm (edge_kind_name ((enum edge_kind) kind), kinds[kind] > 20);
  PASS ();
}

SUITE (the_graph) {
  RUN_TEST (sorting);
  RUN_TEST (rows_are_paths);
  RUN_TEST (edges_have_reasons);
}

KRAIT_UNIT_MAIN (RUN_SUITE (the_graph);)
