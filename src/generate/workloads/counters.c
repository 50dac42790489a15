// Counters: transactions that increase a few of them, each with one statement, and transactions
// that read a few. Values repeat as soon as a counter's history branches: two transactions that
// increased the same value by the same amount wrote the same, and one of the two updates is lost.

#include "generate/workloads/all.h"

enum { MOST_ADDED = 2 };

void write_counters (struct script *script) {
  const bool reads = random_chance (script->random, script->options->reads);
  for (uint64_t i = 0; i < script->options->operations; i++)
    if (reads)
      script_get (script, script_key (script));
    else
      script_inc (script, script_key (script), random_between (script->random, 1, MOST_ADDED));
}
