// The operations of a driver for a database that speaks SQL, each a statement of sql.h. A driver
// includes this behind its own
//
//   static enum answer execute (struct connection *, unsigned statement, struct slice first, struct
//     slice second, uint64_t most, struct rows *, bool *affected)
//
// where rows and affected may be NULL: neither is asked for.

#ifndef KRAIT_DRIVE_SQL_OPERATIONS_H
#define KRAIT_DRIVE_SQL_OPERATIONS_H

#include "drive/sql.h"

static enum answer get (void *of, struct slice key, enum lock lock, struct rows *rows) {
  return execute (of, sql_read (SQL_GET, lock), key, key, 0, rows, NULL);
}

static enum answer scan (void *of, const struct range *range, struct rows *rows) {
  return execute (of, sql_scan (range), range->low, range->high, sql_limit (range), rows, NULL);
}

static enum answer put (void *of, struct slice key, struct slice value) {
  return execute (of, sql_write (SQL_PUT), key, value, 0, NULL, NULL);
}

static enum answer append (void *of, struct slice key, struct slice value) {
  return execute (of, sql_write (SQL_APPEND), key, value, 0, NULL, NULL);
}

// The transaction holds the row from the update on, so that what it reads next is what it wrote.
// With a lock, because a plain read may be the first one, which takes the snapshot for all others.
static enum answer inc (void *of, struct slice key, struct slice by, struct rows *rows) {
  const enum answer answer = execute (of, sql_write (SQL_INC), key, by, 0, NULL, NULL);
  return answer == ANSWER_DONE ? get (of, key, LOCK_UPDATE, rows) : answer;
}

static enum answer del (void *of, struct slice key, bool *found) {
  *found = false;
  return execute (of, sql_write (SQL_DEL), key, key, 0, NULL, found);
}

#endif
