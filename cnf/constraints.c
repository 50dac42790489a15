// What modules demand, as far as it is not part of the known graph: if all conditions hold, then so
// does one of the alternatives. Conditions are literals of read sources. A single alternative needs
// no variable: its edges are guarded by the conditions. Otherwise each alternative has one, which
// guards its edges.

#include "cnf/encoder.h"

#include <string.h>

// conditions beside which the outcomes of both ends have their place
enum { MOST_DIRECT = MOST_GUARDS - 2 };

struct constraint_encoder {
  struct encoder *e;
  const struct constraints *constraints;
  uint32_t *open_of;
  step_vec sources; // scratch
  VEC (int32_t) conditions;
};

// False: it cannot hold. The literal of what is known is 0.
static bool condition_literal (struct constraint_encoder *d, const struct constraint_condition *condition,
                               int32_t *literal) {
  const uint32_t writer = ir_writer_of (d->e->ir, condition->source);
  encoder_sources_of (d->e, condition->read, d->open_of, &d->sources);
  for (size_t i = 0; i < d->sources.count; i++)
    if (d->sources.data[i].writer == writer) {
      *literal = d->sources.data[i].literal;
      return true;
    }
  return false;
}

static bool collect_conditions (struct constraint_encoder *d, const struct constraint *constraint) {
  d->conditions.count = 0;
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    int32_t literal;
    if (!condition_literal (d, &d->constraints->conditions.data[constraint->first_condition + i], &literal))
      return false;
    if (literal)
      VEC_PUSH (d->conditions, literal);
  }
  return true;
}

// From the last point of the one to the first of the other, as session order runs; where events are
// points, to the first of these as well.
static void edge_if (struct encoder *e, struct ir_edge edge, struct guards guards) {
  const uint32_t from = graph_point (e->g, edge.from, e->g->shift), first = e->ir->node_first_read[edge.to];
  guards.literal[MOST_DIRECT] = encoder_in_literal (e, edge.from);
  guards.literal[MOST_DIRECT + 1] = encoder_in_literal (e, edge.to);
  bool guarded = false;
  for (unsigned i = 0; i < MOST_GUARDS; i++)
    guarded |= guards.literal[i] != 0;
  if (!guarded)
    guards.literal[0] = encoder_true_literal (e, edge.to);
  encoder_edge (e, from, graph_point (e->g, edge.to, 0), EDGE_GIVEN, UINT32_MAX, guards);
  if (e->rules->events && first < e->ir->node_first_read[edge.to + 1])
    encoder_edge (e, from, e->g->points + first, EDGE_GIVEN, UINT32_MAX, guards);
}

static void edges_if (struct constraint_encoder *d, const struct constraint_alternative *alternative,
                      struct guards guards) {
  for (uint32_t i = 0; i < alternative->edges; i++)
    edge_if (d->e, d->constraints->edges.data[alternative->first_edge + i], guards);
}

// The guessed order has it.
static bool is_likely (const struct constraint_encoder *d, const struct constraint_alternative *alternative) {
  const uint32_t *rank = d->e->rank;
  for (uint32_t i = 0; rank && i < alternative->edges; i++) {
    const struct ir_edge edge = d->constraints->edges.data[alternative->first_edge + i];
    if (rank[edge.from] >= rank[edge.to])
      return false;
  }
  return true;
}

static void encode_constraint (struct constraint_encoder *d, uint32_t number) {
  struct encoder *e = d->e;
  const struct constraint *constraint = &d->constraints->list.data[number];
  const struct constraint_alternative *alternatives = d->constraints->alternatives.data + constraint->first_alternative;
  if (constraint->known || !collect_conditions (d, constraint))
    return;
  if (constraint->alternatives == 1 && d->conditions.count <= MOST_DIRECT) {
    struct guards guards = { { 0 } };
    for (size_t i = 0; i < d->conditions.count; i++)
      guards.literal[i] = d->conditions.data[i];
    edges_if (d, alternatives, guards);
    return;
  }
  VEC (int32_t) clause = VEC_EMPTY;
  for (size_t i = 0; i < d->conditions.count; i++)
    VEC_PUSH (clause, -d->conditions.data[i]);
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const int32_t variable = encoder_variable (e, VARIABLE_ALTERNATIVE, number, i, is_likely (d, &alternatives[i]));
    VEC_PUSH (clause, variable);
    edges_if (d, &alternatives[i], (struct guards){ { variable } });
  }
  if (!clause.count) // forbidden, and known to be so: no solver takes an empty clause
    VEC_PUSH (clause, -encoder_true_literal (e, 0));
  for (size_t i = 0; i < clause.count; i++)
    VEC_PUSH (e->problem->clauses, clause.data[i]);
  VEC_PUSH (e->problem->clauses, 0);
  VEC_FREE (clause);
}

void encoder_constraints (struct encoder *e) {
  if (!ir_has_open_constraints (e->g->ir))
    return;
  struct constraint_encoder d = { .e = e, .constraints = e->g->ir->constraints, .open_of = saturation_open_of (e->s) };
  for (uint32_t i = 0; i < d.constraints->list.count && !encoder_stops (e); i++)
    encode_constraint (&d, i);
  MEM_FREE_ALL (d.open_of, d.sources.data, d.conditions.data);
}
