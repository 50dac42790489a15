// BlindW, the workload of Cobra and others after it: reads and writes of random keys that have
// nothing to do with each other. In the original each transaction only reads or only writes; mixed,
// each operation is the one or the other.

#include "generate/workloads/all.h"

static uint64_t key_not_used (struct script *script) {
  const uint64_t most = script->options->keys;
  for (;;) {
    const uint64_t key = script_key (script);
    bool used = false;
    for (size_t i = 0; i < script->requests.count && !used; i++)
      used = script->requests.data[i].key == key;
    if (!used || script->requests.count >= most) // fewer keys than operations: some come twice
      return key;
  }
}

void write_blindw (struct script *script) {
  const bool reads = random_chance (script->random, script->options->reads);
  for (uint64_t i = 0; i < script->options->operations; i++)
    script_get_or_put (script, key_not_used (script), reads);
}

void write_mixed (struct script *script) {
  for (uint64_t i = 0; i < script->options->operations; i++) {
    const uint64_t key = script_key (script);
    script_get_or_put (script, key, random_chance (script->random, script->options->reads));
  }
}
