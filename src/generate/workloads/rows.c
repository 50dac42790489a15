#include "generate/workloads/rows.h"

#include "base/error.h"

#include <string.h>

enum { TABLE_SHIFT = 60 };

uint64_t row_key (const struct table *tables, unsigned table, const uint64_t fields[MOST_FIELDS]) {
  uint64_t key = 0;
  for (unsigned i = 0; i < MOST_FIELDS && tables[table].bits[i]; i++) {
    const unsigned bits = tables[table].bits[i];
    key = key << bits | (fields[i] & (((uint64_t) 1 << bits) - 1));
  }
  return (uint64_t) table << TABLE_SHIFT | key;
}

// Every number of so many bits has that many digits at most: 0.30103 is the logarithm of 2.
static unsigned digits_of (unsigned bits) {
  return bits * 30103 / 100000 + 1;
}

static void write_number (uint64_t number, unsigned digits, char *text) {
  while (digits) {
    text[--digits] = (char) ('0' + number % 10);
    number /= 10;
  }
}

// By hand: this is called for every operation, and printf would take most of the time.
void row_name (const struct table *tables, uint64_t key, char *text, size_t size) {
  const struct table *table = &tables[key >> TABLE_SHIFT];
  const size_t length = strlen (table->name);
  size_t used = length;
  unsigned below = 0;
  for (unsigned i = 0; i < MOST_FIELDS; i++) {
    below += table->bits[i];
    used += table->bits[i] ? 1 + digits_of (table->bits[i]) : 0;
  }
  if (used >= size)
    misuse (__func__, "a name that does not fit");
  memcpy (text, table->name, length);
  char *at = text + length;
  for (unsigned i = 0; i < MOST_FIELDS && table->bits[i]; i++) {
    below -= table->bits[i];
    *at++ = '/';
    const uint64_t field = key >> below & (((uint64_t) 1 << table->bits[i]) - 1);
    write_number (field, digits_of (table->bits[i]), at);
    at += digits_of (table->bits[i]);
  }
  *at = 0;
}
