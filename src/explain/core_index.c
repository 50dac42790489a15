#include "explain/core_index.h"

#include "hints/hints.h"
#include "levels/levels.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------------------------- masks

struct core_mask core_mask_new (const struct history *h) {
  struct core_mask mask = { VEC_EMPTY, MEM_ZARRAY (uint8_t, history_txns (h)), MEM_ARRAY (uint8_t, history_ops (h)) };
  if (history_ops (h))
    memset (mask.op, 1, history_ops (h));
  return mask;
}

void core_mask_keep (struct core_mask *mask, const uint32_t *txns, size_t count) {
  for (size_t i = 0; i < mask->kept.count; i++)
    mask->txn[mask->kept.data[i]] = 0;
  mask->kept.count = 0;
  for (size_t i = 0; i < count; i++) {
    VEC_PUSH (mask->kept, txns[i]);
    mask->txn[txns[i]] = 1;
  }
}

void core_mask_free (struct core_mask *mask) {
  VEC_FREE (mask->kept);
  mem_free (mask->txn);
  mem_free (mask->op);
}

// ------------------------------------------------------------------------------------------------------------------------ writes

// Groups items by a number below `groups`, and keeps their order within a group.
static uint32_t *group (const uint32_t *items, const uint32_t *number, uint32_t count, uint32_t groups,
                        uint32_t *grouped) {
  uint32_t *first = MEM_ZARRAY (uint32_t, (size_t) groups + 2), *next = first + 1;
  for (uint32_t i = 0; i < count; i++)
    next[number[items[i]] + 1]++;
  for (uint32_t g = 0; g < groups; g++)
    next[g + 1] += next[g];
  for (uint32_t i = 0; i < count; i++)
    grouped[next[number[items[i]]]++] = items[i];
  return first;
}

static void sort_writes (struct core_index *x) {
  const struct history *h = x->h;
  const uint32_t ops = history_ops (h), values = atoms_count (&h->values);
  uint32_t *value = MEM_ARRAY (uint32_t, ops), *found = MEM_ARRAY (uint32_t, ops), count = 0;
  for (uint32_t op = 0; op < ops; op++) {
    const uint32_t written = effects_value_written (h, op);
    value[op] = written == VALUE_ABSENT ? values : written;
    if (written != VALUE_NONE)
      found[count++] = op;
  }
  uint32_t *by_value = MEM_ARRAY (uint32_t, count);
  mem_free (group (found, value, count, values + 1, by_value));
  mem_free (found);
  x->writes = MEM_ARRAY (uint32_t, count);
  x->key_first_write = group (by_value, h->op_keys.data, count, history_keys (h), x->writes);
  mem_free (by_value);
  mem_free (value);
}

struct core_writes core_writes_of_key (struct core_index *x, uint32_t key) {
  if (!x->key_first_write)
    sort_writes (x);
  return (struct core_writes){ x->key_first_write[key], x->key_first_write[key + 1] };
}

// The first write of the key that writes this value (absent: the highest) or a higher one.
static uint32_t first_write_from (const struct core_index *x, struct core_writes all, uint64_t value) {
  while (all.first < all.last) {
    const uint32_t middle = all.first + (all.last - all.first) / 2;
    if (effects_value_written (x->h, x->writes[middle]) < value)
      all.first = middle + 1;
    else
      all.last = middle;
  }
  return all.first;
}

struct core_writes core_writes_of_value (struct core_index *x, uint32_t key, uint32_t value) {
  const struct core_writes all = core_writes_of_key (x, key);
  return (struct core_writes){ first_write_from (x, all, value), first_write_from (x, all, (uint64_t) value + 1) };
}

// -------------------------------------------------------------------------------------------------------------------------- keys

struct sorted_key {
  struct atom atom;
  uint32_t key;
};

static int by_atom (const void *a, const void *b) {
  return atom_compare (((const struct sorted_key *) a)->atom, ((const struct sorted_key *) b)->atom);
}

static void sort_keys (struct core_index *x) {
  const uint32_t keys = history_keys (x->h);
  struct sorted_key *sorted = MEM_ARRAY (struct sorted_key, keys);
  for (uint32_t key = 0; key < keys; key++)
    sorted[key] = (struct sorted_key){ atoms_get (&x->h->keys, key), key };
  if (keys)
    qsort (sorted, keys, sizeof *sorted, by_atom);
  x->sorted_keys = MEM_ARRAY (uint32_t, keys);
  for (uint32_t i = 0; i < keys; i++)
    x->sorted_keys[i] = sorted[i].key;
  mem_free (sorted);
}

static uint32_t first_key_from (const struct core_index *x, struct atom bound) {
  uint32_t low = 0, high = history_keys (x->h);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (atom_compare (atoms_get (&x->h->keys, x->sorted_keys[middle]), bound) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct core_writes core_keys_in_range (struct core_index *x, const struct op_range *range) {
  if (!x->sorted_keys)
    sort_keys (x);
  const struct atoms *keys = &x->h->keys;
  return (struct core_writes){ range->low == KEY_NONE ? 0 : first_key_from (x, atoms_get (keys, range->low)),
                               range->high == KEY_NONE ? history_keys (x->h)
                                                       : first_key_from (x, atoms_get (keys, range->high)) };
}

// ------------------------------------------------------------------------------------------------------------------------- index

static bool any_op_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
      return true;
  return false;
}

static void index_initial_map (struct core_index *x) {
  const struct history *h = x->h;
  x->key_used = MEM_ZARRAY (uint32_t, history_keys (h));
  x->in_initial_map = MEM_ZARRAY (uint32_t, history_keys (h));
  for (uint32_t i = 0; i < h->init_keys.count; i++)
    x->in_initial_map[h->init_keys.data[i]] = i + 1;
}

struct core_index *core_index_new (const struct history *h, const struct check_options *options) {
  struct core_index *x = mem_zalloc (sizeof *x);
  struct error error = { 0 };
  x->h = h;
  if (!hints_read (h, &(struct hints_options){ .trust_commit_ts = options->trust_commit_ts }, &x->hints, &error)) {
    core_index_free (x);
    return NULL;
  }
  x->asg = asg_build (
    h, &(struct asg_options){ .events = true, .own_writes = options->own_writes, .hints = x->hints, .excuse = true });
  if (x->asg->unsupported) {
    core_index_free (x);
    return NULL;
  }
  x->tells_events = level_needs_events (options->level);
  x->last_read_counts = options->level->traits.last_read_counts;
  x->tells_locks = options->level->traits.remark && any_op_locks (h); // which is what levels remark on
  x->is_rewritten = options->dialect;
  x->key_cut = h->ranges.count ? MEM_ZARRAY (uint32_t, history_keys (h)) : NULL;
  if (h->init_keys.count && h->init != INIT_ANY)
    index_initial_map (x);
  if (x->asg->doubts.count)
    x->install_gone = MEM_ZARRAY (uint8_t, x->asg->installs);
  if (x->hints)
    core_index_hints (x);
  return x;
}

void core_index_free (struct core_index *x) {
  if (!x)
    return;
  asg_free (x->asg);
  hints_free (x->hints);
  mem_free (x->key_first_write);
  mem_free (x->writes);
  mem_free (x->sorted_keys);
  mem_free (x->txn_first_place);
  mem_free (x->places);
  mem_free (x->install_gone);
  mem_free (x->in_initial_map);
  mem_free (x->key_cut);
  mem_free (x->key_used);
  mem_free (x);
}
