// Parts of made-up problems, against mutual reachability and connectedness worked out naively.

#include "greatest_main.h"
#include "solve/components.h"
#include "tests/brute/prng.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 12, MOST_EDGES = 20, MOST_VARIABLES = 14 };

struct trial {
  struct problem problem;
  bool path[MOST_POINTS][MOST_POINTS]; // known or guarded
};

static void make_edges (struct trial *t, struct prng *random) {
  struct problem *p = &t->problem;
  const uint32_t variables = problem_variables (p);
  for (unsigned i = prng_below (random, MOST_EDGES); i; i--) {
    struct guarded_edge edge = { .from = prng_below (random, p->points), .to = prng_below (random, p->points) };
    const unsigned guards = prng_between (random, 1, MOST_GUARDS);
    for (unsigned k = 0; k < guards; k++) {
      const int32_t variable = (int32_t) prng_between (random, 1, variables);
      edge.guard[k] = prng_chance (random, 50) ? variable : -variable;
    }
    VEC_PUSH (p->edges, edge);
    t->path[edge.from][edge.to] = true;
  }
}

static void make_trial (struct trial *t, struct prng *random) {
  struct problem *p = &t->problem;
  memset (t, 0, sizeof *t);
  p->points = prng_between (random, 1, MOST_POINTS);
  for (unsigned left = 1 + prng_between (random, 1, MOST_VARIABLES); left; left--)
    VEC_PUSH (p->variables, (struct variable){ 0 });
  p->known_first = MEM_ARRAY (uint32_t, p->points + 1);
  p->known_to = MEM_ARRAY (uint32_t, p->points * p->points);
  const unsigned density = prng_below (random, 30);
  uint32_t count = 0;
  for (uint32_t v = 0; v < p->points; v++) {
    p->known_first[v] = count;
    for (uint32_t u = v + 1; u < p->points; u++)
      if (prng_chance (random, density))
        t->path[v][p->known_to[count++] = u] = true;
  }
  p->known_first[p->points] = count;
  make_edges (t, random);
  for (unsigned i = prng_below (random, 5); i; i--) {
    for (unsigned k = prng_between (random, 1, 3); k; k--)
      VEC_PUSH (p->clauses, (int32_t) prng_between (random, 1, problem_variables (p)));
    VEC_PUSH (p->clauses, 0);
  }
  for (uint32_t via = 0; via < p->points; via++)
    for (uint32_t v = 0; v < p->points; v++)
      for (uint32_t u = 0; u < p->points; u++)
        t->path[v][u] |= t->path[v][via] && t->path[via][u];
}

static void free_trial (struct trial *t) {
  VEC_FREE (t->problem.variables);
  VEC_FREE (t->problem.edges);
  VEC_FREE (t->problem.clauses);
  mem_free (t->problem.known_first);
  mem_free (t->problem.known_to);
}

static bool together (const struct trial *t, uint32_t v, uint32_t u) {
  return v == u || (t->path[v][u] && t->path[u][v]);
}

static uint32_t variable_of (int32_t literal) {
  return (uint32_t) abs (literal);
}

// Which variables must stay together: class[v] is the smallest of them.
static void connect (const struct trial *t, uint32_t *class) {
  const struct problem *p = &t->problem;
  const uint32_t variables = problem_variables (p);
  bool linked[MOST_VARIABLES + 2][MOST_VARIABLES + 2] = { { false } };
  for (size_t a = 0; a < p->edges.count; a++)
    for (size_t b = 0; b < p->edges.count; b++) {
      const struct guarded_edge *x = &p->edges.data[a], *y = &p->edges.data[b];
      if (!together (t, x->from, x->to) || !together (t, y->from, y->to) || !together (t, x->from, y->from))
        continue;
      for (unsigned i = 0; i < MOST_GUARDS && x->guard[i]; i++)
        for (unsigned k = 0; k < MOST_GUARDS && y->guard[k]; k++)
          linked[variable_of (x->guard[i])][variable_of (y->guard[k])] = true;
    }
  for (size_t i = 0; i + 1 < p->clauses.count; i++)
    if (p->clauses.data[i] && p->clauses.data[i + 1])
      linked[variable_of (p->clauses.data[i])][variable_of (p->clauses.data[i + 1])] =
        linked[variable_of (p->clauses.data[i + 1])][variable_of (p->clauses.data[i])] = true;
  for (uint32_t via = 1; via <= variables; via++)
    for (uint32_t v = 1; v <= variables; v++)
      for (uint32_t u = 1; u <= variables; u++)
        linked[v][u] |= linked[v][via] && linked[via][u];
  for (uint32_t v = 1; v <= variables; v++) {
    class[v] = v;
    for (uint32_t u = variables; u; u--)
      if (linked[v][u] && u < class[v])
        class[v] = u;
  }
}

