// Tasks that do not depend on each other, shared out among threads.
//
// What comes of them must not depend on who runs which of them, or in which order: each writes to
// places of its own, and whoever asked reads them in the order of the tasks.

#ifndef KRAIT_BASE_PARALLEL_H
#define KRAIT_BASE_PARALLEL_H

#include <stdint.h>

// So many threads as were asked for; 0: one per processor that this process may use.
unsigned parallel_threads (unsigned asked);

// Runs task (context, 0) to task (context, count - 1), each once, in at most so many threads, the
// caller's among them: with 0 or 1 there is no other, and they come one after another. Each thread
// takes the next task when it is done with one. All are done when this returns.
typedef void parallel_task (void *context, uint32_t number);
void parallel_run (unsigned threads, uint32_t count, parallel_task *task, void *context);

// A range cut into parts of nearly equal size: where this one begins, which is where the one before
// it ends.
static inline uint32_t parallel_first (uint32_t size, uint32_t parts, uint32_t part) {
  return (uint32_t) ((uint64_t) size * part / parts);
}

#endif
