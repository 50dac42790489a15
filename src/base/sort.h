// Comparing and sorting.

#ifndef KRAIT_BASE_SORT_H
#define KRAIT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> // VEC_SORT

// Negative, 0 or positive, as qsort wants it.
#define COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

// For arrays of numbers, and of structs that begin with one.
int by_u32 (const void *, const void *);
int by_u64 (const void *, const void *);
int by_i64 (const void *, const void *);

// For arrays of structs that begin with two or three numbers: the first that differ decide.
int by_u32_pair (const void *, const void *);
int by_u32_triple (const void *, const void *);

// qsort must not be given the null pointer, not even with nothing to sort.
#define SORT(array, count, compare)                                                                                    \
  do {                                                                                                                 \
    if (count)                                                                                                         \
      qsort ((array), (count), sizeof *(array), compare);                                                              \
  } while (0)
#define VEC_SORT(vec, compare) SORT ((vec).data, (vec).count, compare)

// Sorts, drops what is there twice, and tells how many are left.
size_t sort_distinct_u32 (uint32_t *numbers, size_t count);

// A sorted copy, to be freed.
uint64_t *sorted_u64 (const uint64_t *numbers, size_t count);

#endif
