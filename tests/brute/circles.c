// Circles that are shown with an invalid verdict, on small random histories: each is one that the
// level proscribes (proscribed.h).
//
// - at every level by itself: what the check came upon;
// - at every level in turn, those of the explanation and of its cases;
// - when all levels are asked at once, and most verdicts follow from others.
//
//   circles [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]
//     [--levels=NAME]

#include "api/explanation.h"
#include "api/lattice_order.h"
#include "explain/violation_words.h"
#include "history/statistics.h"
#include "levels/levels.h"
#include "proscribed.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

struct tally {
  const struct run *run;
  uint64_t passed, failed, skipped, shown;
  uint64_t index;
};

static void try_circle (struct tally *c, const struct history *h, const struct brute_options *brute,
                        const struct check_result *result, const struct violation_edge *edges, size_t count,
                        const char *whose) {
  const struct violation *v = result->violation;
  if (!count)
    return;
  const char *why = why_not_proscribed (violation_history (v, h), result->level, edges, count);
  c->shown++;
  c->passed += !why;
  c->failed += why != NULL;
  if (!why || c->failed > 5)
    return;
  fprintf (stderr, "%s: %s (%s): %s\n", result->level, whose, violation_class (v), why);
  char *explanation = violation_explanation (v, h);
  fprintf (stderr, "%s", explanation);
  mem_free (explanation);
  run_tell (c->run, c->index, brute, h);
}

static void try_result (struct tally *c, const struct history *h, const struct brute_options *brute,
                        const struct check_result *result, const char *whose) {
  const struct violation *v = result->violation;
  size_t count;
  const struct violation_edge *edges = violation_circle (v, &count);
  try_circle (c, h, brute, result, edges, count, whose);
  for (uint32_t at = violation_next_leaf (v, 0); at != CASE_NONE; at = violation_next_leaf (v, at + 1))
    try_circle (c, h, brute, result, v->edges.data + v->cases.data[at].first_edge, v->cases.data[at].edges, whose);
}

static void look_at (void *context, uint64_t index, const struct history *h, const struct brute_options *brute,
                     const struct level *level) {
  struct tally *c = context;
  c->index = index;
  struct check_options options = run_check_options (brute, level);
  struct check_result *result = check_history (h, &options);
  if (result->verdict == VERDICT_INVALID) {
    try_result (c, h, brute, result, "the check");
    if (c->run->single || (index + result->violation->involved.count) % 10 == 0) {
      explain_result (result, h, &options, &(struct part_limits){ .bounded = true });
      try_result (c, h, brute, result, "the explanation");
    }
  }
  check_result_free (result);
}

// As `check --level=all` does it.
static void look_at_all (struct tally *c, uint64_t index, const struct history *h, const struct brute_options *brute) {
  uint32_t count = 0;
  while (level_at (count))
    count++;
  c->index = index;
  struct check_options options = run_check_options (brute, level_at (0));
  struct check_result **results = MEM_ZARRAY (struct check_result *, count);
  struct lattice_order *order = lattice_order_new (all_levels (), count, history_has_times (h));
  for (uint32_t next; (next = lattice_order_next (order)) != LATTICE_NONE;) {
    options.level = level_at (next);
    results[next] = check_history (h, &options);
    lattice_order_tell (order, next, results[next]->verdict);
  }
  for (uint32_t i = 0; i < count; i++)
    if (!results[i])
      results[i] = lattice_result (level_at (i), results[lattice_order_settled_by (order, i)]);
  lattice_order_free (order);
  const struct level_results all = { all_levels (), results, count };
  for (int explained = 0; explained < 2; explained++) {
    for (uint32_t i = 0; i < count; i++)
      if (results[i]->verdict == VERDICT_INVALID)
        try_result (c, h, brute, results[i], explained ? "all levels, explained" : "all levels");
    if (!explained)
      explain_weakest (&all, h, &options, &(struct part_limits){ .bounded = true });
  }
  for (uint32_t i = 0; i < count; i++)
    check_result_free (results[i]);
  mem_free (results);
}

int main (int argc, char **argv) {
  struct run run = run_arguments (argc, argv, 240, 5000);
  struct tally c = { .run = &run };
  run_at_every_level (&run, look_at, &c);
  for (uint64_t index = run.first; index < run.first + run.count; index++) {
    struct random_mixture mixture = run.mixture;
    mixture.ops = mixture.ops == RANDOM_BASIC ? (enum random_ops) (index % 3) : mixture.ops;
    struct brute_options brute;
    struct history *h = random_history_of (run.seed, index, &mixture, &brute);
    look_at_all (&c, index, h, &brute);
    history_free (h);
  }
  return run_end (c.passed, c.failed, c.skipped);
}
