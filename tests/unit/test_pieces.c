// Pieces of made-up problems: each holds what is demanded of the suspects, and nothing else.

#include "greatest_main.h"
#include "solve/pieces.h"
#include "tests/brute/prng.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 3000, MOST_POINTS = 14, MOST_EDGES = 30, MOST_VARIABLES = 14 };

struct trial {
  struct problem problem;
  struct component part;
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
  component_clear (&t->part);
}

static bool has (const uint32_t *numbers, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; i++)
    if (numbers[i] == wanted)
      return true;
  return false;
}

static void discard (struct piece *piece) {
  component_clear (&piece->part);
  mem_free (piece->point);
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

SUITE (pieces) {
  RUN_TEST (pieces_of_suspects);
}

KRAIT_UNIT_MAIN (RUN_SUITE (pieces);)
