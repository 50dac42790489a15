// Rows of every kind against rows of full numbers: random graphs in topological order, then random
// edges from earlier points to later ones.

#include "saturate/row_table.h"

#include "../brute/prng.h"
#include "base/memory.h"
#include "greatest_main.h"

#include <string.h>

enum { CASES = 60, MOST_CHAINS = 40 };

struct plan {
  struct prng random;
  struct row_shape shape;
  uint32_t first[MOST_CHAINS + 1];
  uint32_t *chain; // per point
  uint32_t *order; // points, topologically
  int32_t *known;  // per point and chain, the last point before it; -1: none
};

static int32_t *known_at (const struct plan *p, uint32_t point) {
  return p->known + (size_t) point * p->shape.chains;
}

static void merge_known (const struct plan *p, uint32_t to, uint32_t from) {
  int32_t *row = known_at (p, to);
  const int32_t *other = known_at (p, from);
  for (uint32_t c = 0; c < p->shape.chains; c++)
    row[c] = other[c] > row[c] ? other[c] : row[c];
  if (row[p->chain[from]] < (int32_t) from)
    row[p->chain[from]] = (int32_t) from;
}

// Chains of all lengths, some of which take few steps while others take many.
static void plan_make (struct plan *p, uint64_t index) {
  memset (p, 0, sizeof *p);
  p->random = prng_fork (41, index);
  struct row_shape *shape = &p->shape;
  shape->initial = 1 + prng_below (&p->random, 2);
  shape->chains = prng_between (&p->random, 2, MOST_CHAINS);
  shape->has_slots = prng_chance (&p->random, 50);
  shape->chain_first_point = p->first;
  p->first[1] = shape->initial;
  for (uint32_t c = 1; c < shape->chains; c++)
    p->first[c + 1] = p->first[c] + 1 + prng_below (&p->random, prng_chance (&p->random, 20) ? 900 : 40);
  shape->points = p->first[shape->chains];
  p->chain = MEM_ARRAY (uint32_t, shape->points);
  for (uint32_t c = 0; c < shape->chains; c++)
    for (uint32_t v = p->first[c]; v < p->first[c + 1]; v++)
      p->chain[v] = c;
  p->order = MEM_ARRAY (uint32_t, shape->points);
  uint32_t cursor[MOST_CHAINS], placed = 0, chain = 0;
  memcpy (cursor, p->first, sizeof cursor);
  for (uint32_t v = 0; v < shape->initial; v++)
    p->order[placed++] = cursor[0]++;
  while (placed < shape->points) {
    if (!prng_chance (&p->random, 60))
      chain = prng_below (&p->random, shape->chains);
    if (cursor[chain] == p->first[chain + 1])
      chain = (chain + 1) % shape->chains;
    else
      p->order[placed++] = cursor[chain]++;
  }
  p->known = MEM_ARRAY (int32_t, (size_t) shape->points * shape->chains);
  memset (p->known, 0xff, (size_t) shape->points * shape->chains * sizeof *p->known);
  for (uint32_t v = 0; v < shape->points; v++)
    known_at (p, v)[0] = v < shape->initial ? (int32_t) v - 1 : (int32_t) shape->initial - 1;
}

static void plan_free (struct plan *p) {
  MEM_FREE_ALL (p->chain, p->order, p->known);
}

static void add_edge (const struct plan *p, struct row_table *rows, uint32_t from, uint32_t to) {
  merge_known (p, to, from);
  row_table_merge (rows, row_table_at (rows, to), row_table_at (rows, from));
  row_table_merge_point (rows, row_table_at (rows, to), p->chain[from], from);
}

// Does the row say what is known? Of a chain without a column nothing can be said.
static bool agrees (const struct plan *p, const struct row_table *rows, uint32_t v) {
  const struct row *row = row_table_at (rows, v);
  for (uint32_t c = 0; c < p->shape.chains; c++) {
    const int32_t wanted = known_at (p, v)[c];
    if (rows->kind == ROWS_BITS) {
      for (uint32_t u = p->first[c]; u < p->first[c + 1]; u++)
        if (row_bit (row, u) != ((int32_t) u <= wanted))
          return false;
    } else if (!rows->column || c == rows->slots || rows->column[c] != UINT32_MAX) {
      const int32_t found = row_clock (rows, row, c);
      if (found != wanted && (wanted >= 0 || found >= (int32_t) p->first[c]))
        return false;
    }
  }
  return true;
}

