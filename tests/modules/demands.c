// Random demands of a module on random histories, at every level, against the brute-force checker, which tries every alternative in every world.
//
//   demands [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]

#include "api/check.h"
#include "krait/module.h"
#include "levels/levels.h"
#include "modules/modules.h"
#include "prng.h"
#include "random_history.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEMANDS = 3, MOST_REPORTS = 5 };

struct test {
  struct run run;
  uint64_t passed, failed, skipped;
  uint64_t of[2];
};

// What the module demands, as it was drawn; a module has no context of its own.
static struct {
  struct prng prng;
  struct brute_demand demand[MOST_DEMANDS];
  unsigned count;
} drawn;

static bool draw_edge (const struct krait_host *host, struct krait_model *model, struct krait_edge *edge) {
  const uint32_t txns = host->transactions (model);
  for (unsigned tries = 0; tries < 20; tries++) {
    struct krait_transaction from, to;
    *edge = (struct krait_edge){ prng_below (&drawn.prng, txns), prng_below (&drawn.prng, txns) };
    if (edge->from != edge->to && !host->transaction (model, edge->from, &from)
        && !host->transaction (model, edge->to, &to) && from.status != KRAIT_ABORTED && to.status != KRAIT_ABORTED)
      return true;
  }
  return false;
}

static bool draw_condition (const struct krait_host *host, struct krait_model *model, struct krait_condition *condition,
                            struct brute_condition *same) {
  struct krait_read read;
  if (!host->reads (model))
    return false;
  condition->read = prng_below (&drawn.prng, host->reads (model));
  if (host->read (model, condition->read, &read) || !read.candidates
      || host->candidate (model, condition->read, prng_below (&drawn.prng, read.candidates), &condition->writer))
    return false;
  *same = (struct brute_condition){ read.transaction, read.operation, read.key, condition->writer };
  return true;
}

static int draw_demand (const struct krait_host *host, struct krait_model *model, struct brute_demand *same) {
  struct krait_condition conditions[DEMAND_CONDITIONS];
  struct krait_edge edges[DEMAND_ALTERNATIVES][DEMAND_EDGES];
  struct krait_alternative alternatives[DEMAND_ALTERNATIVES];
  memset (same, 0, sizeof *same);
  const unsigned wanted = prng_chance (&drawn.prng, 40) ? 0 : prng_between (&drawn.prng, 1, DEMAND_CONDITIONS);
  while (same->conditions < wanted
         && draw_condition (host, model, &conditions[same->conditions], &same->condition[same->conditions]))
    same->conditions++;
  unsigned left = prng_chance (&drawn.prng, 50) ? 1 : prng_between (&drawn.prng, 2, DEMAND_ALTERNATIVES);
  if (same->conditions && prng_chance (&drawn.prng, 25))
    left = 0;
  for (; left; left--) {
    struct brute_alternative *alternative = &same->alternative[same->alternatives];
    const unsigned most = prng_chance (&drawn.prng, 70) ? 1 : DEMAND_EDGES;
    struct krait_edge *of = edges[same->alternatives];
    for (; alternative->edges < most && draw_edge (host, model, &of[alternative->edges]); alternative->edges++) {
      alternative->edge[alternative->edges].from = of[alternative->edges].from;
      alternative->edge[alternative->edges].to = of[alternative->edges].to;
    }
    alternatives[same->alternatives++] = (struct krait_alternative){ of, alternative->edges };
  }
  if (!same->conditions && !same->alternatives)
    return 0;
  drawn.count++;
  return host->demand (model, conditions, same->conditions, alternatives, same->alternatives);
}

static int draw (const struct krait_host *host, struct krait_model *model) {
  const struct prng start = drawn.prng;
  drawn.count = 0;
  for (unsigned left = prng_between (&drawn.prng, 1, MOST_DEMANDS); left && host->transactions (model); left--)
    if (draw_demand (host, model, &drawn.demand[drawn.count]))
      return 1;
  drawn.prng = start; // the same next time
  return 0;
}

