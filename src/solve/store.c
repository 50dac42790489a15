// Carrying out transactions one after the other.
//
// The store keeps the state of each key outside of the transaction at hand, and what that
// transaction wrote so far. A read compares with either, as the own-write policy has it. For scans,
// live keys are counted in a Fenwick tree over the keys in their order: a result that holds as many
// items as there are live keys in the range, each of them right, has missed none.

#include "solve/store.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "hints/hints.h"
#include "history/effects.h"

#include <stdlib.h>

typedef VEC (uint32_t) element_vec;

// A read that leaves the initial value open.
struct asked {
  uint32_t key, value; // sorted by the key
  unsigned flags;
};

struct store {
  const struct history *h;
  const struct hints *hints; // or NULL
  enum own_writes own_writes;
  uint32_t *outside; // a value, VALUE_ABSENT, or VALUE_UNRECORDED where any initial value will do
  // per key: the value that a read settled, or VALUE_UNRECORDED; NULL unless `init any`
  uint32_t *initial;
  VEC (struct asked) asked;
  // what the transaction at hand wrote, where `written` is its place in the order
  uint32_t *inside;
  uint32_t *written; // places count from 1 on
  uint32_t place;
  uint32_t op;     // at hand
  element_vec own; // keys that it wrote
  element_vec
    special; // of these, and of those that it writes while an iterator is open: keys that the scan at hand must look at one by one
  const char *why;

  // Scans; NULL if there are none.
  uint32_t *rank;   // per key
  uint32_t *key_at; // per rank
  uint32_t *live;   // Fenwick tree by rank: keys that are live outside

  element_vec *lists; // per key; NULL if there are none
};

static bool wrong (struct store *s, const char *why) {
  s->why = why;
  return false;
}

// --------------------------------------------------------------------------------------- live keys

static void count_live (struct store *s, uint32_t key, uint32_t change) {
  const uint32_t keys = history_keys (s->h);
  for (uint32_t i = s->rank[key] + 1; i <= keys; i += i & -i)
    s->live[i] += change;
}

static uint32_t live_below (const struct store *s, uint32_t rank) {
  uint32_t sum = 0;
  for (uint32_t i = rank; i; i &= i - 1)
    sum += s->live[i];
  return sum;
}

static bool is_live (uint32_t value) {
  return value != VALUE_ABSENT && value != VALUE_UNRECORDED;
}

static void set_outside (struct store *s, uint32_t key, uint32_t value) {
  if (s->live && is_live (s->outside[key]) != is_live (value))
    count_live (s, key, is_live (value) ? 1 : UINT32_MAX);
  s->outside[key] = value;
}

// ----------------------------------------------------------------------------------------- one key

// Can the state outside be read as this value, or as anything else? An initial value that is open
// is settled by the first who needs it; what else was read of it is looked at in the end.
static bool read_outside (struct store *s, uint32_t key, uint32_t value, unsigned flags) {
  if (s->outside[key] != VALUE_UNRECORDED)
    return read_accepts (value, flags, s->outside[key]);
  if (flags & READ_SEVERAL)
    VEC_PUSH (s->asked, (struct asked){ key, value, flags });
  else {
    s->initial[key] = value;
    set_outside (s, key, value);
  }
  return true;
}

static bool all_accept (const struct asked *asked, size_t count, uint32_t value) {
  for (size_t i = 0; i < count; i++)
    if (!read_accepts (asked[i].value, asked[i].flags, value))
      return false;
  return true;
}

// One key's: is there an initial value that gives everybody what they read? One that nobody named
// will do, unless it is settled or somebody read one of two.
static bool can_have_been (const struct asked *asked, size_t count, uint32_t settled) {
  if (settled != VALUE_UNRECORDED)
    return all_accept (asked, count, settled);
  for (size_t i = 0; i < count; i++)
    if (asked[i].flags & READ_OR_ABSENT)
      return all_accept (asked, count, asked[i].value) || all_accept (asked, count, VALUE_ABSENT);
  return true;
}

static bool initial_values_fit (struct store *s) {
  VEC_SORT (s->asked, by_u32);
  for (size_t first = 0, end; first < s->asked.count; first = end) {
    const struct asked *asked = s->asked.data + first;
    for (end = first + 1; end < s->asked.count && s->asked.data[end].key == asked->key;)
      end++;
    if (!can_have_been (asked, end - first, s->initial[asked->key]))
      return wrong (s, "no initial value gives what was read");
  }
  return true;
}

