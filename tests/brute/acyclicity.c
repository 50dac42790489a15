// Problems that no history need have: points and known edges at random, hidden ones among them,
// edges of all roles with guards at random. Under every assignment of the problem's variables, the
// formula of each way to say acyclicity has a model just if no cycle and no forbidden path is
// there; and so has GNF, for all assignments together.
//
//   brute/acyclicity [--count=N] [--seed=S] [--only=INDEX]

#include "base/output.h"
#include "cnf/dimacs.h"
#include "solve/sat.h"
#include "tests/brute/prng.h"
#include "tests/brute/run.h"
#include "tests/support/gnf.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_POINTS = 7, MOST_VARIABLES = 6 };

// -------------------------------------------------------------------------------------- a problem

// By known edges in view.
static bool leads_to (const struct problem *problem, uint32_t from, uint32_t to) {
  bool found = from == to;
  for (uint32_t i = problem->known_first[from]; i < problem->known_first[from + 1] && !found; i++)
    found = (!problem->known_hidden || !problem->known_hidden[i]) && leads_to (problem, problem->known_to[i], to);
  return found;
}

static enum path_answer known_path (const struct problem *problem, uint32_t from, uint32_t to) {
  return leads_to (problem, from, to) ? PATH_KNOWN : PATH_NONE;
}

// Who cannot tell need not be asked.
static enum path_answer unsure_path (const struct problem *problem, uint32_t from, uint32_t to) {
  (void) problem;
  (void) from;
  (void) to;
  return PATH_UNSURE;
}

// Known edges run from lower points to higher ones.
static void draw_known (struct problem *problem, struct prng *prng) {
  const bool hides = prng_chance (prng, 50);
  VEC (uint32_t) to = VEC_EMPTY;
  VEC (uint8_t) hidden = VEC_EMPTY;
  problem->known_first = MEM_ZARRAY (uint32_t, problem->points + 1);
  for (uint32_t v = 0; v < problem->points; v++) {
    for (uint32_t w = v + 1; w < problem->points; w++)
      if (prng_chance (prng, 20)) {
        VEC_PUSH (to, w);
        VEC_PUSH (hidden, prng_chance (prng, 40));
      }
    problem->known_first[v + 1] = (uint32_t) to.count;
  }
  problem->known_to = to.data;
  problem->known_hidden = hides ? hidden.data : NULL;
  if (!hides)
    VEC_FREE (hidden);
}

static int32_t draw_literal (const struct problem *problem, struct prng *prng) {
  const int32_t variable = (int32_t) prng_between (prng, 1, problem_variables (problem));
  return prng_chance (prng, 50) ? variable : -variable;
}

// Now and then an edge has no guards, or leads to where it began.
static void draw_edge (struct problem *problem, struct prng *prng) {
  static const enum edge_role roles[] = { ROLE_PATH, ROLE_PATH, ROLE_PATH, ROLE_ORDER, ROLE_FORBID };
  struct guarded_edge edge = { .role = roles[prng_below (prng, 5)] };
  edge.from = prng_below (prng, problem->points);
  edge.to = prng_below (prng, problem->points);
  if (edge.from == edge.to && prng_chance (prng, 90))
    edge.to = (edge.to + 1) % problem->points;
  const unsigned guards = prng_chance (prng, 3) ? 0 : prng_chance (prng, 60) ? 1 : prng_between (prng, 2, MOST_GUARDS);
  for (unsigned i = 0; i < guards; i++)
    edge.guard[i] = draw_literal (problem, prng);
  VEC_PUSH (problem->edges, edge);
}

static struct problem *draw_problem (struct prng *prng) {
  struct problem *problem = mem_zalloc (sizeof *problem);
  const unsigned variables = prng_between (prng, 1, MOST_VARIABLES), edges = prng_between (prng, 1, 14);
  problem->points = prng_between (prng, 2, MOST_POINTS);
  for (unsigned v = 0; v <= variables; v++)
    VEC_PUSH (problem->variables, (struct variable){ .kind = VARIABLE_ALTERNATIVE, .b = v });
  problem->path = prng_chance (prng, 70) ? known_path : unsure_path;
  draw_known (problem, prng);
  for (unsigned i = 0; i < edges; i++)
    draw_edge (problem, prng);
  for (unsigned i = prng_below (prng, 3); i; i--) {
    VEC_PUSH (problem->clauses, draw_literal (problem, prng));
    VEC_PUSH (problem->clauses, draw_literal (problem, prng));
    VEC_PUSH (problem->clauses, 0);
  }
  return problem;
}

// ---------------------------------------------------------------------------------- what is true

static bool is_true (unsigned assignment, int32_t literal) {
  return (assignment >> ((literal < 0 ? -literal : literal) - 1) & 1) == (literal > 0);
}

static bool clauses_hold (const struct problem *problem, unsigned assignment) {
  bool holds = false;
  for (size_t i = 0; i < problem->clauses.count; i++) {
    const int32_t literal = problem->clauses.data[i];
    if (!literal && !holds)
      return false;
    holds = literal && (holds || is_true (assignment, literal));
  }
  return true;
}

