#include "cli/verdicts.h"

#include "cli/level_table.h"
#include "history/history.h"

static void print (const struct verdicts *v, struct text *text) {
  if (!v->job->silent)
    fwrite (text->data, 1, text->count, stdout);
  fflush (stdout);
  VEC_FREE (*text);
}

void verdicts_start (struct verdicts *v, const struct check_job *job, const char *name) {
  *v = (struct verdicts){ .job = job, .name = name };
  v->results = MEM_ZARRAY (struct check_result *, job->levels.levels.count);
  v->told = MEM_ZARRAY (bool, job->levels.levels.count);
}

static size_t count_of (const struct verdicts *v) {
  return v->job->levels.levels.count;
}

void verdicts_free (struct verdicts *v) {
  for (size_t i = 0; i < count_of (v); i++)
    check_result_free (v->results[i]);
  MEM_FREE_ALL (v->results, v->told);
}

// ---------------------------------------------------------------------------------------- warnings

static bool says (const struct check_result *result, const char *warning) {
  for (size_t i = 0; i < result->warnings.count; i++)
    if (!strcmp (result->warnings.data[i], warning))
      return true;
  return false;
}

static bool said_before (const struct verdicts *v, const struct check_result *now, const char *warning) {
  for (size_t i = 0; i < count_of (v); i++)
    if (v->told[i] && v->results[i] != now && says (v->results[i], warning))
      return true;
  return false;
}

static void print_warnings (const struct verdicts *v, const struct check_result *result) {
  for (size_t i = 0; i < result->warnings.count; i++)
    if (!said_before (v, result, result->warnings.data[i]))
      warn_about (v->name, result->warnings.data[i], strlen (result->warnings.data[i]));
}

// ----------------------------------------------------------------------------------------- results

static void print_result (const struct verdicts *v, const struct check_result *result) {
  const struct report report = { v->name, v->history, result, v->parse_seconds };
  struct text text = { 0 };
  switch (v->job->output) {
  case REPORT_TEXT: report_text (&report, (struct report_style){ v->job->options->quiet, may_colour () }, &text); break;
  case REPORT_JSON: report_data (&report, TREE_JSON, &text); break;
  case REPORT_EDN: report_data (&report, TREE_EDN, &text); break;
  case REPORT_JUNIT: report_junit_case (&report, &text); break;
  }
  print (v, &text);
}

static bool is_table (const struct verdicts *v) {
  return v->job->levels.mode == LEVELS_ALL && v->job->output == REPORT_TEXT && !v->job->options->quiet;
}

// All levels, and the choice of the strongest, have to wait for the last one, and for the reasons
// of the weakest that fail.
static bool prints_at_once (const struct verdicts *v) {
  return v->job->levels.mode == LEVELS_NAMED && v->job->output != REPORT_JUNIT;
}

void verdicts_know (struct verdicts *v, size_t index, struct check_result *result) {
  if (v->results[index] != result)
    check_result_free (v->results[index]);
  v->results[index] = result;
}

// What is counted as printed has been: whoever has to finish in the middle of this goes on from
// there.
static void print_told (struct verdicts *v) {
  while (prints_at_once (v) && v->printed < count_of (v) && v->told[v->printed]) {
    print_result (v, v->results[v->printed]);
    v->printed++;
  }
}

void verdicts_tell (struct verdicts *v, size_t index) {
  if (!v->job->options->quiet)
    print_warnings (v, v->results[index]);
  v->told[index] = true;
  print_told (v);
}

void verdicts_tell_all (struct verdicts *v) {
  for (size_t i = 0; i < count_of (v); i++)
    if (v->results[i] && !v->told[i])
      verdicts_tell (v, i);
  print_told (v);
}

void verdicts_give_up (struct verdicts *v, const char *reason) {
  struct check_options check = check_options_of (v->job->options, &v->job->modules);
  for (size_t i = 0; i < count_of (v); i++) {
    if (v->results[i])
      continue;
    check.level = v->job->levels.levels.data[i];
    struct check_result *result = check_result_new (&check);
    check_result_say_unknown (result, reason);
    verdicts_know (v, i, result);
  }
}

void verdicts_bad_input (struct verdicts *v, const char *message) {
  if (v->job->output != REPORT_JUNIT)
    return;
  struct text text = { 0 };
  report_junit_begin (v->name, &text);
  report_junit_bad_input (v->name, message, &text);
  report_junit_end (&text);
  print (v, &text);
}

// ------------------------------------------------------------------------------ when all are there

static struct level_results all_results (const struct verdicts *v) {
  return (struct level_results){ v->job->levels.levels.data, v->results, count_of (v) };
}

// The strongest levels that hold; if none does, the weakest, which do not either; and the strongest
// of which nothing is known.
static bool is_worth_telling (const struct level_results *all, size_t i) {
  if (is_extreme (all, i, VERDICT_UNKNOWN, STRONGEST))
    return true;
  return has_verdict (all, VERDICT_VALID) ? is_extreme (all, i, VERDICT_VALID, STRONGEST)
                                          : is_extreme (all, i, VERDICT_INVALID, WEAKEST);
}

static void print_table (const struct verdicts *v) {
  const struct level_results all = all_results (v);
  struct text text = { 0 };
  level_table (&all, v->name, may_colour (), &text);
  struct check_result settings = *v->results[0]; // of all levels, but for the hints, and who assumes something
  for (size_t i = 0; i < all.count; i++) {
    settings.hint_facts |= v->results[i]->hint_facts;
    settings.assumption = settings.assumption ? settings.assumption : v->results[i]->assumption;
  }
  report_settings (&settings, &text);
  report_assumption (&settings, &text);
  print (v, &text);
}

static void print_chosen (const struct verdicts *v) {
  const struct level_results all = all_results (v);
  for (size_t i = 0; i < all.count; i++)
    if (v->job->levels.mode != LEVELS_STRONGEST || is_worth_telling (&all, i))
      print_result (v, v->results[i]);
}

// ----------------------------------------------------------------------------------------- the end

static int code_of (const struct verdicts *v, const struct check_result *result) {
  switch (result->verdict) {
  case VERDICT_VALID: return EXIT_VALID;
  case VERDICT_INVALID: return v->job->levels.mode == LEVELS_NAMED ? EXIT_INVALID : EXIT_VALID;
  case VERDICT_UNKNOWN: break;
  }
  return result->internal_error ? EXIT_INTERNAL : EXIT_UNKNOWN;
}

static void print_suite (const struct verdicts *v) {
  struct text text = { 0 };
  report_junit_begin (v->name, &text);
  print (v, &text);
  print_chosen (v);
  report_junit_end (&text);
  print (v, &text);
}

int verdicts_finish (struct verdicts *v) {
  int code = EXIT_VALID;
  for (size_t i = 0; i < count_of (v); i++)
    code = exit_code_of_both (code, code_of (v, v->results[i]));
  if (v->job->output == REPORT_JUNIT)
    print_suite (v);
  else if (is_table (v))
    print_table (v);
  else if (v->job->levels.mode != LEVELS_NAMED)
    print_chosen (v);
  return code;
}
