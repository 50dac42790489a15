#include "solve/witness_demands.h"

#include "base/memory.h"

#include <string.h>

static bool runs_forward (const struct demanded *d, struct ir_edge edge) {
  if (!d->in[edge.from] || !d->in[edge.to])
    return true;
  return d->position[(size_t) edge.from * d->points + d->points - 1] < d->position[(size_t) edge.to * d->points];
}

static bool alternative_holds (const struct demanded *d, const struct demand_alternative *alternative) {
  for (uint32_t i = 0; i < alternative->edges; i++)
    if (!runs_forward (d, d->demands->edges.data[alternative->first_edge + i]))
      return false;
  return true;
}

// The reader is there if its read has a source.
static bool conditions_hold (const struct demanded *d, const struct demand *demand) {
  for (uint32_t i = 0; i < demand->conditions; i++) {
    const struct demand_condition condition = d->demands->conditions.data[demand->first_condition + i];
    const uint32_t writer = condition.source == SOURCE_INITIAL ? 0 : d->asg->install_node[condition.source];
    if (d->read_writer[condition.read] != writer)
      return false;
  }
  return true;
}

static bool demand_holds (const struct demanded *d, uint32_t number, ir_edge_vec *edges) {
  const struct demand *demand = &d->demands->list.data[number];
  const uint32_t chosen = d->chosen ? d->chosen[number] : UINT32_MAX;
  if (!conditions_hold (d, demand))
    return true;
  for (uint32_t i = 0; i < demand->alternatives; i++) {
    const struct demand_alternative *alternative = &d->demands->alternatives.data[demand->first_alternative + i];
    if ((chosen != UINT32_MAX && i != chosen) || !alternative_holds (d, alternative))
      continue;
    for (uint32_t k = 0; k < alternative->edges; k++) {
      const struct ir_edge edge = d->demands->edges.data[alternative->first_edge + k];
      if (d->in[edge.from] && d->in[edge.to])
        VEC_PUSH (*edges, edge);
    }
    return true;
  }
  return false;
}

bool demands_hold (const struct demanded *d, ir_edge_vec *edges) {
  for (uint32_t i = 0; d->demands && i < d->demands->list.count; i++)
    if (!demand_holds (d, i, edges))
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
      const uint32_t doubt = asg_read_doubt (asg, read);
      if (doubt == DOUBT_NONE || !wrote[doubt])
        writer[read] = last[asg->read_key[read]];
    }
    for (uint32_t i = asg->node_first_install[node]; i < asg->node_first_install[node + 1]; i++) {
      const uint32_t doubt = asg_install_doubt (asg, asg->node_installs[i]);
      if (doubt == DOUBT_NONE || wrote[doubt])
        last[key_of[asg->node_installs[i]]] = node;
    }
  }
  mem_free (last);
  mem_free (key_of);
  return writer;
}
