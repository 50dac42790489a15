#include "certify/make.h"

#include "asg/asg.h"
#include "ir/constraints.h"
#include "verify/valid.h"

struct cert_constraints *certify_constraints (const struct constraints *constraints, const struct asg *asg) {
  struct cert_constraints *to = mem_zalloc (sizeof *to);
  for (size_t i = 0; i < constraints->list.count; i++) {
    const struct constraint *constraint = &constraints->list.data[i];
    VEC_PUSH (to->list, (struct cert_constraint){ .first_condition = (uint32_t) to->conditions.count,
                                                  .conditions = constraint->conditions,
                                                  .first_alternative = (uint32_t) to->alternatives.count,
                                                  .alternatives = constraint->alternatives });
    for (uint32_t k = 0; k < constraint->conditions; k++) {
      const struct constraint_condition condition = constraints->conditions.data[constraint->first_condition + k];
      VEC_PUSH (to->conditions,
                (struct cert_condition){ asg->read_op[condition.read], asg->read_key[condition.read],
                                         condition.source == SOURCE_INITIAL ? INITIAL : condition.source });
    }
    for (uint32_t k = 0; k < constraint->alternatives; k++) {
      const struct constraint_alternative *alternative =
        &constraints->alternatives.data[constraint->first_alternative + k];
      VEC_PUSH (to->alternatives, (struct cert_alternative){ (uint32_t) to->edges.count, alternative->edges });
      for (uint32_t e = 0; e < alternative->edges; e++) {
        const struct ir_edge edge = constraints->edges.data[alternative->first_edge + e];
        VEC_PUSH (to->edges, (struct cert_edge){ edge.from, edge.to });
      }
    }
  }
  return to;
}

void certify_constraints_free (struct cert_constraints *constraints) {
  if (constraints)
    cert_constraints_free (constraints);
  mem_free (constraints);
}

struct cert_constraints *certify_constraints_copy (const struct cert_constraints *constraints) {
  struct cert_constraints *copy = constraints ? mem_zalloc (sizeof *copy) : NULL;
  for (uint32_t i = 0; constraints && i < constraints->list.count; i++)
    cert_constraints_add (copy, constraints, i);
  return copy;
}

#define EDGES_NONE UINT32_MAX

// How many edges it has in the world; EDGES_NONE: it does not hold. The order may be that of a
// stronger level with begins and commits.
static uint32_t edges_of (const struct world *w, const struct cert_alternative *alternative) {
  uint32_t count = 0;
  for (uint32_t i = alternative->first_edge; i < alternative->first_edge + alternative->edges; i++) {
    const struct cert_edge edge = w->c->constraints.edges.data[i];
    if (!w->in[edge.from] || !w->in[edge.to])
      continue;
    if (w->commit[edge.from] >= w->begin[edge.to])
      return EDGES_NONE;
    count++;
  }
  return count;
}

// The one that was taken; else one that asks for nothing, or else the first one that holds.
static uint32_t choose (struct world *w, const struct cert_constraint *constraint, uint32_t preferred) {
  uint32_t chosen = 0, fewest = EDGES_NONE;
  if (!world_conditions_hold (w, constraint))
    return 0;
  if (preferred < constraint->alternatives)
    return preferred;
  for (uint32_t i = 0; i < constraint->alternatives && fewest; i++) {
    const uint32_t edges = edges_of (w, &w->c->constraints.alternatives.data[constraint->first_alternative + i]);
    if (edges != EDGES_NONE && (fewest == EDGES_NONE || !edges)) {
      fewest = edges;
      chosen = i;
    }
  }
  return chosen;
}

void certify_alternatives (struct certificate *c, struct world *w, const uint32_t *preferred) {
  for (size_t i = 0; i < c->constraints.list.count; i++)
    c->constraints.list.data[i].chosen =
      choose (w, &c->constraints.list.data[i], preferred ? preferred[i] : ALTERNATIVE_NONE);
}
