// Building the abstract semantic graph: number the nodes, collect installs and external reads in one walk over the operations, group
// installs by value, then look up what each read can have read. An unknown transaction that cannot have happened (a read of its that
// nothing explains), or that nobody can have read, is left out, which never hurts (SEMANTICS 1); leaving out may cascade, so
// the walk is repeated until nothing more falls out.

#include "asg/asg.h"

#include "base/error.h"
#include "base/hash.h"
#include "history/history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct builder {
  struct asg *asg;
  const struct history *h;
  const struct asg_options *options;
  uint8_t *excluded; // per transaction: an unknown one that is out
  uint32_t newly_excluded;
  uint32_t *own_stamp;  // per key: the node that wrote it last in this walk
  uint32_t *own_slot;   // per key: its install
  uint32_t *own_op;     // per key: the operation
  uint32_t *read_stamp; // per key: the node that read it last from outside
  uint32_t *read_last;  // per key: that value
};

static bool has_node (const struct builder *b, uint32_t txn) {
  return b->h->txn_status.data[txn] != TXN_ABORTED && !b->excluded[txn];
}

static bool is_optional (const struct builder *b, uint32_t txn) {
  return b->h->txn_status.data[txn] == TXN_UNKNOWN;
}

// ------------------------------------------------------------------------------------------------------------------- nodes

static void add_node (struct asg *asg, uint32_t txn, uint32_t chain, bool optional) {
  const uint32_t node = asg->nodes++;
  asg->node_txn[node] = txn;
  asg->node_chain[node] = chain;
  asg->optional[node] = optional;
  asg->optionals += optional;
  if (txn != UINT32_MAX)
    asg->txn_node[txn] = node;
}

// An unknown transaction may close its session's chain if nothing with a node follows it there.
static bool is_last_of_session (const struct builder *b, uint32_t txn) {
  const uint32_t end = b->h->session_first.data[b->h->txn_sessions.data[txn] + 1];
  for (uint32_t t = txn + 1; t < end; t++)
    if (has_node (b, t))
      return false;
  return true;
}

static void number_nodes (struct builder *b) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  const uint32_t txns = history_txns (h), sessions = history_sessions (h);
  asg->node_txn = MEM_ARRAY (uint32_t, (size_t) txns + 1);
  asg->node_chain = MEM_ARRAY (uint32_t, (size_t) txns + 1);
  asg->optional = MEM_ZARRAY (uint8_t, (size_t) txns + 1);
  asg->txn_node = MEM_ARRAY (uint32_t, txns);
  for (uint32_t t = 0; t < txns; t++)
    asg->txn_node[t] = NODE_NONE;
  VEC (uint32_t) chain_first = VEC_EMPTY;
  VEC (uint32_t) cut_out = VEC_EMPTY; // transaction, then its predecessor's node
  VEC_PUSH (chain_first, 0);
  add_node (asg, UINT32_MAX, 0, false);
  for (uint32_t s = 0; s < sessions; s++) {
    const uint32_t chain = (uint32_t) chain_first.count;
    const uint32_t first = asg->nodes;
    for (uint32_t t = h->session_first.data[s]; t < h->session_first.data[s + 1]; t++) {
      if (!has_node (b, t))
        continue;
      const bool optional = is_optional (b, t);
      if (optional && !is_last_of_session (b, t)) {
        VEC_PUSH (cut_out, t);
        VEC_PUSH (cut_out, asg->nodes > first ? asg->nodes - 1 : NODE_NONE);
      } else
        add_node (asg, t, chain, optional);
    }
    if (asg->nodes > first)
      VEC_PUSH (chain_first, first);
  }
  for (size_t i = 0; i < cut_out.count; i += 2) {
    if (!asg->so_before) {
      asg->so_before = MEM_ARRAY (uint32_t, (size_t) txns + 1);
      memset (asg->so_before, 0xff, mem_bytes ((size_t) txns + 1, sizeof (uint32_t)));
    }
    asg->so_before[asg->nodes] = cut_out.data[i + 1];
    VEC_PUSH (chain_first, asg->nodes);
    add_node (asg, cut_out.data[i], (uint32_t) chain_first.count - 1, true);
  }
  asg->chains = (uint32_t) chain_first.count;
  VEC_PUSH (chain_first, asg->nodes);
  asg->chain_first = chain_first.data;
  VEC_FREE (cut_out);
}

// ---------------------------------------------------------------------------------------------------------- installs, reads

