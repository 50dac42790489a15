// What a violation is called, on small random histories at every level: a class accuses the
// database of breaking the weakest level that proscribes it, with the session order and the real
// time that were asked for, and so that level must be broken. Both names are tested, the one that
// comes with a verdict and the one that its cases give.
//
//   classes [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often]
//     [--levels=NAME]

#include "api/check.h"
#include "explain/cases.h"
#include "explain/violation.h"
#include "levels/levels.h"
#include "run.h"

#include <stdio.h>
#include <string.h>

struct tally {
  const struct run *run;
  uint64_t passed, failed, skipped;
  uint64_t index;
};

static const struct {
  const char *class, *proscribed_at;
} accusations[] = {
  { "G0", "read-uncommitted" },        { "G1c", "read-committed" },       { "G-cursor", "cursor-stability" },
  { "G-monotonic", "monotonic-view" }, { "G-single", "consistent-view" }, { "G-nonadjacent", "snapshot-isolation" },
  { "G2-item", "repeatable-read" },    { "G2", "serializable" },
};

// Levels that have session order by definition are held against those with the prefix, and real
// time without session order against both.
static const char *prefix_of (const struct level *level) {
  return level->rules.rt.used ? "strict-" : level->rules.so.used ? "strong-session-" : "";
}

// NULL: this class accuses of nothing but itself (a value that nobody wrote, a module).
static const struct level *accused (const struct level *level, const char *class) {
  char name[64];
  for (size_t i = 0; class && i < sizeof accusations / sizeof *accusations; i++)
    if (!strcmp (accusations[i].class, class)) {
      snprintf (name, sizeof name, "%s%s", prefix_of (level), accusations[i].proscribed_at);
      return level_find (name);
    }
  return NULL;
}

static void hold_against (struct tally *c, const struct history *h, const struct brute_options *brute,
                          const struct check_options *asked, const char *class, const char *whose) {
  struct check_options options = *asked;
  options.level = accused (asked->level, class);
  if (!options.level) {
    c->skipped++;
    return;
  }
  struct check_result *result = check_history (h, &options);
  const bool fine = result->verdict != VERDICT_VALID;
  check_result_free (result);
  c->passed += fine;
  c->failed += !fine;
  if (fine || c->failed > 5)
    return;
  fprintf (stderr, "%s: %s by %s, but %s holds\n", asked->level->name, class, whose, options.level->name);
  run_tell (c->run, c->index, brute, h);
}

static void look_at (void *context, uint64_t index, const struct history *h, const struct brute_options *brute,
                     const struct level *level) {
  struct tally *c = context;
  c->index = index;
  struct check_options options = run_check_options (brute, level);
  struct check_result *result = check_history (h, &options);
  if (result->verdict == VERDICT_INVALID) {
    hold_against (c, h, brute, &options, violation_class (result->violation), "the verdict");
    struct violation *cases = cases_find (h, &options);
    if (cases)
      hold_against (c, h, brute, &options, violation_class (cases), "cases");
    violation_free (cases);
  }
  check_result_free (result);
}

int main (int argc, char **argv) {
  struct run run = run_arguments (argc, argv, 1000, 12000);
  struct tally c = { .run = &run };
  run_at_every_level (&run, look_at, &c);
  run.mixture.often_unknown = !run.mixture.often_unknown;
  if (!run.single)
    run_at_every_level (&run, look_at, &c);
  return run_end (c.passed, c.failed, c.skipped);
}
