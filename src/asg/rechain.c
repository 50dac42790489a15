#include "asg/rechain.h"

#include "base/group.h"
#include "history/history.h"

#include <string.h>

// A path cover: each certain reader follows one of its sources that nobody follows yet.
static void choose_followers (const struct asg *asg, uint32_t *next, uint8_t *has_previous) {
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (asg->optional[node])
      continue;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t source = asg->read_source[read];
      if (source >= SOURCE_MANY)
        continue;
      const uint32_t writer = asg->install_node[source];
      if (asg->optional[writer] || next[writer] != NODE_NONE)
        continue;
      next[writer] = node;
      has_previous[node] = 1;
      break;
    }
  }
}

// New numbers along the paths; false if some path has no start, because it is a cycle.
static bool number_along (struct asg *copy, const struct asg *asg, const uint32_t *next, const uint8_t *has_previous,
                          uint32_t *new_of) {
  uint32_t number = 0;
  copy->chains = 0;
  for (uint32_t head = 0; head < asg->nodes; head++) {
    if (has_previous[head])
      continue;
    copy->chain_first[copy->chains] = number;
    for (uint32_t node = head; node != NODE_NONE; node = next[node]) {
      copy->node_chain[number] = copy->chains;
      new_of[node] = number++;
    }
    copy->chains++;
  }
  copy->chain_first[copy->chains] = number;
  return number == asg->nodes;
}

static void copy_nodes (struct asg *copy, const struct asg *asg, const uint32_t *new_of) {
  const uint32_t txns = history_txns (asg->history);
  copy->node_txn = MEM_ARRAY (uint32_t, asg->nodes);
  copy->optional = MEM_ARRAY (uint8_t, asg->nodes);
  copy->txn_node = MEM_ARRAY (uint32_t, txns);
  for (uint32_t node = 0; node < asg->nodes; node++) {
    copy->node_txn[new_of[node]] = asg->node_txn[node];
    copy->optional[new_of[node]] = asg->optional[node];
  }
  for (uint32_t t = 0; t < txns; t++)
    copy->txn_node[t] = asg->txn_node[t] == NODE_NONE ? NODE_NONE : new_of[asg->txn_node[t]];
}

// Installs of a key in the order of the new numbers; new_install[old] says where each went.
static void copy_installs (struct asg *copy, const struct asg *asg, const uint32_t *new_of, uint32_t *new_install) {
  // Nodes in new order visit their installs, so that each key fills in ascending order.
  struct grouping by_node = { .groups = asg->nodes };
  while (grouping_pass (&by_node))
    for (uint32_t i = 0; i < asg->installs; i++)
      group_put (&by_node, new_of[asg->install_node[i]], i);
  copy->node_first_install = by_node.first;
  copy->node_installs = by_node.items;
  uint32_t *key_of = MEM_ARRAY (uint32_t, asg->installs);
  uint32_t *next = MEM_ARRAY (uint32_t, asg->keys);
  for (uint32_t key = 0; key < asg->keys; key++) {
    next[key] = asg->key_first[key];
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      key_of[i] = key;
  }
  copy->key_first = MEM_ARRAY (uint32_t, (size_t) asg->keys + 1);
  memcpy (copy->key_first, asg->key_first, ((size_t) asg->keys + 1) * sizeof *copy->key_first);
  copy->install_node = MEM_ARRAY (uint32_t, asg->installs);
  copy->install_value = MEM_ARRAY (uint32_t, asg->installs);
  if (asg->install_first_op) {
    copy->install_first_op = MEM_ARRAY (uint32_t, asg->installs);
    copy->install_last_op = MEM_ARRAY (uint32_t, asg->installs);
  }
  if (asg->install_unrecorded)
    copy->install_unrecorded = MEM_ARRAY (uint32_t, asg->installs);
  for (uint32_t k = 0; k < asg->installs; k++) {
    const uint32_t old = by_node.items[k], at = next[key_of[old]]++;
    new_install[old] = by_node.items[k] = at;
    copy->install_node[at] = new_of[asg->install_node[old]];
    copy->install_value[at] = asg->install_value[old];
    if (asg->install_first_op) {
      copy->install_first_op[at] = asg->install_first_op[old];
      copy->install_last_op[at] = asg->install_last_op[old];
    }
    if (asg->install_unrecorded)
      copy->install_unrecorded[at] = asg->install_unrecorded[old];
  }
  // Ranges of equal (key, value) stay where they are; only their members are reordered, and their
  // order does not matter.
  const uint32_t groups = atoms_count (&asg->history->values) + 1;
  copy->value_first = MEM_ARRAY (uint32_t, (size_t) groups + 1);
  memcpy (copy->value_first, asg->value_first, ((size_t) groups + 1) * sizeof *copy->value_first);
  copy->value_entries = asg->value_entries;
  copy->value_installs = MEM_ARRAY (uint32_t, asg->value_entries);
  for (uint32_t i = 0; i < asg->value_entries; i++)
    copy->value_installs[i] = new_install[asg->value_installs[i]];
  mem_free (key_of);
  mem_free (next);
}