static void tell_demands (void) {
  for (unsigned i = 0; i < drawn.count; i++) {
    const struct brute_demand *demand = &drawn.demand[i];
    fprintf (stderr, "demand:");
    for (unsigned k = 0; k < demand->conditions; k++)
      fprintf (stderr, " [%" PRIu32 " op %" PRIu32 " key %" PRIu32 " from %d]", demand->condition[k].reader,
               demand->condition[k].operation, demand->condition[k].key, (int) demand->condition[k].writer);
    for (unsigned k = 0; k < demand->alternatives; k++) {
      fprintf (stderr, " |");
      for (unsigned e = 0; e < demand->alternative[k].edges; e++)
        fprintf (stderr, " %" PRIu32 "->%" PRIu32, demand->alternative[k].edge[e].from,
                 demand->alternative[k].edge[e].to);
    }
    fprintf (stderr, "\n");
  }
}

static void compare (struct test *test, uint64_t index, const struct history *h, const struct check_options *check,
                     const struct brute_options *options, const struct brute_verdicts *brute) {
  for (unsigned level = 0; level < brute_levels (); level++) {
    struct check_options now = *check;
    now.level = level_find (brute_level_name (level));
    if (!now.level) {
      test->skipped++;
      continue;
    }
    struct check_result *result = check_history (h, &now);
    const enum verdict expected = brute->of[level] == BRUTE_HOLDS   ? VERDICT_VALID
                                  : brute->of[level] == BRUTE_FAILS ? VERDICT_INVALID
                                                                    : VERDICT_UNKNOWN;
    if (expected != VERDICT_UNKNOWN)
      test->of[expected == VERDICT_VALID]++;
    if (result->verdict == expected)
      test->passed++;
    else if (test->failed++ < MOST_REPORTS) {
      fprintf (stderr, "history %" PRIu64 ", %s: the checker says %s, the brute force %s%s%s\n", index,
               brute_level_name (level), verdict_name (result->verdict), verdict_name (expected),
               result->reason ? "; because " : "", result->reason ? result->reason : "");
      tell_demands ();
      run_tell (&test->run, index, options, h);
    }
    check_result_free (result);
  }
}

static void draw_steps (struct check_options *check) {
  struct prng *prng = &drawn.prng;
  if (prng_chance (prng, 50))
    return;
  check->steps = (struct check_steps){ prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 30),
                                       prng_chance (prng, 50), prng_chance (prng, 50), prng_chance (prng, 50),
                                       prng_chance (prng, 50) };
  check->rows = (enum rows_kind) prng_below (prng, ROWS_PARTIAL + 1);
}

static void test_history (struct test *test, uint64_t index, const struct module *module) {
  struct brute_options options;
  struct brute_verdicts brute;
  static const enum own_writes same[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  struct history *h = random_history_of (test->run.seed, index, &test->run.mixture, &options);
  struct check_options check;
  check_options_default (&check);
  check.own_writes = same[options.own_writes];
  check.clock_skew = options.clock_skew;
  check.threads = 1;
  check.modules = &module;
  check.module_count = 1;
  drawn.prng = prng_fork (~test->run.seed, index);
  draw_steps (&check);
  check.level = level_find ("serializable");
  struct check_subject *subject = check_subject_new (h, &check, true); // for what it demands
  if (check_subject_error (subject)) {
    fprintf (stderr, "history %" PRIu64 ": %s\n", index, check_subject_error (subject)->text);
    test->failed++;
  }
  check_subject_free (subject);
  options.demands = drawn.demand;
  options.demand_count = drawn.count;
  if (brute_judge (h, &options, &brute))
    compare (test, index, h, &check, &options, &brute);
  else
    test->skipped++;
  history_free (h);
}

int main (int argc, char **argv) {
  struct test test = { .run = run_arguments (argc, argv, 3000, 50000) };
  struct module *module = module_of ("drawn", "", draw);
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index, module);
  module_free (module);
  printf ("seed %" PRIu64 ": %" PRIu64 " valid, %" PRIu64 " invalid\n", test.run.seed, test.of[1], test.of[0]);
  return run_end (test.passed, test.failed, test.skipped);
}
