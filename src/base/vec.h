// Growing arrays of any type.
//
//   VEC (uint32_t) edges = VEC_EMPTY;
//   VEC_PUSH (edges, 7);
//   for (size_t i = 0; i < edges.count; i++) use (edges.data[i]);
//   VEC_FREE (edges);
//
// A named type is made with `typedef VEC (struct edge) edge_vec;`.

#ifndef KRAIT_BASE_VEC_H
#define KRAIT_BASE_VEC_H

#include "base/memory.h"

#include <string.h> // VEC_COPY

#define VEC(type)                                                                                                      \
  struct {                                                                                                             \
    type *data;                                                                                                        \
    size_t count, capacity;                                                                                            \
  }

#define VEC_EMPTY                                                                                                      \
  { NULL, 0, 0 }

#define VEC_RESERVE(vec, wanted)                                                                                       \
  do {                                                                                                                 \
    const size_t vec_wanted_ = (wanted);                                                                               \
    if (vec_wanted_ > (vec).capacity) {                                                                                \
      size_t vec_capacity_ = mem_capacity_after ((vec).capacity, sizeof *(vec).data);                                  \
      if (vec_capacity_ < vec_wanted_)                                                                                 \
        vec_capacity_ = vec_wanted_;                                                                                   \
      MEM_RESIZE ((vec).data, vec_capacity_);                                                                          \
      (vec).capacity = vec_capacity_;                                                                                  \
    }                                                                                                                  \
  } while (0)

#define VEC_PUSH(vec, ...)                                                                                             \
  do {                                                                                                                 \
    if ((vec).count == (vec).capacity)                                                                                 \
      VEC_RESERVE (vec, (vec).count + 1);                                                                              \
    (vec).data[(vec).count++] = (__VA_ARGS__);                                                                         \
  } while (0)

// Makes `to`, whatever it held, a vector with the same items.
#define VEC_COPY(to, from)                                                                                             \
  do {                                                                                                                 \
    (to).data = mem_alloc (mem_bytes ((from).count, sizeof *(from).data));                                             \
    (to).count = (to).capacity = (from).count;                                                                         \
    if ((from).count)                                                                                                  \
      memcpy ((to).data, (from).data, (from).count * sizeof *(from).data);                                             \
  } while (0)

// Gives back what growing ahead took too much.
#define VEC_TRIM(vec)                                                                                                  \
  do {                                                                                                                 \
    if ((vec).capacity > (vec).count) {                                                                                \
      MEM_RESIZE ((vec).data, (vec).count);                                                                            \
      (vec).capacity = (vec).count;                                                                                    \
    }                                                                                                                  \
  } while (0)

#define VEC_FREE(vec)                                                                                                  \
  do {                                                                                                                 \
    mem_free ((vec).data);                                                                                             \
    (vec).data = NULL;                                                                                                 \
    (vec).count = (vec).capacity = 0;                                                                                  \
  } while (0)

// Of pointers, or of other things that a function frees.
#define VEC_FREE_EACH(vec, free_one)                                                                                   \
  do {                                                                                                                 \
    for (size_t vec_at_ = 0; vec_at_ < (vec).count; vec_at_++)                                                         \
      free_one ((vec).data[vec_at_]);                                                                                  \
    VEC_FREE (vec);                                                                                                    \
  } while (0)

#endif
