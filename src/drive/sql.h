// The statements that SQL databases get: the same for all, but for a few words.

#ifndef KRAIT_DRIVE_SQL_H
#define KRAIT_DRIVE_SQL_H

#include "drive/driver.h"

// Parameters are ?1 (key, or low end), ?2 (value, or high end) and ?3 (most rows).
struct sql_words {
  const char *locks[LOCKS]; // behind a SELECT
  const char *upsert;       // behind INSERT … VALUES (?1, ?2)
  const char *append;       // the same, for a value that goes behind what is there
  const char *inc;          // the same, for a number that is added to what is there
};

enum sql_shape { SQL_GET, SQL_SCAN, SQL_ITER, SQL_ITER_REVERSE, SQL_PUT, SQL_APPEND, SQL_INC, SQL_DEL };
enum { SQL_READS = SQL_PUT * LOCKS, SQL_STATEMENTS = SQL_READS + 4, SQL_SIZE = 256 };

// The statement's number, from 0 to SQL_STATEMENTS - 1.
static inline unsigned sql_read (enum sql_shape shape, enum lock lock) {
  return (unsigned) shape * LOCKS + lock;
}
static inline unsigned sql_write (enum sql_shape shape) {
  return SQL_READS + (unsigned) shape - SQL_PUT;
}
static inline unsigned sql_scan (const struct range *range) {
  return sql_read (range->reverse ? SQL_ITER_REVERSE : range->most ? SQL_ITER : SQL_SCAN, range->lock);
}
static inline uint64_t sql_limit (const struct range *range) {
  return range->most ? range->most : INT64_MAX;
}
static inline unsigned sql_parameters (unsigned statement) {
  if (statement >= SQL_READS)
    return statement == sql_write (SQL_DEL) ? 1 : 2;
  return statement / LOCKS == SQL_GET ? 1 : statement / LOCKS == SQL_SCAN ? 2 : 3;
}

void sql_text (const struct sql_words *, unsigned statement, char text[SQL_SIZE]);

// The next ?N of a text: its place, and N in `number`; NULL if there is none left.
const char *sql_parameter (const char *text, unsigned *number);

#endif
