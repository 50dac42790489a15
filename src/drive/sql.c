#include "drive/sql.h"

#include <stdio.h>
#include <string.h>

#define SELECT "SELECT k, v FROM " DRIVE_TABLE " WHERE "
#define INSERT "INSERT INTO " DRIVE_TABLE " (k, v) VALUES (?1, ?2) "

void sql_text (const struct sql_words *words, unsigned statement, char text[SQL_SIZE]) {
  static const char *const reads[] = {
    [SQL_GET] = SELECT "k = ?1",
    [SQL_SCAN] = SELECT "k >= ?1 AND k < ?2 ORDER BY k",
    [SQL_ITER] = SELECT "k >= ?1 AND k < ?2 ORDER BY k LIMIT ?3",
    [SQL_ITER_REVERSE] = SELECT "k >= ?1 AND k < ?2 ORDER BY k DESC LIMIT ?3",
  };
  if (statement < SQL_READS)
    snprintf (text, SQL_SIZE, "%s%s", reads[statement / LOCKS], words->locks[statement % LOCKS]);
  else if (statement == sql_write (SQL_PUT))
    snprintf (text, SQL_SIZE, INSERT "%s", words->upsert);
  else if (statement == sql_write (SQL_APPEND))
    snprintf (text, SQL_SIZE, INSERT "%s", words->append);
  else if (statement == sql_write (SQL_INC))
    snprintf (text, SQL_SIZE, INSERT "%s", words->inc);
  else
    snprintf (text, SQL_SIZE, "DELETE FROM " DRIVE_TABLE " WHERE k = ?1");
}

const char *sql_parameter (const char *text, unsigned *number) {
  const char *at = strchr (text, '?');
  *number = at ? (unsigned) (at[1] - '0') : 0;
  return at;
}
