#include "cli/verdicts.h"

#include "history/history.h"
#include "levels/lattice.h"

#include <string.h>

static void print (struct text *text) {
  fwrite (text->data, 1, text->count, stdout);
  fflush (stdout);
  VEC_FREE (*text);
}

void verdicts_start (struct verdicts *v, const struct check_job *job, const char *name) {
  *v = (struct verdicts){ .job = job, .name = name };
}

void verdicts_free (struct verdicts *v) {
  for (size_t i = 0; i < v->results.count; i++)
    check_result_free (v->results.data[i]);
  VEC_FREE (v->results);
}

// ----------------------------------------------------------------------------------------------------------------- warnings

static bool said_before (const struct verdicts *v, const char *line, size_t length) {
  for (size_t i = 0; i + 1 < v->results.count; i++)
    for (const char *at = v->results.data[i]->warnings; at && *at;) {
      const size_t other = strcspn (at, "\n");
      if (other == length && !memcmp (at, line, length))
        return true;
      at += other + (at[other] == '\n');
    }
  return false;
}

// Of the result added last.
static void print_warnings (const struct verdicts *v) {
  const char *at = v->results.data[v->results.count - 1]->warnings;
  while (at && *at) {
    const size_t length = strcspn (at, "\n");
    if (length && !said_before (v, at, length))
      warn_about (v->name, at, length);
    at += length + (at[length] == '\n');
  }
}

// ------------------------------------------------------------------------------------------------------------------ results

static void print_result (const struct verdicts *v, const struct check_result *result) {
  const struct report report = { v->name, v->history, result, v->parse_seconds };
  const bool brief = v->job->options->quiet || v->job->levels.mode == LEVELS_ALL;
  struct text text = { 0 };
  switch (v->job->output) {
  case REPORT_TEXT: report_text (&report, (struct report_style){ brief, may_colour () }, &text); break;
  case REPORT_JSON: report_json (&report, &text); break;
  case REPORT_EDN: report_edn (&report, &text); break;
  case REPORT_JUNIT: report_junit_case (&report, &text); break;
  }
  print (&text);
}

void verdicts_add (struct verdicts *v, struct check_result *result) {
  VEC_PUSH (v->results, result);
  if (!v->job->options->quiet)
    print_warnings (v);
  if (v->job->levels.mode != LEVELS_STRONGEST && v->job->output != REPORT_JUNIT)
    print_result (v, result);
}

void verdicts_give_up (struct verdicts *v, const char *reason) {
  while (v->results.count < v->job->levels.levels.count) {
    struct check_result *result = mem_zalloc (sizeof *result);
    result->verdict = VERDICT_UNKNOWN;
    result->level = result->by_level = v->job->levels.levels.data[v->results.count]->name;
    result->reason = mem_strdup (reason);
    if (v->job->options->own_writes != OWN_INFER)
      result->own_writes = own_writes_name ((enum own_writes) v->job->options->own_writes);
    verdicts_add (v, result);
  }
}

void verdicts_bad_input (struct verdicts *v, const char *message) {
  if (v->job->output != REPORT_JUNIT)
    return;
  struct text text = { 0 };
  report_junit_begin (v->name, &text);
  report_junit_bad_input (v->name, message, &text);
  report_junit_end (&text);
  print (&text);
}

// ---------------------------------------------------------------------------------------------------------------- strongest

static const struct level *level_of (const struct verdicts *v, size_t i) {
  return v->job->levels.levels.data[i];
}

// No other level with this verdict is stronger (or weaker) than this one.
static bool is_extreme (const struct verdicts *v, size_t i, enum verdict verdict, bool strongest) {
  if (v->results.data[i]->verdict != verdict)
    return false;
  for (size_t k = 0; k < v->results.count; k++)
    if (k != i && v->results.data[k]->verdict == verdict
        && (strongest ? level_implies (level_of (v, k), level_of (v, i))
                      : level_implies (level_of (v, i), level_of (v, k))))
      return false;
  return true;
}

static bool any_valid (const struct verdicts *v) {
  for (size_t i = 0; i < v->results.count; i++)
    if (v->results.data[i]->verdict == VERDICT_VALID)
      return true;
  return false;
}

// The strongest levels that hold; if none does, the weakest, which do not either; and those of which nothing is known.
static bool is_worth_telling (const struct verdicts *v, size_t i) {
  if (v->results.data[i]->verdict == VERDICT_UNKNOWN)
    return true;
  return any_valid (v) ? is_extreme (v, i, VERDICT_VALID, true) : is_extreme (v, i, VERDICT_INVALID, false);
}

// ------------------------------------------------------------------------------------------------------------------ all levels

// Below the verdicts, why those that fail do, and which levels hold.
static void print_summary (const struct verdicts *v) {
  struct text text = { 0 };
  size_t widest = 0;
  for (size_t i = 0; i < v->results.count; i++)
    if (strlen (level_of (v, i)->name) > widest)
      widest = strlen (level_of (v, i)->name);
  text_char (&text, '\n');
  for (size_t i = 0; i < v->results.count; i++) {
    const struct check_result *result = v->results.data[i];
    if (result->verdict == VERDICT_VALID)
      continue;
    text_string (&text, "  ");
    text_string (&text, result->level);
    for (size_t k = strlen (result->level); k < widest + 2; k++)
      text_char (&text, ' ');
    report_anomaly (result, &text);
    if (result->reason)
      text_string (&text, result->reason);
    text_char (&text, '\n');
  }
  text_string (&text, "strongest that hold:");
  for (size_t i = 0; i < v->results.count; i++)
    if (is_extreme (v, i, VERDICT_VALID, true)) {
      text_char (&text, ' ');
      text_string (&text, level_of (v, i)->name);
    }
  text_string (&text, any_valid (v) ? "\n" : " none\n");
  if (v->results.data[0]->own_writes_inferred) {
    report_own_writes (v->results.data[0], &text);
    text_char (&text, '\n');
  }
  print (&text);
}

// ------------------------------------------------------------------------------------------------------------------ the end

static int code_of (const struct verdicts *v, const struct check_result *result) {
  switch (result->verdict) {
  case VERDICT_VALID: return EXIT_VALID;
  case VERDICT_INVALID: return v->job->levels.mode == LEVELS_NAMED ? EXIT_INVALID : EXIT_VALID;
  case VERDICT_UNKNOWN: break;
  }
  return result->reason && !strncmp (result->reason, "internal error", 14) ? EXIT_INTERNAL : EXIT_UNKNOWN;
}

static void print_suite (const struct verdicts *v) {
  struct text text = { 0 };
  report_junit_begin (v->name, &text);
  print (&text);
  for (size_t i = 0; i < v->results.count; i++)
    if (v->job->levels.mode != LEVELS_STRONGEST || is_worth_telling (v, i))
      print_result (v, v->results.data[i]);
  report_junit_end (&text);
  print (&text);
}

int verdicts_finish (struct verdicts *v) {
  int code = EXIT_VALID;
  for (size_t i = 0; i < v->results.count; i++)
    code = exit_code_of_both (code, code_of (v, v->results.data[i]));
  if (v->job->output == REPORT_JUNIT)
    print_suite (v);
  else if (v->job->levels.mode == LEVELS_STRONGEST) {
    for (size_t i = 0; i < v->results.count; i++)
      if (is_worth_telling (v, i))
        print_result (v, v->results.data[i]);
  } else if (v->job->levels.mode == LEVELS_ALL && v->job->output == REPORT_TEXT && !v->job->options->quiet)
    print_summary (v);
  return code;
}
