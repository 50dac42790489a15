#include "saturate/row_table.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

// Entries are compared so many at a time, in loops of this length that compilers turn into wide
// operations. SLACK: how far behind the row that a new base is made for the base stays, so that it
// fits rows of concurrent points as well.
#ifdef KRAIT_DEBUG_CHECKS // so that small histories need new bases, too
enum { LANES = 16, MOST_PAST = 3, SLACK = 1 };
#else
enum { LANES = 16, MOST_PAST = 255, SLACK = 96 };
#endif

// The bases to begin with: T0 comes before, and for T0 itself, nothing does.
enum { BASE_OF_OTHERS, BASE_OF_INITIAL };

static uint32_t base_of (const struct row *row) {
  return row_base (row);
}
static void set_base (struct row *row, uint32_t base) {
  *(uint32_t *) (void *) row = base;
}
static unsigned char *past_of (const struct row_table *r, struct row *row) {
  return (unsigned char *) row + r->past_at;
}
static const unsigned char *const_past_of (const struct row_table *r, const struct row *row) {
  return (const unsigned char *) row + r->past_at;
}

// ------------------------------------------------------------------------------------------- bases

// The place of base number `count` among blocks.
static uint32_t base_number (uint32_t count) {
  uint32_t block = 0;
  while (count >= (uint32_t) FIRST_BLOCK << block) {
    count -= (uint32_t) FIRST_BLOCK << block;
    block++;
  }
  return block << BASE_INDEX_BITS | count;
}

// Room for one more; those that there are stay where they are.
static int32_t *make_base (struct row_table *r, uint32_t *number) {
  *number = base_number (r->bases++);
  const uint32_t block = *number >> BASE_INDEX_BITS;
  if (!r->block[block])
    r->block[block] = MEM_ARRAY (int32_t, mem_bytes ((size_t) FIRST_BLOCK << block, r->columns));
  return (int32_t *) base_at (r, *number);
}

// A row is to say `past` beyond `base`, and one entry may be larger: NULL, or the same row beyond
// another base. Two passes: which base fits, then the bytes.
struct wanted {
  const int32_t *base, *other_base; // other_base NULL: one row and a point
  unsigned char *past;
  const unsigned char *other_past;
  uint32_t column;
  int32_t point;
};

// What is wanted, from column c on.
static inline void values_at (const struct wanted *w, uint32_t c, int32_t value[LANES]) {
  const int32_t *base = w->base + c;
  const unsigned char *past = w->past + c;
  for (uint32_t k = 0; k < LANES; k++)
    value[k] = base[k] + past[k];
  if (!w->other_base) {
    if (w->column - c < LANES && value[w->column - c] < w->point)
      value[w->column - c] = w->point;
    return;
  }
  const int32_t *other_base = w->other_base + c;
  const unsigned char *other_past = w->other_past + c;
  for (uint32_t k = 0; k < LANES; k++) {
    const int32_t other = other_base[k] + other_past[k];
    value[k] = other > value[k] ? other : value[k];
  }
}

static bool fits (const struct wanted *w, const int32_t *base, uint32_t columns) {
  uint32_t distances = 0;
  for (uint32_t c = 0; c < columns && distances <= MOST_PAST; c += LANES) {
    int32_t value[LANES];
    values_at (w, c, value);
    for (uint32_t k = 0; k < LANES; k++)
      distances |= (uint32_t) (value[k] - base[c + k]);
  }
  return distances <= MOST_PAST;
}

static void write_beyond (const struct wanted *w, const int32_t *base, uint32_t columns) {
  for (uint32_t c = 0; c < columns; c += LANES) {
    int32_t value[LANES];
    values_at (w, c, value);
    for (uint32_t k = 0; k < LANES; k++)
      w->past[c + k] = (unsigned char) (value[k] - base[c + k]);
  }
}

// A base that the row fits, behind it by no more than SLACK, or by as much as the one it had.
static uint32_t take_new_base (struct row_table *r, const struct wanted *w) {
  uint32_t number;
  int32_t *base = make_base (r, &number);
  for (uint32_t c = 0; c < r->columns; c += LANES) {
    int32_t value[LANES];
    values_at (w, c, value);
    for (uint32_t k = 0; k < LANES; k++)
      base[c + k] = value[k] - SLACK > w->base[c + k] ? value[k] - SLACK : w->base[c + k];
  }
  r->newest = number;
  return number;
}