static bool is_get_or_put (enum op_kind kind) {
  return kind == OP_GET || kind == OP_PUT;
}

// The first operation of a kind that is parsed and stored but not checked yet.
static bool find_unsupported (struct builder *b) {
  const struct history *h = b->h;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      if (!is_get_or_put ((enum op_kind) h->op_kinds.data[op])) {
        char text[200];
        snprintf (text, sizeof text,
                  "transaction %" PRIu64 " has a %s operation, which is not checked yet (only get and put are)",
                  h->txn_ids.data[t], op_kind_name ((enum op_kind) h->op_kinds.data[op]));
        b->asg->unsupported = mem_strdup (text);
        return true;
      }
  }
  return false;
}

static void count_installs (struct builder *b) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  asg->keys = history_keys (h);
  asg->key_first = MEM_ZARRAY (uint32_t, (size_t) asg->keys + 1);
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t txn = asg->node_txn[node], end = h->txn_first_op.data[txn + 1];
    for (uint32_t op = h->txn_first_op.data[txn]; op < end; op++) {
      const uint32_t key = h->op_keys.data[op];
      if (h->op_kinds.data[op] == OP_PUT) {
        if (b->own_stamp[key] != node)
          asg->key_first[key + 1]++;
        b->own_stamp[key] = node;
      } else
        asg->reads++;
    }
  }
  for (uint32_t key = 0; key < asg->keys; key++)
    asg->key_first[key + 1] += asg->key_first[key];
  asg->installs = asg->key_first[asg->keys];
}

static void exclude (struct builder *b, uint32_t txn) {
  if (!b->excluded[txn]) {
    b->excluded[txn] = 1;
    b->newly_excluded++;
  }
}

static void fault (struct builder *b, enum fault_kind kind, uint32_t txn, uint32_t op, uint32_t other) {
  if (is_optional (b, txn))
    exclude (b, txn);
  else
    VEC_PUSH (b->asg->faults, (struct asg_fault){ kind, txn, op, other });
}

// Is a read of `value` after an own write of `own` settled by that write? Under `may`, a read that can have seen the own write is taken to have
// done so. That is never worse than an external read, which would need a source, hence perhaps an unknown transaction or an initial value, and
// would add edges; an own read asks for nothing.
static bool is_own_read (enum own_writes policy, uint32_t own, uint32_t value) {
  return policy == OWN_MUST || (policy == OWN_MAY && own == value);
}

static void walk_get (struct builder *b, uint32_t node, uint32_t txn, uint32_t op) {
  struct asg *asg = b->asg;
  const uint32_t key = b->h->op_keys.data[op], value = b->h->op_values.data[op];
  if (value == VALUE_UNRECORDED)
    return;
  if (b->own_stamp[key] == node) {
    const uint32_t own = asg->install_value[b->own_slot[key]]; // the latest so far
    if (is_own_read (b->options->own_writes, own, value)) {
      if (own != value)
        fault (b, FAULT_OWN_WRITE, txn, op, b->own_op[key]);
      return;
    }
  }
  asg->external_reads++;
  if (b->options->merge_equal_reads && b->read_stamp[key] == node && b->read_last[key] == value)
    return;
  b->read_stamp[key] = node;
  b->read_last[key] = value;
  if (asg->read_op)
    asg->read_op[asg->reads] = op;
  asg->read_key[asg->reads] = key;
  asg->read_value[asg->reads++] = value;
}

