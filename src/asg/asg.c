// Building the abstract semantic graph: number the nodes, collect installs and external reads in
// one walk over the operations, group installs by value, then look up what each read can have read.
// An unknown transaction that cannot have happened (a read of its that nothing explains), or that
// nobody can have read, is left out, which never hurts (SEMANTICS 1); leaving out may cascade, so
// the walk is repeated until nothing more falls out.

#include "asg/asg.h"

#include "asg/builder.h"
#include "base/error.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void builder_exclude (struct builder *b, uint32_t txn) {
  if (!b->excluded[txn]) {
    RELIES_ON (builder_is_optional (b, txn)); // a committed transaction stays, or is a fault
    b->excluded[txn] = 1;
    b->newly_excluded++;
    LOG_TRANSACTION ("asg", b->h->txn_ids.data[txn], "did not take place");
  }
}

void builder_fault (struct builder *b, struct asg_fault fault) {
  if (builder_is_optional (b, fault.txn))
    builder_exclude (b, fault.txn);
  else
    VEC_PUSH (b->asg->faults, fault);
}

struct asg_fault builder_fault_of (const struct builder *b, enum fault_kind kind, uint32_t node, uint32_t op,
                                   uint32_t key, uint32_t value, uint8_t flags, uint32_t other) {
  return (struct asg_fault){ kind, b->asg->node_txn[node], op, key, value, flags, other, false, 0 };
}

// ----------------------------------------------------------------------------------- what there is

// Which effects there are, those of aborted transactions included: a bit for each kind of read and
// write.
struct all_effects {
  unsigned reads, writes;
  bool lists, incs;
  bool others; // than gets and puts
};

static struct all_effects find_effects (const struct history *h) {
  struct all_effects all = { 0 };
  unsigned seen = 0; // kinds of operations, a bit each
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
    if (seen >> kind & 1)
      continue;
    seen |= (unsigned) effects_alike (kind) << kind;
    const struct effects e = effects_of (h, op);
    all.reads |= 1u << e.reads;
    all.writes |= 1u << e.writes;
    all.lists |= e.on_list;
    all.others |= kind != OP_GET && kind != OP_PUT;
    all.incs |= e.reads == READS_OR_ABSENT || e.written == VALUE_UNRECORDED;
  }
  return all;
}

// The last transaction that was not aborted and has such a write, or TXN_NONE.
static uint32_t txn_that_writes (const struct history *h, enum effect_write kind) {
  for (uint32_t t = history_txns (h); t-- > 0;)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      if (h->txn_status.data[t] != TXN_ABORTED && effects_of (h, op).writes == kind)
        return t;
  return TXN_NONE;
}

// Why the history cannot be checked, or NULL.
static char *find_unsupported (const struct history *h, const struct all_effects *all, const struct lists *lists) {
  const uint32_t undefined = all->writes & 1u << WRITES_UNDEFINED ? txn_that_writes (h, WRITES_UNDEFINED) : TXN_NONE;
  if (undefined != TXN_NONE) {
    char *text = mem_alloc (120);
    snprintf (text, 120, "transaction %" PRIu64 " has a cas whose result was not recorded, which is not defined",
              h->txn_ids.data[undefined]);
    return text;
  }
  char *text = lists ? lists_problem (lists, h, all->reads & 1u << READS_RANGE) : NULL;
  return text || !all->incs ? text : incs_problem (h);
}

// ----------------------------------------------------------------------------------------- builder

void builder_new_stamps (struct builder *b) {
  const uint32_t keys = history_keys (b->h);
  b->own_stamp = MEM_ZARRAY (uint32_t, keys);
  b->own_slot = MEM_ARRAY (uint32_t, keys);
  b->own_op = MEM_ARRAY (uint32_t, keys);
  b->read_stamp = MEM_ZARRAY (uint32_t, keys);
  b->read_last = MEM_ARRAY (uint32_t, keys);
}

void builder_free_stamps (struct builder *b) {
  MEM_FREE_ALL (b->own_stamp, b->own_slot, b->own_op, b->read_stamp, b->read_last);
}

static void init_stamps (struct builder *b, bool unrecorded) {
  b->excluded = MEM_ZARRAY (uint8_t, history_txns (b->h));
  builder_new_stamps (b);
  if (unrecorded)
    b->own_unrecorded = MEM_ARRAY (uint32_t, history_keys (b->h));
}

void builder_init (struct builder *b, struct asg *asg, const struct history *h, const struct asg_options *options) {
  *b = (struct builder){ .asg = asg, .h = h, .options = options };
  asg->history = h;
  asg->hints = options->hints;
  const struct all_effects all = find_effects (h);
  const bool blind_deletes = all.writes & 1u << WRITES_PERHAPS && txn_that_writes (h, WRITES_PERHAPS) != TXN_NONE;
  b->lists = all.lists ? lists_new (h) : NULL;
  asg->unsupported = find_unsupported (h, &all, b->lists);
  b->simple = !blind_deletes && !(all.reads & (1u << READS_OTHER | 1u << READS_OR_ABSENT | 1u << READS_RANGE));
  b->plain = !all.others && !options->hints && !(options->excuse && h->incomplete);
  init_stamps (b, blind_deletes);
  b->some_lock = blind_deletes && effects_some_lock (h);
  if (asg->unsupported)
    return;
  if (all.reads & 1u << READS_RANGE)
    b->ranges = ranges_new (h);
}

