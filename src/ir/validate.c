// The IR's checker: what saturation and search take for granted, verified. Run on every .kir file, and on every IR in debug builds.

#include "ir/ir.h"

static bool wrong (const char **why, const char *text) {
  *why = text;
  return false;
}

static bool chains_fine (const struct asg *asg, const char **why) {
  if (!asg->nodes || !asg->chains || asg->chain_first[0] != 0 || asg->chain_first[asg->chains] != asg->nodes)
    return wrong (why, "chains do not cover the nodes");
  if (asg->chain_first[1] != 1)
    return wrong (why, "the initial state is not a chain of its own");
  for (uint32_t chain = 0; chain < asg->chains; chain++) {
    if (asg->chain_first[chain] >= asg->chain_first[chain + 1])
      return wrong (why, "an empty chain");
    for (uint32_t node = asg->chain_first[chain]; node < asg->chain_first[chain + 1]; node++) {
      if (asg->node_chain[node] != chain)
        return wrong (why, "a node whose chain is another one");
      if (asg->optional[node] && node + 1 < asg->chain_first[chain + 1])
        return wrong (why, "an optional node that is not the last of its chain");
    }
  }
  return true;
}

static bool installs_fine (const struct asg *asg, const char **why) {
  if (asg->key_first[0] != 0 || asg->key_first[asg->keys] != asg->installs)
    return wrong (why, "keys do not cover the installs");
  for (uint32_t key = 0; key < asg->keys; key++)
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      if (asg->install_node[i] == 0 || asg->install_node[i] >= asg->nodes
          || (i > asg->key_first[key] && asg->install_node[i] <= asg->install_node[i - 1]))
        return wrong (why, "installers of a key out of order");
  return true;
}

static bool source_fine (const struct asg *asg, uint32_t node, uint32_t read, const char **why) {
  const uint32_t source = asg->read_source[read], key = asg->read_key[read];
  if (key >= asg->keys)
    return wrong (why, "a read of no key");
  const uint32_t first = asg->key_first[key], last = asg->key_first[key + 1];
  if (source == SOURCE_INITIAL || source == SOURCE_NONE)
    return true;
  if (!source_is_many (source))
    return (source >= first && source < last && asg->install_node[source] != node)
           || wrong (why, "a read from something that does not install its key");
  const uint32_t index = source & ~SOURCE_MANY;
  if (index >= asg->choices.count || asg->choices.data[index].read != read)
    return wrong (why, "a read without its candidates");
  const struct choice *choice = &asg->choices.data[index];
  for (uint32_t i = choice->first; i < choice->last; i++)
    if (asg->value_installs[i] < first || asg->value_installs[i] >= last)
      return wrong (why, "a candidate that does not install the key");
  return true;
}

bool ir_validate (const struct ir *ir, const char **why) {
  const struct asg *asg = ir->asg;
  if (!chains_fine (asg, why) || !installs_fine (asg, why))
    return false;
  if (asg->node_first_read[0] != 0 || asg->node_first_read[asg->nodes] != asg->reads)
    return wrong (why, "reads without a node");
  for (uint32_t node = 0; node < asg->nodes; node++) {
    if (asg->node_first_read[node] > asg->node_first_read[node + 1])
      return wrong (why, "reads out of order");
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if (!source_fine (asg, node, read, why))
        return false;
    if (ir->time_before
        && ((ir->time_before[node] != SLOT_NONE && ir->time_before[node] >= ir->slots)
            || (ir->time_after[node] != SLOT_NONE && ir->time_after[node] >= ir->slots)))
      return wrong (why, "a time slot that is not there");
  }
  for (size_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    if (edge.from >= asg->nodes || edge.to >= asg->nodes)
      return wrong (why, "an edge to a node that is not there");
    if (asg->optional[edge.from] || asg->optional[edge.to])
      return wrong (why, "an edge at a node that is not certain");
  }
  return true;
}