static void walk_operations (struct builder *b) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  uint32_t *next = MEM_ARRAY (uint32_t, asg->keys);
  if (asg->keys)
    memcpy (next, asg->key_first, asg->keys * sizeof *next);
  memset (b->own_stamp, 0, asg->keys * sizeof *b->own_stamp);
  memset (b->read_stamp, 0, asg->keys * sizeof *b->read_stamp);
  asg->install_node = MEM_ARRAY (uint32_t, asg->installs);
  asg->install_value = MEM_ARRAY (uint32_t, asg->installs);
  asg->node_first_install = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  asg->node_installs = MEM_ARRAY (uint32_t, asg->installs);
  uint32_t placed = 0; // in node_installs
  asg->node_first_install[0] = 0;
  asg->node_first_read = MEM_ARRAY (uint32_t, (size_t) asg->nodes + 1);
  asg->read_key = MEM_ARRAY (uint32_t, asg->reads);
  asg->read_value = MEM_ARRAY (uint32_t, asg->reads);
  if (b->options->events) {
    asg->read_op = MEM_ARRAY (uint32_t, asg->reads);
    asg->install_first_op = MEM_ARRAY (uint32_t, asg->installs);
    asg->install_last_op = MEM_ARRAY (uint32_t, asg->installs);
  }
  asg->reads = 0;
  asg->external_reads = 0;
  asg->node_first_read[0] = 0;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t txn = asg->node_txn[node], end = h->txn_first_op.data[txn + 1];
    asg->node_first_read[node] = asg->reads;
    asg->node_first_install[node] = placed;
    for (uint32_t op = h->txn_first_op.data[txn]; op < end; op++) {
      const uint32_t key = h->op_keys.data[op];
      if (h->op_kinds.data[op] == OP_GET) {
        walk_get (b, node, txn, op);
        continue;
      }
      if (b->own_stamp[key] != node) {
        b->own_stamp[key] = node;
        b->own_slot[key] = next[key]++;
        asg->install_node[b->own_slot[key]] = node;
        asg->node_installs[placed++] = b->own_slot[key];
        if (asg->install_first_op)
          asg->install_first_op[b->own_slot[key]] = op;
      }
      if (asg->install_last_op)
        asg->install_last_op[b->own_slot[key]] = op;
      asg->install_value[b->own_slot[key]] = h->op_values.data[op];
      b->own_op[key] = op;
    }
  }
  asg->node_first_read[asg->nodes] = asg->reads;
  asg->node_first_install[asg->nodes] = placed;
  mem_free (next);
}

static void group_by_value (struct asg *asg, uint32_t values) {
  asg->value_first = MEM_ZARRAY (uint32_t, (size_t) values + 2);
  uint32_t *next = asg->value_first + 1; // shifted by one, so that filling leaves the first positions in place
  for (uint32_t i = 0; i < asg->installs; i++)
    next[asg->install_value[i] + 1]++;
  for (uint32_t v = 0; v < values; v++)
    next[v + 1] += next[v];
  asg->value_installs = MEM_ARRAY (uint32_t, asg->installs);
  for (uint32_t i = 0; i < asg->installs; i++)
    asg->value_installs[next[asg->install_value[i]]++] = i;
}

// ------------------------------------------------------------------------------------------------------------------ lineage

static void set_initial_values (struct builder *b) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  const uint32_t everywhere = h->init == INIT_ABSENT ? VALUE_ABSENT
                              : h->init == INIT_ANY  ? VALUE_UNRECORDED
                                                     : h->init_default;
  asg->init_value = MEM_ARRAY (uint32_t, asg->keys);
  for (uint32_t key = 0; key < asg->keys; key++)
    asg->init_value[key] = everywhere;
  if (h->init != INIT_ANY)
    for (size_t i = 0; i < h->init_keys.count; i++)
      asg->init_value[h->init_keys.data[i]] = h->init_values.data[i];
}

static uint32_t lower_bound (const uint32_t *sorted, uint32_t first, uint32_t last, uint32_t wanted) {
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (sorted[middle] < wanted)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

// Installs of (key, value) by others than `node`: the range, and how many. The reader's own install may lie within the range.
static uint32_t candidates (const struct asg *asg, uint32_t key, uint32_t value, uint32_t node, uint32_t *first,
                            uint32_t *last) {
  *first = *last = 0;
  if (value >= VALUE_UNRECORDED)
    return 0;
  const uint32_t begin = asg->value_first[value], end = asg->value_first[value + 1];
  *first = lower_bound (asg->value_installs, begin, end, asg->key_first[key]);
  *last = lower_bound (asg->value_installs, *first, end, asg->key_first[key + 1]);
  uint32_t count = *last - *first;
  if (asg->node_first_install[node] == asg->node_first_install[node + 1]) // a reader only: no install is its own
    return count;
  if (count == 1)
    return asg->install_node[asg->value_installs[*first]] != node;
  if (count) {
    const uint32_t own = asg_install_of (asg, key, node);
    count -= own != UINT32_MAX && asg->install_value[own] == value;
  }
  return count;
}

uint32_t asg_install_of (const struct asg *asg, uint32_t key, uint32_t node) {
  const uint32_t end = asg->key_first[key + 1];
  const uint32_t i = lower_bound (asg->install_node, asg->key_first[key], end, node);
  return i < end && asg->install_node[i] == node ? i : UINT32_MAX;
}

// Which operation a read came from; only asked for messages. Own reads may have returned the same value.
static uint32_t operation_of (const struct builder *b, uint32_t node, uint32_t read) {
  const struct history *h = b->h;
  const uint32_t txn = b->asg->node_txn[node], key = b->asg->read_key[read], value = b->asg->read_value[read];
  bool written = false;
  uint32_t own = VALUE_NONE;
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    if (h->op_keys.data[op] != key)
      continue;
    if (h->op_kinds.data[op] == OP_PUT) {
      written = true;
      own = h->op_values.data[op];
    } else if (h->op_values.data[op] == value && !(written && is_own_read (b->options->own_writes, own, value)))
      return op;
  }
  return h->txn_first_op.data[txn];
}

