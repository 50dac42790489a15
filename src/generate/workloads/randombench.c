// RandomBench and RandomRange of Boomslang (section 8.1 and appendix A.5): reads, writes, deletes,
// range queries, iterators and read-modify-writes of random keys, all mixed, with values that
// repeat. Both have 25% reads, 25% writes, 5% deletes and 25% read-modify-writes (a read and a
// write, one operation). The rest is 10% range queries and 10% iterators in RandomBench, 20% range
// queries in RandomRange. A range is [k, k + n) with n from 1 to 100; an iterator stops after 1 to
// 10 items, and the history does not say after how many it meant to. `reads` is the share of reads
// among the plain reads and writes.

#include "generate/workloads/all.h"

enum { READS_AND_WRITES = 50, DELETES = 5, READ_MODIFY_WRITES = 25, RANGES = 20 }; // percent
enum { WIDEST = 100, MOST_FETCHED = 10 };

static void write_delete (struct script *script) {
  struct request request = { OP_DEL, .key = script_key (script) };
  request.hides_result = random_chance (script->random, 0.5);
  script_request (script, request);
}

static void write_range (struct script *script, bool iterator) {
  struct request request = { iterator ? OP_ITER : OP_SCAN, .key = script_key (script) };
  request.high = request.key + random_between (script->random, 1, WIDEST);
  request.most = iterator ? random_between (script->random, 1, MOST_FETCHED) : 0;
  script_request (script, request);
}

static void write_operation (struct script *script, unsigned iterators) {
  const uint64_t dice = random_below (script->random, 100);
  if (dice < READS_AND_WRITES) {
    const uint64_t key = script_key (script);
    script_get_or_put (script, key, random_chance (script->random, script->options->reads));
  } else if (dice < READS_AND_WRITES + DELETES)
    write_delete (script);
  else if (dice < READS_AND_WRITES + DELETES + READ_MODIFY_WRITES)
    script_replace (script, script_key (script));
  else
    write_range (script, dice < 100 - RANGES + iterators);
}

void write_bench (struct script *script) {
  for (uint64_t i = 0; i < script->options->operations; i++)
    write_operation (script, RANGES / 2);
}

void write_ranges (struct script *script) {
  for (uint64_t i = 0; i < script->options->operations; i++)
    write_operation (script, 0);
}
