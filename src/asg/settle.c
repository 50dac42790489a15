// An ASG without unrecorded deletes: each of them installs its dead version, and the reads that
// take place only if it wrote nothing are gone.

#include "asg/asg.h"

#include "history/history.h"

#include <string.h>

static void *copy_of (const void *data, size_t count, size_t size) {
  if (!data)
    return NULL;
  void *copy = mem_alloc (mem_bytes (count, size));
  if (count)
    memcpy (copy, data, count * size);
  return copy;
}

#define COPY(data, count) copy_of ((data), (count), sizeof *(data))

// What no unrecorded delete touches.
static void copy_nodes (struct asg *copy, const struct asg *asg) {
  copy->history = asg->history;
  copy->nodes = asg->nodes;
  copy->chains = asg->chains;
  copy->optionals = asg->optionals;
  copy->keys = asg->keys;
  copy->predicates = asg->predicates;
  copy->events = asg->events;
  copy->own_cursors = asg->own_cursors;
  copy->excusing = asg->excusing;
  copy->delete_runs = asg->delete_runs;
  copy->hints = asg->hints;
  copy->hint_facts = asg->hint_facts;
  copy->excused = asg->excused;
  copy->settled = asg->settled || asg->unrecorded.count;
  copy->node_txn = COPY (asg->node_txn, asg->nodes);
  copy->txn_node = COPY (asg->txn_node, history_txns (asg->history));
  copy->node_chain = COPY (asg->node_chain, asg->nodes);
  copy->chain_first = COPY (asg->chain_first, (size_t) asg->chains + 1);
  copy->so_before = COPY (asg->so_before, asg->nodes);
  copy->optional = COPY (asg->optional, asg->nodes);
  copy->init_value = COPY (asg->init_value, asg->keys);
  VEC_COPY (copy->forced, asg->forced);
  VEC_COPY (copy->implied, asg->implied);
  VEC_COPY (copy->faults, asg->faults);
}

static void copy_installs (struct asg *copy, const struct asg *asg) {
  copy->installs = asg->installs;
  copy->value_entries = asg->value_entries;
  copy->key_first = COPY (asg->key_first, (size_t) asg->keys + 1);
  copy->install_node = COPY (asg->install_node, asg->installs);
  copy->install_value = COPY (asg->install_value, asg->installs);
  copy->install_first_op = COPY (asg->install_first_op, asg->installs);
  copy->install_last_op = COPY (asg->install_last_op, asg->installs);
  copy->node_first_install = COPY (asg->node_first_install, (size_t) asg->nodes + 1);
  copy->node_installs = COPY (asg->node_installs, asg->installs);
  copy->value_first = COPY (asg->value_first, (size_t) atoms_count (&asg->history->values) + 2);
  copy->value_installs = COPY (asg->value_installs, asg->value_entries);
  VEC_COPY (copy->orders, asg->orders);
}

// Each is its transaction's first write of the key, if that wrote it again.
static void move_first_writes (struct asg *copy, const struct asg *asg) {
  for (size_t d = 0; copy->install_first_op && d < asg->unrecorded.count; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    if (unrecorded->install != INSTALL_NONE)
      continue;
    const uint32_t own = asg_install_of (copy, asg->history->op_keys.data[unrecorded->op], unrecorded->node);
    if (own != INSTALL_NONE && copy->install_first_op[own] > unrecorded->op)
      copy->install_first_op[own] = unrecorded->op;
  }
}

static void keep_read (struct asg *copy, const struct asg *asg, uint32_t read) {
  const uint32_t source = asg->read_source[read], at = copy->reads++;
  copy->read_key[at] = asg->read_key[read];
  copy->read_value[at] = asg->read_value[read];
  copy->read_source[at] = source;
  if (copy->read_flags)
    copy->read_flags[at] = asg->read_flags[read];
  if (copy->read_op)
    copy->read_op[at] = asg->read_op[read];
  if (!source_is_many (source))
    return;
  copy->read_source[at] = SOURCE_MANY | (uint32_t) copy->choices.count;
  struct choice choice = asg->choices.data[source & ~SOURCE_MANY];
  choice.read = at;
  VEC_PUSH (copy->choices, choice);
}

static void keep_reads (struct asg *copy, const struct asg *asg) {
  copy->node_first_read = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  copy->read_key = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_value = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_source = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_flags = asg->read_flags ? MEM_ARRAY (uint8_t, asg->reads) : NULL;
  copy->read_op = asg->read_op ? MEM_ARRAY (uint32_t, asg->reads) : NULL;
  for (uint32_t node = 0; node < asg->nodes; node++) {
    copy->node_first_read[node] = copy->reads;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if (asg_read_unrecorded (asg, read) == UNRECORDED_NONE)
        keep_read (copy, asg, read);
  }
  copy->node_first_read[asg->nodes] = copy->reads;
  copy->external_reads = asg->external_reads - (asg->reads - copy->reads);
}

struct asg *asg_settle (const struct asg *asg) {
  struct asg *copy = mem_zalloc (sizeof *copy);
  copy_nodes (copy, asg);
  copy_installs (copy, asg);
  move_first_writes (copy, asg);
  keep_reads (copy, asg);
  return copy;
}