// Under `init any` a committed read that no install explains fixes the key's initial value.
static void fix_open_initial_values (struct builder *b) {
  struct asg *asg = b->asg;
  uint32_t *fixed_by = MEM_ARRAY (uint32_t, asg->keys);   // read
  uint32_t *fixed_node = MEM_ARRAY (uint32_t, asg->keys); // its reader
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (asg->optional[node])
      continue;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint32_t key = asg->read_key[read], value = asg->read_value[read];
      uint32_t first, last;
      if (candidates (asg, key, value, node, &first, &last))
        continue;
      if (asg->init_value[key] == VALUE_UNRECORDED) {
        asg->init_value[key] = value;
        fixed_by[key] = read;
        fixed_node[key] = node;
      } else if (asg->init_value[key] != value && !asg->faults.count)
        fault (b, FAULT_TWO_INITIAL, asg->node_txn[node], operation_of (b, node, read),
               operation_of (b, fixed_node[key], fixed_by[key]));
    }
  }
  mem_free (fixed_by);
  mem_free (fixed_node);
}

static uint32_t source_of (struct builder *b, uint32_t node, uint32_t read) {
  struct asg *asg = b->asg;
  const uint32_t key = asg->read_key[read], value = asg->read_value[read];
  uint32_t first, last;
  const uint32_t installs = candidates (asg, key, value, node, &first, &last);
  const bool initial = asg_initial_can_be (asg, key, value);
  if (!installs && initial)
    return SOURCE_INITIAL;
  if (installs == 1 && !initial) {
    const uint32_t install = asg->value_installs[first];
    return last - first > 1 && asg->install_node[install] == node ? asg->value_installs[first + 1] : install;
  }
  if (installs) {
    VEC_PUSH (asg->choices, (struct choice){ read, first, last, initial });
    return SOURCE_MANY | (uint32_t) (asg->choices.count - 1);
  }
  if (asg->optional[node])
    exclude (b, asg->node_txn[node]);
  else if (!asg->faults.count) // one is enough for a verdict
    fault (b, FAULT_NO_SOURCE, asg->node_txn[node], operation_of (b, node, read), UINT32_MAX);
  return SOURCE_NONE;
}

// The look-up of a read hops through three columns; the hops of later reads are made in advance, each when the one before it has arrived.
static void prefetch_sources (const struct asg *asg, uint32_t read) {
  enum { FAR = 24, MIDDLE = 16, NEAR = 8 };
  if (read + FAR >= asg->reads)
    return;
  const uint32_t far = asg->read_value[read + FAR], middle = asg->read_value[read + MIDDLE],
                 near = asg->read_value[read + NEAR];
  if (far < VALUE_UNRECORDED)
    __builtin_prefetch (&asg->value_first[far]);
  if (middle < VALUE_UNRECORDED)
    __builtin_prefetch (&asg->value_installs[asg->value_first[middle]]);
  if (near < VALUE_UNRECORDED && asg->value_first[near] < asg->installs)
    __builtin_prefetch (&asg->install_node[asg->value_installs[asg->value_first[near]]]);
}

static void find_sources (struct builder *b) {
  struct asg *asg = b->asg;
  asg->read_source = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      prefetch_sources (asg, read);
      asg->read_source[read] = source_of (b, node, read);
    }
}

// ----------------------------------------------------------------------------------------------------- unknown transactions

struct pair_set {
  struct hash_set set;
  VEC (uint64_t) pairs;
};

