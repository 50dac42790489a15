#include "hints/hints_inside.h"

#include "base/group.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdio.h>

// ------------------------------------------------------------------------------------ ids and keys

static bool same_id (const void *context, uint32_t index, const void *wanted) {
  return ((const struct history *) context)->txn_ids.data[index] == *(const uint64_t *) wanted;
}

uint32_t index_txn (const struct hint_index *x, uint64_t id) {
  return hash_set_find (&x->ids, hash_u64 (id), same_id, x->h, &id);
}

static uint64_t hash_atom (struct atom atom) {
  return atom.kind == ATOM_BYTES ? hash_bytes (atom.bytes, atom.length) : hash_u64 (atom.number);
}

static bool same_key (const void *context, uint32_t index, const void *wanted) {
  return !atom_compare (atoms_get (&((const struct history *) context)->keys, index), *(const struct atom *) wanted);
}

uint32_t index_key (const struct hint_index *x, struct atom key) {
  return hash_set_find (&x->keys, hash_atom (key), same_key, x->h, &key);
}

const char *hint_key_words (struct atom key, char *buffer, size_t size) {
  if (key.kind == ATOM_BYTES)
    snprintf (buffer, size, "\"%.*s\"", (int) (key.length < 60 ? key.length : 60), key.bytes);
  else if (key.kind == ATOM_NEGATIVE)
    snprintf (buffer, size, "%" PRId64, (int64_t) key.number);
  else
    snprintf (buffer, size, "%" PRIu64, key.number);
  return buffer;
}

// ---------------------------------------------------------------------------------------- installs

// Transactions give theirs to the keys in their order, so that each key's ascend. A transaction
// that writes a key again replaces its entry.
static void place_installs (struct hint_index *x) {
  const struct history *h = x->h;
  uint32_t *first = x->key_first = groups_new (history_keys (h));
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (effects_value_written (h, op) != VALUE_NONE)
      group_count (first, h->op_keys.data[op]);
  const uint32_t writes = groups_sum (first, history_keys (h));
  x->install_txn = MEM_ARRAY (uint32_t, writes);
  x->install_op = MEM_ARRAY (uint32_t, writes);
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      if (effects_value_written (h, op) == VALUE_NONE)
        continue;
      const uint32_t at = group_next (first, h->op_keys.data[op]);
      x->install_txn[at] = txn;
      x->install_op[at] = op;
    }
}

// The last of the transaction's writes: they stand next to each other.
uint32_t index_install (const struct hint_index *x, uint32_t key, uint32_t txn) {
  const uint32_t first = x->key_first[key], end = upper_bound_u32 (x->install_txn, first, x->key_first[key + 1], txn);
  return end > first && x->install_txn[end - 1] == txn ? x->install_op[end - 1] : OP_NONE;
}

void index_build (struct hint_index *x, const struct history *h) {
  *x = (struct hint_index){ .h = h, .init_value = history_initial_values (h) };
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    hash_set_insert (&x->ids, hash_u64 (h->txn_ids.data[txn]), txn);
  for (uint32_t key = 0; key < history_keys (h); key++)
    hash_set_insert (&x->keys, hash_atom (atoms_get (&h->keys, key)), key);
  place_installs (x);
}

void index_free (struct hint_index *x) {
  hash_set_free (&x->ids);
  hash_set_free (&x->keys);
  MEM_FREE_ALL (x->init_value, x->key_first, x->install_txn, x->install_op);
}
