// Windows of made-up problems: each holds what lies in its interval, and nothing that the part does
// not demand.

#include "greatest_main.h"
#include "solve/windows.h"
#include "tests/brute/prng.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 3000, MOST_POINTS = 14, MOST_EDGES = 30, MOST_VARIABLES = 14 };

struct trial {
  struct problem problem;
  struct part part;
  uint32_t point[MOST_POINTS];
  bool path[MOST_POINTS][MOST_POINTS]; // known
};

// Points are shuffled against their order, and known edges go forward in it.
static void make_graph (struct trial *t, struct prng *random) {
  struct problem *p = &t->problem;
  p->points = prng_between (random, 3, MOST_POINTS);
  p->local_position = MEM_ARRAY (uint32_t, p->points);
  for (uint32_t v = 0; v < p->points; v++) {
    const uint32_t other = prng_below (random, v + 1);
    p->local_position[v] = v;
    p->local_position[v] = p->local_position[other];
    p->local_position[other] = v;
    t->point[v] = v;
  }
  p->known_first = MEM_ARRAY (uint32_t, p->points + 1);
  p->known_to = MEM_ARRAY (uint32_t, p->points * p->points);
  uint32_t count = 0;
  for (uint32_t v = 0; v < p->points; v++) {
    p->known_first[v] = count;
    for (uint32_t u = 0; u < p->points; u++)
      if (p->local_position[v] < p->local_position[u] && prng_chance (random, 20))
        t->path[v][p->known_to[count++] = u] = true;
  }
  p->known_first[p->points] = count;
  for (uint32_t via = 0; via < p->points; via++)
    for (uint32_t v = 0; v < p->points; v++)
      for (uint32_t u = 0; u < p->points; u++)
        t->path[v][u] |= t->path[v][via] && t->path[via][u];
}

static int32_t random_literal (const struct trial *t, struct prng *random) {
  const int32_t variable = (int32_t) prng_between (random, 1, problem_variables (&t->problem));
  return prng_chance (random, 50) ? variable : -variable;
}

static void make_trial (struct trial *t, struct prng *random) {
  struct problem *p = &t->problem;
  memset (t, 0, sizeof *t);
  for (unsigned left = 1 + prng_between (random, 1, MOST_VARIABLES); left; left--)
    VEC_PUSH (p->variables, (struct variable){ .kind = VARIABLE_SOURCE, .a = prng_below (random, 4) });
  make_graph (t, random);
  for (uint32_t i = 0, count = prng_below (random, MOST_EDGES); i < count; i++) {
    struct guarded_edge edge = { .from = prng_below (random, p->points), .to = prng_below (random, p->points) };
    for (unsigned k = prng_between (random, 1, MOST_GUARDS); k--;)
      edge.guard[k] = random_literal (t, random);
    VEC_PUSH (p->edges, edge);
    VEC_PUSH (t->part.edges, i);
  }
  for (unsigned i = prng_below (random, 8); i; i--) {
    VEC_PUSH (t->part.clauses, (uint32_t) p->clauses.count);
    for (unsigned k = prng_between (random, 1, 3); k; k--)
      VEC_PUSH (p->clauses, random_literal (t, random));
    VEC_PUSH (p->clauses, 0);
  }
  for (uint32_t v = 1; v <= problem_variables (p); v++)
    VEC_PUSH (t->part.variables, v);
}

static void free_trial (struct trial *t) {
  VEC_FREE (t->problem.variables);
  VEC_FREE (t->problem.edges);
  VEC_FREE (t->problem.clauses);
  mem_free (t->problem.local_position);
  mem_free (t->problem.known_first);
  mem_free (t->problem.known_to);
  part_clear (&t->part);
}

static bool is_ascending (const uint32_t *numbers, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (numbers[i - 1] >= numbers[i])
      return false;
  return true;
}

static bool has (const uint32_t *numbers, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; i++)
    if (numbers[i] == wanted)
      return true;
  return false;
}

