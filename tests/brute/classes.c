// What a violation is called, on small random histories at every level: a class accuses the database of breaking the weakest level that proscribes it, with the session order and the
// real time that were asked for, and so that level must be broken. Both names are tested, the one that comes with a verdict and the one that its cases give.
//
//   classes [--count=N] [--seed=S] [--only=INDEX] [--ops=basic|all|lists] [--unknown=often] [--levels=NAME]

#include "api/check.h"
#include "explain/cases.h"
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

// Levels that have session order by definition are held against those with the prefix, and real time without session order against both.
static const char *prefix_of (const struct level *level) {
  return level->rt.used ? "strict-" : level->so.used ? "strong-session-" : "";
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

static void look_at (struct tally *c, const struct history *h, const struct brute_options *brute,
                     const struct level *level) {
  static const enum own_writes policies[] = { OWN_MUST, OWN_EXTERNAL, OWN_MAY, OWN_INFER };
  struct check_options options;
  check_options_default (&options);
  options.level = level;
  options.own_writes = policies[brute->own_writes];
  options.clock_skew = brute->clock_skew;
  options.threads = 1;
  struct check_result *result = check_history (h, &options);
  if (result->verdict == VERDICT_INVALID) {
    hold_against (c, h, brute, &options, result->anomaly, "the verdict");
    struct cases *cases = cases_find (h, &options);
    if (cases)
      hold_against (c, h, brute, &options, cases->anomaly.class, "cases");
    cases_free (cases);
  }
  check_result_free (result);
}

int main (int argc, char **argv) {
  struct run run = run_arguments (argc, argv, 1000, 50000);
  struct tally c = { .run = &run };
  static const enum random_ops mixtures[] = { RANDOM_BASIC, RANDOM_ALL, RANDOM_ALL, RANDOM_LISTS };
  for (c.index = run.first; c.index < run.first + run.count; c.index++) {
    struct random_mixture mixture = run.mixture;
    if (mixture.ops == RANDOM_BASIC)
      mixture.ops = mixtures[c.index % 4];
    struct brute_options options;
    struct history *h = random_history_of (run.seed, c.index, &mixture, &options);
    for (const struct level *const *level = levels; *level; level++)
      if (!run.levels || !strcmp (run.levels, (*level)->name))
        look_at (&c, h, &options, *level);
    history_free (h);
  }
  return run_end (c.passed, c.failed, c.skipped);
}
