#include "trial.h"

#include "../support/history_equal.h"
#include "../support/scratch.h"
#include "api/explanation.h"
#include "core/core.h"
#include "explain/violation.h"
#include "formats/formats.h"
#include "levels/levels.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

struct one {
  struct trials *trials;
  const char *label;
  const struct check_options *options;
  const struct check_result *whole;
  const struct history *core;
};

static bool constraint (struct trials *trials, bool fine, const char *label, const struct check_options *options,
                        const char *what) {
  trials->passed += fine;
  trials->failed += !fine;
  if (!fine)
    printf ("FAIL %s, %s: %s\n", label, options->level->name, what);
  return fine;
}

static bool must (const struct one *one, bool fine, const char *what) {
  return constraint (one->trials, fine, one->label, one->options, what);
}

static enum verdict verdict_of (const struct history *h, const struct check_options *options) {
  struct check_result *result = check_history (h, options);
  const enum verdict verdict = result->verdict;
  check_result_free (result);
  return verdict;
}

// One read is wrong by itself, and stays so. A cycle, or a list, may turn out to hold another
// anomaly that needs less.
static bool is_of_one_read (enum anomaly_class class) {
  return class == CLASS_G1A || class == CLASS_G1B || class == CLASS_GARBAGE_READ || class == CLASS_OWN_WRITE;
}

static const char *or_dash (const char *text) {
  return text ? text : "-";
}

static void is_invalid_alone (const struct one *one) {
  struct check_result *result = check_history (one->core, one->options);
  char what[300];
  must (one, result->verdict == VERDICT_INVALID, "the core is not invalid by itself");
  const struct violation *whole = one->whole->violation, *found = result->violation;
  const bool same = found && anomaly_is_same (found->anomaly, whole->anomaly);
  snprintf (what, sizeof what, "the whole shows %s (%s), its core %s (%s)", or_dash (violation_class (whole)),
            or_dash (violation_name (whole)), or_dash (violation_class (found)), or_dash (violation_name (found)));
  if (is_of_one_read (whole->anomaly.class))
    must (one, same, what);
  else if (!same) {
    one->trials->renamed++;
    printf ("note %s, %s: %s\n", one->label, one->options->level->name, what);
  }
  check_result_free (result);
}

// Nothing is wrong with it; where nothing is committed there is nothing to be wrong.
static bool is_fine (const struct history *part, const struct check_options *options) {
  return !history_has_committed (part) || verdict_of (part, options) == VERDICT_VALID;
}

// Without transaction `txn`, or without operation `op`.
static struct history *without (const struct one *one, struct core_index *index, uint32_t txn, uint32_t op) {
  struct core_mask mask = core_mask_new (one->core);
  VEC (uint32_t) kept = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (one->core); t++)
    if (t != txn)
      VEC_PUSH (kept, t);
  core_mask_keep (&mask, kept.data, kept.count);
  if (op != UINT32_MAX)
    mask.op[op] = 0;
  struct history *part = core_restrict (index, &mask);
  VEC_FREE (kept);
  core_mask_free (&mask);
  return part;
}

// An operation that comes back stands for one that could not be told otherwise (a put before a
// delete whose read was taken out).
static void is_minimal (const struct one *one) {
  struct core_index *index = core_index_new (one->core, one->options);
  if (!must (one, index, "the core cannot be looked into"))
    return;
  for (uint32_t t = 0; t < history_txns (one->core); t++) {
    struct history *part = without (one, index, t, UINT32_MAX);
    must (one, is_fine (part, one->options), "without one of its transactions it is not valid");
    history_free (part);
  }
  for (uint32_t op = 0; op < history_ops (one->core); op++) {
    struct history *part = without (one, index, UINT32_MAX, op);
    if (history_ops (part) < history_ops (one->core))
      must (one, is_fine (part, one->options), "without one of its operations it is not valid");
    history_free (part);
  }
  core_index_free (index);
}

static void survives_a_file (const struct one *one) {
  const struct format *const texts[] = { &format_jsonl, &format_kht };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct error error = { 0 };
    const char *path = scratch_path (i ? "core.kht" : "core.jsonl");
    const bool written = history_write (one->core, path, texts[i], true, &error);
    struct history *back = written ? history_read (path, NULL, &error) : NULL;
    if (!must (one, back, written ? "the core cannot be read back" : "the core cannot be written"))
      continue;
    const char *difference = history_difference (one->core, back);
    must (one, !difference, difference);
    must (one, verdict_of (back, one->options) == VERDICT_INVALID, "read back it is not invalid");
    history_free (back);
  }
}

static void is_found_again (const struct one *one, const struct history *h) {
  struct history *again = core_find (&check_judge, h, one->options, one->whole->violation);
  must (one, again && !history_difference (one->core, again), "the second search finds another core");
  history_free (again);
}

static double cpu_user_seconds (void) {
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (double) usage.ru_utime.tv_sec + (double) usage.ru_utime.tv_usec * 1e-6;
}

bool trial (struct trials *trials, const char *family, const char *label, const struct history *h,
            const struct check_options *asked) {
  struct check_options options = *asked;
  const double begin = cpu_user_seconds ();
  struct check_result *whole = check_history (h, &options);
  const double checked = cpu_user_seconds ();
  const bool invalid = whole->verdict == VERDICT_INVALID;
  struct history *core = invalid ? core_find (&check_judge, h, &options, whole->violation) : NULL;
  const double found = cpu_user_seconds () - checked;
  if (trials->tell_times)
    printf ("%s, %s: %s, check %.3f s, core %.3f s\n", label, options.level->name, verdict_name (whole->verdict),
            checked - begin, found);
  if (invalid && constraint (trials, core, label, &options, "there is no core")) {
    const struct one one = { trials, label, &options, whole, core };
    families_add (&trials->families, family, history_txns (core), history_ops (core), checked - begin, found);
    is_invalid_alone (&one);
    is_minimal (&one);
    survives_a_file (&one);
    is_found_again (&one, h);
  }
  history_free (core);
  check_result_free (whole);
  return invalid;
}

int trials_end (struct trials *trials) {
  families_print (&trials->families, stdout);
  families_free (&trials->families);
  printf ("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", trials->passed, trials->failed,
          trials->skipped);
  return trials->failed ? 1 : 0;
}
