// No path leads back along an edge that forbids, however acyclicity is said. For each point that
// such edges end in, a variable for every other point says that it leads there; hidden edges are no
// part of such paths.

#include "cnf/acyclicity.h"

#include "base/sort.h"

// The clauses of one source: `leads + v` says that it leads to v.
static void reach (struct formula *formula, const struct arc_component *component, uint32_t source, int32_t leads) {
  for (uint32_t i = 0; i < component->count && !formula_is_too_large (formula); i++) {
    const struct arc *arc = &component->arcs[i];
    if (arc->from == source)
      formula_implies (formula, arc->literal, 0, leads + (int32_t) arc->to);
    else if (arc->to != source)
      formula_implies (formula, arc->literal, leads + (int32_t) arc->from, leads + (int32_t) arc->to);
  }
  for (uint32_t i = 0; i < component->forbid_count; i++)
    if (component->forbids[i].to == source)
      formula_implies (formula, component->forbids[i].literal, leads + (int32_t) component->forbids[i].from, 0);
}

void state_forbids (struct formula *formula, const struct arc_component *component) {
  uint32_t *sources = MEM_ARRAY (uint32_t, component->forbid_count);
  for (uint32_t i = 0; i < component->forbid_count; i++)
    sources[i] = component->forbids[i].to;
  const size_t count = sort_distinct_u32 (sources, component->forbid_count);
  for (size_t i = 0; i < count && !formula_is_too_large (formula); i++)
    reach (formula, component, sources[i],
           formula_helpers (formula, component->points, "the end of an edge that forbids leads to a point"));
  mem_free (sources);
}