static bool is_there (const struct guarded_edge *edge, unsigned assignment) {
  for (unsigned i = 0; i < MOST_GUARDS && edge->guard[i]; i++)
    if (!is_true (assignment, edge->guard[i]))
      return false;
  return true;
}

typedef bool relation[MOST_POINTS][MOST_POINTS];

// Which points lead to which, by at least one edge.
static void find_paths (const struct problem *problem, unsigned assignment, bool in_view, relation leads) {
  memset (leads, 0, sizeof (relation));
  for (uint32_t v = 0; v < problem->points; v++)
    for (uint32_t i = problem->known_first[v]; i < problem->known_first[v + 1]; i++)
      if (!in_view || !problem->known_hidden || !problem->known_hidden[i])
        leads[v][problem->known_to[i]] = true;
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (edge->role != ROLE_FORBID && !(in_view && edge->role == ROLE_ORDER) && is_there (edge, assignment))
      leads[edge->from][edge->to] = true;
  }
  for (uint32_t k = 0; k < problem->points; k++)
    for (uint32_t v = 0; v < problem->points; v++)
      for (uint32_t w = 0; w < problem->points; w++)
        leads[v][w] |= leads[v][k] && leads[k][w];
}

static bool is_model (const struct problem *problem, unsigned assignment) {
  relation any, in_view;
  if (!clauses_hold (problem, assignment))
    return false;
  find_paths (problem, assignment, false, any);
  find_paths (problem, assignment, true, in_view);
  for (uint32_t v = 0; v < problem->points; v++)
    if (any[v][v])
      return false;
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    if (edge->role == ROLE_FORBID && is_there (edge, assignment)
        && (edge->from == edge->to || in_view[edge->to][edge->from]))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------- what is said

static void take (void *sat, int32_t literal) {
  sat_add (sat, literal);
}

// The first assignment about which the formula errs; -1: none.
static int first_error (const struct problem *problem, const struct acyclicity *acyclicity) {
  struct sat *sat = sat_new (0);
  struct formula formula = { .take = take, .context = sat };
  const unsigned all = 1u << problem_variables (problem);
  unsigned assignment = 0;
  acyclicity_compile (problem, acyclicity, &formula);
  for (; assignment < all; assignment++) {
    for (int32_t v = 1; v <= (int32_t) problem_variables (problem); v++)
      sat_assume (sat, is_true (assignment, v) ? v : -v);
    if ((sat_solve (sat, NULL) == SAT_YES) != is_model (problem, assignment))
      break;
  }
  formula_free (&formula);
  sat_free (sat);
  return assignment == all ? -1 : (int) assignment;
}

static bool gnf_is_right (const struct problem *problem) {
  struct output *text = output_open_memory ();
  struct gnf_answer answer;
  struct error error = { 0 };
  const struct dimacs file = { .problem = problem, .options = "", .remarks = "" };
  size_t length;
  bool any = false;
  for (unsigned assignment = 0; assignment < 1u << problem_variables (problem) && !any; assignment++)
    any = is_model (problem, assignment);
  const bool fine = dimacs_write (&file, text, &error);
  const char *bytes = output_memory (text, &length);
  gnf_solve (bytes, length, &answer);
  const bool right = fine && !answer.wrong && answer.satisfiable == any;
  if (!right)
    fprintf (stderr, "%s\n%.*s", answer.wrong ? answer.wrong : "another answer:", (int) length, bytes);
  VEC_FREE (answer.values);
  output_discard (text);
  return right;
}

struct tally {
  uint64_t passed, failed, models;
};

static void count (struct tally *tally, bool right) {
  tally->passed += right;
  tally->failed += !right;
}

static void try_problem (struct tally *tally, const struct run *run, uint64_t index) {
  struct prng prng = prng_fork (run->seed, index);
  struct problem *problem = draw_problem (&prng);
  for (const struct acyclicity *a = acyclicities; a->name; a++) {
    const int wrong = first_error (problem, a);
    if (wrong >= 0)
      fprintf (stderr, "seed %" PRIu64 ", problem %" PRIu64 ", %s: wrong about assignment %d\n", run->seed, index,
               a->name, wrong);
    count (tally, wrong < 0);
  }
  const bool right = gnf_is_right (problem);
  if (!right)
    fprintf (stderr, "seed %" PRIu64 ", problem %" PRIu64 ", gnf\n", run->seed, index);
  count (tally, right);
  for (unsigned assignment = 0; assignment < 1u << problem_variables (problem); assignment++)
    tally->models += is_model (problem, assignment);
  problem_free (problem);
}

int main (int argc, char **argv) {
  const struct run run = run_arguments (argc, argv, 2000, 100000);
  struct tally tally = { 0 };
  for (uint64_t index = run.first; index < run.first + run.count; index++)
    try_problem (&tally, &run, index);
  printf ("%" PRIu64 " models\n", tally.models);
  return run_end (tally.passed, tally.failed, 0);
}
