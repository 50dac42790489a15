// An ASG without unrecorded deletes: each unrecorded delete either installs its dead version, and
// the reads that depend on it are gone, or it is the other way round.

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
  for (size_t i = 0; i < asg->forced.count; i++)
    VEC_PUSH (copy->forced, asg->forced.data[i]);
  for (size_t i = 0; i < asg->implied.count; i++)
    VEC_PUSH (copy->implied, asg->implied.data[i]);
  for (size_t i = 0; i < asg->faults.count; i++)
    VEC_PUSH (copy->faults, asg->faults.data[i]);
}

static uint32_t *keep_installs (struct asg *copy, const struct asg *asg, const uint8_t *wrote) {
  uint32_t *new_install = MEM_ARRAY (uint32_t, asg->installs);
  copy->key_first = MEM_ARRAY (uint32_t, (size_t) asg->keys + 1);
  copy->install_node = MEM_ARRAY (uint32_t, asg->installs);
  copy->install_value = MEM_ARRAY (uint32_t, asg->installs);
  if (asg->install_first_op) {
    copy->install_first_op = MEM_ARRAY (uint32_t, asg->installs);
    copy->install_last_op = MEM_ARRAY (uint32_t, asg->installs);
  }
  for (uint32_t key = 0; key < asg->keys; key++) {
    copy->key_first[key] = copy->installs;
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++) {
      const uint32_t unrecorded = asg_install_unrecorded (asg, i), at = copy->installs;
      new_install[i] = INSTALL_NONE;
      if (unrecorded != UNRECORDED_NONE && !wrote[unrecorded])
        continue;
      copy->install_node[at] = asg->install_node[i];
      copy->install_value[at] = asg->install_value[i];
      if (asg->install_first_op) {
        copy->install_first_op[at] = asg->install_first_op[i];
        copy->install_last_op[at] = asg->install_last_op[i];
      }
      new_install[i] = copy->installs++;
    }
  }
  copy->key_first[asg->keys] = copy->installs;
  return new_install;
}

// A delete that wrote is its transaction's first write of the key, if that wrote it again.
static void move_first_writes (struct asg *copy, const struct asg *asg, const uint8_t *wrote) {
  for (size_t d = 0; copy->install_first_op && d < asg->unrecorded.count; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    if (unrecorded->install != INSTALL_NONE || !wrote[d])
      continue;
    const uint32_t own = asg_install_of (copy, asg->history->op_keys.data[unrecorded->op], unrecorded->node);
    if (own != INSTALL_NONE && copy->install_first_op[own] > unrecorded->op)
      copy->install_first_op[own] = unrecorded->op;
  }
}

static void index_installs (struct asg *copy, const struct asg *asg, const uint32_t *new_install) {
  copy->node_first_install = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  copy->node_installs = MEM_ARRAY (uint32_t, copy->installs);
  uint32_t count = 0;
  for (uint32_t node = 0; node < asg->nodes; node++) {
    copy->node_first_install[node] = count;
    for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++)
      if (new_install[asg->node_installs[k]] != INSTALL_NONE)
        copy->node_installs[count++] = new_install[asg->node_installs[k]];
  }
  copy->node_first_install[asg->nodes] = count;
  const uint32_t groups = atoms_count (&asg->history->values) + 1;
  copy->value_first = MEM_ARRAY (uint32_t, (size_t) groups + 1);
  copy->value_installs = MEM_ARRAY (uint32_t, asg->value_entries);
  count = 0;
  for (uint32_t group = 0; group < groups; group++) {
    copy->value_first[group] = count;
    for (uint32_t k = asg->value_first[group]; k < asg->value_first[group + 1]; k++)
      if (new_install[asg->value_installs[k]] != INSTALL_NONE)
        copy->value_installs[count++] = new_install[asg->value_installs[k]];
  }
  copy->value_first[groups] = count;
  for (uint32_t k = asg->installs; k < asg->value_entries; k++)
    if (new_install[asg->value_installs[k]] != UINT32_MAX)
      copy->value_installs[count++] = new_install[asg->value_installs[k]];
  copy->value_entries = count;
  for (size_t i = 0; i < asg->orders.count; i++) {
    const struct known_order *order = &asg->orders.data[i];
    if (new_install[order->before] != INSTALL_NONE && new_install[order->after] != INSTALL_NONE)
      VEC_PUSH (copy->orders, (struct known_order){ new_install[order->before], new_install[order->after],
                                                    order->by_absence, order->reader });
  }
}

