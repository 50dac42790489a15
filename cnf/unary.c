// Acyclicity by numbers in unary: a variable for each point and each k says that the point's number
// is k or more. Along an edge it grows. n points need the numbers 0 .. n - 1.

#include "cnf/acyclicity.h"

struct numbers {
  int32_t first;
  uint32_t most; // the largest
};

// That the number of a point is k or more, where 1 <= k <= most.
static int32_t at_least (const struct numbers *n, uint32_t point, uint32_t k) {
  return n->first + (int32_t) ((uint64_t) point * n->most + k - 1);
}

static void grow (struct formula *formula, const struct numbers *n, const struct arc *arc) {
  formula_implies (formula, arc->literal, 0, at_least (n, arc->to, 1));
  for (uint32_t k = 1; k < n->most; k++)
    formula_implies (formula, arc->literal, at_least (n, arc->from, k), at_least (n, arc->to, k + 1));
  formula_implies (formula, arc->literal, at_least (n, arc->from, n->most), 0);
}

void state_unary (struct formula *formula, const struct arc_component *component) {
  const uint64_t points = component->points;
  const struct numbers n = { formula_helpers (formula, points * (points - 1), "the number of a point is k or more"),
                             component->points - 1 };
  for (uint32_t v = 0; v < points && !formula_is_too_large (formula); v++)
    for (uint32_t k = 1; k < n.most; k++)
      formula_implies (formula, at_least (&n, v, k + 1), 0, at_least (&n, v, k));
  for (uint32_t i = 0; i < component->count && !formula_is_too_large (formula); i++)
    grow (formula, &n, &component->arcs[i]);
}
