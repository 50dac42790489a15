// The graph that stays acyclic, against the plainest closure there is.

#include "greatest_main.h"
#include "solve/acyclic.h"
#include "tests/brute/prng.h"

#include <string.h>

enum { MOST_POINTS = 14, MOST_EDGES = 40, FAR = 1000000 };

struct edge {
  uint32_t from, to;
  unsigned weight;
};

struct trial {
  uint32_t points;
  uint32_t position[MOST_POINTS];
  bool known[MOST_POINTS][MOST_POINTS];
  uint32_t first[MOST_POINTS + 1], to[MOST_POINTS * MOST_POINTS];
  struct edge edges[MOST_EDGES];
  uint32_t edge_count;
  uint32_t added[MOST_EDGES]; // a stack
  uint32_t added_count;
  bool in[MOST_EDGES];
  struct acyclic *graph;
};

static void make_known (struct trial *t, struct prng *random) {
  uint32_t at[MOST_POINTS];
  for (uint32_t i = 0; i < t->points; i++) { // a random order, inside out
    const uint32_t k = prng_below (random, i + 1);
    at[i] = at[k];
    at[k] = i;
  }
  const unsigned density = prng_below (random, 40);
  for (uint32_t i = 0; i < t->points; i++)
    t->position[at[i]] = i;
  uint32_t count = 0;
  for (uint32_t v = 0; v < t->points; v++) {
    t->first[v] = count;
    for (uint32_t u = 0; u < t->points; u++)
      if (t->position[v] < t->position[u] && prng_chance (random, density)) {
        t->known[v][u] = true;
        t->to[count++] = u;
      }
  }
  t->first[t->points] = count;
}

static void make_trial (struct trial *t, struct prng *random) {
  memset (t, 0, sizeof *t);
  t->points = prng_between (random, 1, MOST_POINTS);
  make_known (t, random);
  t->graph = acyclic_new (t->points, t->first, t->to, NULL, t->position);
  t->edge_count = prng_between (random, 1, MOST_EDGES);
  for (uint32_t e = 0; e < t->edge_count; e++) {
    t->edges[e] =
      (struct edge){ prng_below (random, t->points), prng_below (random, t->points), prng_between (random, 1, 3) };
    acyclic_declare (t->graph, e, t->edges[e].from, t->edges[e].to, t->edges[e].weight, false);
  }
}

// The least weight of added edges on a path; FAR if there is none. A point reaches itself for
// nothing.
static void distances (const struct trial *t, unsigned d[MOST_POINTS][MOST_POINTS]) {
  for (uint32_t v = 0; v < t->points; v++)
    for (uint32_t u = 0; u < t->points; u++)
      d[v][u] = v == u || t->known[v][u] ? 0 : FAR;
  for (uint32_t i = 0; i < t->added_count; i++) {
    const struct edge *e = &t->edges[t->added[i]];
    if (e->weight < d[e->from][e->to])
      d[e->from][e->to] = e->weight;
  }
  for (uint32_t via = 0; via < t->points; via++)
    for (uint32_t v = 0; v < t->points; v++)
      for (uint32_t u = 0; u < t->points; u++)
        if (d[v][via] + d[via][u] < d[v][u])
          d[v][u] = d[v][via] + d[via][u];
}

static bool known_path (const struct trial *t, uint32_t from, uint32_t to) {
  struct trial only = *t;
  unsigned d[MOST_POINTS][MOST_POINTS];
  only.added_count = 0;
  distances (&only, d);
  return d[from][to] == 0;
}

// The edges lead, last one first, from the end of the refused edge back to its start, and weigh no
// more than they must.
static bool is_lightest_cycle (const struct trial *t, uint32_t refused, unsigned least) {
  uint32_t count;
  const uint32_t *cycle = acyclic_cycle (t->graph, &count);
  unsigned weight = 0;
  uint32_t at = t->edges[refused].to;
  for (uint32_t i = count; i-- > 0;) {
    const struct edge *e = &t->edges[cycle[i]];
    if (!t->in[cycle[i]] || !known_path (t, at, e->from))
      return false;
    at = e->to;
    weight += e->weight;
  }
  return known_path (t, at, t->edges[refused].from) && weight == least;
}

static const char *try_to_add (struct trial *t, uint32_t e) {
  unsigned d[MOST_POINTS][MOST_POINTS];
  distances (t, d);
  const unsigned back = d[t->edges[e].to][t->edges[e].from];
  const bool done = acyclic_add (t->graph, e);
  if (done != (back == FAR))
    return done ? "an edge that closes a cycle was taken" : "an edge that closes no cycle was refused";
  if (!done)
    return is_lightest_cycle (t, e, back) ? NULL : "no lightest cycle";
  t->in[e] = true;
  t->added[t->added_count++] = e;
  return NULL;
}