static bool guards (const struct problem *p, const uint32_t *edges, size_t count, uint32_t variable) {
  for (size_t i = 0; i < count; i++)
    for (unsigned k = 0; k < MOST_GUARDS && p->edges.data[edges[i]].guard[k]; k++)
      if ((uint32_t) abs (p->edges.data[edges[i]].guard[k]) == variable)
        return true;
  return false;
}

static const char *check_points (const struct trial *t, const struct piece *w) {
  uint32_t low = UINT32_MAX, high = 0;
  for (uint32_t i = 0; i < w->points; i++) {
    const uint32_t place = t->problem.local_position[w->point[i]];
    low = place < low ? place : low;
    high = place > high ? place : high;
  }
  if (!is_ascending (w->point, w->points) || high - low + 1 != w->points)
    return "points that are no interval";
  for (uint32_t i = 0; i < w->points; i++)
    for (uint32_t k = 0; k < w->points; k++)
      for (uint32_t via = 0; via < t->problem.points; via++)
        if (t->path[w->point[i]][via] && t->path[via][w->point[k]] && !has (w->point, w->points, via))
          return "a known path that leaves the window";
  return NULL;
}

static const char *check_edges (const struct trial *t, const struct piece *w) {
  const struct part *part = &w->part;
  if (!is_ascending (part->edges.data, part->edges.count))
    return "edges out of order";
  for (size_t i = 0; i < t->part.edges.count; i++) {
    const struct guarded_edge *edge = &t->problem.edges.data[t->part.edges.data[i]];
    const bool inside = has (w->point, w->points, edge->from) && has (w->point, w->points, edge->to);
    if (inside != has (part->edges.data, part->edges.count, t->part.edges.data[i]))
      return "edges that are not those between the points";
  }
  return NULL;
}

// A clause is there if each of its variables is one that edges of the window speak of, or no edge
// at all, and one at least belongs to the window.
static const char *check_clauses (const struct trial *t, const struct piece *w) {
  const struct part *part = &w->part;
  for (size_t i = 0; i < t->part.clauses.count; i++) {
    bool constrained = true;
    for (const int32_t *literal = t->problem.clauses.data + t->part.clauses.data[i]; *literal; literal++)
      constrained = constrained
                    && (guards (&t->problem, part->edges.data, part->edges.count, (uint32_t) abs (*literal))
                        || !guards (&t->problem, t->part.edges.data, t->part.edges.count, (uint32_t) abs (*literal)));
    const bool there = has (part->clauses.data, part->clauses.count, t->part.clauses.data[i]);
    if (there && !constrained)
      return "a clause that speaks of what is outside";
    for (const int32_t *literal = t->problem.clauses.data + t->part.clauses.data[i]; *literal; literal++) {
      const bool known = has (part->variables.data, part->variables.count, (uint32_t) abs (*literal));
      if (there && !known)
        return "a clause without its variables";
      if (!there && constrained && known)
        return "a clause that is left out";
    }
  }
  return is_ascending (part->clauses.data, part->clauses.count) ? NULL : "clauses out of order";
}

static const char *check_variables (const struct trial *t, const struct piece *w) {
  const struct part *part = &w->part;
  for (uint32_t v = 1; v <= problem_variables (&t->problem); v++)
    if (guards (&t->problem, part->edges.data, part->edges.count, v)
        && !has (part->variables.data, part->variables.count, v))
      return "an edge without its variables";
  return is_ascending (part->variables.data, part->variables.count) ? NULL : "variables out of order";
}

static void discard (struct piece *piece) {
  part_clear (&piece->part);
  mem_free (piece->point);
}

static const char *check_window (const struct trial *t, const struct piece *w) {
  const char *wrong = check_points (t, w);
  wrong = wrong ? wrong : check_edges (t, w);
  wrong = wrong ? wrong : check_clauses (t, w);
  return wrong ? wrong : check_variables (t, w);
}