static const char *check_parts (const struct trial *t, const struct components *parts, bool split, bool smallest) {
  const struct problem *p = &t->problem;
  const uint32_t variables = problem_variables (p);
  uint32_t part_of[MOST_VARIABLES + 2], class[MOST_VARIABLES + 2], classes = 0;
  memset (part_of, 0xff, sizeof part_of);
  connect (t, class);
  for (uint32_t i = 0; i < parts->count; i++)
    for (size_t k = 0; k < parts->part[i].variables.count; k++) {
      if (part_of[parts->part[i].variables.data[k]] != UINT32_MAX)
        return "a variable in two parts";
      part_of[parts->part[i].variables.data[k]] = i;
    }
  for (uint32_t v = 1; v <= variables; v++) {
    classes += class[v] == v;
    if (part_of[v] == UINT32_MAX)
      return "a variable in no part";
    if (part_of[v] != part_of[class[v]])
      return "what belongs together is apart";
  }
  if (split && smallest && classes != parts->count)
    return "what is independent is together";
  if (!split && parts->count != 1)
    return "more than one part";
  size_t edges = 0, inside = 0;
  for (size_t i = 0; i < p->edges.count; i++)
    inside += !split || together (t, p->edges.data[i].from, p->edges.data[i].to);
  for (uint32_t i = 0; i < parts->count; i++) {
    edges += parts->part[i].edges.count;
    for (size_t k = 0; k < parts->part[i].edges.count; k++)
      if (part_of[variable_of (p->edges.data[parts->part[i].edges.data[k]].guard[0])] != i)
        return "an edge in another part than its guards";
    for (size_t k = 0; k < parts->part[i].clauses.count; k++)
      if (part_of[variable_of (p->clauses.data[parts->part[i].clauses.data[k]])] != i)
        return "a clause in another part than its variables";
  }
  return edges == inside ? NULL : "another number of edges";
}

static const char *check_scc (const struct trial *t, const struct components *parts) {
  for (uint32_t v = 0; v < t->problem.points; v++)
    for (uint32_t u = 0; u < t->problem.points; u++)
      if ((parts->scc[v] == parts->scc[u]) != together (t, v, u))
        return "other components";
  return NULL;
}

static size_t clause_count (const struct problem *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->clauses.count; i++)
    count += !p->clauses.data[i];
  return count;
}

TEST random_problems (void) {
  for (uint64_t index = 0; index < 5000; index++) {
    static struct trial trial;
    struct prng random = prng_fork (3, index);
    make_trial (&trial, &random);
    const bool split = prng_chance (&random, 80);
    const uint32_t wanted = prng_chance (&random, 50) ? 1 : prng_between (&random, 2, 6);
    struct components *parts = problem_components (&trial.problem, split, wanted);
    const char *wrong = split ? check_scc (&trial, parts) : NULL;
    wrong = wrong ? wrong : check_parts (&trial, parts, split, wanted == 1);
    size_t clauses = 0;
    for (uint32_t i = 0; i < parts->count; i++)
      clauses += parts->part[i].clauses.count;
    if (!wrong && clauses != clause_count (&trial.problem))
      wrong = "another number of clauses";
    components_free (parts);
    free_trial (&trial);
    if (wrong) {
      printf ("trial %llu\n", (unsigned long long) index);
      FAILm (wrong);
    }
  }
  PASS ();
}

TEST small_parts_are_put_together (void) {
  struct problem p = { 0 };
  const uint32_t first[1] = { 0 };
  for (unsigned v = 0; v <= 100; v++)
    VEC_PUSH (p.variables, (struct variable){ 0 });
  p.known_first = (uint32_t *) first;
  struct components *parts = problem_components (&p, true, 10);
  ASSERT_EQ (10, parts->count);
  for (uint32_t i = 0; i < parts->count; i++)
    ASSERT_EQ (10, parts->part[i].variables.count);
  components_free (parts);
  VEC_FREE (p.variables);
  PASS ();
}

SUITE (components) {
  RUN_TEST (random_problems);
  RUN_TEST (small_parts_are_put_together);
}

KRAIT_UNIT_MAIN (RUN_SUITE (components);)