// Candidates of a read that stays, among the installs that stay: kept_before says where ranges
// went. With the unrecorded deletes settled there may be fewer than two.
static uint32_t source_of (struct asg *copy, const struct asg *asg, uint32_t read, const uint32_t *new_install,
                           const uint32_t *kept_before) {
  const uint32_t source = asg->read_source[read];
  if (!source_is_many (source))
    return source < SOURCE_MANY ? new_install[source] : source;
  struct choice choice = asg->choices.data[source & ~SOURCE_MANY];
  choice.first = kept_before[choice.first];
  choice.last = kept_before[choice.last];
  choice.read = copy->reads;
  VEC_PUSH (copy->choices, choice);
  return SOURCE_MANY | (uint32_t) (copy->choices.count - 1);
}

// Per place in value_installs: how many before it stay.
static uint32_t *count_kept (const struct asg *asg, const uint32_t *new_install) {
  uint32_t *kept_before = MEM_ARRAY (uint32_t, (size_t) asg->value_entries + 1);
  kept_before[0] = 0;
  for (uint32_t k = 0; k < asg->value_entries; k++)
    kept_before[k + 1] = kept_before[k] + (new_install[asg->value_installs[k]] != INSTALL_NONE);
  return kept_before;
}

static uint32_t *keep_reads (struct asg *copy, const struct asg *asg, const uint8_t *wrote,
                             const uint32_t *new_install) {
  uint32_t *new_read = MEM_ARRAY (uint32_t, asg->reads);
  uint32_t *kept_before = count_kept (asg, new_install);
  copy->node_first_read = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  copy->read_key = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_value = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_source = MEM_ARRAY (uint32_t, asg->reads);
  copy->read_flags = asg->read_flags ? MEM_ARRAY (uint8_t, asg->reads) : NULL;
  copy->read_op = asg->read_op ? MEM_ARRAY (uint32_t, asg->reads) : NULL;
  copy->external_reads = asg->external_reads;
  for (uint32_t node = 0; node < asg->nodes; node++) {
    copy->node_first_read[node] = copy->reads;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t unrecorded = asg_read_unrecorded (asg, read), at = copy->reads;
      new_read[read] = READ_NONE;
      if (unrecorded != UNRECORDED_NONE && wrote[unrecorded]) {
        copy->external_reads--;
        continue;
      }
      copy->read_key[at] = asg->read_key[read];
      copy->read_value[at] = asg->read_value[read];
      if (copy->read_flags)
        copy->read_flags[at] = asg->read_flags[read];
      if (copy->read_op)
        copy->read_op[at] = asg->read_op[read];
      copy->read_source[at] = source_of (copy, asg, read, new_install, kept_before);
      new_read[read] = copy->reads++;
    }
  }
  copy->node_first_read[asg->nodes] = copy->reads;
  mem_free (kept_before);
  return new_read;
}

struct asg *asg_settle (const struct asg *asg, const uint8_t *wrote, uint32_t **new_install, uint32_t **new_read) {
  struct asg *copy = mem_zalloc (sizeof *copy);
  copy_nodes (copy, asg);
  uint32_t *installs = keep_installs (copy, asg, wrote);
  move_first_writes (copy, asg, wrote);
  index_installs (copy, asg, installs);
  uint32_t *reads = keep_reads (copy, asg, wrote, installs);
  if (new_install)
    *new_install = installs;
  else
    mem_free (installs);
  if (new_read)
    *new_read = reads;
  else
    mem_free (reads);
  return copy;
}