static bool same_pair (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

// An unknown transaction none of whose versions anybody else read is left out.
static void exclude_unread (struct builder *b) {
  struct asg *asg = b->asg;
  struct pair_set read_twice = { 0 }; // (key, value) read, with the reader; read by two: reader NODE_NONE
  VEC (uint32_t) reader = VEC_EMPTY;
  for (uint32_t node = 1; node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
      const uint64_t pair = (uint64_t) asg->read_key[read] << 32 | asg->read_value[read];
      const uint32_t found = hash_set_find (&read_twice.set, hash_u64 (pair), same_pair, read_twice.pairs.data, &pair);
      if (found == UINT32_MAX) {
        hash_set_insert (&read_twice.set, hash_u64 (pair), (uint32_t) read_twice.pairs.count);
        VEC_PUSH (read_twice.pairs, pair);
        VEC_PUSH (reader, node);
      } else if (reader.data[found] != node)
        reader.data[found] = NODE_NONE;
    }
  uint8_t *wanted = MEM_ZARRAY (uint8_t, asg->nodes);
  for (uint32_t key = 0; key < asg->keys; key++)
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++) {
      const uint32_t node = asg->install_node[i];
      if (!asg->optional[node])
        continue;
      const uint64_t pair = (uint64_t) key << 32 | asg->install_value[i];
      const uint32_t found = hash_set_find (&read_twice.set, hash_u64 (pair), same_pair, read_twice.pairs.data, &pair);
      if (found != UINT32_MAX && reader.data[found] != node)
        wanted[node] = 1;
    }
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (asg->optional[node] && !wanted[node])
      exclude (b, asg->node_txn[node]);
  mem_free (wanted);
  VEC_FREE (reader);
  VEC_FREE (read_twice.pairs);
  hash_set_free (&read_twice.set);
}

// ------------------------------------------------------------------------------------------------------------------- public

static void discard_columns (struct asg *asg) {
  mem_free (asg->node_txn);
  mem_free (asg->txn_node);
  mem_free (asg->node_chain);
  mem_free (asg->chain_first);
  mem_free (asg->so_before);
  mem_free (asg->optional);
  mem_free (asg->key_first);
  mem_free (asg->install_node);
  mem_free (asg->install_value);
  mem_free (asg->node_first_install);
  mem_free (asg->node_installs);
  mem_free (asg->value_first);
  mem_free (asg->value_installs);
  mem_free (asg->init_value);
  mem_free (asg->node_first_read);
  mem_free (asg->read_key);
  mem_free (asg->read_value);
  mem_free (asg->read_source);
  mem_free (asg->read_op);
  mem_free (asg->install_first_op);
  mem_free (asg->install_last_op);
  VEC_FREE (asg->choices);
  VEC_FREE (asg->faults);
  *asg = (struct asg){ .history = asg->history };
}

static void build_once (struct builder *b) {
  discard_columns (b->asg);
  b->newly_excluded = 0;
  memset (b->own_stamp, 0, history_keys (b->h) * sizeof *b->own_stamp);
  number_nodes (b);
  count_installs (b);
  walk_operations (b);
  if (b->newly_excluded)
    return;
  group_by_value (b->asg, atoms_count (&b->h->values));
  set_initial_values (b);
  if (b->h->init == INIT_ANY)
    fix_open_initial_values (b);
  find_sources (b);
  if (b->asg->optionals)
    exclude_unread (b);
}

struct asg *asg_build (const struct history *h, const struct asg_options *options) {
  if (options->own_writes == OWN_INFER)
    misuse (__func__, "the own-write policy is not settled");
  const uint32_t keys = history_keys (h);
  struct asg *asg = mem_zalloc (sizeof *asg);
  asg->history = h;
  struct builder b = { .asg = asg, .h = h, .options = options };
  if (find_unsupported (&b))
    return asg;
  b.excluded = MEM_ZARRAY (uint8_t, history_txns (h));
  b.own_stamp = MEM_ARRAY (uint32_t, keys);
  b.own_slot = MEM_ARRAY (uint32_t, keys);
  b.own_op = MEM_ARRAY (uint32_t, keys);
  b.read_stamp = MEM_ARRAY (uint32_t, keys);
  b.read_last = MEM_ARRAY (uint32_t, keys);
  do
    build_once (&b);
  while (b.newly_excluded);
  mem_free (b.excluded);
  mem_free (b.own_stamp);
  mem_free (b.own_slot);
  mem_free (b.own_op);
  mem_free (b.read_stamp);
  mem_free (b.read_last);
  return asg;
}

void asg_free (struct asg *asg) {
  if (!asg)
    return;
  mem_free (asg->unsupported);
  discard_columns (asg);
  mem_free (asg);
}