// What a hint says of the read at hand goes before what the policy leaves open.
static enum own_writes policy_of (const struct store *s, uint32_t key) {
  const uint32_t source = hints_source (s->hints, s->op, key);
  if (source == HINT_NONE || s->own_writes != OWN_MAY)
    return s->own_writes;
  return source == history_txn_of_op (s->h, s->op) ? OWN_MUST : OWN_EXTERNAL;
}

// `flags`: READ_OTHER, READ_OR_ABSENT.
static bool read_key (struct store *s, uint32_t key, uint32_t value, unsigned flags) {
  const bool written = s->written[key] == s->place;
  const enum own_writes policy = written ? policy_of (s, key) : OWN_EXTERNAL;
  if (policy != OWN_EXTERNAL && read_accepts (value, flags, s->inside[key]))
    return true;
  return (policy != OWN_MUST && read_outside (s, key, value, flags))
         || wrong (s, "a read in the order sees another value");
}

static void write_key (struct store *s, uint32_t key, uint32_t value) {
  if (s->written[key] != s->place)
    VEC_PUSH (s->own, key);
  s->written[key] = s->place;
  s->inside[key] = value;
}

// ------------------------------------------------------------------------------------------- lists

static bool list_is (const struct store *s, uint32_t op, bool with_own) {
  const struct history *h = s->h;
  const uint32_t key = h->op_keys.data[op];
  const uint32_t first = effects_range (h, op).first_item, count = effects_range (h, op).items;
  const element_vec *list = &s->lists[key];
  if (count < list->count)
    return false;
  for (size_t i = 0; i < list->count; i++)
    if (h->item_values.data[first + i] != list->data[i])
      return false;
  uint32_t at = (uint32_t) list->count;
  for (uint32_t own = h->txn_first_op.data[history_txn_of_op (h, op)]; with_own && own < op; own++) {
    const struct effects e = effects_of (h, own);
    if (e.writes != WRITES_ELEMENT || e.key != key)
      continue;
    if (at == count || h->item_values.data[first + at] != e.written)
      return false;
    at++;
  }
  return at == count;
}

static bool read_list (struct store *s, uint32_t op) {
  return (s->own_writes != OWN_EXTERNAL && list_is (s, op, true))
         || (s->own_writes != OWN_MUST && list_is (s, op, false))
         || wrong (s, "a list in the order has other elements");
}

// ------------------------------------------------------------------------------------------- scans

struct span {
  uint32_t low, high; // ranks: [low, high)
};

static uint32_t item_rank (const struct store *s, const struct op_range *range, uint32_t i) {
  return s->rank[s->h->item_keys.data[range->first_item + i]];
}

// The keys that the result speaks of; false: items out of range or order.
static bool find_span (const struct store *s, uint32_t op, const struct op_range *range, struct span *span) {
  const bool reverse = effects_reverse (s->h, op);
  span->low = range->low == KEY_NONE ? 0 : s->rank[range->low];
  span->high = range->high == KEY_NONE ? history_keys (s->h) : s->rank[range->high];
  for (uint32_t i = 0; i < range->items; i++) {
    const uint32_t rank = item_rank (s, range, i);
    if (rank < span->low || rank >= span->high
        || (i && (reverse ? rank >= item_rank (s, range, i - 1) : rank <= item_rank (s, range, i - 1))))
      return false;
  }
  if (!effects_stopped (s->h, op))
    return true;
  if (reverse)
    span->low = item_rank (s, range, range->items - 1);
  else
    span->high = item_rank (s, range, range->items - 1) + 1;
  return true;
}

// The item with this key: its value, or VALUE_ABSENT.
static uint32_t returned (const struct store *s, uint32_t op, const struct op_range *range, uint32_t key) {
  const bool reverse = effects_reverse (s->h, op);
  uint32_t low = 0;
  LOWER_BOUND (low, range->items, middle,
               reverse ? item_rank (s, range, middle) > s->rank[key] : item_rank (s, range, middle) < s->rank[key]);
  const bool there = low < range->items && s->h->item_keys.data[range->first_item + low] == key;
  return there ? s->h->item_values.data[range->first_item + low] : VALUE_ABSENT;
}

// Did a later write of the transaction begin while the iterator was open? At the same time as its
// end counts: ties are concurrent.
static bool overlaps (const struct history *h, uint32_t iterator, uint32_t op) {
  if (effects_settled_write (h, op) == WRITES_NOTHING)
    return false;
  const struct op_times *open = history_times_of_op (h, iterator), *write = history_times_of_op (h, op);
  return open && write && open->end != TIME_NONE_END && write->begin != TIME_NONE_BEGIN && write->begin <= open->end;
}

