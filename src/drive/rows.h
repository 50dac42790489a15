// Bytes, and rows of them that a database returned.

#ifndef KRAIT_DRIVE_ROWS_H
#define KRAIT_DRIVE_ROWS_H

#include "base/vec.h"

#include <stddef.h>
#include <string.h>

struct slice {
  const char *bytes;
  size_t length;
};

static inline struct slice slice_of (const void *bytes, size_t length) {
  return (struct slice){ (const char *) bytes, length };
}

struct row {
  size_t key, key_length, value, value_length; // in the pool
};

struct rows {
  VEC (struct row) rows;
  VEC (char) pool;
};

static inline size_t rows_keep (struct rows *rows, struct slice slice) {
  const size_t at = rows->pool.count;
  VEC_RESERVE (rows->pool, at + slice.length);
  if (slice.length)
    memcpy (rows->pool.data + at, slice.bytes, slice.length);
  rows->pool.count += slice.length;
  return at;
}

static inline void rows_add (struct rows *rows, struct slice key, struct slice value) {
  struct row row = { .key_length = key.length, .value_length = value.length };
  row.key = rows_keep (rows, key);
  row.value = rows_keep (rows, value);
  VEC_PUSH (rows->rows, row);
}

static inline struct slice rows_key (const struct rows *rows, size_t row) {
  return slice_of (rows->pool.data + rows->rows.data[row].key, rows->rows.data[row].key_length);
}
static inline struct slice rows_value (const struct rows *rows, size_t row) {
  return slice_of (rows->pool.data + rows->rows.data[row].value, rows->rows.data[row].value_length);
}

static inline void rows_clear (struct rows *rows) {
  rows->rows.count = rows->pool.count = 0;
}
static inline void rows_free (struct rows *rows) {
  VEC_FREE (rows->rows);
  VEC_FREE (rows->pool);
}

#endif
