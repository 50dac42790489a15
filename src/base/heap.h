// Binary heaps in vectors: the item that comes before all others is data[0].
//
// `before (context, a, b)` says whether item a comes before item b.

#ifndef KRAIT_BASE_HEAP_H
#define KRAIT_BASE_HEAP_H

#include "base/vec.h"

#define HEAP_PUSH(heap, item, before, context)                                                                         \
  do {                                                                                                                 \
    const __typeof__ (*(heap).data) heap_item_ = (item);                                                               \
    size_t heap_at_ = (heap).count;                                                                                    \
    VEC_PUSH (heap, heap_item_);                                                                                       \
    for (; heap_at_ && before (context, heap_item_, (heap).data[(heap_at_ - 1) / 2]); heap_at_ = (heap_at_ - 1) / 2)   \
      (heap).data[heap_at_] = (heap).data[(heap_at_ - 1) / 2];                                                         \
    (heap).data[heap_at_] = heap_item_;                                                                                \
  } while (0)

// Takes the first item out and this one in.
#define HEAP_REPLACE(heap, item, before, context)                                                                      \
  do {                                                                                                                 \
    const __typeof__ (*(heap).data) heap_item_ = (item);                                                               \
    size_t heap_at_ = 0;                                                                                               \
    for (size_t heap_child_; (heap_child_ = 2 * heap_at_ + 1) < (heap).count; heap_at_ = heap_child_) {                \
      heap_child_ +=                                                                                                   \
        heap_child_ + 1 < (heap).count && before (context, (heap).data[heap_child_ + 1], (heap).data[heap_child_]);    \
      if (!before (context, (heap).data[heap_child_], heap_item_))                                                     \
        break;                                                                                                         \
      (heap).data[heap_at_] = (heap).data[heap_child_];                                                                \
    }                                                                                                                  \
    (heap).data[heap_at_] = heap_item_;                                                                                \
  } while (0)

// Takes the first item out.
#define HEAP_POP(heap, before, context)                                                                                \
  do {                                                                                                                 \
    if (--(heap).count)                                                                                                \
      HEAP_REPLACE (heap, (heap).data[(heap).count], before, context);                                                 \
  } while (0)

#endif
