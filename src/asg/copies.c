// Graphs made of a graph: one in which unrecorded deletes have written, and one whose nodes stand
// in other chains.

#include "asg/builder.h"

#include "base/group.h"

#include <string.h>

// All but the reads and their choices.
static struct asg *copy_without_reads (const struct asg *asg) {
  struct asg *copy = MEM_COPY (asg, 1);
  copy->unsupported = NULL;
#define COLUMN(name, count) copy->name = MEM_COPY (asg->name, (count));
  ASG_COLUMNS (COLUMN)
#undef COLUMN
  copy->node_first_read = MEM_COPY (asg->node_first_read, (size_t) asg->nodes + 1);
  memset (&copy->choices, 0, sizeof copy->choices);
  VEC_COPY (copy->unrecorded, asg->unrecorded);
  VEC_COPY (copy->orders, asg->orders);
  VEC_COPY (copy->implied, asg->implied);
  VEC_COPY (copy->forced, asg->forced);
  VEC_COPY (copy->faults, asg->faults);
  return copy;
}

// ------------------------------------------------------------------------------------------- reads

// Reads that stand together in the original and in the copy.
struct stretch {
  uint32_t first, end;
};

// Which reads the copy has, in their order there.
struct reads_order {
  const struct asg *asg;
  const uint32_t *old_of; // per node of the copy; NULL: nodes keep their numbers
  bool all;               // else those that depend on no unrecorded delete
  VEC (struct stretch) stretches;
};

static void take_read (struct reads_order *order, uint32_t read) {
  struct stretch *last = order->stretches.count ? &order->stretches.data[order->stretches.count - 1] : NULL;
  if (last && last->end == read)
    last->end++;
  else
    VEC_PUSH (order->stretches, (struct stretch){ read, read + 1 });
}

static void number_reads (struct asg *copy, struct reads_order *order) {
  const struct asg *asg = order->asg;
  copy->reads = 0;
  for (uint32_t node = 0; node < asg->nodes; node++) {
    const uint32_t old = order->old_of ? order->old_of[node] : node;
    copy->node_first_read[node] = copy->reads;
    for (uint32_t read = asg->node_first_read[old]; read < asg->node_first_read[old + 1]; read++)
      if (order->all || asg_read_unrecorded (asg, read) == UNRECORDED_NONE) {
        take_read (order, read);
        copy->reads++;
      }
  }
  copy->node_first_read[asg->nodes] = copy->reads;
}

// A column of reads in that order; NULL stays NULL.
static void *take_column (const struct reads_order *order, const void *column, size_t size) {
  if (!column)
    return NULL;
  char *copy = mem_alloc (mem_bytes (order->asg->reads, size)), *to = copy;
  for (size_t i = 0; i < order->stretches.count; i++) {
    const struct stretch *stretch = &order->stretches.data[i];
    const size_t bytes = (stretch->end - stretch->first) * size;
    memcpy (to, (const char *) column + stretch->first * size, bytes);
    to += bytes;
  }
  return copy;
}

// `new_install`: where installs went; NULL: nowhere.
static void take_reads (struct asg *copy, struct reads_order *order, const uint32_t *new_install) {
  const struct asg *asg = order->asg;
  number_reads (copy, order);
  copy->read_source = take_column (order, asg->read_source, sizeof *asg->read_source);
#define COLUMN(name) copy->name = take_column (order, asg->name, sizeof *asg->name);
  ASG_READ_COLUMNS (COLUMN)
#undef COLUMN
  VEC_FREE (order->stretches);
  for (uint32_t read = 0; read < copy->reads; read++) {
    uint32_t *source = &copy->read_source[read];
    if (source_is_many (*source)) {
      VEC_PUSH (copy->choices, asg->choices.data[*source & ~SOURCE_MANY]);
      copy->choices.data[copy->choices.count - 1].read = read;
      *source = SOURCE_MANY | (uint32_t) (copy->choices.count - 1);
    } else if (new_install && *source < SOURCE_MANY)
      *source = new_install[*source];
  }
}

// --------------------------------------------------------------------------- no unrecorded deletes

// Each is its transaction's first write of the key, if that wrote it again.
static void move_first_writes (struct asg *copy, const struct asg *asg) {
  for (size_t d = 0; copy->install_first_op && d < asg->unrecorded.count; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    if (unrecorded->install != INSTALL_NONE)
      continue;
    const uint32_t own = asg_install_of (copy, unrecorded->key, unrecorded->node);
    if (own != INSTALL_NONE && copy->install_first_op[own] > unrecorded->op)
      copy->install_first_op[own] = unrecorded->op;
  }
}

struct asg *asg_settle (const struct asg *asg) {
  struct asg *copy = copy_without_reads (asg);
  take_reads (copy, &(struct reads_order){ .asg = asg }, NULL);
  copy->external_reads -= asg->reads - copy->reads;
  move_first_writes (copy, asg);
  copy->settled |= asg->unrecorded.count != 0;
  VEC_FREE (copy->unrecorded);
  MEM_FREE_ALL (copy->install_unrecorded, copy->read_unrecorded);
  copy->install_unrecorded = copy->read_unrecorded = NULL;
  return copy;
}

// ------------------------------------------------------------------------------------ other chains

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
static bool number_along (struct asg *copy, const uint32_t *next, const uint8_t *has_previous, uint32_t *old_of) {
  uint32_t number = 0;
  copy->chains = 0;
  for (uint32_t head = 0; head < copy->nodes; head++) {
    if (has_previous[head])
      continue;
    copy->chain_first[copy->chains] = number;
    for (uint32_t node = head; node != NODE_NONE; node = next[node]) {
      copy->node_chain[number] = copy->chains;
      old_of[number++] = node;
    }
    copy->chains++;
  }
  copy->chain_first[copy->chains] = number;
  return number == copy->nodes;
}

