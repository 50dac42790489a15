// krait generate: a history of a workload on the embedded store.

#include "generate/generate.h"

#include "cli/cli.h"
#include "cli/named.h"
#include "cli/progress.h"
#include "cli/suggest.h"
#include "history/history.h"

#include <inttypes.h>
#include <stdlib.h>

// --------------------------------------------------------------------------------------- arguments

static bool find_isolation (const char *name, struct generate_options *to, struct error *error) {
  to->isolation = isolation_find (name);
  if (to->isolation)
    return true;
  char list[512];
  size_t used = 0;
  for (size_t i = 0; isolations[i].name; i++)
    used += (size_t) snprintf (list + used, sizeof list - used, "%s%s", i ? ", " : "", isolations[i].name);
  return error_set (error, "--level=%s: the store implements %s", name, list);
}

static bool refuse_fault (const struct generate_options *options, struct error *error) {
  char list[512] = "";
  size_t used = 0;
  for (size_t i = 0; workloads[i].name; i++)
    if (fault_shows_in (options->fault, workloads[i].name) && used + 64 < sizeof list)
      used += (size_t) snprintf (list + used, sizeof list - used, "%s%s", used ? ", " : "", workloads[i].name);
  return error_set (error, "--fault=%s: the workload %s cannot show it reliably; these can: %s", options->fault->name,
                    options->workload->name, list);
}

// NAME or NAME:RATE
static bool find_fault (const char *text, struct generate_options *to, struct error *error) {
  char name[64];
  const size_t length = strcspn (text, ":");
  snprintf (name, sizeof name, "%.*s", length < sizeof name ? (int) length : 0, text);
  const enum fault_id id = fault_find (name);
  if (id == FAULT_NONE) {
    struct suggestion near = suggestion_for (name);
    for (int i = FAULT_NONE + 1; i < FAULTS; i++)
      suggestion_offer (&near, faults[i].name);
    return error_set (error, "--fault=%.60s: no such fault%s (krait generate --help lists them)", text,
                      suggestion_words (&near, ""));
  }
  to->fault = &faults[id];
  if (text[length]) {
    char *rest;
    to->fault_rate = strtod (text + length + 1, &rest);
    if (*rest || rest == text + length + 1 || !(to->fault_rate > 0) || to->fault_rate > 1)
      return error_set (error, "--fault=%.60s: expected a rate behind the colon, above 0 and at most 1", text);
  }
  if (strcmp (to->fault->isolation, to->isolation->name))
    return error_set (error, "--fault=%s: this is a bug of a store at --level=%s, not %s", to->fault->name,
                      to->fault->isolation, to->isolation->name);
  return fault_shows_in (to->fault, to->workload->name) || refuse_fault (to, error);
}

static bool read_options (const struct options *from, struct generate_options *to, struct error *error) {
  generate_options_default (to);
  to->txns = from->txns;
  to->sessions = (unsigned) from->sessions;
  to->concurrency = (unsigned) from->concurrency;
  to->work = workload_options_of (from);
  to->distribution = (enum distribution) from->distribution;
  to->aborts = from->abort_rate;
  to->unknowns = from->unknown_rate;
  to->times = !from->no_times;
  to->group_by_session = from->group_by_session;
  to->seed = from->run_seed;
  return (to->workload = workload_named (from->workload, error)) && find_isolation (from->store_level, to, error)
         && (!from->fault || find_fault (from->fault, to, error));
}

// --------------------------------------------------------------------------------------------- run

static void tell (const struct generate_options *options, const struct generate_summary *summary) {
  fprintf (stderr,
           "%" PRIu64 " committed, %" PRIu64 " aborted, %" PRIu64 " unknown, %" PRIu64
           " operations; %u other transactions in progress (median)\n",
           summary->committed, summary->aborted, summary->unknown, summary->operations, summary->median_overlap);
  if (options->fault)
    fprintf (stderr, "the fault %s struck %" PRIu64 " times (--keys=%" PRIu64 ")\n", options->fault->name,
             summary->faults, summary->keys);
}

static void show_progress (void *context, double fraction) {
  progress_phase (context, "generate", fraction);
}

static bool run (const struct options *options, struct generate_options *what, const struct format *to,
                 struct error *error) {
  struct progress progress;
  struct budget budget;
  struct generate_summary summary;
  budget_start (&budget, 0, 0, &interrupted);
  progress_start (&progress, options->progress, options->no_summary);
  what->progress = show_progress;
  what->progress_context = &progress;
  what->budget = &budget;
  struct history *h = generate (what, &summary);
  progress_clear (&progress);
  const bool done = h && history_write (h, options->arguments[0], to, options->force, error);
  if (done && !options->no_summary)
    tell (what, &summary);
  history_free (h);
  return done;
}

int command_generate (const struct options *options) {
  struct error error = { 0 };
  struct generate_options what;
  if (!options->workload)
    return usage_error ("generate: --workload=W is missing (krait generate --help lists them)");
  if (!options->store_level)
    return usage_error ("generate: --level=LEVEL is missing (krait generate --help lists them)");
  if (options->argument_count != 1)
    return usage_error ("generate: expected one argument, OUT, found %d", options->argument_count);
  if (!read_options (options, &what, &error))
    return fail (&error);
  const struct format *to =
    options->to ? target_format (options->to, &error) : target_format_of_path (options->arguments[0]);
  if (!to || !history_may_write (options->arguments[0], to, options->force, &error))
    return fail (&error);
  return run (options, &what, to, &error) ? EXIT_VALID : atomic_load (&interrupted) ? EXIT_INTERRUPTED : fail (&error);
}
