// Acyclicity by transitive closure: a variable for every two points says that one leads to the
// other, by an edge or by an edge and what leads on from its end. No edge leads back.

#include "cnf/acyclicity.h"

struct closure {
  int32_t first;
  uint32_t points;
};

// That u leads to v, another point.
static int32_t leads (const struct closure *c, uint32_t u, uint32_t v) {
  return c->first + (int32_t) ((uint64_t) u * (c->points - 1) + v - (v > u));
}

void state_closure (struct formula *formula, const struct arc_component *component) {
  const uint64_t points = component->points;
  const struct closure c = { formula_helpers (formula, points * (points - 1), "one point leads to another"),
                             component->points };
  for (uint32_t i = 0; i < component->count && !formula_is_too_large (formula); i++) {
    const struct arc *arc = &component->arcs[i];
    formula_implies (formula, arc->literal, leads (&c, arc->to, arc->from), 0);
    formula_implies (formula, arc->literal, 0, leads (&c, arc->from, arc->to));
    for (uint32_t v = 0; v < points; v++)
      if (v != arc->from && v != arc->to)
        formula_implies (formula, arc->literal, leads (&c, arc->to, v), leads (&c, arc->from, v));
  }
}
