#include "generate/workload.h"

#include "generate/workloads/all.h"

#include <string.h>

const struct workload *workload_find (const char *name) {
  for (size_t i = 0; workloads[i]; i++)
    if (!strcmp (workloads[i]->name, name))
      return workloads[i];
  return NULL;
}

uint32_t script_request (struct script *script, struct request request) {
  VEC_PUSH (script->requests, request);
  return (uint32_t) script->requests.count - 1;
}

struct request request_to (enum op_kind kind, uint64_t key) {
  return (struct request){ .kind = kind,
                           .key = key,
                           .key_from = FROM_NONE,
                           .high_from = FROM_NONE,
                           .value_from = FROM_NONE,
                           .when_from = FROM_NONE };
}

uint32_t script_get (struct script *script, uint64_t key) {
  return script_request (script, request_to (OP_GET, key));
}

uint32_t script_put (struct script *script, uint64_t key) {
  return script_request (script, request_to (OP_PUT, key));
}

uint32_t script_add (struct script *script, uint64_t key, uint32_t from, uint64_t plus) {
  struct request request = request_to (OP_PUT, key);
  request.value_kind = VALUE_PLUS;
  request.value_from = from;
  request.value = plus;
  return script_request (script, request);
}

uint32_t script_update (struct script *script, uint64_t key, uint64_t plus) {
  return script_add (script, key, script_get (script, key), plus);
}

uint32_t script_inc (struct script *script, uint64_t key, uint64_t by) {
  struct request request = request_to (OP_INC, key);
  request.value_kind = VALUE_GIVEN;
  request.value = by;
  return script_request (script, request);
}

uint32_t script_scan (struct script *script, uint64_t low, uint64_t high) {
  struct request request = request_to (OP_SCAN, low);
  request.high = high;
  return script_request (script, request);
}

uint64_t script_key (struct script *script) {
  return draw_next (script->keys, script->random);
}

void script_profile (struct script *script, const struct profile *profile) {
  uint64_t dice = random_below (script->random, 100);
  for (; dice >= profile->share; profile++)
    dice -= profile->share;
  profile->write (script, script_key (script));
}

bool script_only_reads (const struct script *script) {
  for (size_t i = 0; i < script->requests.count; i++)
    switch (script->requests.data[i].kind) {
    case OP_GET:
    case OP_SCAN:
    case OP_ITER:
    case OP_LIST: break;
    default: return false;
    }
  return true;
}
