// The modules of docs/examples on random histories. Session order as a module against the level
// that has it; bounded staleness and monotonic reads against what they say about version orders,
// asked of every world of the brute force.
//
//   KRAIT_MODULES=DIR examples [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists]
//     [--unknown=often]

#include "api/check.h"
#include "levels/levels.h"
#include "modules/modules.h"
#include "tests/brute/judge.h"
#include "tests/brute/prng.h"
#include "tests/brute/random_history.h"
#include "tests/brute/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPORTS = 5, DELTAS = 3 };

static const int64_t deltas[DELTAS] = { 0, 3, 10 };

struct test {
  struct run run;
  struct module *session_order, *monotonic_reads, *bounded_staleness[DELTAS];
  uint64_t passed, failed, skipped;
  uint64_t of[3][3]; // per example: verdicts
};

enum example { SESSION_ORDER, MONOTONIC_READS, BOUNDED_STALENESS };
static const char *const example_names[] = { "session order", "monotonic reads", "bounded staleness" };

static enum verdict judge_with (const struct history *h, const struct check_options *check, const char *level,
                                const struct module *module) {
  struct check_options now = *check;
  now.level = level_find (level);
  now.modules = &module;
  now.module_count = module != NULL;
  struct check_result *result = check_history (h, &now);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

static void expect (struct test *test, uint64_t index, const struct history *h, const struct brute_options *options,
                    enum example example, const char *level, enum verdict found, enum verdict expected) {
  test->of[example][expected]++;
  if (found == expected) {
    test->passed++;
    return;
  }
  if (test->failed++ >= MOST_REPORTS)
    return;
  fprintf (stderr, "history %" PRIu64 ", %s, %s: %s instead of %s\n", index, example_names[example], level,
           verdict_name (found), verdict_name (expected));
  run_tell (&test->run, index, options, h);
}

// ----------------------------------------------------------------------------------- session order

static void test_session_order (struct test *test, uint64_t index, const struct history *h,
                                const struct check_options *check, const struct brute_options *options) {
  for (size_t i = 0; level_at (i); i++) {
    char strong[80];
    snprintf (strong, sizeof strong, "strong-session-%s", level_at (i)->name);
    const struct level *same = level_find (strong);
    if (level_at (i)->rules.so.used || !same || !same->rules.so.used)
      continue;
    const enum verdict expected = judge_with (h, check, strong, NULL);
    const enum verdict found = judge_with (h, check, level_at (i)->name, test->session_order);
    expect (test, index, h, options, SESSION_ORDER, level_at (i)->name, found, expected);
  }
}

// ---------------------------------------------------------------------------------- version orders

// Where a version has no place, version orders are not chosen, and the levels judged then are not
// looked at.
static unsigned place_of (const struct world *w, unsigned key, unsigned node) {
  unsigned place = 0;
  while (place < w->versions[key] && w->order[key][place] != node)
    place++;
  return place;
}

static bool is_earlier (const struct history *h, const struct story_read *a, const struct story_read *b) {
  if (h->txn_sessions.data[a->reader - 1] != h->txn_sessions.data[b->reader - 1]
      || h->txn_status.data[a->reader - 1] != TXN_COMMITTED)
    return false;
  return a->reader != b->reader ? a->reader < b->reader : a->operation < b->operation;
}

static bool reads_are_monotonic (const struct world *w, const void *context) {
  for (unsigned a = 0; a < w->story->reads; a++)
    for (unsigned b = 0; b < w->story->reads; b++) {
      const struct story_read *first = &w->story->read[a], *second = &w->story->read[b];
      if (w->source[a] < STORY_NODES && w->source[b] < STORY_NODES && first->key == second->key
          && is_earlier (context, first, second)
          && place_of (w, first->key, w->source[a]) > place_of (w, first->key, w->source[b]))
        return false;
    }
  return true;
}

struct bound {
  const struct history *h;
  int64_t delta;
};

static bool misses (const struct bound *bound, const struct world *w, unsigned read, unsigned p) {
  const struct story_read *r = &w->story->read[read];
  const int64_t begin = history_begin_time (bound->h, r->reader - 1), end = history_end_time (bound->h, p - 1);
  return p != r->reader && bound->h->txn_status.data[p - 1] == TXN_COMMITTED && end != TIME_NONE_END
         && begin != TIME_NONE_BEGIN && end < begin - bound->delta
         && place_of (w, r->key, p) > place_of (w, r->key, w->source[read]);
}

static bool staleness_is_bounded (const struct world *w, const void *context) {
  for (unsigned read = 0; read < w->story->reads; read++)
    for (unsigned i = 1; w->source[read] < STORY_NODES && i < w->versions[w->story->read[read].key]; i++)
      if (misses (context, w, read, w->order[w->story->read[read].key][i]))
        return false;
  return true;
}

// Where a dependency between two writers of a key is what their version order is: not where version
// orders are hidden, or arrive in the middle of a transaction, or where reads say nothing.
static bool is_order_of_versions (const struct level *level) {
  return level && level->rules.wr.used && !level->rules.events && !level->rules.ww_hidden
         && level->rules.view == VIEW_PATHS && level->rules.ww.from + 1u == level->rules.points
         && level->rules.ww.to == 0;
}

static void test_orders (struct test *test, uint64_t index, const struct history *h, const struct check_options *check,
                         struct brute_options options, enum example example, const struct module *module) {
  struct brute_verdicts brute;
  if (!brute_judge (h, &options, &brute)) {
    test->skipped++;
    return;
  }
  for (unsigned i = 0; i < brute_levels (); i++) {
    const char *name = brute_level_name (i);
    if (brute.of[i] == BRUTE_UNDEFINED || !is_order_of_versions (level_find (name)))
      continue;
    expect (test, index, h, &options, example, name, judge_with (h, check, name, module),
            brute.of[i] == BRUTE_HOLDS ? VERDICT_VALID : VERDICT_INVALID);
  }
}

static bool has_unrecorded (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] == OP_DEL && !(history_flags (h, op) & OP_RESULT_KNOWN))
      return true;
  return false;
}

