// What a scan or an iterator says: the items that it returned, and that every other key that it
// covered was absent.
//
// A key that nobody can have written and that starts absent is absent anyway, and no read of it is
// told. An iterator may or may not see what its own transaction writes while it is open.

#include "verify/effects.h"

#include "base/search.h"

struct key_order {
  uint32_t *rank; // per key
  // those that can be anything but absent, in their order, and the ranks of these
  uint32_t *keys, *ranks;
  uint32_t count;
  // per key: it is one of the history, not just the bound of a range, and always absent
  uint8_t *dead;
};

static uint8_t *live_keys (const struct told *a, uint8_t *there) {
  const struct history *h = a->h;
  uint8_t *live = MEM_ZARRAY (uint8_t, history_keys (h));
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      if (h->op_keys.data[op] == KEY_NONE)
        continue;
      there[h->op_keys.data[op]] = 1;
      live[h->op_keys.data[op]] |= told_takes_part (a, txn) && told_may_write (h, op);
    }
  for (size_t i = 0; i < h->item_keys.count; i++)
    if (h->item_keys.data[i] != KEY_NONE)
      there[h->item_keys.data[i]] = 1;
  for (size_t i = 0; i < h->init_keys.count; i++)
    there[h->init_keys.data[i]] = 1;
  for (uint32_t key = 0; key < history_keys (h); key++) // the bound of a range is not a key by that
    live[key] = there[key] && (live[key] || a->init_value[key] != VALUE_ABSENT);
  return live;
}

struct key_order *key_order_new (const struct told *a) {
  const uint32_t keys = history_keys (a->h);
  struct key_order *order = mem_zalloc (sizeof *order);
  order->dead = MEM_ZARRAY (uint8_t, keys);
  uint8_t *live = live_keys (a, order->dead);
  atoms_rank (&a->h->keys, &order->keys, &order->rank);
  for (uint32_t i = 0; i < keys; i++) {
    const uint32_t key = order->keys[i];
    order->dead[key] &= !live[key];
    if (live[key])
      order->keys[order->count++] = key;
  }
  order->ranks = MEM_ARRAY (uint32_t, order->count);
  for (uint32_t i = 0; i < order->count; i++)
    order->ranks[i] = order->rank[order->keys[i]];
  mem_free (live);
  return order;
}

void key_order_free (struct key_order *order) {
  if (!order)
    return;
  MEM_FREE_ALL (order->rank, order->keys, order->ranks, order->dead, order);
}

// -------------------------------------------------------------------------------------- one result

struct span told_asked_for (const struct history *h, const uint32_t *rank, const struct op_range *range) {
  return (struct span){ range->low == KEY_NONE ? 0 : rank[range->low],
                        range->high == KEY_NONE ? history_keys (h) : rank[range->high] };
}

bool told_is_reverse (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_ITER && (history_flags (h, op) & OP_ITER_REVERSE);
}

static bool are_items_in_order (const struct history *h, const uint32_t *rank, uint32_t op, struct span asked) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++) {
    const uint32_t at = rank[h->item_keys.data[i]];
    if (at < asked.low || at >= asked.high)
      return false;
    if (i == range->first_item)
      continue;
    const uint32_t before = rank[h->item_keys.data[i - 1]];
    if (told_is_reverse (h, op) ? before <= at : before >= at)
      return false;
  }
  return true;
}

// A scan saw what it asked for, and so did an iterator that came to the end; another one got as far
// as the last item fetched.
bool told_seen (const struct history *h, const uint32_t *rank, uint32_t op, struct span *seen) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  *seen = told_asked_for (h, rank, range);
  const bool fine = are_items_in_order (h, rank, op, *seen);
  if (h->op_kinds.data[op] == OP_SCAN || (history_flags (h, op) & OP_ITER_END))
    return fine;
  const uint32_t last = range->items ? rank[h->item_keys.data[range->first_item + range->items - 1]] : 0;
  if (!range->items)
    *seen = (struct span){ 0, 0 };
  else if (told_is_reverse (h, op))
    seen->low = last;
  else
    seen->high = last + 1;
  return fine;
}

static uint32_t first_key_from (const struct key_order *order, uint32_t rank) {
  uint32_t low = 0;
  LOWER_BOUND (low, order->count, middle, order->ranks[middle] < rank);
  return low;
}

// ---------------------------------------------------------------- writes while an iterator is open

static int64_t op_time (const struct history *h, uint32_t op, bool end) {
  const struct op_times *times = history_times_of_op (h, op);
  if (!times)
    return end ? TIME_NONE_END : TIME_NONE_BEGIN;
  return end ? times->end : times->begin;
}

// Of two events at one time either may have been the first.
bool told_is_open_at (const struct history *h, uint32_t iterator, uint32_t later) {
  const int64_t end = op_time (h, iterator, true), begin = op_time (h, later, false);
  return end != TIME_NONE_END && begin != TIME_NONE_BEGIN && begin <= end;
}

// What the transaction last did to the key before `op`: OP_NONE, or a write, or a delete that
// perhaps was none.
static uint32_t last_touch (const struct history *h, uint32_t txn, uint32_t op, uint32_t key) {
  for (uint32_t other = op; other-- > h->txn_first_op.data[txn];)
    if (h->op_keys.data[other] == key && told_may_write (h, other))
      return other;
  return OP_NONE;
}

static bool is_unrecorded_delete (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_DEL && !(history_flags (h, op) & OP_RESULT_KNOWN);
}

// What an operation that can write did, as far as that is settled by what its transaction did to
// the key before.
enum effect { EFFECT_NONE, EFFECT_OPEN, EFFECT_WRITE };

