// The IR's checker: what saturation and search take for granted, verified. Run on every .kir file,
// and on every IR in debug builds.

#include "ir/ir.h"

static bool wrong (const char **why, const char *text) {
  *why = text;
  return false;
}

static bool chains_fine (const struct ir *ir, const char **why) {
  if (!ir->nodes || !ir->chains || ir->chain_first[0] != 0 || ir->chain_first[ir->chains] != ir->nodes)
    return wrong (why, "chains do not cover the nodes");
  if (ir->chain_first[1] != 1)
    return wrong (why, "the initial state is not a chain of its own");
  for (uint32_t chain = 0; chain < ir->chains; chain++) {
    if (ir->chain_first[chain] >= ir->chain_first[chain + 1])
      return wrong (why, "an empty chain");
    for (uint32_t node = ir->chain_first[chain]; node < ir->chain_first[chain + 1]; node++) {
      if (ir->node_chain[node] != chain)
        return wrong (why, "a node whose chain is another one");
      if (ir_node_presence (ir, node) != ALWAYS && node + 1 < ir->chain_first[chain + 1])
        return wrong (why, "an optional node that is not the last of its chain");
    }
  }
  return true;
}

static bool installs_fine (const struct ir *ir, const char **why) {
  if (ir->key_first[0] != 0 || ir->key_first[ir->keys] != ir->installs)
    return wrong (why, "keys do not cover the installs");
  for (uint32_t key = 0; key < ir->keys; key++)
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++)
      if (ir->install_node[i] == 0 || ir->install_node[i] >= ir->nodes
          || (i > ir->key_first[key] && ir->install_node[i] <= ir->install_node[i - 1]))
        return wrong (why, "installers of a key out of order");
  return true;
}

static bool source_fine (const struct ir *ir, uint32_t node, uint32_t read, const char **why) {
  const uint32_t source = ir->read_source[read], key = ir->read_key[read];
  if (key >= ir->keys)
    return wrong (why, "a read of no key");
  const uint32_t first = ir->key_first[key], last = ir->key_first[key + 1];
  if (source == SOURCE_INITIAL || source == SOURCE_NONE)
    return true;
  if (!source_is_many (source))
    return (source >= first && source < last && ir->install_node[source] != node)
           || wrong (why, "a read from something that does not install its key");
  const uint32_t index = source & ~SOURCE_MANY;
  if (index >= ir->choice_count || ir->choices[index].read != read)
    return wrong (why, "a read without its candidates");
  const struct choice *choice = &ir->choices[index];
  for (uint32_t i = choice->first; i < choice->last; i++)
    if (ir->value_installs[i] < first || ir->value_installs[i] >= last)
      return wrong (why, "a candidate that does not install the key");
  return true;
}

bool ir_validate (const struct ir *ir, const char **why) {
  if (!chains_fine (ir, why) || !installs_fine (ir, why))
    return false;
  if (ir->node_first_read[0] != 0 || ir->node_first_read[ir->nodes] != ir->reads)
    return wrong (why, "reads without a node");
  for (uint32_t node = 0; node < ir->nodes; node++) {
    if (ir->node_first_read[node] > ir->node_first_read[node + 1])
      return wrong (why, "reads out of order");
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (!source_fine (ir, node, read, why))
        return false;
    if (ir->time_before
        && ((ir->time_before[node] != SLOT_NONE && ir->time_before[node] >= ir->slots)
            || (ir->time_after[node] != SLOT_NONE && ir->time_after[node] >= ir->slots)))
      return wrong (why, "a time slot that is not there");
  }
  for (size_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    if (edge.from >= ir->nodes || edge.to >= ir->nodes)
      return wrong (why, "an edge to a node that is not there");
    if (ir_node_presence (ir, edge.from) != ALWAYS || ir_node_presence (ir, edge.to) != ALWAYS)
      return wrong (why, "an edge at a node that is not certain");
  }
  return true;
}