// Every edge whose ends are less than half a window apart is in one of each size.
static const char *check_cover (const struct trial *t, const bool *seen, uint32_t size) {
  for (size_t i = 0; i < t->problem.edges.count; i++) {
    const struct guarded_edge *edge = &t->problem.edges.data[i];
    const int apart = abs ((int) t->problem.local_position[edge->from] - (int) t->problem.local_position[edge->to]);
    if (!seen[i] && (uint32_t) apart < size / 2)
      return "an edge that no window has";
  }
  return NULL;
}

static const char *check_all (const struct trial *t, uint32_t size, unsigned *windows) {
  struct windows *all = windows_new (&t->problem, &t->part, t->point, t->problem.points, size);
  bool seen[MOST_EDGES] = { false };
  struct piece w;
  const char *wrong = NULL;
  while (!wrong && windows_next (all, &w)) {
    for (; size < w.points && !wrong; size *= 2) {
      wrong = check_cover (t, seen, size);
      memset (seen, 0, sizeof seen);
    }
    wrong = wrong ? wrong : check_window (t, &w);
    for (size_t i = 0; i < w.part.edges.count; i++)
      seen[w.part.edges.data[i]] = true;
    ++*windows;
    discard (&w);
  }
  windows_free (all);
  return wrong;
}

TEST windows_of_random_problems (void) {
  unsigned windows = 0;
  for (uint64_t index = 0; index < TRIALS; index++) {
    struct prng random = prng_fork (91, index);
    struct trial trial;
    make_trial (&trial, &random);
    const char *wrong = check_all (&trial, 2 + prng_below (&random, 3), &windows);
    free_trial (&trial);
    if (wrong) {
      printf ("trial %llu\n", (unsigned long long) index);
      FAILm (wrong);
    }
  }
  ASSERT (windows > TRIALS);
  PASS ();
}

static const char *check_reads (const struct trial *t, const uint32_t *reads, size_t count, const struct piece *piece) {
  const struct problem *p = &t->problem;
  for (uint32_t v = 1; v <= problem_variables (p); v++)
    if (has (reads, count, p->variables.data[v].a) != has (piece->part.variables.data, piece->part.variables.count, v))
      return "variables that are not those of the reads";
  for (size_t i = 0; i < p->edges.count; i++) {
    bool all = true;
    for (unsigned k = 0; k < MOST_GUARDS && p->edges.data[i].guard[k]; k++)
      all = all && has (reads, count, p->variables.data[abs (p->edges.data[i].guard[k])].a);
    if (all != has (piece->part.edges.data, piece->part.edges.count, (uint32_t) i))
      return "edges that are not those of the reads";
  }
  for (size_t i = 0; i < t->part.clauses.count; i++) {
    bool all = true;
    for (const int32_t *literal = p->clauses.data + t->part.clauses.data[i]; *literal; literal++)
      all = all && has (reads, count, p->variables.data[abs (*literal)].a);
    if (all != has (piece->part.clauses.data, piece->part.clauses.count, t->part.clauses.data[i]))
      return "clauses that are not those of the reads";
  }
  return NULL;
}

TEST pieces_of_suspects (void) {
  const uint32_t reads[2] = { 1, 3 };
  const struct suspects suspects = { .reads = reads, .read_count = 2 };
  unsigned pieces = 0;
  for (uint64_t index = 0; index < TRIALS; index++) {
    struct prng random = prng_fork (92, index);
    struct trial trial;
    struct piece piece;
    make_trial (&trial, &random);
    const char *wrong = NULL;
    if (piece_of_suspects (&trial.problem, &trial.part, trial.point, trial.problem.points, &suspects, &piece)) {
      wrong = check_reads (&trial, reads, 2, &piece);
      pieces++;
      discard (&piece);
    }
    free_trial (&trial);
    if (wrong)
      FAILm (wrong);
  }
  ASSERT (pieces > TRIALS / 10);
  PASS ();
}

SUITE (windows) {
  RUN_TEST (windows_of_random_problems);
  RUN_TEST (pieces_of_suspects);
}

KRAIT_UNIT_MAIN (RUN_SUITE (windows);)
