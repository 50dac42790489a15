#include "base/sort.h"

#include "base/memory.h"

int by_u32 (const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return COMPARE (x, y);
}

int by_u64 (const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return COMPARE (x, y);
}

int by_i64 (const void *a, const void *b) {
  const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;
  return COMPARE (x, y);
}

static int by_some (const uint32_t *x, const uint32_t *y, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (x[i] != y[i])
      return COMPARE (x[i], y[i]);
  return 0;
}

int by_u32_pair (const void *a, const void *b) {
  return by_some (a, b, 2);
}

int by_u32_triple (const void *a, const void *b) {
  return by_some (a, b, 3);
}

size_t sort_distinct_u32 (uint32_t *numbers, size_t count) {
  SORT (numbers, count, by_u32);
  size_t distinct = 0;
  for (size_t i = 0; i < count; i++)
    if (!i || numbers[i] != numbers[distinct - 1])
      numbers[distinct++] = numbers[i];
  return distinct;
}

uint64_t *sorted_u64 (const uint64_t *numbers, size_t count) {
  uint64_t *sorted = MEM_ARRAY (uint64_t, count);
  for (size_t i = 0; i < count; i++)
    sorted[i] = numbers[i];
  SORT (sorted, count, by_u64);
  return sorted;
}
