// A made-up encoding, which is in no table: a variable for every two installers of a key, where the
// product's has one for every two transactions; exactly one source for each open read, where the
// product's asks for at least one. Short, and plainly right, for levels at which every dependency
// is an edge between transactions, and histories in which nothing but sources and orders is open.
//
//   madeup/pairs_by_key [--count=N] [--seed=S] [--only=INDEX]
//
// Verdicts must be the same, at every form of serializability, with saturation and without.

#include "api/check.h"
#include "cnf/encoder.h"
#include "cnf/encodings.h"
#include "levels/levels.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/run.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t point_of (const struct encoder *e, uint32_t install) {
  return graph_point (e->g, e->ir->install_node[install], 0);
}

// The reader comes before the install `p` of what it read, if both literals hold.
static void read_before (struct encoder *e, uint32_t read, uint32_t p, int32_t a, int32_t b) {
  if (graph_reader (e->g, read) != e->ir->install_node[p])
    encoder_edge (e, graph_point (e->g, graph_reader (e->g, read), 0), point_of (e, p), EDGE_RW, e->ir->read_key[read],
                  (struct guards){ { a, b } });
}

// ----------------------------------------------------------------------------------------- sources

static void exactly_one (struct encoder *e, int32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      encoder_clause2 (e, -(first + (int32_t) i), -(first + (int32_t) k));
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH (e->problem->clauses, first + (int32_t) i);
  VEC_PUSH (e->problem->clauses, 0);
}

// Whoever is known to come behind the source comes behind the reader.
static void source_is (struct encoder *e, uint32_t read, uint32_t source, int32_t if_so) {
  const uint32_t key = e->ir->read_key[read];
  if (source != SOURCE_INITIAL)
    encoder_edge (e, point_of (e, source), graph_point (e->g, graph_reader (e->g, read), 0), EDGE_WR, key,
                  (struct guards){ { if_so } });
  for (uint32_t p = e->ir->key_first[key]; p < e->ir->key_first[key + 1]; p++)
    if (source == SOURCE_INITIAL || (p != source && graph_reaches (e->g, point_of (e, source), point_of (e, p))))
      read_before (e, read, p, if_so, 0);
}

static void encode_sources (struct encoder *e) {
  e->open_variable = MEM_ARRAY (int32_t, e->s->open.count);
  for (size_t i = 0; i < e->s->open.count; i++) {
    const struct open_read *open = &e->s->open.data[i];
    e->open_variable[i] = (int32_t) e->problem->variables.count;
    for (uint32_t k = 0; k < open->count; k++) {
      const uint32_t source = e->s->candidates.data[open->first + k];
      source_is (e, open->read, source, encoder_variable (e, VARIABLE_SOURCE, open->read, source, k == 0));
    }
    exactly_one (e, e->open_variable[i], open->count);
  }
}

// ------------------------------------------------------------------------------------------ orders

// `order` says that the first version comes before the second one.
static void encode_order (struct encoder *e, uint32_t first, uint32_t second, int32_t order) {
  const uint32_t key = graph_key (e->g, first);
  encoder_edge (e, point_of (e, first), point_of (e, second), EDGE_WW, key, (struct guards){ { order } });
  for (uint32_t read = 0; read < e->ir->reads; read++)
    if (e->ir->read_key[read] == key && e->g->read_writer[read] == e->ir->install_node[first])
      read_before (e, read, second, order, 0);
  for (size_t i = 0; i < e->s->open.count; i++)
    for (uint32_t k = 0; k < e->s->open.data[i].count; k++)
      if (e->s->candidates.data[e->s->open.data[i].first + k] == first)
        read_before (e, e->s->open.data[i].read, second, order, e->open_variable[i] + (int32_t) k);
}

static struct problem *encode (const struct to_encode *input) {
  const struct graph *g = input->saturation->graph;
  struct problem *problem = mem_zalloc (sizeof *problem);
  struct encoder e = { .problem = problem, .s = input->saturation, .g = g, .ir = g->ir, .rules = &g->ir->rules };
  VEC_PUSH (problem->variables, (struct variable){ 0 });
  VEC_PUSH (problem->phases, 0);
  encode_sources (&e);
  for (size_t i = 0; i < input->pairs->count; i++) {
    const struct open_pair *pair = &input->pairs->data[i];
    const int32_t order = encoder_variable (&e, VARIABLE_PAIR, pair->first, pair->second, true);
    encode_order (&e, pair->first_install, pair->second_install, order);
    encode_order (&e, pair->second_install, pair->first_install, -order);
  }
  encoder_paths (&e, input->saturation->graph, input->rank);
  mem_free (e.open_variable);
  return problem;
}

static const struct encoding pairs_by_key = { "pairs-by-key", "a variable for every two installers of a key",
                                              refuses_nothing, encode };

// ---------------------------------------------------------------------------------- the comparison

static bool is_for_it (const struct history *h) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    if (h->txn_status.data[txn] == TXN_UNKNOWN)
      return false;
  return h->init != INIT_ANY;
}

struct tally {
  uint64_t passed, failed, skipped, searched, of[3];
};

static void compare (struct tally *tally, const struct run *run, uint64_t index, const struct history *h,
                     const struct brute_options *brute, const char *level) {
  struct prng prng = prng_fork (~run->seed, index);
  struct check_options options = run_check_options (brute, level_find (level));
  struct check_result *expected = check_history (h, &options);
  options.steps.guess = options.steps.run_search = options.steps.stronger_first = false;
  options.steps.saturation = prng_chance (&prng, 50);
  options.encoding = &pairs_by_key;
  struct check_result *found = check_history (h, &options);
  const bool same = found->verdict == expected->verdict;
  tally->of[expected->verdict]++;
  tally->searched += found->effort.used_solver;
  tally->passed += same;
  tally->failed += !same;
  if (!same) {
    fprintf (stderr, "%s: %s, and %s with the made-up encoding\n", level, verdict_name (expected->verdict),
             verdict_name (found->verdict));
    run_tell (run, index, brute, h);
  }
  check_result_free (found);
  check_result_free (expected);
}

int main (int argc, char **argv) {
  static const char *const levels[] = { "serializable", "strong-session-serializable", "strict-serializable" };
  const struct run run = run_arguments (argc, argv, 8000, 100000);
  struct tally tally = { 0 };
  for (uint64_t index = run.first; index < run.first + run.count; index++) {
    struct brute_options brute;
    struct history *h = random_history (run.seed, index, &brute);
    for (unsigned i = 0; i < 3; i++)
      if (is_for_it (h))
        compare (&tally, &run, index, h, &brute, levels[i]);
      else
        tally.skipped++;
    history_free (h);
  }
  printf ("%" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64 " searched\n", tally.of[VERDICT_VALID],
          tally.of[VERDICT_INVALID], tally.searched);
  if (!run.single && tally.searched < run.count / 20) // it would prove little
    tally.failed++;
  return run_end (tally.passed, tally.failed, tally.skipped);
}
