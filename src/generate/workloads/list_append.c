// List-append, as Jepsen does it for Elle: transactions of 1 to 4 operations, each appends a unique
// element to a list or reads one whole. Few lists are in use at a time (`keys`); one that has been
// appended to so often is given up for a new one, or reads would grow without end.

#include "generate/workloads/all.h"

enum { MOST_APPENDS = 32 };

// With more lists than there are counters, lists share them, and are given up the earlier for it.
static uint64_t list_in_use (struct script *script, bool append) {
  const uint64_t list = script_key (script);
  uint64_t *appends = &script->shared[list % SCRIPT_SHARED];
  const uint64_t generation = *appends / MOST_APPENDS;
  *appends += append;
  return generation * script->options->keys + list;
}

void write_lists (struct script *script) {
  const uint64_t operations = random_between (script->random, 1, script->options->operations);
  for (uint64_t i = 0; i < operations; i++) {
    const bool append = !random_chance (script->random, script->options->reads);
    script_request (script, (struct request){ append ? OP_APPEND : OP_LIST, list_in_use (script, append),
                                              .value_kind = VALUE_UNIQUE }); // one that comes twice says nothing
  }
}
