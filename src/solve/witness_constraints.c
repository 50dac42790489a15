#include "solve/witness_constraints.h"

#include "base/memory.h"

#include <string.h>

static bool runs_forward (const struct constrained *d, struct ir_edge edge) {
  if (!d->in[edge.from] || !d->in[edge.to])
    return true;
  return d->position[(size_t) edge.from * d->points + d->points - 1] < d->position[(size_t) edge.to * d->points];
}

static bool alternative_holds (const struct constrained *d, const struct constraint_alternative *alternative) {
  for (uint32_t i = 0; i < alternative->edges; i++)
    if (!runs_forward (d, d->constraints->edges.data[alternative->first_edge + i]))
      return false;
  return true;
}

// The reader is there if its read has a source.
static bool conditions_hold (const struct constrained *d, const struct constraint *constraint) {
  for (uint32_t i = 0; i < constraint->conditions; i++) {
    const struct constraint_condition condition = d->constraints->conditions.data[constraint->first_condition + i];
    const uint32_t writer = condition.source == SOURCE_INITIAL ? 0 : d->asg->install_node[condition.source];
    if (d->read_writer[condition.read] != writer)
      return false;
  }
  return true;
}

static bool constraint_holds (const struct constrained *d, uint32_t number, ir_edge_vec *edges) {
  const struct constraint *constraint = &d->constraints->list.data[number];
  const uint32_t chosen = d->chosen ? d->chosen[number] : UINT32_MAX;
  if (!conditions_hold (d, constraint))
    return true;
  for (uint32_t i = 0; i < constraint->alternatives; i++) {
    const struct constraint_alternative *alternative =
      &d->constraints->alternatives.data[constraint->first_alternative + i];
    if ((chosen != UINT32_MAX && i != chosen) || !alternative_holds (d, alternative))
      continue;
    for (uint32_t k = 0; k < alternative->edges; k++) {
      const struct ir_edge edge = d->constraints->edges.data[alternative->first_edge + k];
      if (d->in[edge.from] && d->in[edge.to])
        VEC_PUSH (*edges, edge);
    }
    return true;
  }
  return false;
}

bool constraints_hold (const struct constrained *d, ir_edge_vec *edges) {
  for (uint32_t i = 0; d->constraints && i < d->constraints->list.count; i++)
    if (!constraint_holds (d, i, edges))
      return false;
  return true;
}

uint32_t *sources_in_order (const struct asg *asg, const uint32_t *order, size_t count, const uint8_t *wrote) {
  uint32_t *writer = mem_nones (asg->reads);
  uint32_t *last = MEM_ZARRAY (uint32_t, asg->keys); // T0 at first
  uint32_t *key_of = MEM_ARRAY (uint32_t, asg->installs);
  for (uint32_t key = 0; key < asg->keys; key++)
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      key_of[i] = key;
  for (size_t at = 0; at < count; at++) {
    const uint32_t node = order[at];
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t unrecorded = asg_read_unrecorded (asg, read);
      if (unrecorded == UNRECORDED_NONE || !wrote[unrecorded])
        writer[read] = last[asg->read_key[read]];
    }
    for (uint32_t i = asg->node_first_install[node]; i < asg->node_first_install[node + 1]; i++) {
      const uint32_t unrecorded = asg_install_unrecorded (asg, asg->node_installs[i]);
      if (unrecorded == UNRECORDED_NONE || wrote[unrecorded])
        last[key_of[asg->node_installs[i]]] = node;
    }
  }
  mem_free (last);
  mem_free (key_of);
  return writer;
}
