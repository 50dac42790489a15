// Tests the semantics itself with the brute-force checker, on random histories:
//
// - levels that can be defined by replay as well as by edges mean the same both ways (agreement.c);
// - every step of the lattice of levels (src/levels/lattice.c) holds.
//
//   lattice [--count=N] [--seed=S] [--only=INDEX] [--show=A,B] [--steps] [--ops=basic|all|lists]
//     [--unknown=often]
//
// With --show: the first history, made small, at which level A holds and level B does not. With
// --steps: the steps, for scripts.

#include "levels/lattice.h"
#include "agreement.h"
#include "random_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct implication {
  const char *stronger, *weaker;
};

enum { MOST_IMPLICATIONS = 4 * BRUTE_MOST_LEVELS };

struct lattice {
  unsigned count;
  struct implication all[MOST_IMPLICATIONS];
  uint64_t held[MOST_IMPLICATIONS];   // the stronger level did
  uint64_t strict[MOST_IMPLICATIONS]; // only the weaker level did
  uint64_t tested, broken, skipped;
};

static void add (struct lattice *lattice, const char *stronger, const char *weaker) {
  if (brute_level_find (stronger) < 0 || brute_level_find (weaker) < 0 || lattice->count == MOST_IMPLICATIONS) {
    fprintf (stderr, "cannot test %s => %s\n", stronger, weaker);
    exit (1);
  }
  lattice->all[lattice->count++] = (struct implication){ stronger, weaker };
}

static bool in_a_step (const char *name) {
  for (size_t i = 0; i < level_step_count; i++)
    if (!strcmp (level_steps[i].strong, name) || !strcmp (level_steps[i].weak, name))
      return true;
  return false;
}

// The level that a name with a prefix stands for if the prefix adds nothing: session order is there
// already, or comes with real time.
static const char *without_idle_prefix (const char *name) {
  static const char session[] = "strong-session-";
  return strncmp (name, session, sizeof session - 1) ? "strong-session-forward-consistent-view"
                                                     : name + sizeof session - 1;
}

// The steps of the lattice, and that names which the lattice leaves out mean the same as others.
static void make_lattice (struct lattice *lattice) {
  memset (lattice, 0, sizeof *lattice);
  for (size_t i = 0; i < level_step_count; i++)
    add (lattice, level_steps[i].strong, level_steps[i].weak);
  for (unsigned level = 0; level < brute_levels (); level++) {
    const char *name = brute_level_name (level);
    if (in_a_step (name))
      continue;
    add (lattice, name, without_idle_prefix (name));
    add (lattice, without_idle_prefix (name), name);
  }
}

struct search {
  const struct brute_options *options;
  int stronger, weaker;
};

static bool breaks (const struct history *h, void *context) {
  const struct search *search = context;
  struct brute_verdicts verdicts;
  return brute_judge (h, search->options, &verdicts) && verdicts.of[search->stronger] == BRUTE_HOLDS
         && verdicts.of[search->weaker] == BRUTE_FAILS;
}

static void test_implications (struct lattice *lattice, const struct run *run, uint64_t index, const struct history *h,
                               const struct brute_options *options) {
  struct brute_verdicts verdicts;
  if (!brute_judge (h, options, &verdicts)) {
    lattice->skipped += lattice->count;
    return;
  }
  for (unsigned i = 0; i < lattice->count; i++) {
    const struct implication *implication = &lattice->all[i];
    struct search search = { options, brute_level_find (implication->stronger),
                             brute_level_find (implication->weaker) };
    const enum brute_verdict stronger = verdicts.of[search.stronger], weaker = verdicts.of[search.weaker];
    lattice->tested++;
    lattice->held[i] += stronger == BRUTE_HOLDS;
    lattice->strict[i] += stronger == BRUTE_FAILS && weaker == BRUTE_HOLDS;
    if (stronger != BRUTE_HOLDS || weaker != BRUTE_FAILS)
      continue;
    lattice->broken++;
    fprintf (stderr, "%s holds, %s does not\n", implication->stronger, implication->weaker);
    run_report (run, index, options, h, breaks, &search);
  }
}

static int run_lattice (const struct run *run) {
  static struct lattice lattice;
  struct agreement agreement = { 0 };
  make_lattice (&lattice);
  for (uint64_t index = run->first; index < run->first + run->count; index++) {
    struct brute_options options;
    struct history *h = random_history_of (run->seed, index, &run->mixture, &options);
    if (run->single)
      run_tell (run, index, &options, h);
    agreement_test (&agreement, run, index, h, &options);
    test_implications (&lattice, run, index, h, &options);
    history_free (h);
  }
  printf ("%-44s %-44s %9s %9s\n", "stronger", "weaker", "both hold", "one holds");
  for (unsigned i = 0; i < lattice.count; i++)
    printf ("%-44s %-44s %9" PRIu64 " %9" PRIu64 "\n", lattice.all[i].stronger, lattice.all[i].weaker, lattice.held[i],
            lattice.strict[i]);
  return run_end (agreement.agreed + lattice.tested - lattice.broken, agreement.differed + lattice.broken,
                  agreement.skipped + lattice.skipped);
}

static int show (const struct run *run) {
  const char *comma = strchr (run->show_pair, ',');
  char stronger[56] = "";
  if (comma && (size_t) (comma - run->show_pair) < sizeof stronger)
    memcpy (stronger, run->show_pair, (size_t) (comma - run->show_pair));
  struct search search = { NULL, brute_level_find (stronger), comma ? brute_level_find (comma + 1) : -1 };
  if (search.stronger < 0 || search.weaker < 0) {
    fprintf (stderr, "no such levels: %s\n", run->show_pair);
    return 2;
  }
  for (uint64_t index = run->first; index < run->first + run->count; index++) {
    struct brute_options options;
    struct history *h = random_history_of (run->seed, index, &run->mixture, &options);
    search.options = &options;
    const bool found = options.own_writes == BRUTE_OWN_MUST && !options.clock_skew && breaks (h, &search);
    struct history *smallest = found ? shrink (h, breaks, &search) : NULL;
    if (found)
      shrink_print (stdout, smallest);
    history_free (smallest);
    history_free (h);
    if (found)
      return 0;
  }
  return 1;
}

static int print_steps (void) {
  for (size_t i = 0; i < level_step_count; i++)
    printf ("%s %s %s\n", level_steps[i].strong, level_steps[i].weak, level_steps[i].ours ? "ours" : "stated");
  return 0;
}

int main (int argc, char **argv) {
  if (argc == 2 && !strcmp (argv[1], "--steps"))
    return print_steps ();
  const struct run run = run_arguments (argc, argv, 5000, 100000);
  return run.show_pair ? show (&run) : run_lattice (&run);
}