static void copy_reads (struct asg *copy, const struct asg *asg, const uint32_t *new_of, const uint32_t *new_install) {
  uint32_t *old_of = MEM_ARRAY (uint32_t, asg->nodes);
  for (uint32_t node = 0; node < asg->nodes; node++)
    old_of[new_of[node]] = node;
  copy->node_first_read = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  copy->read_key = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_value = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_source = MEM_ARRAY (uint32_t, asg->reads);
  if (asg->read_op)
    copy->read_op = MEM_ARRAY (uint32_t, asg->reads);
  if (asg->read_flags)
    copy->read_flags = MEM_ARRAY (uint8_t, asg->reads);
  if (asg->read_unrecorded)
    copy->read_unrecorded = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t node = 0; node < asg->nodes; node++) {
    copy->node_first_read[node] = copy->reads;
    const uint32_t old = old_of[node];
    for (uint32_t read = old ? asg->node_first_read[old] : 0; read < asg->node_first_read[old + 1]; read++) {
      uint32_t source = asg->read_source[read];
      if (source_is_many (source)) {
        struct choice choice = asg->choices.data[source & ~SOURCE_MANY];
        choice.read = copy->reads;
        VEC_PUSH (copy->choices, choice);
        source = SOURCE_MANY | (uint32_t) (copy->choices.count - 1);
      } else if (source < SOURCE_MANY)
        source = new_install[source];
      if (copy->read_op)
        copy->read_op[copy->reads] = asg->read_op[read];
      if (copy->read_flags)
        copy->read_flags[copy->reads] = asg->read_flags[read];
      if (copy->read_unrecorded)
        copy->read_unrecorded[copy->reads] = asg->read_unrecorded[read];
      copy->read_key[copy->reads] = asg->read_key[read];
      copy->read_value[copy->reads] = asg->read_value[read];
      copy->read_source[copy->reads++] = source;
    }
  }
  copy->node_first_read[asg->nodes] = copy->reads;
  mem_free (old_of);
}

static void copy_facts (struct asg *copy, const struct asg *asg, const uint32_t *new_of, const uint32_t *new_install) {
  for (size_t i = 0; i < asg->unrecorded.count; i++) {
    struct unrecorded_delete unrecorded = asg->unrecorded.data[i];
    unrecorded.node = new_of[unrecorded.node];
    if (unrecorded.install != INSTALL_NONE)
      unrecorded.install = new_install[unrecorded.install];
    VEC_PUSH (copy->unrecorded, unrecorded);
  }
  for (size_t i = 0; i < asg->orders.count; i++) {
    const struct known_order *order = &asg->orders.data[i];
    VEC_PUSH (copy->orders, (struct known_order){ new_install[order->before], new_install[order->after],
                                                  order->by_absence, new_of[order->reader] });
  }
  for (size_t i = 0; i < asg->implied.count; i++)
    VEC_PUSH (copy->implied,
              (struct unknown_claim){ new_of[asg->implied.data[i].reader], new_of[asg->implied.data[i].other] });
  for (size_t i = 0; i < asg->forced.count; i++)
    VEC_PUSH (copy->forced, new_of[asg->forced.data[i]]);
}

struct asg *asg_rechain (const struct asg *asg, bool along_reads) {
  struct asg *copy = mem_zalloc (sizeof *copy);
  copy->history = asg->history;
  copy->nodes = asg->nodes;
  copy->optionals = asg->optionals;
  copy->keys = asg->keys;
  copy->installs = asg->installs;
  copy->external_reads = asg->external_reads;
  copy->predicates = asg->predicates;
  copy->events = asg->events;
  copy->hints = asg->hints;
  copy->hint_facts = asg->hint_facts;
  copy->settled = asg->settled;
  copy->excusing = asg->excusing;
  copy->excused = asg->excused;
  copy->chain_first = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  copy->node_chain = MEM_ARRAY (uint32_t, asg->nodes);
  uint32_t *next = mem_nones (asg->nodes);
  uint8_t *has_previous = MEM_ZARRAY (uint8_t, asg->nodes);
  uint32_t *new_of = MEM_ARRAY (uint32_t, asg->nodes);
  uint32_t *new_install = MEM_ARRAY (uint32_t, asg->installs);
  if (along_reads)
    choose_followers (asg, next, has_previous);
  if (!number_along (copy, asg, next, has_previous, new_of)) {
    memset (next, 0xff, asg->nodes * sizeof *next);
    memset (has_previous, 0, asg->nodes);
    number_along (copy, asg, next, has_previous, new_of);
  }
  copy_nodes (copy, asg, new_of);
  copy_installs (copy, asg, new_of, new_install);
  copy_reads (copy, asg, new_of, new_install);
  copy_facts (copy, asg, new_of, new_install);
  copy->init_value = MEM_ARRAY (uint32_t, asg->keys);
  if (asg->keys)
    memcpy (copy->init_value, asg->init_value, asg->keys * sizeof *copy->init_value);
  mem_free (next);
  mem_free (has_previous);
  mem_free (new_of);
  mem_free (new_install);
  return copy;
}
