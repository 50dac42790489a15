// The public interface (include/krait/krait.h), as a thin layer over check_history.

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "krait/krait.h"

#include "api/explanation.h"
#include "api/report.h"
#include "dialects/dialects.h"
#include "explain/violation_words.h"
#include "formats/formats.h"
#include "history/override.h"
#include "levels/levels.h"

#include <stdio.h>

struct krait_history {
  struct history *history;
  double parse_seconds;
};

struct krait_options {
  struct check_options check; // without the budget, which each check has of its own
  double timeout;
  uint64_t memory;
  atomic_int stop;
};

struct krait_result {
  struct check_result *result;
  char *json;
  char *explanation, *warnings, *hints; // or NULL
};

// A function of one argument that tells what is there as it is.
#define TELL(type, name, given, value)                                                                                 \
  type krait_##name (given) {                                                                                          \
    return value;                                                                                                      \
  }

TELL (const char *, version, void, PACKAGE_VERSION)

// ------------------------------------------------------------------------------------------ levels

size_t krait_level_count (void) {
  size_t count = 0;
  while (level_at (count))
    count++;
  return count;
}

TELL (const char *, level_name, size_t level, level < krait_level_count () ? level_at (level)->name : NULL)
TELL (const char *, level_aliases, size_t level, level < krait_level_count () ? level_at (level)->aliases : NULL)
TELL (const char *, level_proscribes, size_t level, level < krait_level_count () ? level_at (level)->proscribes : NULL)

size_t krait_dialect_count (void) {
  size_t count = 0;
  while (dialects[count])
    count++;
  return count;
}

TELL (const char *, dialect_name, size_t dialect, dialect < krait_dialect_count () ? dialects[dialect]->name : NULL)
TELL (const char *, dialect_about, size_t dialect, dialect < krait_dialect_count () ? dialects[dialect]->about : NULL)

// --------------------------------------------------------------------------------------- histories

static krait_history *wrap (struct history *h, double start, const struct error *error, char *message, size_t size) {
  if (!h) {
    if (message && size)
      snprintf (message, size, "%s", error->text);
    return NULL;
  }
  krait_history *history = mem_zalloc (sizeof *history);
  history->history = h;
  history->parse_seconds = clock_seconds () - start;
  return history;
}

// False if the name is of no format.
static bool find_format (const char *name, const struct format **format, struct error *error) {
  *format = name ? format_find (name) : NULL;
  return !name || *format || error_set (error, "no such format: %s", name);
}

krait_history *krait_history_open (const char *path, const char *format, char *message, size_t size) {
  const double start = clock_seconds ();
  struct error error = { 0 };
  const struct format *found;
  struct history *h = find_format (format, &found, &error) ? history_read (path, found, &error) : NULL;
  return wrap (h, start, &error, message, size);
}

krait_history *krait_history_read_memory (const char *name, const void *bytes, size_t length, const char *format,
                                          char *message, size_t size) {
  const double start = clock_seconds ();
  struct error error = { 0 };
  const struct format *found;
  struct history *h = NULL;
  if (find_format (format, &found, &error)) {
    if (found && format_is_folder (found))
      error_set (&error, "%s: a history of format %s is a folder and cannot be read from memory", name, format);
    else
      h = history_read_memory (name, bytes, length, found, &error);
  }
  return wrap (h, start, &error, message, size);
}

void krait_history_free (krait_history *history) {
  if (!history)
    return;
  history_free (history->history);
  mem_free (history);
}

TELL (uint64_t, history_transactions, const krait_history *history, history_txns (history->history))
TELL (uint64_t, history_sessions, const krait_history *history, history_sessions (history->history))
TELL (uint64_t, history_operations, const krait_history *history, history_ops (history->history))
TELL (uint64_t, history_keys, const krait_history *history, history_keys (history->history))

int krait_history_set_init (krait_history *history, const char *init) {
  const char *why;
  return history_override_init (history->history, init, &why);
}

// ----------------------------------------------------------------------------------------- options

krait_options *krait_options_new (void) {
  krait_options *options = mem_zalloc (sizeof *options);
  check_options_default (&options->check);
  return options;
}

void krait_options_free (krait_options *options) {
  mem_free (options);
}

int krait_options_set_level (krait_options *options, const char *name) {
  const struct level *level = level_find (name);
  if (level)
    options->check.level = level;
  return level != NULL;
}

int krait_options_set_own_writes (krait_options *options, const char *name) {
  for (int policy = OWN_MUST; policy <= OWN_INFER; policy++)
    if (!strcmp (own_writes_name ((enum own_writes) policy), name)) {
      options->check.own_writes = (enum own_writes) policy;
      return 1;
    }
  return 0;
}

