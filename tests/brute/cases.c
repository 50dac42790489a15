// Cases of small random histories (explain/cases.h), at every level. They come from the semantics
// and not from the checker, so that the two test each other:
//
// - a valid history is never refuted;
// - an invalid one is, but for a few whose trees are too large or that hold what cases do not deal
//   with; what is shown are circles, each edge of which starts where the one before ends, and no
//   two leaves assume the same.
//
//   cases [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]
//     [--levels=NAME]

#include "explain/cases.h"
#include "api/check.h"
#include "explain/violation_words.h"
#include "levels/levels.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

struct tally {
  const struct run *run;
  uint64_t passed, failed, skipped;
  struct run_share untold;
  uint64_t index;
};

static void say (struct tally *c, bool fine, const char *what, const struct brute_options *brute,
                 const struct level *level, const struct history *h) {
  c->passed += fine;
  c->failed += !fine;
  if (fine || c->failed > 5)
    return;
  fprintf (stderr, "%s: %s\n", level->name, what);
  run_tell (c->run, c->index, brute, h);
}

static bool is_circle (const struct violation *v, const struct violation_case *leaf) {
  for (uint32_t i = 0; i < leaf->edges; i++) {
    const struct violation_edge *edge = &v->edges.data[leaf->first_edge + i];
    const struct violation_edge *next = &v->edges.data[leaf->first_edge + (i + 1) % leaf->edges];
    if (edge->to.id != next->from.id || edge->from.id == edge->to.id || edge->from.initial || edge->to.initial)
      return false;
  }
  return leaf->edges > 1 || leaf->orphaned;
}

static bool all_are_circles (const struct violation *v) {
  for (size_t i = 0; i < v->cases.count; i++)
    if (v->cases.data[i].child == CASE_NONE && !is_circle (v, &v->cases.data[i]))
      return false;
  return true;
}

static void look_at (void *context, uint64_t index, const struct history *h, const struct brute_options *brute,
                     const struct level *level) {
  struct tally *c = context;
  c->index = index;
  struct check_options options = run_check_options (brute, level);
  struct check_result *result = check_history (h, &options);
  struct violation *cases = result->verdict == VERDICT_UNKNOWN ? NULL : cases_find (h, &options);
  const bool needs_no_circle = result->verdict == VERDICT_INVALID && result->violation->kind == VIOLATION_FAULT;
  if (result->verdict == VERDICT_VALID)
    say (c, !cases, "a valid history is refuted", brute, level, h);
  else if (result->verdict == VERDICT_UNKNOWN || needs_no_circle)
    c->skipped++;
  else {
    run_share_count (&c->untold, index, !cases);
    if (!cases && c->run->single)
      printf ("%s: untold\n", level->name);
    say (c, !cases || all_are_circles (cases), "something that is no circle", brute, level, h);
  }
  if (cases && c->run->single) {
    char *text = violation_explanation (cases, h);
    printf ("%s: %s (%s)\n%s", level->name, violation_class (cases), violation_name (cases), text);
    mem_free (text);
  }
  violation_free (cases);
  check_result_free (result);
}

int main (int argc, char **argv) {
  struct run run = run_arguments (argc, argv, 1000, 12000);
  struct tally c = { .run = &run, .untold.most = 0.1 };
  run_at_every_level (&run, look_at, &c);
  const bool too_many = run_share_is_too_large (&c.untold);
  printf ("%llu told, %llu not\n", (unsigned long long) (c.untold.all_cases - c.untold.all_hits),
          (unsigned long long) c.untold.all_hits);
  if (!run.single && too_many) {
    printf ("FAIL: too few are told\n");
    c.failed++;
  }
  return run_end (c.passed, c.failed, c.skipped);
}