// --------------------------------------------------------------------------------------------- all

static void test_history (struct test *test, uint64_t index) {
  static const enum own_writes same[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  struct brute_options options;
  struct history *h = random_history_of (test->run.seed, index, &test->run.mixture, &options);
  struct check_options check;
  check_options_default (&check);
  check.own_writes = same[options.own_writes];
  check.clock_skew = options.clock_skew;
  check.threads = 1;
  test_session_order (test, index, h, &check, &options);
  options.accepts = reads_are_monotonic;
  options.context = h;
  test_orders (test, index, h, &check, options, MONOTONIC_READS, test->monotonic_reads);
  const struct bound bound = { h, deltas[index % DELTAS] };
  options.accepts = staleness_is_bounded;
  options.context = &bound;
  if (!has_unrecorded (h)) // the module lets a delete pass that may have written nothing
    test_orders (test, index, h, &check, options, BOUNDED_STALENESS, test->bounded_staleness[index % DELTAS]);
  history_free (h);
}

static struct module *load (const char *name, const char *argument) {
  char path[4096];
  struct error error = { 0 };
  snprintf (path, sizeof path, "%s/%s.so%s", getenv ("KRAIT_MODULES"), name, argument);
  struct module *module = module_load (path, &error);
  if (!module) {
    fprintf (stderr, "%s\n", error.text);
    exit (1);
  }
  return module;
}

int main (int argc, char **argv) {
  struct test test = { .run = run_arguments (argc, argv, 2000, 50000) };
  test.session_order = load ("session_order", "");
  test.monotonic_reads = load ("monotonic_reads", "");
  for (unsigned i = 0; i < DELTAS; i++) {
    char argument[32];
    snprintf (argument, sizeof argument, ":%" PRId64, deltas[i]);
    test.bounded_staleness[i] = load ("bounded_staleness", argument);
  }
  for (uint64_t index = test.run.first; index < test.run.first + test.run.count; index++)
    test_history (&test, index);
  for (unsigned i = 0; i < 3; i++)
    printf ("%s: %" PRIu64 " valid, %" PRIu64 " invalid\n", example_names[i], test.of[i][VERDICT_VALID],
            test.of[i][VERDICT_INVALID]);
  module_free (test.session_order);
  module_free (test.monotonic_reads);
  for (unsigned i = 0; i < DELTAS; i++)
    module_free (test.bounded_staleness[i]);
  return run_end (test.passed, test.failed, test.skipped);
}
