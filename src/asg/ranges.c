// What a scan or an iterator read: the items that it returned, and the absence of every other key
// that it covered.
//
// A key that nobody writes and that starts absent cannot be anything but absent: its absence is not
// worth a read. The others, the keys that matter, are sorted once, so that a scan costs what it
// returned and the keys that matter in its range, however wide that is.

#include "asg/builder.h"

#include "base/search.h"

struct ranges {
  uint32_t *rank;    // per key: its place among all keys in their order
  uint32_t *matters; // keys that matter, in that order
  uint32_t count;
  // writes of the transaction that began while the iterator at hand was open
  VEC (uint32_t) overlapping;
};

// ------------------------------------------------------------------------------------ what matters

enum { KEY_IS_THERE = 1, KEY_IS_WRITTEN = 2, KEY_STARTS_LIVE = 4 };

// A key that is only the bound of a range is no key of the history.
static uint8_t *look_at_keys (const struct history *h) {
  uint8_t *is = MEM_ZARRAY (uint8_t, history_keys (h));
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      if (h->op_keys.data[op] == KEY_NONE)
        continue;
      is[h->op_keys.data[op]] |= KEY_IS_THERE;
      if (h->txn_status.data[t] != TXN_ABORTED && effects_may_write (h, op))
        is[h->op_keys.data[op]] |= KEY_IS_WRITTEN;
    }
  for (size_t i = 0; i < h->item_keys.count; i++)
    if (h->item_keys.data[i] != KEY_NONE)
      is[h->item_keys.data[i]] |= KEY_IS_THERE;
  const bool all_live = h->init == INIT_ANY || (h->init == INIT_DEFAULT && h->init_default != VALUE_ABSENT);
  for (uint32_t key = 0; all_live && key < history_keys (h); key++)
    is[key] |= KEY_STARTS_LIVE;
  for (size_t i = 0; h->init != INIT_ANY && i < h->init_keys.count; i++) {
    uint8_t *flags = &is[h->init_keys.data[i]];
    *flags = (uint8_t) ((*flags & ~KEY_STARTS_LIVE) | KEY_IS_THERE);
    if (h->init_values.data[i] != VALUE_ABSENT)
      *flags |= KEY_STARTS_LIVE;
  }
  return is;
}

struct ranges *ranges_new (const struct history *h) {
  struct ranges *r = mem_zalloc (sizeof *r);
  atoms_rank (&h->keys, &r->matters, &r->rank);
  uint8_t *is = look_at_keys (h);
  for (uint32_t i = 0; i < history_keys (h); i++) {
    const uint8_t flags = is[r->matters[i]];
    if ((flags & KEY_IS_THERE) && (flags & (KEY_IS_WRITTEN | KEY_STARTS_LIVE)))
      r->matters[r->count++] = r->matters[i];
  }
  mem_free (is);
  return r;
}

void ranges_free (struct ranges *r) {
  if (!r)
    return;
  MEM_FREE_ALL (r->rank, r->matters, r->overlapping.data, r);
}

// -------------------------------------------------------------------------------------- one result

static uint32_t first_that_matters (const struct ranges *r, uint32_t rank) {
  uint32_t low = 0;
  LOWER_BOUND (low, r->count, middle, r->rank[r->matters[middle]] < rank);
  return low;
}

// ---------------------------------------------------------------- writes while an iterator is open

// Ties are concurrent: an iterator that ends when a write begins is still open.
static void find_overlapping (struct ranges *r, const struct history *h, uint32_t op, uint32_t txn) {
  r->overlapping.count = 0;
  const struct op_times *iterator = effects_stay_open (h, op) ? history_times_of_op (h, op) : NULL;
  if (!iterator || iterator->end == TIME_NONE_END)
    return;
  for (uint32_t other = op + 1; other < h->txn_first_op.data[txn + 1]; other++) {
    const struct op_times *times = effects_may_write (h, other) ? history_times_of_op (h, other) : NULL;
    if (times && times->begin != TIME_NONE_BEGIN && times->begin <= iterator->end)
      VEC_PUSH (r->overlapping, other);
  }
}

// What an iterator that was open meanwhile can have met of the transaction's own writes of a key.
struct meanwhile {
  bool concerned;      // there is such a write
  bool met;            // one of them explains the result
  uint32_t unrecorded; // the last unrecorded delete that would explain it, if it wrote; or OP_NONE
};

static struct meanwhile look_at_writes (const struct builder *b, uint32_t key, uint32_t value) {
  const struct history *h = b->h;
  struct meanwhile found = { .unrecorded = OP_NONE };
  for (size_t i = 0; i < b->ranges->overlapping.count; i++) {
    const uint32_t op = b->ranges->overlapping.data[i];
    if (h->op_keys.data[op] != key)
      continue;
    const enum effect_write settled = effects_settled_write (h, op);
    if (settled == WRITES_NOTHING)
      continue;
    found.concerned = true;
    if (effects_of (h, op).written != value)
      continue;
    if (settled == WRITES_PERHAPS)
      found.unrecorded = op;
    else
      found.met = true;
  }
  return found;
}

