// What shows which fault: for every fault and workload of the table in src/generate/faults.def, in
// how many runs its histories break the level that they are said to break, and keep the one that
// they are said to keep. The runs are those of `krait generate --fault=…` with its defaults, but
// for their number of transactions.
//
//   bench/faults [--seeds=N] [--first=N] [--txns=N] [--timeout=SECONDS] [--faults=A,…]
//     [--workloads=A,…] [--keys=N] [--all]
//
// A cell of the table is the number of runs that broke the level; what follows a question mark are
// checks that ran out of time. --all tries the pairs that the table of faults leaves out, too;
// --keys another number of keys. Each pair is told of on standard error as it is done. Exit code 1:
// a pair of the table shows in less than 95 of 100 runs, or a level was not kept in every one.

#include "api/check.h"
#include "generate/generate.h"
#include "history/history.h"
#include "levels/levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct plan {
  uint64_t seeds, first, txns, keys;
  double timeout;                 // of a check
  const char *faults, *workloads; // names with commas between them; NULL: all
  bool all;
};

struct tally {
  uint64_t runs, shown, kept, unknown;
};

// --------------------------------------------------------------------------------------- arguments

static bool is_in_list (const char *list, const char *name) {
  const size_t length = strlen (name);
  for (const char *at = list; at; at = strchr (at, ',')) {
    at += *at == ',';
    if (!strncmp (at, name, length) && (!at[length] || at[length] == ','))
      return true;
  }
  return !list;
}

static bool read_number (const char *argument, const char *option, uint64_t *number) {
  const size_t length = strlen (option);
  if (strncmp (argument, option, length))
    return false;
  char *end;
  *number = strtoull (argument + length, &end, 10);
  return *number && !*end;
}

static bool read_text (const char *argument, const char *option, const char **text) {
  const size_t length = strlen (option);
  *text = strncmp (argument, option, length) ? *text : argument + length;
  return *text == argument + length;
}

static bool read_argument (struct plan *plan, const char *argument) {
  uint64_t seconds;
  if (read_number (argument, "--timeout=", &seconds)) {
    plan->timeout = (double) seconds;
    return true;
  }
  if (!strcmp (argument, "--all"))
    return plan->all = true;
  return read_number (argument, "--seeds=", &plan->seeds) || read_number (argument, "--first=", &plan->first)
         || read_number (argument, "--txns=", &plan->txns) || read_number (argument, "--keys=", &plan->keys)
         || read_text (argument, "--faults=", &plan->faults) || read_text (argument, "--workloads=", &plan->workloads);
}

// -------------------------------------------------------------------------------------------- runs

static enum verdict verdict_at (const struct plan *plan, const struct history *h, const char *level) {
  struct check_options options;
  struct budget budget;
  check_options_default (&options);
  budget_start (&budget, plan->timeout, 0, NULL);
  options.level = level_find (level);
  options.threads = 1;
  options.budget = &budget;
  struct check_result *result = check_history (h, &options);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

static void run_once (const struct plan *plan, const struct generate_options *options, struct tally *tally) {
  struct generate_summary summary;
  struct history *h = generate (options, &summary);
  const enum verdict broken = verdict_at (plan, h, options->fault->breaks),
                     kept = verdict_at (plan, h, options->fault->keeps);
  tally->runs++;
  tally->shown += broken == VERDICT_INVALID;
  tally->kept += kept == VERDICT_VALID;
  tally->unknown += (broken == VERDICT_UNKNOWN) + (kept == VERDICT_UNKNOWN);
  history_free (h);
}

static struct tally run_pair (const struct plan *plan, const struct fault *fault, const struct workload *workload) {
  struct tally tally = { 0 };
  struct generate_options options;
  generate_options_default (&options);
  options.fault = fault;
  options.workload = workload;
  options.isolation = isolation_find (fault->isolation);
  options.txns = plan->txns;
  options.work.keys = plan->keys;
  const clock_t begin = clock ();
  for (options.seed = plan->first; options.seed < plan->first + plan->seeds; options.seed++)
    run_once (plan, &options, &tally);
  fprintf (stderr,
           "%s, %s: shown in %" PRIu64 ", kept in %" PRIu64 " of %" PRIu64 "; %" PRIu64
           " checks unknown; %.2f s of CPU\n",
           fault->name, workload->name, tally.shown, tally.kept, tally.runs, tally.unknown,
           (double) (clock () - begin) / CLOCKS_PER_SEC);
  return tally;
}

// ------------------------------------------------------------------------------------------- table

static bool is_chosen (const struct plan *plan, const struct fault *fault, const struct workload *workload) {
  return is_in_list (plan->faults, fault->name) && is_in_list (plan->workloads, workload->name)
         && (plan->all || fault_shows_in (fault, workload->name));
}

static void print_cell (const struct tally *tally) {
  if (!tally->runs)
    printf (" |");
  else if (tally->unknown)
    printf (" %" PRIu64 " ? %" PRIu64 " |", tally->shown, tally->unknown);
  else
    printf (" %" PRIu64 " |", tally->shown);
}

static void print_head (const struct plan *plan) {
  printf ("| fault |");
  for (size_t w = 0; workloads[w].name; w++)
    if (is_in_list (plan->workloads, workloads[w].name))
      printf (" %s |", workloads[w].name);
  printf (" kept |\n|---|");
  for (size_t w = 0; workloads[w].name; w++)
    if (is_in_list (plan->workloads, workloads[w].name))
      printf ("---:|");
  printf ("---:|\n");
}

// Whether all is as the table of faults says.
static bool print_row (const struct plan *plan, const struct fault *fault) {
  bool fine = true;
  uint64_t runs = 0, kept = 0;
  printf ("| `%s` |", fault->name);
  for (size_t w = 0; workloads[w].name; w++) {
    if (!is_in_list (plan->workloads, workloads[w].name))
      continue;
    struct tally tally = { 0 };
    if (is_chosen (plan, fault, &workloads[w]))
      tally = run_pair (plan, fault, &workloads[w]);
    print_cell (&tally);
    runs += tally.runs;
    kept += tally.kept;
    fine &=
      tally.kept == tally.runs && (!fault_shows_in (fault, workloads[w].name) || tally.shown * 100 >= tally.runs * 95);
  }
  printf (" %" PRIu64 " of %" PRIu64 " |\n", kept, runs);
  fflush (stdout);
  return fine;
}

int main (int argc, char **argv) {
  struct plan plan = { .seeds = 100, .first = 1, .txns = 2000, .timeout = 60 };
  for (int i = 1; i < argc; i++)
    if (!read_argument (&plan, argv[i])) {
      fprintf (stderr,
               "bench/faults: unknown argument: %s (--seeds=N --first=N --txns=N --timeout=SECONDS --faults=A,… "
               "--workloads=A,… --keys=N --all)\n",
               argv[i]);
      return 2;
    }
  bool fine = true;
  print_head (&plan);
  for (int id = FAULT_NONE + 1; id < FAULTS; id++)
    if (is_in_list (plan.faults, faults[id].name))
      fine &= print_row (&plan, &faults[id]);
  return fine ? 0 : 1;
}
