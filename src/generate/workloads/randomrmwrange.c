// RandomRMWRange of Boomslang (appendix A.5), after the experiments of Emme: 90% read-modify-writes
// and 10% range queries, each of which is preceded by a query of all keys that tells which versions
// there are; values are unique. The 8 operations of a transaction are four such pairs.
//
// Boomslang has 10,000 keys. As every query of all keys returns them all, histories of that size
// are large; hence fewer unless asked for.

#include "generate/workloads/all.h"

enum { WIDEST = 100 };

void write_pairs (struct script *script) {
  const uint64_t pairs = (script->options->operations + 1) / 2;
  for (uint64_t i = 0; i < pairs; i++) {
    const uint64_t key = script_key (script);
    if (random_chance (script->random, 0.9)) {
      script_get (script, key);
      script_request (script, (struct request){ OP_PUT, key, .value_kind = VALUE_UNIQUE });
    } else {
      script_scan (script, 0, script->options->keys);
      script_scan (script, key, key + random_between (script->random, 1, WIDEST));
    }
  }
}
