// What a check comes to: making, copying and freeing it.

#include "api/decide.h"

#include "asg/asg.h"
#include "certify/make.h"
#include "dialects/dialects.h"
#include "explain/words.h"
#include "levels/levels.h"
#include "modules/modules.h"

#include <string.h>

const char *verdict_name (enum verdict verdict) {
  switch (verdict) {
  case VERDICT_VALID: return "valid";
  case VERDICT_INVALID: return "invalid";
  case VERDICT_UNKNOWN: return "unknown";
  }
  return "?";
}

void check_options_default (struct check_options *options) {
  *options = (struct check_options){ .steps = { true, true, true, true, true, true, true } };
}

void cycle_edges_free (cycle_edge_vec *edges) {
  for (size_t i = 0; i < edges->count; i++)
    mem_free (edges->data[i].why);
  VEC_FREE (*edges);
}

void found_anomaly_free (struct found_anomaly *found) {
  VEC_FREE (found->core);
  cycle_edges_free (&found->cycle);
}

void check_result_forget (struct check_result *result) {
  cycle_edges_free (&result->cycle);
  cycle_edges_free (&result->beside);
  for (size_t i = 0; i < result->cases.count; i++) {
    mem_free (result->cases.data[i].assumption);
    cycle_edges_free (&result->cases.data[i].cycle);
  }
  VEC_FREE (result->cases);
  VEC_FREE (result->core);
  VEC_FREE (result->violated);
  VEC_FREE (result->holding);
  mem_free (result->explanation);
  result->explanation = NULL;
  result->anomaly = result->anomaly_name = NULL;
}

void check_result_free (struct check_result *result) {
  if (!result)
    return;
  check_result_forget (result);
  for (size_t i = 0; i < result->anomalies.count; i++)
    found_anomaly_free (&result->anomalies.data[i]);
  VEC_FREE (result->anomalies);
  VEC_FREE (result->met);
  VEC_FREE (result->met_end);
  VEC_FREE (result->parts);
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

static void copy_edges (cycle_edge_vec *to, const cycle_edge_vec *from) {
  for (size_t i = 0; i < from->count; i++) {
    VEC_PUSH (*to, from->data[i]);
    to->data[i].why = copy_text (from->data[i].why);
  }
}

void check_result_explain_like (struct check_result *result, const struct check_result *other) {
  check_result_forget (result);
  VEC_FREE (result->parts);
  result->anomaly = other->anomaly;
  result->anomaly_name = other->anomaly_name;
  result->explanation = copy_text (other->explanation);
  copy_edges (&result->cycle, &other->cycle);
  copy_edges (&result->beside, &other->beside);
  for (size_t i = 0; i < other->cases.count; i++) {
    struct cycle_case one = { .assumption = copy_text (other->cases.data[i].assumption) };
    copy_edges (&one.cycle, &other->cases.data[i].cycle);
    VEC_PUSH (result->cases, one);
  }
  VEC_COPY (result->violated, other->violated);
  VEC_COPY (result->holding, other->holding);
  VEC_COPY (result->core, other->core);
  VEC_COPY (result->parts, other->parts);
}

static void copy_anomaly (struct found_anomaly *to, const struct found_anomaly *from) {
  *to = (struct found_anomaly){ .anomaly = from->anomaly, .anomaly_name = from->anomaly_name };
  VEC_COPY (to->core, from->core);
  copy_edges (&to->cycle, &from->cycle);
}

struct check_result *check_result_copy (const struct check_result *from) {
  static const struct check_result none;
  struct check_result *result = mem_alloc (sizeof *result);
  *result = *from;
  result->certificate = NULL;
  result->demands = NULL;
  result->reason = copy_text (from->reason);
  result->warnings = copy_text (from->warnings);
  result->excused_example = copy_text (from->excused_example);
  result->assumptions = copy_text (from->assumptions);
  result->cycle = none.cycle;
  result->beside = none.beside;
  result->explanation = NULL;
  memset (&result->cases, 0, sizeof result->cases);
  memset (&result->core, 0, sizeof result->core);
  memset (&result->parts, 0, sizeof result->parts);
  result->violated = none.violated;
  result->holding = none.holding;
  check_result_explain_like (result, from);
  VEC_COPY (result->modules, from->modules);
  for (size_t i = 0; i < from->modules.count; i++)
    result->modules.data[i] = mem_strdup (from->modules.data[i]);
  VEC_COPY (result->met, from->met);
  VEC_COPY (result->met_end, from->met_end);
  VEC_COPY (result->anomalies, from->anomalies);
  for (size_t i = 0; i < from->anomalies.count; i++)
    copy_anomaly (&result->anomalies.data[i], &from->anomalies.data[i]);
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
