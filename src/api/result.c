// What a check comes to: making, copying and freeing it.

#include "api/decide.h"

#include "asg/asg.h"
#include "certify/make.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "levels/levels.h"
#include "modules/modules.h"

#include <string.h>

void check_result_free (struct check_result *result) {
  if (!result)
    return;
  violation_free (result->violation);
  for (size_t i = 0; i < result->anomalies.count; i++)
    violation_free (result->anomalies.data[i]);
  VEC_FREE (result->anomalies);
  VEC_FREE (result->met.ids);
  VEC_FREE (result->met.end);
  for (size_t i = 0; i < result->modules.count; i++)
    mem_free (result->modules.data[i]);
  VEC_FREE (result->modules);
  mem_free (result->reason);
  mem_free (result->warnings);
  mem_free (result->excused_example);
  mem_free (result->assumptions);
  certificate_free (result->certificate);
  certify_demands_free (result->demands);
  mem_free (result);
}

static char *copy_text (const char *text) {
  return text ? mem_strdup (text) : NULL;
}

void check_result_explain_like (struct check_result *result, const struct check_result *other) {
  struct violation *violation = violation_share (other->violation);
  violation_free (result->violation);
  result->violation = violation;
}

struct check_result *check_result_copy (const struct check_result *from) {
  struct check_result *result = mem_alloc (sizeof *result);
  *result = *from;
  result->certificate = NULL;
  result->demands = NULL;
  result->reason = copy_text (from->reason);
  result->warnings = copy_text (from->warnings);
  result->excused_example = copy_text (from->excused_example);
  result->assumptions = copy_text (from->assumptions);
  violation_share (from->violation);
  VEC_COPY (result->modules, from->modules);
  for (size_t i = 0; i < from->modules.count; i++)
    result->modules.data[i] = mem_strdup (from->modules.data[i]);
  VEC_COPY (result->met.ids, from->met.ids);
  VEC_COPY (result->met.end, from->met.end);
  VEC_COPY (result->anomalies, from->anomalies);
  for (size_t i = 0; i < from->anomalies.count; i++)
    violation_share (from->anomalies.data[i]);
  return result;
}

void check_result_name_modules (struct check_result *result, const struct module *const *modules, size_t count) {
  for (size_t i = 0; i < count; i++)
    VEC_PUSH (result->modules, mem_strdup (module_name (modules[i])));
}

struct check_result *check_result_new (const struct check_options *options) {
  struct check_result *result = mem_zalloc (sizeof *result);
  result->level = result->by_level = options->level->name;
  result->own_writes = own_writes_name (options->own_writes);
  result->dialect = options->dialect ? options->dialect->name : NULL;
  result->verdict = VERDICT_UNKNOWN;
  check_result_name_modules (result, options->modules, options->module_count);
  return result;
}

void check_result_say_unknown (struct check_result *result, const char *reason) {
  result->verdict = VERDICT_UNKNOWN;
  mem_free (result->reason);
  result->reason = mem_strdup (reason);
}

void check_result_warn (struct check_result *result, const char *text) {
  words w = VEC_EMPTY;
  if (result->warnings)
    words_add (&w, "%s\n", result->warnings);
  words_add (&w, "%s", text);
  mem_free (result->warnings);
  result->warnings = words_take (&w);
}