// What lies around an added edge: all of it with enough points, some of it otherwise.
static const char *look_around (struct trial *t, struct prng *random) {
  unsigned d[MOST_POINTS][MOST_POINTS];
  distances (t, d);
  const struct edge *e = &t->edges[t->added[t->added_count - 1]];
  const uint32_t most = prng_between (random, 1, 2 * MOST_POINTS);
  uint32_t count, ahead = 0, behind = 0, marked = 0;
  const uint32_t *points = acyclic_surroundings (t->graph, t->added[t->added_count - 1], most, &count);
  for (uint32_t i = 0; i < count; i++)
    if (d[e->to][points[i]] == FAR)
      return "a point that the edge does not lead to";
  for (uint32_t v = 0; v < t->points; v++) {
    if (acyclic_reached (t->graph, v) && d[v][e->from] == FAR)
      return "a point that does not lead to the edge";
    behind += d[e->to][v] != FAR;
    ahead += d[v][e->from] != FAR;
    marked += acyclic_reached (t->graph, v);
  }
  return most >= MOST_POINTS && (count != behind || marked != ahead) ? "not all that lies around" : NULL;
}

// A path by the edges that were added first.
static const char *ask_for_older_path (struct trial *t, struct prng *random) {
  struct trial older = *t;
  unsigned d[MOST_POINTS][MOST_POINTS];
  older.added_count = prng_below (random, t->added_count + 1);
  distances (&older, d);
  const uint32_t from = prng_below (random, t->points), to = prng_below (random, t->points);
  return acyclic_path (t->graph, from, to, older.added_count, false) == (d[from][to] != FAR)
           ? NULL
           : "an older path that is none, or was missed";
}

static const char *run (struct trial *t, struct prng *random) {
  for (int step = 0; step < 120; step++) {
    const uint32_t e = prng_below (random, t->edge_count);
    const char *wrong = NULL;
    if (prng_chance (random, 25) && t->added_count) {
      acyclic_remove_last (t->graph);
      t->in[t->added[--t->added_count]] = false;
    } else if (!t->in[e])
      wrong = try_to_add (t, e);
    if (!wrong && t->added_count)
      wrong = look_around (t, random);
    if (!wrong)
      wrong = ask_for_older_path (t, random);
    if (wrong)
      return wrong;
    if (acyclic_added (t->graph) != t->added_count)
      return "another number of edges";
    if (!acyclic_check (t->graph))
      return "the order breaks an edge";
    for (uint32_t v = 0; v < t->points; v++)
      for (uint32_t u = 0; u < t->points; u++)
        if (t->known[v][u] && acyclic_position (t->graph, v) >= acyclic_position (t->graph, u))
          return "the order breaks a known edge";
  }
  return NULL;
}

TEST random_edges_come_and_go (void) {
  for (uint64_t index = 0; index < 2000; index++) {
    static struct trial trial;
    struct prng random = prng_fork (1, index);
    make_trial (&trial, &random);
    const char *wrong = run (&trial, &random);
    acyclic_free (trial.graph);
    if (wrong) {
      printf ("trial %llu\n", (unsigned long long) index);
      FAILm (wrong);
    }
  }
  PASS ();
}

TEST a_long_way_round (void) {
  // 0 -> 1 -> … -> 9 by added edges, put in from behind against the order.
  enum { POINTS = 10 };
  uint32_t first[POINTS + 1] = { 0 }, position[POINTS];
  for (uint32_t v = 0; v < POINTS; v++)
    position[v] = POINTS - 1 - v;
  struct acyclic *graph = acyclic_new (POINTS, first, first, NULL, position);
  for (uint32_t e = 0; e + 1 < POINTS; e++)
    acyclic_declare (graph, e, e, e + 1, 1, false);
  acyclic_declare (graph, POINTS, POINTS - 1, 0, 1, false);
  for (uint32_t e = POINTS - 1; e-- > 0;)
    ASSERT (acyclic_add (graph, e));
  ASSERT (!acyclic_add (graph, POINTS));
  uint32_t count;
  const uint32_t *cycle = acyclic_cycle (graph, &count);
  ASSERT_EQ (POINTS - 1, count);
  for (uint32_t i = 0; i < count; i++)
    ASSERT_EQ (count - 1 - i, cycle[i]);
  for (uint32_t v = 0; v < POINTS; v++)
    ASSERT_EQ (v, acyclic_position (graph, v));
  ASSERT (acyclic_visits (graph) > 0);
  acyclic_remove_last (graph); // 0 -> 1
  ASSERT (acyclic_add (graph, POINTS));
  ASSERT (acyclic_check (graph));
  acyclic_free (graph);
  PASS ();
}

TEST no_points_at_all (void) {
  const uint32_t first[1] = { 0 };
  struct acyclic *graph = acyclic_new (0, first, NULL, NULL, NULL);
  ASSERT (acyclic_check (graph));
  ASSERT_EQ (0, acyclic_added (graph));
  acyclic_free (graph);
  PASS ();
}

SUITE (acyclic) {
  RUN_TEST (random_edges_come_and_go);
  RUN_TEST (a_long_way_round);
  RUN_TEST (no_points_at_all);
}

KRAIT_UNIT_MAIN (RUN_SUITE (acyclic);)
