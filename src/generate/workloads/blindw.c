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

static void write_blindw (struct script *script) {
  const bool reads = random_chance (script->random, script->options->reads);
  for (uint64_t i = 0; i < script->options->operations; i++) {
    const uint64_t key = key_not_used (script);
    if (reads)
      script_get (script, key);
    else
      script_put (script, key);
  }
}

static void write_mixed (struct script *script) {
  for (uint64_t i = 0; i < script->options->operations; i++) {
    const uint64_t key = script_key (script);
    if (random_chance (script->random, script->options->reads))
      script_get (script, key);
    else
      script_put (script, key);
  }
}

const struct workload workload_blindw = {
  .name = "blindw",
  .about = "each transaction reads 8 keys or writes 8 keys; unique values",
  .keys = 10000,
  .overbooked = 50,
  .operations = 8,
  .reads = 0.5,
  .write = write_blindw,
};

const struct workload workload_blindw_mixed = {
  .name = "blindw-mixed",
  .about = "each of 8 operations reads or writes a key; unique values",
  .keys = 10000,
  .overbooked = 30,
  .operations = 8,
  .reads = 0.5,
  .write = write_mixed,
};

const struct workload workload_blindw_repeated = {
  .name = "blindw-repeated",
  .about = "as blindw-mixed, with values that repeat",
  .keys = 10000,
  .overbooked = 40,
  .operations = 8,
  .reads = 0.5,
  .repetition = 1,
  .write = write_mixed,
};