// The row beyond some base other than the one that it does not fit any more.
static void move_to_base (struct row_table *r, struct row *row, const struct wanted *w) {
  uint32_t number = r->newest;
  if (number == base_of (row) || !fits (w, base_at (r, number), r->columns))
    number = take_new_base (r, w);
  write_beyond (w, base_at (r, number), r->columns);
  set_base (row, number);
}

// ----------------------------------------------------------------------------------------- merging

// So many bytes at once, wherever they stand.
typedef unsigned char lanes __attribute__ ((vector_size (LANES), aligned (1), may_alias));

static bool is_zero_vector (lanes any) {
  uint64_t parts[LANES / 8];
  memcpy (parts, &any, sizeof parts);
  return !(parts[0] | parts[1]);
}

static bool raise_to (unsigned char *past, const unsigned char *other, uint32_t columns) {
  lanes grown = { 0 };
  for (uint32_t c = 0; c < columns; c += LANES) {
    lanes *const own = (lanes *) (past + c);
    const lanes theirs = *(const lanes *) (other + c), more = (lanes) (theirs > *own);
    grown |= more;
    *own = (theirs & more) | (*own & ~more);
  }
  return !is_zero_vector (grown);
}

static bool is_zero (const unsigned char *past, uint32_t columns) {
  lanes any = { 0 };
  for (uint32_t c = 0; c < columns; c += LANES)
    any |= *(const lanes *) (past + c);
  return is_zero_vector (any);
}

static bool would_grow (const struct wanted *w, uint32_t columns) {
  uint32_t more = 0;
  for (uint32_t c = 0; c < columns && !more; c += LANES) {
    int32_t value[LANES];
    values_at (w, c, value);
    for (uint32_t k = 0; k < LANES; k++)
      more |= (uint32_t) (value[k] - w->base[c + k] - w->past[c + k]);
  }
  return more;
}

// Of two bases the newer one if it fits: rows that follow are likely to have it, too.
static bool merge_across (struct row_table *r, struct row *row, const struct row *other) {
  const struct wanted w = { .base = base_at (r, base_of (row)),
                            .other_base = base_at (r, base_of (other)),
                            .past = past_of (r, row),
                            .other_past = const_past_of (r, other) };
  // T0's own rows know less than any other.
  if (base_of (other) == BASE_OF_INITIAL)
    return false;
  if (base_of (row) == BASE_OF_OTHERS && is_zero (w.past, r->columns)) { // it knew nothing yet
    memcpy (w.past, w.other_past, r->columns);
    set_base (row, base_of (other));
    return true;
  }
  const bool grows = would_grow (&w, r->columns);
  const bool newer = base_of (other) > base_of (row);
  if (newer && fits (&w, w.other_base, r->columns)) {
    write_beyond (&w, w.other_base, r->columns);
    set_base (row, base_of (other));
  } else if (grows && fits (&w, w.base, r->columns))
    write_beyond (&w, w.base, r->columns);
  else if (grows)
    move_to_base (r, row, &w);
  return grows;
}

static bool merge_words (const struct row_table *r, struct row *row, const struct row *other) {
  uint32_t *to = (uint32_t *) (void *) row, grown = 0;
  const uint32_t *from = row_words (other);
  for (size_t i = 0; i < r->stride / sizeof *to; i += 4)
    for (size_t k = 0; k < 4; k++) {
      grown |= from[i + k] & ~to[i + k];
      to[i + k] |= from[i + k];
    }
  return grown;
}

static bool raise_slot (struct row *row, uint32_t slot) {
  uint32_t *entry = (uint32_t *) (void *) row + 1;
  if (*entry >= slot)
    return false;
  *entry = slot;
  return true;
}

bool row_table_merge (struct row_table *r, struct row *row, const struct row *other) {
  if (r->kind == ROWS_BITS)
    return merge_words (r, row, other);
  bool grown = base_of (row) == base_of (other) ? raise_to (past_of (r, row), const_past_of (r, other), r->columns)
                                                : merge_across (r, row, other);
  if (r->slots != UINT32_MAX)
    grown |= raise_slot (row, row_words (other)[1]);
  return grown;
}