void builder_release (struct builder *b) {
  builder_free_stamps (b);
  MEM_FREE_ALL (b->excluded, b->own_unrecorded, b->pending.data, b->first_op.data, b->last_op.data, b->unrecorded.data,
                b->early_unrecorded.data, b->after_own.data, b->read_hint.data, b->excuses.data, b->refuted.data);
  ranges_free (b->ranges);
  lists_free (b->lists);
}

static void discard_columns (struct asg *asg) {
  MEM_FREE_ALL (asg->unsupported, asg->node_first_read, asg->read_source);
#define COLUMN(name, ...) mem_free (asg->name);
  ASG_COLUMNS (COLUMN)
  ASG_READ_COLUMNS (COLUMN)
#undef COLUMN
  MEM_FREE_ALL (asg->choices.data, asg->unrecorded.data, asg->orders.data, asg->implied.data, asg->forced.data,
                asg->faults.data);
  *asg = (struct asg){ .history = asg->history, .hints = asg->hints, .excusing = asg->excusing };
}

static void build_once (struct builder *b) {
  discard_columns (b->asg);
  b->newly_excluded = 0;
  if (b->lists)
    lists_forget (b->lists);
  builder_number_nodes (b);
  builder_walk (b);
  if (b->newly_excluded)
    return;
  lineage_group_by_value (b);
  lineage_initial_values (b->asg);
  if (b->lists)
    lists_compare (b);
  if (b->options->hints)
    version_orders_add (b);
  lineage_find_sources (b);
  if (b->asg->optionals)
    lineage_exclude_unread (b);
}

static uint64_t name_of (const struct asg *asg, uint32_t node) {
  return node ? asg->history->txn_ids.data[asg->node_txn[node]] : LOG_INITIAL;
}

static void log_graph (const struct asg *asg) {
  if (!LOG_IS_HEARD ("asg"))
    return;
  for (uint32_t node = 1; node < asg->nodes; node++)
    LOG_TRANSACTION ("asg", name_of (asg, node), "node %u of chain %u, %u versions%s", node, asg->node_chain[node],
                     asg->node_first_install[node + 1] - asg->node_first_install[node],
                     asg->optional[node] ? ", outcome unknown" : "");
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t source = asg->read_source[read], key = asg->read_key[read];
      if (source_is_many (source)) {
        const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
        LOG_SUPERPOSITION ("asg", choice->last - choice->first + choice->initial, "T%" PRIu64 " reads key %u",
                           name_of (asg, node), key);
      } else
        LOG_EDGE ("asg", name_of (asg, source == SOURCE_INITIAL ? 0 : asg->install_node[source]), "wr",
                  name_of (asg, node), "key %u", key);
    }
  for (size_t i = 0; i < asg->orders.count; i++) {
    const struct known_order *order = &asg->orders.data[i];
    LOG_EDGE ("asg", name_of (asg, asg->install_node[order->before]), "ww",
              name_of (asg, asg->install_node[order->after]), "given away by a list or a hint");
  }
}

// ------------------------------------------------------------------------------------------ public

static struct asg *build (const struct history *h, const struct asg_options *options, bool with_unknown) {
  if (options->own_writes == OWN_INFER)
    misuse (__func__, "the own-write policy is not settled");
  struct asg *asg = mem_zalloc (sizeof *asg);
  struct builder b;
  builder_init (&b, asg, h, options);
  asg->excusing = options->excuse && h->incomplete;
  if (!asg->unsupported && asg->excusing)
    excuses_find (&b);
  for (uint32_t t = 0; t < history_txns (h) && !with_unknown; t++)
    b.excluded[t] = builder_is_optional (&b, t);
  if (!asg->unsupported)
    do
      build_once (&b);
    while (b.newly_excluded);
  lineage_forget_values (asg);
  asg->options = *options;
  log_graph (asg);
  builder_release (&b);
  return asg;
}

struct asg *asg_build (const struct history *h, const struct asg_options *options) {
  return build (h, options, true);
}

struct asg *asg_without_unknown (const struct asg *asg) {
  return build (asg->history, &asg->options, false);
}

void asg_free (struct asg *asg) {
  if (!asg)
    return;
  discard_columns (asg);
  mem_free (asg);
}

uint64_t asg_superpositions (const struct asg *asg) {
  uint64_t total = asg->choices.count;
  for (uint32_t key = 0; key < asg->keys; key++) {
    const uint64_t writers = asg->key_first[key + 1] - asg->key_first[key];
    total += writers * (writers - (writers != 0)) / 2;
  }
  return total;
}