// Bit sets hold single points: what comes before along the chain is an edge of its own.
static void add_chain_edges (const struct plan *p, struct row_table *rows, uint32_t v) {
  if (v > p->first[p->chain[v]] && v >= p->shape.initial)
    add_edge (p, rows, v - 1, v);
}

static bool grows_as_it_says (const struct plan *p, struct row_table *rows, uint32_t from, uint32_t to) {
  struct row *row = row_table_at (rows, to), *old = mem_alloc (rows->stride);
  memcpy (old, row, rows->stride);
  bool grew = row_table_merge (rows, row, row_table_at (rows, from));
  grew |= row_table_merge_point (rows, row, p->chain[from], from);
  merge_known (p, to, from);
  const bool fine = grew == (row_table_difference (rows, row, old) != 0);
  mem_free (old);
  return fine;
}

TEST rows_say_what_full_numbers_say (enum rows_kind kind) {
  for (uint64_t index = 0; index < CASES; index++) {
    struct plan p;
    plan_make (&p, index);
    struct row_table *rows = row_table_new (&p.shape, kind, prng_between (&p.random, 1, p.shape.chains));
    for (uint32_t i = 0; i < p.shape.points; i++) {
      add_chain_edges (&p, rows, p.order[i]);
      for (unsigned k = prng_below (&p.random, 4); i > p.shape.initial && k; k--)
        add_edge (&p, rows, p.order[prng_chance (&p.random, 20) ? prng_below (&p.random, i) : i - 1], p.order[i]);
    }
    for (uint32_t v = 0; v < p.shape.points; v++)
      ASSERT (agrees (&p, rows, v));
    for (unsigned k = 0; k < 200; k++) {
      const uint32_t to = prng_between (&p.random, p.shape.initial, p.shape.points - 1);
      const uint32_t from = prng_below (&p.random, to);
      ASSERT (grows_as_it_says (&p, rows, p.order[from], p.order[to]));
      ASSERT (agrees (&p, rows, p.order[to]));
    }
    row_table_free (rows);
    plan_free (&p);
  }
  PASS ();
}

TEST nearby_rows_share_their_base (void) {
  enum { CHAINS = 9, STEPS = 4000 };
  uint32_t first[CHAINS + 1];
  for (uint32_t c = 0; c <= CHAINS; c++)
    first[c] = c ? 1 + (c - 1) * STEPS : 0;
  const struct row_shape shape = { first[CHAINS], CHAINS, first, 1, false };
  struct row_table *rows = row_table_new (&shape, ROWS_CLOCKS, UINT32_MAX);
  for (uint32_t step = 0; step < STEPS; step++)
    for (uint32_t c = 1; c < CHAINS; c++)
      for (uint32_t other = 1; other < CHAINS && step; other++) {
        const uint32_t from = first[other] + step - 1, to = first[c] + step;
        row_table_merge (rows, row_table_at (rows, to), row_table_at (rows, from));
        row_table_merge_point (rows, row_table_at (rows, to), other, from);
      }
  for (uint32_t c = 1; c < CHAINS; c++)
    ASSERT_EQ ((int32_t) (first[c] + STEPS - 2), row_clock (rows, row_table_at (rows, first[2] + STEPS - 1), c));
  ASSERT (rows->bases < STEPS);
  row_table_free (rows);
  PASS ();
}

SUITE (row_tables) {
  RUN_TESTp (rows_say_what_full_numbers_say, ROWS_CLOCKS);
  RUN_TESTp (rows_say_what_full_numbers_say, ROWS_BITS);
  RUN_TESTp (rows_say_what_full_numbers_say, ROWS_PARTIAL);
  RUN_TEST (nearby_rows_share_their_base);
}

KRAIT_UNIT_MAIN (RUN_SUITE (row_tables);)
