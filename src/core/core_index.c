#include "core/core_index.h"

#include "base/group.h"
#include "base/sort.h"
#include "hints/hints.h"
#include "levels/levels.h"

// ------------------------------------------------------------------------------------------- masks

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
  bool sorted = true;
  for (size_t i = 0; i < count; i++) {
    const uint32_t txn = txns ? txns[i] : (uint32_t) i;
    sorted &= !i || mask->kept.data[i - 1] < txn;
    VEC_PUSH (mask->kept, txn);
    mask->txn[txn] = 1;
  }
  if (!sorted)
    VEC_SORT (mask->kept, by_u32);
}

void core_mask_free (struct core_mask *mask) {
  MEM_FREE_ALL (mask->kept.data, mask->txn, mask->op);
}

// ------------------------------------------------------------------------------------------ writes

// By key, within a key by value (absent: the highest), within a value in their order: sorted by the
// last first.
static void sort_writes (struct core_index *x) {
  const struct history *h = x->h;
  const uint32_t values = atoms_count (&h->values);
  struct grouping by_value = { .groups = (size_t) values + 2 }, by_key = { .groups = history_keys (h) };
  while (grouping_pass (&by_value))
    for (uint32_t op = 0; op < history_ops (h); op++) {
      const uint32_t written = effects_value_written (h, op);
      if (written != VALUE_NONE)
        group_put (&by_value,
                   written == VALUE_ABSENT       ? values + 1
                   : written == VALUE_UNRECORDED ? values
                                                 : written,
                   op);
    }
  while (grouping_pass (&by_key))
    for (uint32_t i = 0; i < by_value.first[by_value.groups]; i++)
      group_put (&by_key, h->op_keys.data[by_value.items[i]], by_value.items[i]);
  x->key_first_write = by_key.first;
  x->writes = by_key.items;
  MEM_FREE_ALL (by_value.first, by_value.items);
}

struct core_writes core_writes_of_key (struct core_index *x, uint32_t key) {
  if (!x->key_first_write)
    sort_writes (x);
  return (struct core_writes){ x->key_first_write[key], x->key_first_write[key + 1] };
}

// The first write of the key that writes this value (absent: the highest) or a higher one.
static uint32_t first_write_from (const struct core_index *x, struct core_writes all, uint64_t value) {
  LOWER_BOUND (all.first, all.last, middle, effects_value_written (x->h, x->writes[middle]) < value);
  return all.first;
}

struct core_writes core_writes_of_value (struct core_index *x, uint32_t key, uint32_t value) {
  const struct core_writes all = core_writes_of_key (x, key);
  return (struct core_writes){ first_write_from (x, all, value), first_write_from (x, all, (uint64_t) value + 1) };
}

// -------------------------------------------------------------------------------------------- keys

static uint32_t first_key_from (const struct core_index *x, struct atom bound) {
  uint32_t low = 0;
  LOWER_BOUND (low, history_keys (x->h), middle,
               atom_compare (atoms_get (&x->h->keys, x->sorted_keys[middle]), bound) < 0);
  return low;
}

struct core_writes core_keys_in_range (struct core_index *x, const struct op_range *range) {
  if (!x->sorted_keys)
    atoms_rank (&x->h->keys, &x->sorted_keys, NULL);
  const struct atoms *keys = &x->h->keys;
  return (struct core_writes){ range->low == KEY_NONE ? 0 : first_key_from (x, atoms_get (keys, range->low)),
                               range->high == KEY_NONE ? history_keys (x->h)
                                                       : first_key_from (x, atoms_get (keys, range->high)) };
}

// ------------------------------------------------------------------------------------------- index

static bool any_op_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (history_flags (h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
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
  // which is what levels remark on
  x->tells_locks = options->level->traits.remark && any_op_locks (h);
  x->is_rewritten = options->dialect;
  x->key_cut = h->ranges.count ? MEM_ZARRAY (uint32_t, history_keys (h)) : NULL;
  if (h->init_keys.count && h->init != INIT_ANY)
    index_initial_map (x);
  if (x->asg->unrecorded.count)
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
  MEM_FREE_ALL (x->key_first_write, x->writes, x->sorted_keys, x->install_first_reader, x->readers, x->txn_first_place,
                x->places, x->install_gone, x->in_initial_map, x->key_cut, x->key_used, x);
}
