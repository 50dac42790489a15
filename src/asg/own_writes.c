// Which own-write policy a history speaks for (SEMANTICS 2): `must` if no committed read refutes it, else `external`, else `may`. A read after an own
// write of its key refutes `must` if it did not return the latest own write, and `external` if nobody else can have given it its value.
//
// Two walks over the operations: the first collects the values that such reads returned, the second who else installs one of them. Levels,
// and whether an unknown transaction took place, have no say in this.

#include "asg/asg.h"

#include "base/error.h"
#include "base/hash.h"
#include "history/history.h"

const char *own_writes_name (enum own_writes policy) {
  switch (policy) {
  case OWN_MUST: return "must";
  case OWN_EXTERNAL: return "external";
  case OWN_MAY: return "may";
  case OWN_INFER: return "infer";
  }
  misuse (__func__, "no such policy");
}

#define TXN_NOBODY UINT32_MAX
#define TXN_ANYBODY (UINT32_MAX - 1) // several transactions, or T0: for each reader there is another one

// A key and a value of it that somebody read after an own write of the key, and who installs it.
struct seen {
  uint32_t key, value;
  uint32_t installer;
};

struct own_read {
  uint32_t reader;
  uint32_t seen;
};

struct inference {
  const struct history *h;
  bool must_refuted;
  uint32_t *stamp; // per key: the transaction that wrote it last in this walk
  uint32_t *value; // per key: what it wrote
  struct hash_set set;
  VEC (struct seen) seen;
  VEC (struct own_read) reads;
};

static void forget_stamps (struct inference *n) {
  for (uint32_t key = 0; key < history_keys (n->h); key++)
    n->stamp[key] = TXN_NOBODY;
}

static bool same_seen (const void *context, uint32_t index, const void *wanted) {
  const struct seen *one = (const struct seen *) context + index, *other = wanted;
  return one->key == other->key && one->value == other->value;
}

static uint32_t find_seen (const struct inference *n, uint32_t key, uint32_t value) {
  const struct seen wanted = { .key = key, .value = value };
  return hash_set_find (&n->set, hash_pair (key, value), same_seen, n->seen.data, &wanted);
}

static void add_read (struct inference *n, uint32_t txn, uint32_t key, uint32_t value) {
  uint32_t found = find_seen (n, key, value);
  if (found == UINT32_MAX) {
    found = (uint32_t) n->seen.count;
    hash_set_insert (&n->set, hash_pair (key, value), found);
    VEC_PUSH (n->seen, (struct seen){ key, value, TXN_NOBODY });
  }
  VEC_PUSH (n->reads, (struct own_read){ txn, found });
}

static void collect_reads (struct inference *n) {
  const struct history *h = n->h;
  forget_stamps (n);
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] != TXN_COMMITTED)
      continue;
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
      if (h->op_kinds.data[op] == OP_PUT) {
        n->stamp[key] = t;
        n->value[key] = value;
      } else if (h->op_kinds.data[op] == OP_GET && value != VALUE_UNRECORDED && n->stamp[key] == t) {
        n->must_refuted |= n->value[key] != value;
        add_read (n, t, key, value);
      }
    }
  }
}

// A transaction installs its last write of a key, which is the first that a walk backwards meets.
static void collect_installers (struct inference *n) {
  const struct history *h = n->h;
  forget_stamps (n);
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    for (uint32_t op = h->txn_first_op.data[t + 1]; op > h->txn_first_op.data[t]; op--) {
      const uint32_t key = h->op_keys.data[op - 1];
      if (h->op_kinds.data[op - 1] != OP_PUT || n->stamp[key] == t)
        continue;
      n->stamp[key] = t;
      const uint32_t found = find_seen (n, key, h->op_values.data[op - 1]);
      if (found != UINT32_MAX)
        n->seen.data[found].installer = n->seen.data[found].installer == TXN_NOBODY ? t : TXN_ANYBODY;
    }
  }
}

static void add_initial_state (struct inference *n) {
  const struct history *h = n->h;
  for (uint32_t key = 0; key < history_keys (h); key++)
    n->value[key] = h->init == INIT_DEFAULT ? h->init_default : VALUE_ABSENT;
  for (size_t i = 0; i < h->init_keys.count; i++)
    n->value[h->init_keys.data[i]] = h->init_values.data[i];
  for (size_t i = 0; i < n->seen.count; i++)
    if (h->init == INIT_ANY || n->value[n->seen.data[i].key] == n->seen.data[i].value)
      n->seen.data[i].installer = TXN_ANYBODY;
}

static bool external_refuted (const struct inference *n) {
  for (size_t i = 0; i < n->reads.count; i++) {
    const uint32_t installer = n->seen.data[n->reads.data[i].seen].installer;
    if (installer == TXN_NOBODY || installer == n->reads.data[i].reader)
      return true;
  }
  return false;
}

enum own_writes asg_infer_own_writes (const struct history *h) {
  struct inference n = { .h = h };
  n.stamp = MEM_ARRAY (uint32_t, history_keys (h));
  n.value = MEM_ARRAY (uint32_t, history_keys (h));
  enum own_writes policy = OWN_MUST;
  collect_reads (&n);
  if (n.must_refuted) {
    collect_installers (&n);
    add_initial_state (&n);
    policy = external_refuted (&n) ? OWN_MAY : OWN_EXTERNAL;
  }
  VEC_FREE (n.reads);
  VEC_FREE (n.seen);
  hash_set_free (&n.set);
  mem_free (n.value);
  mem_free (n.stamp);
  return policy;
}
