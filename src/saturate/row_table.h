// Rows: per point of a graph, what is known to come before it.
//
// A row of clocks has one entry per chain: the last point of the chain that comes before, or the
// one before the chain's first where none does. Points that stand near each other in a topological
// order know nearly the same, so that entries are kept as distances of one byte from a base, a row
// of full numbers that many share: a point costs a byte per chain. Nothing is lost by that. A row
// that grows past what its base can say takes over the newest base if that fits, or makes one.
// Rows only grow, hence a base never has to be taken back, and a base below one row of a chain is
// below all that follow.
//
// The last chain of a graph with times is the time slots, which are as many as all transactions
// together: it would need new bases all the time, and has an entry of full size.
//
// Where chains are many and short, rows are bit sets instead, if these are smaller. Where even that
// would be too much memory, only the longest chains have entries. Rows may then know less than the
// edges imply; nothing may rely on their completeness but speed.

#ifndef KRAIT_SATURATE_ROW_TABLE_H
#define KRAIT_SATURATE_ROW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rows_kind {
  ROWS_AUTO,    // to be chosen by size
  ROWS_CLOCKS,  // an entry per chain
  ROWS_BITS,    // a bit per point; each transaction and each slot counts as a chain of its own for lookups ("track")
  ROWS_PARTIAL, // an entry per chain, for the longest chains only
};

// Clocks: the number of its base, the entry of slots if there are any, and a byte per column. Bit
// sets: words. Rows are stride bytes apart.
struct row;

enum { BASE_BLOCKS = 22, FIRST_BLOCK = 64, BASE_INDEX_BITS = 27 };

struct row_table {
  enum rows_kind kind;
  uint32_t tracked;  // chains with an entry in a row of clocks
  uint32_t columns;  // the same, up to a multiple of what is compared at once
  size_t stride;     // of a row, in bytes
  uint32_t past_at;  // where the bytes of a row of clocks begin
  uint32_t slots;    // the chain of slots, or UINT32_MAX
  int32_t slot_none; // the point before the first slot
  uint32_t *column;  // ROWS_PARTIAL: per chain its column, or UINT32_MAX
  unsigned char *bytes;
  int32_t *block[BASE_BLOCKS]; // of bases, each twice as large as the one before it
  uint32_t newest;             // base
  uint32_t bases;              // so many there are
};

// Where a row's points stand: per chain its first point, with one more entry at the end.
struct row_shape {
  uint32_t points, chains;
  const uint32_t *chain_first_point;
  uint32_t initial; // points of T0, which stand first and come before everything
  bool has_slots;   // they are the last chain
};

// `columns`: of ROWS_PARTIAL, those of the longest chains. All rows know T0 and nothing else.
struct row_table *row_table_new (const struct row_shape *, enum rows_kind, uint32_t columns);
void row_table_free (struct row_table *);

// What a point takes.
size_t row_table_clock_stride (const struct row_shape *, uint32_t columns);
size_t row_table_bit_stride (const struct row_shape *);

static inline struct row *row_table_at (const struct row_table *r, uint32_t point) {
  return (struct row *) (r->bytes + point * r->stride);
}

// The row of a point that nothing but T0 is known to precede.
void row_table_clear (const struct row_table *, const struct row_shape *, struct row *, uint32_t point);

// Into `row` whatever `other` knows; and a point of a chain. True if the row grew.
bool row_table_merge (struct row_table *, struct row *row, const struct row *other);
bool row_table_merge_point (struct row_table *, struct row *row, uint32_t chain, uint32_t point);

// The chains, or for bit sets the words, modulo 64, in which two rows differ.
uint64_t row_table_difference (const struct row_table *, const struct row *, const struct row *);

// Do two tables of the same kind and shape say the same of a point?
bool row_table_agrees (const struct row_table *, const struct row_table *, uint32_t point);

static inline uint32_t row_base (const struct row *row) {
  return *(const uint32_t *) (const void *) row;
}
static inline const int32_t *base_at (const struct row_table *r, uint32_t base) {
  return r->block[base >> BASE_INDEX_BITS] + (size_t) (base & ((1u << BASE_INDEX_BITS) - 1)) * r->columns;
}
static inline const uint32_t *row_words (const struct row *row) {
  return (const uint32_t *) (const void *) row;
}
static inline bool row_bit (const struct row *row, uint32_t point) {
  return row_words (row)[point >> 5] >> (point & 31) & 1;
}

// Of clocks: the last point of the chain that is known to come before; -1 where the chain has no
// column.
static inline int32_t row_clock (const struct row_table *r, const struct row *row, uint32_t chain) {
  if (chain == r->slots)
    return r->slot_none + (int32_t) row_words (row)[1];
  if (r->column) {
    if (r->column[chain] == UINT32_MAX)
      return -1;
    chain = r->column[chain];
  }
  return base_at (r, row_base (row))[chain] + ((const unsigned char *) row)[r->past_at + chain];
}

#endif
