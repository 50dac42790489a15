#include "certify/make.h"

#include "asg/asg.h"
#include "certify/valid.h"
#include "ir/demands.h"

struct cert_demands *certify_demands (const struct demands *demands, const struct asg *asg) {
  struct cert_demands *to = mem_zalloc (sizeof *to);
  for (size_t i = 0; i < demands->list.count; i++) {
    const struct demand *demand = &demands->list.data[i];
    VEC_PUSH (to->list, (struct cert_demand){ .first_condition = (uint32_t) to->conditions.count,
                                              .conditions = demand->conditions,
                                              .first_alternative = (uint32_t) to->alternatives.count,
                                              .alternatives = demand->alternatives });
    for (uint32_t k = 0; k < demand->conditions; k++) {
      const struct demand_condition condition = demands->conditions.data[demand->first_condition + k];
      VEC_PUSH (to->conditions,
                (struct cert_condition){ asg->read_op[condition.read], asg->read_key[condition.read],
                                         condition.source == SOURCE_INITIAL ? INITIAL : condition.source });
    }
    for (uint32_t k = 0; k < demand->alternatives; k++) {
      const struct demand_alternative *alternative = &demands->alternatives.data[demand->first_alternative + k];
      VEC_PUSH (to->alternatives, (struct cert_alternative){ (uint32_t) to->edges.count, alternative->edges });
      for (uint32_t e = 0; e < alternative->edges; e++) {
        const struct ir_edge edge = demands->edges.data[alternative->first_edge + e];
        VEC_PUSH (to->edges, (struct cert_edge){ edge.from, edge.to });
      }
    }
  }
  return to;
}

void certify_demands_free (struct cert_demands *demands) {
  if (demands)
    cert_demands_free (demands);
  mem_free (demands);
}

struct cert_demands *certify_demands_copy (const struct cert_demands *demands) {
  struct cert_demands *copy = demands ? mem_zalloc (sizeof *copy) : NULL;
  for (uint32_t i = 0; demands && i < demands->list.count; i++)
    cert_demands_add (copy, demands, i);
  return copy;
}

#define EDGES_NONE UINT32_MAX

// How many edges it has in the world; EDGES_NONE: it does not hold. The order may be that of a stronger level with begins and commits.
static uint32_t edges_of (const struct world *w, const struct cert_alternative *alternative) {
  uint32_t count = 0;
  for (uint32_t i = alternative->first_edge; i < alternative->first_edge + alternative->edges; i++) {
    const struct cert_edge edge = w->c->demands.edges.data[i];
    if (!w->in[edge.from] || !w->in[edge.to])
      continue;
    if (w->commit[edge.from] >= w->begin[edge.to])
      return EDGES_NONE;
    count++;
  }
  return count;
}

// The one that was taken; else one that asks for nothing, or else the first one that holds.
static uint32_t choose (struct world *w, const struct cert_demand *demand, uint32_t preferred) {
  uint32_t chosen = 0, fewest = EDGES_NONE;
  if (!world_conditions_hold (w, demand))
    return 0;
  if (preferred < demand->alternatives)
    return preferred;
  for (uint32_t i = 0; i < demand->alternatives && fewest; i++) {
    const uint32_t edges = edges_of (w, &w->c->demands.alternatives.data[demand->first_alternative + i]);
    if (edges != EDGES_NONE && (fewest == EDGES_NONE || !edges)) {
      fewest = edges;
      chosen = i;
    }
  }
  return chosen;
}

void certify_alternatives (struct certificate *c, struct world *w, const uint32_t *preferred) {
  for (size_t i = 0; i < c->demands.list.count; i++)
    c->demands.list.data[i].chosen = choose (w, &c->demands.list.data[i], preferred ? preferred[i] : ALTERNATIVE_NONE);
}