// An iterator that locks, behind another locking operation of its transaction that may have read
// the key.
static bool is_later_cursor (const struct history *h, uint32_t txn, uint32_t op, uint32_t key) {
  for (uint32_t other = h->txn_first_op.data[txn]; effects_lock (h, op) && other < op; other++)
    if (effects_lock (h, other) && (h->op_keys.data[other] == key || h->op_keys.data[other] == KEY_NONE))
      return true;
  return false;
}

static void read_key (struct builder *b, uint32_t node, uint32_t op, uint32_t key, uint32_t value, uint8_t flags) {
  const struct meanwhile own =
    b->ranges->overlapping.count ? look_at_writes (b, key, value) : (struct meanwhile){ .unrecorded = OP_NONE };
  const uint32_t hint = hints_source (b->options->hints, op, key);
  const bool saw_own = hint == b->asg->node_txn[node] && own.concerned;
  if ((own.met || own.unrecorded != OP_NONE) && is_later_cursor (b->h, b->asg->node_txn[node], op, key))
    b->asg->own_cursors = true;
  if ((own.met && hint == HINT_NONE) || (own.met && saw_own))
    return;
  if (saw_own && own.unrecorded != OP_NONE) {
    const uint32_t seen = builder_early_unrecorded (b, node, own.unrecorded); // which may make it
    b->unrecorded.data[seen].wrote = true;
    return;
  }
  if (!own.concerned || saw_own) {
    builder_read (b, node, op, key, value, flags);
    return;
  }
  if (own.unrecorded != OP_NONE && hint == HINT_NONE) {
    builder_external_read (b, node, op, key, value, flags, builder_early_unrecorded (b, node, own.unrecorded));
    return;
  }
  // `may` for this key, whatever the policy.
  const struct asg_options *asked = b->options;
  struct asg_options lenient = *asked;
  lenient.own_writes = OWN_MAY;
  b->options = &lenient;
  builder_read (b, node, op, key, value, flags);
  b->options = asked;
}

// ----------------------------------------------------------------------------------------- reading

void ranges_read (struct builder *b, uint32_t node, uint32_t op) {
  const struct history *h = b->h;
  struct ranges *r = b->ranges;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const bool reverse = effects_reverse (h, op);
  struct key_span covered;
  if (!effects_looked_at (h, r->rank, op, &covered)) {
    builder_fault (b, builder_fault_of (b, FAULT_RESULT, node, op, KEY_NONE, VALUE_NONE, 0, OP_NONE));
    return;
  }
  find_overlapping (r, h, op, b->asg->node_txn[node]);
  uint32_t next = first_that_matters (r, covered.low);
  // the keys that matter up to the item, then the item
  for (uint32_t i = 0; i <= range->items; i++) {
    const uint32_t item = range->first_item + (reverse ? range->items - 1 - i : i);
    const uint32_t stop = i < range->items ? r->rank[h->item_keys.data[item]] : covered.high;
    for (; next < r->count && r->rank[r->matters[next]] < stop; next++)
      read_key (b, node, op, r->matters[next], VALUE_ABSENT, READ_PREDICATE);
    if (i == range->items)
      break;
    next += next < r->count && r->rank[r->matters[next]] == stop;
    read_key (b, node, op, h->item_keys.data[item], h->item_values.data[item], 0);
  }
}

uint32_t ranges_cover_marked (const struct ranges *r, const struct history *h, const uint8_t *marks,
                              bool (*counts) (const void *context, uint32_t op, uint32_t key), const void *context) {
  uint32_t *marked_before = MEM_ZARRAY (uint32_t, (size_t) history_keys (h) + 1); // by rank
  uint32_t *key_at = MEM_ARRAY (uint32_t, history_keys (h));
  for (uint32_t key = 0; key < history_keys (h); key++) {
    marked_before[r->rank[key] + 1] = marks[key];
    key_at[r->rank[key]] = key;
  }
  for (uint32_t i = 0; i < history_keys (h); i++)
    marked_before[i + 1] += marked_before[i];
  uint32_t found = KEY_NONE;
  for (uint32_t t = 0; t < history_txns (h) && found == KEY_NONE; t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1] && found == KEY_NONE; op++) {
      if (h->txn_status.data[t] == TXN_ABORTED || effects_of (h, op).reads != READS_RANGE)
        continue;
      struct key_span covered;
      effects_looked_at (h, r->rank, op, &covered);
      for (uint32_t i = covered.low; i < covered.high && marked_before[covered.high] > marked_before[covered.low]; i++)
        if (marks[key_at[i]] && (!counts || counts (context, op, key_at[i])))
          found = key_at[i];
    }
  MEM_FREE_ALL (marked_before, key_at);
  return found;
}