bool row_table_merge_point (struct row_table *r, struct row *row, uint32_t chain, uint32_t point) {
  if (r->kind == ROWS_BITS) {
    if (row_bit (row, point))
      return false;
    ((uint32_t *) (void *) row)[point >> 5] |= 1u << (point & 31);
    return true;
  }
  if (chain == r->slots)
    return raise_slot (row, (uint32_t) ((int32_t) point - r->slot_none));
  const uint32_t column = r->column ? r->column[chain] : chain;
  if (column == UINT32_MAX)
    return false;
  const int32_t *base = base_at (r, base_of (row));
  unsigned char *past = past_of (r, row);
  const int32_t distance = (int32_t) point - base[column];
  if (distance <= past[column])
    return false;
  if (distance <= MOST_PAST)
    past[column] = (unsigned char) distance;
  else
    move_to_base (r, row, &(struct wanted){ .base = base, .past = past, .column = column, .point = (int32_t) point });
  return true;
}

// -------------------------------------------------------------------------------------- difference

// A bit for each byte that is not 0, the first byte in memory being the lowest.
static uint64_t bytes_set (uint64_t bytes) {
  const uint64_t low = 0x7f7f7f7f7f7f7f7f;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap64 (bytes);
#endif
  return (((((bytes & low) + low) | bytes) & ~low) >> 7) * 0x0102040810204080 >> 56;
}

static uint64_t different_bytes (const unsigned char *a, const unsigned char *b, uint32_t columns) {
  uint64_t bits = 0;
  for (uint32_t c = 0; c < columns; c += 8) {
    uint64_t one, other;
    memcpy (&one, a + c, sizeof one);
    memcpy (&other, b + c, sizeof other);
    if (one != other)
      bits |= bytes_set (one ^ other) << (c & 63);
  }
  return bits;
}

static uint64_t different_clocks (const struct row_table *r, const struct row *a, const struct row *b) {
  const unsigned char *past = const_past_of (r, a), *other_past = const_past_of (r, b);
  uint64_t bits = 0;
  if (base_of (a) == base_of (b))
    bits = different_bytes (past, other_past, r->columns);
  else {
    const int32_t *base = base_at (r, base_of (a)), *other_base = base_at (r, base_of (b));
    for (uint32_t c = 0; c < r->columns; c++)
      bits |= (uint64_t) (base[c] + past[c] != other_base[c] + other_past[c]) << (c & 63);
  }
  if (r->column && bits) // columns are not in the order of chains
    bits = UINT64_MAX;
  if (r->slots != UINT32_MAX && row_words (a)[1] != row_words (b)[1])
    bits |= (uint64_t) 1 << (r->slots & 63);
  return bits;
}

uint64_t row_table_difference (const struct row_table *r, const struct row *a, const struct row *b) {
  if (r->kind != ROWS_BITS)
    return different_clocks (r, a, b);
  uint64_t bits = 0;
  for (size_t i = 0; i < r->stride / 4; i++)
    bits |= (uint64_t) (row_words (a)[i] ^ row_words (b)[i]) << (i & 1 ? 32 : 0);
  return bits;
}

bool row_table_agrees (const struct row_table *r, const struct row_table *other, uint32_t point) {
  const struct row *a = row_table_at (r, point), *b = row_table_at (other, point);
  if (r->kind == ROWS_BITS)
    return memcmp (a, b, r->stride) == 0;
  const int32_t *base = base_at (r, base_of (a)), *other_base = base_at (other, base_of (b));
  for (uint32_t c = 0; c < r->columns; c++)
    if (base[c] + const_past_of (r, a)[c] != other_base[c] + const_past_of (other, b)[c])
      return false;
  return r->slots == UINT32_MAX || row_words (a)[1] == row_words (b)[1];
}

// ------------------------------------------------------------------------------------------ making

static uint32_t padded (uint32_t columns) {
  return (columns + LANES - 1) / LANES * LANES;
}

static uint32_t header (const struct row_shape *shape) {
  return shape->has_slots ? 8 : 4;
}