static void make_chains (struct asg *copy, const struct asg *asg, bool along_reads, uint32_t *old_of) {
  uint32_t *next = mem_nones (asg->nodes);
  uint8_t *has_previous = MEM_ZARRAY (uint8_t, asg->nodes);
  MEM_RESIZE (copy->chain_first, (size_t) asg->nodes + 1);
  mem_free (copy->so_before);
  copy->so_before = NULL;
  if (along_reads)
    choose_followers (asg, next, has_previous);
  if (!number_along (copy, next, has_previous, old_of)) {
    memset (next, 0xff, asg->nodes * sizeof *next);
    memset (has_previous, 0, asg->nodes);
    number_along (copy, next, has_previous, old_of);
  }
  MEM_FREE_ALL (next, has_previous);
}

static void move_nodes (struct asg *copy, const struct asg *asg, const uint32_t *old_of, uint32_t *new_of) {
  for (uint32_t node = 0; node < asg->nodes; node++) {
    new_of[old_of[node]] = node;
    copy->node_txn[node] = asg->node_txn[old_of[node]];
    copy->optional[node] = asg->optional[old_of[node]];
    if (copy->node_txn[node] != TXN_NONE)
      copy->txn_node[copy->node_txn[node]] = node;
  }
}

static void move_column (uint32_t *to, const uint32_t *from, const uint32_t *new_place, uint32_t count) {
  for (uint32_t i = 0; from && i < count; i++)
    to[new_place[i]] = from[i];
}

// Installs of a key in the order of the new numbers; new_install[old] says where each went. Nodes
// in new order visit theirs, so that each key fills in ascending order.
static void number_installs (struct asg *copy, const struct asg *asg, const uint32_t *new_of, uint32_t *new_install) {
  uint32_t *key_of = groups_of_places (asg->key_first, asg->keys), *next = MEM_COPY (asg->key_first, asg->keys);
  struct grouping by_node = { .groups = asg->nodes };
  while (grouping_pass (&by_node))
    for (uint32_t i = 0; i < asg->installs; i++)
      group_put (&by_node, new_of[asg->install_node[i]], i);
  for (uint32_t k = 0; k < asg->installs; k++) {
    const uint32_t old = by_node.items[k];
    by_node.items[k] = new_install[old] = next[key_of[old]]++;
  }
  MEM_FREE_ALL (copy->node_first_install, copy->node_installs);
  copy->node_first_install = by_node.first;
  copy->node_installs = by_node.items;
  MEM_FREE_ALL (key_of, next);
}

// Ranges of equal (key, value) stay where they are; only their members are reordered, and their
// order does not matter.
static void move_installs (struct asg *copy, const struct asg *asg, const uint32_t *new_of,
                           const uint32_t *new_install) {
  for (uint32_t i = 0; i < asg->installs; i++)
    copy->install_node[new_install[i]] = new_of[asg->install_node[i]];
  move_column (copy->install_value, asg->install_value, new_install, asg->installs);
  move_column (copy->install_first_op, asg->install_first_op, new_install, asg->installs);
  move_column (copy->install_last_op, asg->install_last_op, new_install, asg->installs);
  move_column (copy->install_unrecorded, asg->install_unrecorded, new_install, asg->installs);
  for (uint32_t i = 0; i < asg->value_entries; i++)
    copy->value_installs[i] = new_install[asg->value_installs[i]];
}

static void rename_facts (struct asg *copy, const uint32_t *new_of, const uint32_t *new_install) {
  for (size_t i = 0; i < copy->unrecorded.count; i++) {
    struct unrecorded_delete *unrecorded = &copy->unrecorded.data[i];
    unrecorded->node = new_of[unrecorded->node];
    if (unrecorded->install != INSTALL_NONE)
      unrecorded->install = new_install[unrecorded->install];
  }
  for (size_t i = 0; i < copy->orders.count; i++) {
    struct known_order *order = &copy->orders.data[i];
    *order = (struct known_order){ new_install[order->before], new_install[order->after], order->by_absence,
                                   new_of[order->reader] };
  }
  for (size_t i = 0; i < copy->implied.count; i++) {
    struct unknown_claim *claim = &copy->implied.data[i];
    *claim = (struct unknown_claim){ new_of[claim->reader], new_of[claim->other] };
  }
  for (size_t i = 0; i < copy->forced.count; i++)
    copy->forced.data[i] = new_of[copy->forced.data[i]];
}

struct asg *asg_rechain (const struct asg *asg, bool along_reads) {
  struct asg *copy = copy_without_reads (asg);
  uint32_t *old_of = MEM_ARRAY (uint32_t, asg->nodes), *new_of = MEM_ARRAY (uint32_t, asg->nodes);
  uint32_t *new_install = MEM_ARRAY (uint32_t, asg->installs);
  make_chains (copy, asg, along_reads, old_of);
  move_nodes (copy, asg, old_of, new_of);
  number_installs (copy, asg, new_of, new_install);
  move_installs (copy, asg, new_of, new_install);
  take_reads (copy, &(struct reads_order){ .asg = asg, .old_of = old_of, .all = true }, new_install);
  rename_facts (copy, new_of, new_install);
  MEM_FREE_ALL (old_of, new_of, new_install);
  return copy;
}
