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

uint32_t script_get (struct script *script, uint64_t key) {
  return script_request (script, (struct request){ .kind = OP_GET, .key = key, .key_from = FROM_NONE });
}

uint32_t script_put (struct script *script, uint64_t key) {
  return script_request (
    script, (struct request){ .kind = OP_PUT, .key = key, .key_from = FROM_NONE, .value_kind = VALUE_FRESH });
}

uint32_t script_add (struct script *script, uint64_t key, uint32_t from, uint64_t plus) {
  return script_request (
    script,
    (struct request){
      .kind = OP_PUT, .key = key, .key_from = FROM_NONE, .value_kind = VALUE_PLUS, .value_from = from, .value = plus });
}

uint64_t script_key (struct script *script) {
  return draw_next (script->keys, script->random);
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