static bool is_special (const struct store *s, uint32_t key) {
  for (size_t i = 0; i < s->special.count; i++)
    if (s->special.data[i] == key)
      return true;
  return false;
}

static void find_special (struct store *s, uint32_t op, struct span span) {
  s->special.count = 0;
  for (size_t i = 0; s->own_writes != OWN_EXTERNAL && i < s->own.count; i++)
    if (s->rank[s->own.data[i]] >= span.low && s->rank[s->own.data[i]] < span.high)
      VEC_PUSH (s->special, s->own.data[i]);
  const struct history *h = s->h;
  if (!effects_stay_open (h, op) || !h->op_times.count)
    return;
  for (uint32_t later = op + 1; later < h->txn_first_op.data[history_txn_of_op (h, op) + 1]; later++) {
    const uint32_t key = h->op_keys.data[later];
    if (overlaps (h, op, later) && s->rank[key] >= span.low && s->rank[key] < span.high && !is_special (s, key))
      VEC_PUSH (s->special, key);
  }
}

// A key that the transaction wrote, or writes while the iterator is open.
static bool read_special (struct store *s, uint32_t op, uint32_t key, uint32_t value) {
  const struct history *h = s->h;
  const bool timed = effects_stay_open (h, op) && h->op_times.count;
  bool concerned = false;
  for (uint32_t later = op + 1; timed && later < h->txn_first_op.data[history_txn_of_op (h, op) + 1]; later++) {
    if (h->op_keys.data[later] != key || !overlaps (h, op, later))
      continue;
    concerned = true;
    if (effects_of (h, later).written == value)
      return true;
  }
  const enum own_writes policy = s->own_writes;
  s->own_writes = concerned ? OWN_MAY : policy;
  const bool fine = read_key (s, key, value, 0);
  s->own_writes = policy;
  return fine;
}

// Under `init any` keys that nobody has asked for yet: the scan says that they are absent.
static bool settle_unrecorded (struct store *s, uint32_t op, const struct op_range *range, struct span span) {
  if (s->h->init != INIT_ANY)
    return true;
  for (uint32_t rank = span.low; rank < span.high; rank++) {
    const uint32_t key = s->key_at[rank];
    if (s->outside[key] == VALUE_UNRECORDED && returned (s, op, range, key) == VALUE_ABSENT && !is_special (s, key)
        && !read_key (s, key, VALUE_ABSENT, 0))
      return false;
  }
  return true;
}

static bool carry_out_scan (struct store *s, uint32_t op) {
  const struct history *h = s->h;
  const struct op_range *range = &h->ranges.data[h->op_aux.data[op]];
  struct span span;
  if (!find_span (s, op, range, &span))
    return wrong (s, "a scan with items out of range or out of order");
  find_special (s, op, span);
  if (!settle_unrecorded (s, op, range, span))
    return false;
  uint32_t expected = span.high > span.low ? live_below (s, span.high) - live_below (s, span.low) : 0, found = 0;
  for (size_t i = 0; i < s->special.count; i++) {
    const uint32_t key = s->special.data[i];
    expected -= is_live (s->outside[key]);
    if (!read_special (s, op, key, returned (s, op, range, key)))
      return false;
  }
  for (uint32_t i = 0; i < range->items; i++) {
    const uint32_t key = h->item_keys.data[range->first_item + i];
    if (is_special (s, key))
      continue;
    const bool settles = s->outside[key] == VALUE_UNRECORDED;
    if (!read_key (s, key, h->item_values.data[range->first_item + i], 0))
      return false;
    expected += settles;
    found++;
  }
  return found == expected || wrong (s, "a scan in the order misses a key");
}

// ------------------------------------------------------------------------------------ transactions

static bool carry_out (struct store *s, uint32_t op) {
  const struct effects e = effects_of (s->h, op);
  bool fine = true;
  s->op = op;
  switch (e.reads) {
  case READS_NOTHING:
  case READS_UNRECORDED: break;
  case READS_VALUE: fine = read_key (s, e.key, e.read, 0); break;
  case READS_OTHER: fine = read_key (s, e.key, e.read, READ_OTHER); break;
  case READS_OR_ABSENT: fine = read_key (s, e.key, e.read, READ_OR_ABSENT); break;
  case READS_IMPOSSIBLE: fine = wrong (s, "a result that no state gives"); break;
  case READS_RANGE: fine = carry_out_scan (s, op); break;
  case READS_LIST: fine = read_list (s, op); break;
  }
  // The elements of its transaction's lists are put together from its operations.
  if (e.writes != WRITES_NOTHING && e.writes != WRITES_ELEMENT)
    write_key (s, e.key, e.written);
  return fine;
}

