// The search for a run against the brute-force checker: on small histories it looks at all runs,
// and finds one if and only if the level holds. Before saturation and after it, with layers of any
// width, so that it has to go back.
//
//   runs [--count=N] [--seed=S] [--only=INDEX] [--levels=A,B] [--ops=basic|all|lists]
//     [--unknown=often]

#include "saturate/runs.h"
#include "api/check.h"
#include "ir/ir.h"
#include "levels/levels.h"
#include "prng.h"
#include "random_history.h"
#include "run.h"
#include "story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
  "serializable",       "strong-session-serializable",       "strict-serializable",
  "snapshot-isolation", "strong-session-snapshot-isolation", "strict-snapshot-isolation",
  "prefix-consistency", "strict-prefix-consistency",
};
enum { LEVELS = sizeof names / sizeof *names };

// How a search is done.
struct manner {
  const struct brute_options *brute;
  unsigned level; // of the brute force
  bool saturated;
  struct runs_limits limits;
};

struct test {
  const struct run *run;
  uint64_t passed, failed, skipped;
  uint64_t of[LEVELS][2]; // by the brute force's verdict
};

static enum runs_outcome search_ir (const struct ir *ir, const struct manner *manner) {
  struct graph *graph = graph_new (ir, ROWS_AUTO);
  struct saturation *saturation = saturation_new (graph);
  enum runs_outcome outcome = RUNS_NONE;
  point_vec order = VEC_EMPTY;
  if (!manner->saturated || saturate (saturation, true, NULL) == SATURATE_SETTLED)
    outcome = runs_search (saturation, &manner->limits, &order);
  VEC_FREE (order);
  saturation_free (saturation);
  graph_free (graph);
  return outcome;
}

// RUNS_GAVE_UP: nothing can be said.
static enum runs_outcome search (const struct history *h, const struct manner *manner) {
  struct check_options options;
  check_options_default (&options);
  options.level = level_find (brute_level_name (manner->level));
  options.clock_skew = manner->brute->clock_skew;
  options.own_writes = (enum own_writes) story_own_writes (h, manner->brute);
  struct check_subject *subject = check_subject_new (h, &options, level_needs_events (options.level));
  struct lowered *lowered = check_subject_lower (subject, &options, false);
  const struct ir *ir = lowered->ir;
  enum runs_outcome outcome = RUNS_GAVE_UP;
  // runs know nothing of version orders that an unknown transaction would bring: that is left for
  // whoever takes the witness
  if (!ir->undefined && !ir->tentative && !(ir_has_unknown (ir) && ir->order_count))
    outcome = ir_contradiction (ir) ? RUNS_NONE : search_ir (ir, manner);
  lowered_free (lowered);
  check_subject_free (subject);
  return outcome;
}

static bool is_wrong (const struct history *h, void *context) {
  const struct manner *manner = context;
  struct brute_verdicts brute;
  if (!brute_judge (h, manner->brute, &brute) || brute.of[manner->level] == BRUTE_UNDEFINED)
    return false;
  const enum runs_outcome outcome = search (h, manner);
  return outcome != RUNS_GAVE_UP && (outcome == RUNS_FOUND) != (brute.of[manner->level] == BRUTE_HOLDS);
}

static void look (struct test *t, uint64_t index, const struct history *h, struct manner *manner, bool holds,
                  unsigned number) {
  const enum runs_outcome outcome = search (h, manner);
  if (t->run->single)
    fprintf (stderr, "%-40s outcome %d, %s\n", names[number], (int) outcome, holds ? "holds" : "fails");
  t->of[number][holds] += outcome != RUNS_GAVE_UP;
  if (outcome == RUNS_GAVE_UP)
    t->skipped++;
  else if ((outcome == RUNS_FOUND) == holds)
    t->passed++;
  else if (t->failed++ < 5) {
    fprintf (stderr, "history %" PRIu64 ", %s%s, width %u: %s\n", index, names[number],
             manner->saturated ? " after saturation" : "", manner->limits.width,
             holds ? "there is a run, and none was found" : "a run was found, and the level does not hold");
    run_report (t->run, index, manner->brute, h, is_wrong, manner);
  }
}

static void test_history (struct test *t, uint64_t index) {
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_BASIC, RANDOM_LISTS };
  struct random_mixture mixture = t->run->mixture;
  struct brute_options options;
  struct brute_verdicts brute;
  if (mixture.ops == RANDOM_BASIC)
    mixture.ops = mixtures[index % 4];
  mixture.often_unknown |= index % 3 == 0;
  struct history *h = random_history_of (t->run->seed, index, &mixture, &options);
  struct prng prng = prng_fork (t->run->seed + 5, index);
  if (t->run->single)
    run_tell (t->run, index, &options, h);
  const bool judged = brute_judge (h, &options, &brute);
  for (unsigned i = 0; i < LEVELS; i++) {
    struct manner manner = { .brute = &options,
                             .level = (unsigned) brute_level_find (names[i]),
                             .saturated = prng_chance (&prng, 50),
                             .limits = { .width = prng_below (&prng, 4) } };
    if (judged && brute.of[manner.level] != BRUTE_UNDEFINED && (!t->run->levels || strstr (t->run->levels, names[i])))
      look (t, index, h, &manner, brute.of[manner.level] == BRUTE_HOLDS, i);
    else
      t->skipped++;
  }
  history_free (h);
}

int main (int argc, char **argv) {
  enum { ENOUGH_TO_COUNT = 1000 };
  const struct run run = run_arguments (argc, argv, 8000, 150000);
  static struct test t;
  t.run = &run;
  for (uint64_t index = run.first; index < run.first + run.count; index++)
    test_history (&t, index);
  for (unsigned i = 0; i < LEVELS; i++) {
    const bool enough =
      run.count < ENOUGH_TO_COUNT || run.levels || (t.of[i][0] >= run.count / 50 && t.of[i][1] >= run.count / 50);
    t.failed += !enough;
    printf ("%-40s %8" PRIu64 " hold %8" PRIu64 " do not%s\n", names[i], t.of[i][1], t.of[i][0],
            enough ? "" : ", which is too few");
  }
  return run_end (t.passed, t.failed, t.skipped);
}
