// What a single operation says by itself: what it read, and where. Own writes, choices and lists
// are left to story.c and lists.c.

#ifndef KRAIT_BRUTE_OPERATIONS_H
#define KRAIT_BRUTE_OPERATIONS_H

#include "history/history.h"

#include <stdbool.h>
#include <stdint.h>

enum { OPERATION_KEYS = 8 };

typedef uint32_t key_set; // bit per key

static inline key_set key_bit (uint32_t key) {
  return (key_set) 1 << key;
}

// What a read says about the version that it read.
enum expectation {
  EXPECTS_VALUE,  // it has this value, or is absent
  EXPECTS_LIVE,   // anything but absent: a delete that found its key
  EXPECTS_OTHER,  // anything but this value, absent included: a cas that failed
  EXPECTS_ZERO,   // this value, which is 0, or absent: an inc
  EXPECTS_WRITER, // it is this node's: a list read
};

bool expectation_met (enum expectation, uint32_t expected, uint32_t value);

struct op_read {
  uint32_t key;
  enum expectation expects;
  uint32_t value;
  bool predicate; // of absent, by a scan or an iterator
};

struct op_reads {
  unsigned count;
  struct op_read all[OPERATION_KEYS];
  // items out of range, out of order or repeated, or an inc to what no number gives; no reads then
  bool malformed;
};

// The keys of the history: those of operations, of returned items and of the initial map. Bounds of
// ranges are none.
key_set operation_universe (const struct history *);

// Is low <= key < high? KEY_NONE: no bound.
bool operation_in_range (const struct history *, uint32_t key, uint32_t low, uint32_t high);

// Do the times of the operations say that `later` began before the iterator was closed, or at that
// very time?
bool operation_iterator_is_open (const struct history *, uint32_t iterator, uint32_t later);

// The reads of an operation whose result was recorded; list reads give none here.
void operation_reads (const struct history *, uint32_t op, key_set universe, struct op_reads *);

// Does the operation read the key, as far as anything about that was recorded? A delete without a
// recorded result does not.
bool operation_looks_at (const struct history *, uint32_t op, uint32_t key);

#endif