int krait_options_set_dialect (krait_options *options, const char *name) {
  const struct dialect *dialect = name ? dialect_find (name) : NULL;
  if (dialect || !name)
    options->check.dialect = dialect;
  return dialect || !name;
}

// A function that sets a member.
#define SET(name, given, member, value)                                                                                \
  void krait_options_set_##name (krait_options *options, given) {                                                      \
    options->member = value;                                                                                           \
  }
// Clocks that differ by less than nothing would let a transaction end before it begins.
SET (clock_skew, int64_t nanoseconds, check.clock_skew, nanoseconds > 0 ? nanoseconds : 0)
SET (trust_commit_ts, int trust, check.trust_commit_ts, trust != 0)
SET (timeout, double seconds, timeout, seconds)
SET (memory, uint64_t bytes, memory, bytes)
SET (threads, unsigned threads, check.threads, threads)
SET (seed, uint64_t seed, check.seed, seed)

void krait_options_set_progress (krait_options *options, krait_progress progress, void *context) {
  options->check.progress = progress;
  options->check.progress_context = context;
}

void krait_options_stop (krait_options *options) {
  atomic_store (&options->stop, 1);
}

void krait_set_memory_handler (krait_memory_handler handler, void *context) {
  mem_set_handler (handler, context);
}

// ----------------------------------------------------------------------------------------- results

static char *make_json (const krait_history *history, const struct check_result *result) {
  struct text text = { 0 };
  report_data (&(struct report){ history->history->name, history->history, result, history->parse_seconds }, TREE_JSON,
               &text);
  text.count--; // the newline
  return words_take (&text);
}

static char *make_hints (const struct check_result *result) {
  struct text text = { 0 };
  report_hint_names (result, &text);
  return text.count ? words_take (&text) : NULL;
}

static char *make_warnings (const struct check_result *result) {
  struct text text = { 0 };
  for (size_t i = 0; i < result->warnings.count; i++)
    words_add (&text, "%s%s", i ? "\n" : "", result->warnings.data[i]);
  return text.count ? words_take (&text) : NULL;
}

static void explain (struct check_result *result, const struct history *h, const struct check_options *check) {
  struct budget *budget = check->budget;
  explain_result (result, h, check,
                  &(struct part_limits){ .skip = budget_check (budget) != BUDGET_LEFT,
                                         .bounded = true,
                                         .deadline = budget->deadline,
                                         .memory = budget->memory_limit,
                                         .stop = budget->stop });
}

krait_result *krait_check (const krait_history *history, const krait_options *options) {
  if (!options->check.level)
    return NULL;
  struct budget budget;
  budget_start (&budget, options->timeout, options->memory, &options->stop);
  struct check_options check = options->check;
  check.budget = &budget;
  krait_result *result = mem_zalloc (sizeof *result);
  result->result = check_history (history->history, &check);
  explain (result->result, history->history, &check);
  result->json = make_json (history, result->result);
  result->explanation = violation_explanation (result->result->violation, history->history);
  result->warnings = make_warnings (result->result);
  result->hints = make_hints (result->result);
  return result;
}

void krait_result_free (krait_result *result) {
  if (!result)
    return;
  check_result_free (result->result);
  MEM_FREE_ALL (result->json, result->explanation, result->warnings, result->hints, result);
}

krait_verdict krait_result_verdict (const krait_result *result) {
  if (result->result->bad_input)
    return KRAIT_BAD_INPUT;
  switch (result->result->verdict) {
  case VERDICT_VALID: return KRAIT_VALID;
  case VERDICT_INVALID: return KRAIT_INVALID;
  case VERDICT_UNKNOWN: break;
  }
  return KRAIT_UNKNOWN;
}

#define TELL_OF_RESULT(name, value) TELL (const char *, result_##name, const krait_result *result, value)
TELL_OF_RESULT (level, result->result->level)
TELL_OF_RESULT (own_writes, check_result_policy (result->result))
TELL_OF_RESULT (dialect, result->result->dialect)
TELL_OF_RESULT (reason, result->result->reason)
TELL_OF_RESULT (anomaly, violation_class (result->result->violation))
TELL_OF_RESULT (anomaly_name, violation_name (result->result->violation))
TELL_OF_RESULT (explanation, result->explanation)
TELL_OF_RESULT (warnings, result->warnings)
TELL_OF_RESULT (hints, result->hints)
TELL_OF_RESULT (json, result->json)

size_t krait_result_core_size (const krait_result *result) {
  size_t count;
  violation_txns (result->result->violation, &count);
  return count;
}

uint64_t krait_result_core_id (const krait_result *result, size_t number) {
  size_t count;
  const uint64_t *txns = violation_txns (result->result->violation, &count);
  return number < count ? txns[number] : 0;
}
