// Keys of workloads that have tables: a table and the fields of a row, packed into a number such
// that rows are in the order of their fields, and so are their names (table/field/field, the fields
// with leading zeros).

#ifndef KRAIT_GENERATE_WORKLOADS_ROWS_H
#define KRAIT_GENERATE_WORKLOADS_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_FIELDS = 4, MOST_TABLES = 16 };

// Tables are in the order of their names.
struct table {
  const char *name;
  uint8_t bits[MOST_FIELDS]; // of each field, 60 together; 0: no such field
};

// Fields are cut to the bits that they have.
uint64_t row_key (const struct table *tables, unsigned table, const uint64_t fields[MOST_FIELDS]);
void row_name (const struct table *tables, uint64_t key, char *text, size_t size);

// ROW (table, field, …) where `tables` is in scope.
#define ROW(table, ...) row_key (tables, table, (const uint64_t[MOST_FIELDS]){ __VA_ARGS__ })

#endif