static bool replay_txn (struct store *s, uint32_t txn) {
  const struct history *h = s->h;
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  s->own.count = 0;
  for (uint32_t op = first; op < end; op++)
    if (!carry_out (s, op))
      return false;
  for (size_t i = 0; i < s->own.count; i++)
    set_outside (s, s->own.data[i], s->inside[s->own.data[i]]);
  for (uint32_t op = first; s->lists && op < end; op++) {
    const struct effects e = effects_of (h, op);
    if (e.writes == WRITES_ELEMENT)
      VEC_PUSH (s->lists[e.key], e.written);
  }
  return true;
}

// ----------------------------------------------------------------------------------- the beginning

static void initial_state (struct store *s) {
  const struct history *h = s->h;
  const uint32_t keys = history_keys (h);
  s->outside = MEM_ARRAY (uint32_t, keys);
  for (uint32_t key = 0; key < keys; key++)
    s->outside[key] = h->init == INIT_ANY ? VALUE_UNRECORDED : h->init == INIT_DEFAULT ? h->init_default : VALUE_ABSENT;
  for (size_t i = 0; h->init != INIT_ANY && i < h->init_keys.count; i++)
    s->outside[h->init_keys.data[i]] = h->init_values.data[i];
  if (h->init != INIT_ANY)
    return;
  s->initial = MEM_ARRAY (uint32_t, keys);
  for (uint32_t key = 0; key < keys; key++)
    s->initial[key] = VALUE_UNRECORDED;
}

// Keys that are only bounds of ranges are not there.
static void forget_bounds (struct store *s) {
  const struct history *h = s->h;
  uint8_t *there = MEM_ZARRAY (uint8_t, history_keys (h));
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_keys.data[op] != KEY_NONE)
      there[h->op_keys.data[op]] = 1;
  for (size_t i = 0; i < h->item_keys.count; i++)
    if (h->item_keys.data[i] != KEY_NONE)
      there[h->item_keys.data[i]] = 1;
  for (size_t i = 0; i < h->init_keys.count; i++)
    there[h->init_keys.data[i]] = 1;
  for (uint32_t key = 0; key < history_keys (h); key++)
    if (!there[key])
      s->outside[key] = VALUE_ABSENT;
  mem_free (there);
}

static void prepare_scans (struct store *s) {
  const struct history *h = s->h;
  const uint32_t keys = history_keys (h);
  atoms_rank (&h->keys, &s->key_at, &s->rank);
  forget_bounds (s);
  s->live = MEM_ZARRAY (uint32_t, (size_t) keys + 1);
  for (uint32_t key = 0; key < keys; key++)
    if (is_live (s->outside[key]))
      count_live (s, key, 1);
}

static void prepare (struct store *s) {
  const struct history *h = s->h;
  bool scans = false, lists = false;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const struct effects e = effects_of (h, op);
    scans |= e.reads == READS_RANGE;
    lists |= e.on_list;
  }
  s->inside = MEM_ARRAY (uint32_t, history_keys (h));
  s->written = MEM_ZARRAY (uint32_t, history_keys (h));
  initial_state (s);
  if (scans)
    prepare_scans (s);
  if (lists)
    s->lists = MEM_ZARRAY (element_vec, history_keys (h));
}

bool store_replays (const struct history *h, const struct hints *hints, enum own_writes own_writes,
                    const uint32_t *order, uint32_t count, const char **why) {
  struct store s = { .h = h, .hints = hints, .own_writes = own_writes };
  prepare (&s);
  bool fine = true;
  for (uint32_t i = 0; fine && i < count; i++) {
    s.place = i + 1;
    fine = replay_txn (&s, order[i]);
  }
  fine = fine && initial_values_fit (&s);
  *why = s.why;
  for (uint32_t key = 0; s.lists && key < history_keys (h); key++)
    VEC_FREE (s.lists[key]);
  mem_free (s.lists);
  mem_free (s.outside);
  mem_free (s.initial);
  VEC_FREE (s.asked);
  mem_free (s.inside);
  mem_free (s.written);
  VEC_FREE (s.own);
  VEC_FREE (s.special);
  mem_free (s.rank);
  mem_free (s.key_at);
  mem_free (s.live);
  return fine;
}
