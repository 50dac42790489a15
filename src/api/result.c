// What a check comes to: making, copying and freeing it.

#include "api/decide.h"

#include "asg/asg.h"
#include "certify/make.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "levels/levels.h"
#include "modules/modules.h"

void check_result_free (struct check_result *result) {
  if (!result)
    return;
  violation_free (result->violation);
  VEC_FREE_EACH (result->anomalies, violation_free);
  VEC_FREE (result->met.ids);
  VEC_FREE (result->met.end);
  VEC_FREE_EACH (result->modules, mem_free);
  mem_free (result->reason);
  VEC_FREE_EACH (result->warnings, mem_free);
  MEM_FREE_ALL (result->excused_example, result->assumption);
  certificate_free (result->certificate);
  certify_constraints_free (result->constraints);
  mem_free (result);
}

void check_result_say_not_verified (struct check_result *result, const char *why) {
  static const char words_of_it[] = "not verified: ";
  for (size_t i = 0; i < result->warnings.count; i++)
    if (!strncmp (result->warnings.data[i], words_of_it, strlen (words_of_it)))
      return;
  VEC_PUSH (result->warnings, mem_format ("%s%s", words_of_it, why));
}

void check_result_explain_like (struct check_result *result, const struct check_result *other) {
  if (other->verdict == VERDICT_UNKNOWN) { // so was this one, by what has turned out to be wrong
    check_result_forget_attempt (result);
    check_result_say_unknown (result, other->reason);
    result->internal_error = other->internal_error;
    return;
  }
  if (!other->verified)
    check_result_say_not_verified (result, "it follows from another level, which is not verified");
  struct violation *violation = violation_share (other->violation);
  violation_free (result->violation);
  result->violation = violation;
}

struct check_result *check_result_copy (const struct check_result *from) {
  struct check_result *result = mem_alloc (sizeof *result);
  *result = *from;
  result->certificate = NULL;
  result->constraints = certify_constraints_copy (from->constraints);
  result->reason = mem_strdup (from->reason);
  result->excused_example = mem_strdup (from->excused_example);
  result->assumption = mem_strdup (from->assumption);
  violation_share (from->violation);
  VEC_COPY (result->modules, from->modules);
  for (size_t i = 0; i < from->modules.count; i++)
    result->modules.data[i] = mem_strdup (from->modules.data[i]);
  VEC_COPY (result->warnings, from->warnings);
  for (size_t i = 0; i < from->warnings.count; i++)
    result->warnings.data[i] = mem_strdup (from->warnings.data[i]);
  VEC_COPY (result->met.ids, from->met.ids);
  VEC_COPY (result->met.end, from->met.end);
  VEC_COPY (result->anomalies, from->anomalies);
  for (size_t i = 0; i < from->anomalies.count; i++)
    violation_share (from->anomalies.data[i]);
  return result;
}

struct check_result *check_result_new (const struct check_options *options) {
  struct check_result *result = mem_zalloc (sizeof *result);
  result->level = result->by_level = options->level->name;
  result->own_writes = options->own_writes;
  result->dialect = options->dialect ? options->dialect->name : NULL;
  result->verdict = VERDICT_UNKNOWN;
  for (size_t i = 0; i < options->module_count; i++)
    VEC_PUSH (result->modules, mem_strdup (module_name (options->modules[i])));
  return result;
}

void check_result_say_unknown (struct check_result *result, const char *reason) {
  result->verdict = VERDICT_UNKNOWN;
  result->internal_error = false;
  mem_free (result->reason);
  result->reason = mem_strdup (reason);
}

void check_result_say_broken (struct check_result *result, const char *what) {
  check_result_say_unknown (result, NULL);
  result->internal_error = true;
  result->reason = mem_format ("internal error: %s", what);
}

void check_result_warn (struct check_result *result, const char *lines) {
  while (*lines) {
    const size_t length = strcspn (lines, "\n");
    if (length)
      VEC_PUSH (result->warnings, mem_format ("%.*s", (int) length, lines));
    lines += length + (lines[length] == '\n');
  }
}

const char *check_result_policy (const struct check_result *result) {
  return result->own_writes == OWN_INFER ? NULL : own_writes_name (result->own_writes);
}
