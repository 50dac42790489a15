// A small history from any bytes: they decide about everything in it.

#ifndef KRAIT_FUZZ_SMALL_HISTORY_H
#define KRAIT_FUZZ_SMALL_HISTORY_H

#include <stddef.h>
#include <stdint.h>

struct history;

struct choices {
  const uint8_t *next, *end; // what is missing at the end counts as zeros
};

static inline unsigned choose (struct choices *choices, unsigned bound) {
  return choices->next == choices->end ? 0 : *choices->next++ % bound;
}

// Finished; NULL: the bytes lead to what no reader accepts.
struct history *small_history (struct choices *);

#endif
