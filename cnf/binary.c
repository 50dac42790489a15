// Acyclicity by numbers in binary: a variable for each point and each bit of its number. Along an
// edge it grows: further variables of each edge say that the lowest i bits of its end are more than
// those of its start.

#include "cnf/acyclicity.h"

struct numbers {
  int32_t first;
  uint32_t bits;
};

static int32_t bit_of (const struct numbers *n, uint32_t point, uint32_t bit) {
  return n->first + (int32_t) ((uint64_t) point * n->bits + bit);
}

// `below` is so for bits 0 .. bit - 1, `here` for this one as well. Nothing is below bit 0, and
// what is so for all bits is what the edge demands.
static void compare (struct formula *formula, int32_t here, int32_t below, int32_t start, int32_t end) {
  formula_implies (formula, here, start, end);
  if (below) {
    formula_implies (formula, here, start, below);
    formula_implies (formula, here, -end, below);
  } else {
    formula_implies (formula, here, start, 0);
    formula_implies (formula, here, 0, end);
  }
}

static void grow (struct formula *formula, const struct numbers *n, const struct arc *arc) {
  int32_t below = 0;
  const int32_t first =
    n->bits > 1 ? formula_helpers (formula, n->bits - 1, "the lowest bits of an edge's end are more than its start's")
                : 0;
  for (uint32_t bit = 0; bit < n->bits; bit++) {
    const int32_t here = bit + 1 < n->bits ? first + (int32_t) bit : arc->literal;
    compare (formula, here, below, bit_of (n, arc->from, bit), bit_of (n, arc->to, bit));
    below = here;
  }
}

void state_binary (struct formula *formula, const struct arc_component *component) {
  struct numbers n = { .bits = 1 };
  while ((uint64_t) 1 << n.bits < component->points)
    n.bits++;
  n.first = formula_helpers (formula, (uint64_t) n.bits * component->points, "a bit of a point's number");
  for (uint32_t i = 0; i < component->count && !formula_is_too_large (formula); i++)
    grow (formula, &n, &component->arcs[i]);
}
