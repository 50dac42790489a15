#include "generate/workload.h"

#include "generate/workloads/all.h"

#include <string.h>

const struct workload workloads[] = {
#define WORKLOAD(name, write, application, keys, overbooked, operations, reads, repetition, about)                     \
  { name, about, keys, overbooked, operations, reads, repetition, write, application },
#include "generate/workloads.def"
#undef WORKLOAD
  { 0 },
};

const struct workload *workload_find (const char *name) {
  for (const struct workload *workload = workloads; workload->name; workload++)
    if (!strcmp (workload->name, name))
      return workload;
  return NULL;
}

void workload_write (const struct workload *workload, struct script *script) {
  if (!workload->application) {
    workload->write (script);
    return;
  }
  const struct profile *profile = workload->application->profiles;
  uint64_t dice = random_below (script->random, 100);
  for (; dice >= profile->share; profile++)
    dice -= profile->share;
  profile->write (script, script_key (script));
}

uint32_t script_request (struct script *script, struct request request) {
  VEC_PUSH (script->requests, request);
  return (uint32_t) script->requests.count;
}

uint32_t script_get (struct script *script, uint64_t key) {
  return script_get_or_put (script, key, true);
}

uint32_t script_put (struct script *script, uint64_t key) {
  return script_get_or_put (script, key, false);
}

uint32_t script_get_or_put (struct script *script, uint64_t key, bool get) {
  return script_request (script, (struct request){ get ? OP_GET : OP_PUT, .key = key });
}

void script_replace (struct script *script, uint64_t key) {
  script_get (script, key);
  script_put (script, key);
}

uint32_t script_add (struct script *script, uint64_t key, uint32_t from, uint64_t plus) {
  return script_request (script,
                         (struct request){ OP_PUT, key, .value_kind = VALUE_PLUS, .value_from = from, .value = plus });
}

uint32_t script_update (struct script *script, uint64_t key, uint64_t plus) {
  return script_add (script, key, script_get (script, key), plus);
}

uint32_t script_inc (struct script *script, uint64_t key, uint64_t by) {
  return script_request (script, (struct request){ OP_INC, key, .value_kind = VALUE_GIVEN, .value = by });
}

uint32_t script_scan (struct script *script, uint64_t low, uint64_t high) {
  return script_request (script, (struct request){ OP_SCAN, low, .high = high });
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