// Slots have no column.
static uint32_t most_columns (const struct row_shape *shape) {
  return shape->chains - shape->has_slots;
}

size_t row_table_clock_stride (const struct row_shape *shape, uint32_t columns) {
  return header (shape) + padded (columns < most_columns (shape) ? columns : most_columns (shape));
}

size_t row_table_bit_stride (const struct row_shape *shape) {
  return ((size_t) shape->points + 127) / 128 * 16;
}

struct chain_length {
  uint32_t length, chain;
};

static int longest_first (const void *a, const void *b) {
  const struct chain_length *x = a, *y = b;
  return x->length != y->length ? COMPARE (y->length, x->length) : COMPARE (x->chain, y->chain);
}

// T0's chain, then the longest ones.
static void choose_columns (struct row_table *r, const struct row_shape *shape) {
  const uint32_t chains = most_columns (shape);
  struct chain_length *length = MEM_ARRAY (struct chain_length, chains);
  for (uint32_t c = 0; c < chains; c++)
    length[c] =
      (struct chain_length){ c ? shape->chain_first_point[c + 1] - shape->chain_first_point[c] : UINT32_MAX, c };
  SORT (length, chains, longest_first);
  r->column = MEM_ARRAY (uint32_t, shape->chains);
  for (uint32_t i = 0; i < chains; i++)
    r->column[length[i].chain] = i < r->tracked ? i : UINT32_MAX;
  mem_free (length);
}

static void make_first_bases (struct row_table *r, const struct row_shape *shape) {
  for (uint32_t kind = BASE_OF_OTHERS; kind <= BASE_OF_INITIAL; kind++) {
    uint32_t number;
    int32_t *base = make_base (r, &number);
    memset (base, 0, r->columns * sizeof *base);
    for (uint32_t c = 0; c < most_columns (shape); c++) {
      const uint32_t column = r->column ? r->column[c] : c;
      if (column != UINT32_MAX)
        base[column] = (int32_t) shape->chain_first_point[c] - 1;
    }
    if (kind == BASE_OF_OTHERS)
      base[r->column ? r->column[0] : 0] = (int32_t) shape->initial - 1;
  }
}

void row_table_clear (const struct row_table *r, const struct row_shape *shape, struct row *row, uint32_t point) {
  const bool is_initial = point < shape->initial;
  memset (row, 0, r->stride);
  if (r->kind == ROWS_BITS) // T0's points below it
    *(uint32_t *) (void *) row = is_initial ? point : (1u << shape->initial) - 1;
  else if (is_initial) {
    set_base (row, BASE_OF_INITIAL);
    past_of (r, row)[r->column ? r->column[0] : 0] = (unsigned char) point;
  }
}

struct row_table *row_table_new (const struct row_shape *shape, enum rows_kind kind, uint32_t columns) {
  struct row_table *r = mem_zalloc (sizeof *r);
  r->kind = kind;
  r->slots = UINT32_MAX;
  if (kind == ROWS_BITS)
    r->stride = row_table_bit_stride (shape);
  else {
    if (kind == ROWS_CLOCKS || columns > most_columns (shape))
      columns = most_columns (shape);
    r->tracked = columns;
    r->columns = padded (columns);
    r->stride = row_table_clock_stride (shape, columns);
    r->past_at = header (shape);
    if (shape->has_slots) {
      r->slots = shape->chains - 1;
      r->slot_none = (int32_t) shape->chain_first_point[r->slots] - 1;
    }
    if (kind == ROWS_PARTIAL)
      choose_columns (r, shape);
    make_first_bases (r, shape);
  }
  r->bytes = mem_zalloc (mem_bytes (shape->points, r->stride));
  // Clocks of all but T0 are zeros already.
  for (uint32_t v = 0; v < (kind == ROWS_BITS ? shape->points : shape->initial); v++)
    row_table_clear (r, shape, row_table_at (r, v), v);
  return r;
}

void row_table_free (struct row_table *r) {
  if (!r)
    return;
  for (unsigned i = 0; i < BASE_BLOCKS; i++)
    mem_free (r->block[i]);
  MEM_FREE_ALL (r->column, r->bytes, r);
}