static enum effect effect_of (const struct history *h, uint32_t txn, uint32_t op) {
  if (!is_unrecorded_delete (h, op))
    return EFFECT_WRITE;
  uint32_t before = last_touch (h, txn, op, h->op_keys.data[op]), passed = 0;
  for (; before != OP_NONE && is_unrecorded_delete (h, before); passed++)
    before = last_touch (h, txn, before, h->op_keys.data[op]);
  if (before == OP_NONE)
    return EFFECT_OPEN;
  return passed || h->op_kinds.data[before] == OP_DEL ? EFFECT_NONE : EFFECT_WRITE;
}

// The reader's own writes of a key that began while its iterator was open.
struct meanwhile {
  bool any, fit; // those that surely wrote; one of them is what the iterator saw
  // the last delete that perhaps did; then the transaction has surely written nothing to the key
  // before
  uint32_t unrecorded;
};

static struct meanwhile written_meanwhile (const struct history *h, const struct told_read *read) {
  struct meanwhile found = { false, false, OP_NONE };
  for (uint32_t later = read->op + 1; later < h->txn_first_op.data[read->txn + 1]; later++) {
    if (h->op_keys.data[later] != read->key || !told_may_write (h, later) || !told_is_open_at (h, read->op, later))
      continue;
    const enum effect effect = effect_of (h, read->txn, later);
    if (effect == EFFECT_OPEN)
      found.unrecorded = later;
    if (effect != EFFECT_WRITE)
      continue;
    found.any = true;
    found.fit |= told_fits (read, told_value_written (h, later));
  }
  return found;
}

static void tell_key_of_open (struct told *a, struct told_read read) {
  const struct meanwhile own = written_meanwhile (a->h, &read);
  const bool unrecorded = own.unrecorded != OP_NONE && told_fits (&read, VALUE_ABSENT);
  const bool saw_own = read.hint == read.txn, may_be_own = saw_own || read.hint == HINT_NONE;
  read.perhaps = read.hint == HINT_NONE && (own.fit || unrecorded);
  if (own.fit && may_be_own) {
    read.if_wrote = read.if_not = OUTCOME_OWN;
    VEC_PUSH (a->reads, read);
    return;
  }
  if (own.unrecorded == OP_NONE || (saw_own && !unrecorded)) {
    told_add_read (a, read, own.any && !saw_own);
    return;
  }
  if (unrecorded && may_be_own) {
    read.unrecorded = own.unrecorded;
    read.if_wrote = OUTCOME_OWN;
    read.if_not = saw_own ? OUTCOME_BROKEN : OUTCOME_EXTERNAL;
  }
  VEC_PUSH (a->reads, read);
}

struct reader {
  uint32_t txn, op;
  bool open; // its transaction may have written something in the meantime
};

// Most keys are others' alone, and as they were left, so that nothing has to be told of them.
static void tell_key (struct told *a, const struct reader *reader, uint32_t key, uint32_t value, bool predicate) {
  if (a->left && a->left[key] == value && value != VALUE_UNRECORDED && !reader->open
      && a->own_stamp[key] != reader->txn + 1 && !a->hints)
    return;
  struct told_read read = told_new_read (a, reader->txn, reader->op, key, value, false);
  read.predicate = predicate;
  if (reader->open)
    tell_key_of_open (a, read);
  else
    told_add_read (a, read, false);
}

void told_add_range (struct told *a, uint32_t txn, uint32_t op) {
  const struct history *h = a->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const struct key_order *order = a->order;
  struct span span;
  if (!told_seen (h, order->rank, op, &span)) {
    VEC_PUSH (a->malformed, op);
    return;
  }
  const struct reader reader = { txn, op, h->op_kinds.data[op] == OP_ITER && op_time (h, op, true) != TIME_NONE_END };
  const bool reverse = told_is_reverse (h, op);
  uint32_t next = first_key_from (order, span.low);
  // ascending: the absent keys before the item, then the item
  for (uint32_t i = 0; i <= range->items; i++) {
    const uint32_t item = range->first_item + (reverse ? range->items - 1 - i : i);
    const uint32_t until = i < range->items ? order->rank[h->item_keys.data[item]] : span.high;
    for (; next < order->count && order->ranks[next] < until; next++)
      tell_key (a, &reader, order->keys[next], VALUE_ABSENT, true);
    if (i == range->items)
      return;
    next += next < order->count && order->ranks[next] == until;
    tell_key (a, &reader, h->item_keys.data[item], h->item_values.data[item], false);
  }
}

static bool says_something (const struct told *a, uint32_t op) {
  const uint8_t kind = a->h->op_kinds.data[op];
  return (kind == OP_SCAN || kind == OP_ITER) && a->h->op_values.data[op] != VALUE_UNRECORDED
         && told_takes_part (a, history_txn_of_op (a->h, op));
}

bool told_found_nothing (const struct told *a, uint32_t op, uint32_t key) {
  const struct history *h = a->h;
  struct span span;
  if (!says_something (a, op) || !told_seen (h, a->order->rank, op, &span))
    return false;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if (h->item_keys.data[i] == key)
      return false;
  return a->order->dead[key] && a->order->rank[key] >= span.low && a->order->rank[key] < span.high;
}

bool key_order_covers_list (const struct told *a, const uint8_t *is_list) {
  const struct history *h = a->h;
  const struct key_order *order = a->order;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    struct span span;
    if (!says_something (a, op))
      continue;
    told_seen (h, order->rank, op, &span);
    for (uint32_t i = first_key_from (order, span.low); i < order->count && order->ranks[i] < span.high; i++)
      if (is_list[order->keys[i]])
        return true;
  }
  return false;
}
