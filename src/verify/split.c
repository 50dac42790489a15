// mariadb-rr. A transaction becomes: a snapshot S, taken by its first plain read and shared by all
// of them; a view of its own L for each read that locks, a delete that found nothing and a cas that
// failed among them; and its writes W at the end. Reads of own writes are judged in W, where these
// are.

#include "verify/split.h"

#include "base/search.h"
#include "base/sort.h"

#include <string.h>

typedef VEC (uint32_t) place_vec; // ranks of keys

// What the transaction has written to a key so far.
enum own_state { OWN_NOTHING, OWN_KNOWN, OWN_APPENDS, OWN_UNCLEAR };

struct own {
  uint32_t txn; // whose; TXN_NONE: nobody's yet
  enum own_state state;
  uint32_t value;
  uint32_t last; // the transaction's last operation that may write the key
};

struct splitter {
  const struct history *h;
  enum own_policy policy;
  uint32_t txn;
  struct own *own;               // per key
  VEC (uint32_t) written;        // keys, in the order of first writes
  uint32_t *rank, *by_rank;      // keys in their order; NULL: there are no ranges
  VEC (struct split_view) views; // of the transaction at hand the first `used`
  size_t used;                   // W is added at the end
  struct split_view writes;
  size_t snapshot;   // among the views; SIZE_MAX: none
  bool locked_since; // something was read with a lock after the snapshot
};

static bool locks (const struct history *h, uint32_t op) {
  return history_flags (h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

// A cas without a result may have written, too; elsewhere in the verifier that is undefined.
static bool may_write (const struct history *h, uint32_t op) {
  return told_may_write (h, op) || (h->op_kinds.data[op] == OP_CAS && !(history_flags (h, op) & OP_RESULT_KNOWN));
}

static struct own *own_of (struct splitter *s, uint32_t key) {
  struct own *own = &s->own[key];
  if (own->txn != s->txn)
    *own = (struct own){ s->txn, OWN_NOTHING, VALUE_ABSENT, OP_NONE };
  return own;
}

// What reads may see of own writes.
static enum own_state seen_state (struct splitter *s, uint32_t key) {
  return s->policy == POLICY_EXTERNAL ? OWN_NOTHING : own_of (s, key)->state;
}

// ------------------------------------------------------------------------------------------- views

static size_t open_view (struct splitter *s, uint32_t first_op, uint32_t last_op) {
  if (s->used == s->views.count)
    VEC_PUSH (s->views, (struct split_view){ 0 });
  struct split_view *view = &s->views.data[s->used];
  view->fragments.count = 0;
  view->first_op = first_op;
  view->last_op = last_op;
  return s->used++;
}

static void to_writes (struct splitter *s, uint32_t op) {
  VEC_PUSH (s->writes.fragments, split_whole (s->h, op));
}

// The view that a read of others' versions has: the snapshot, or one of its own.
static size_t view_of_read (struct splitter *s, uint32_t op) {
  const enum op_kind kind = (enum op_kind) s->h->op_kinds.data[op];
  if (!locks (s->h, op) && kind != OP_DEL && kind != OP_CAS)
    return s->snapshot;
  s->locked_since |= s->snapshot != SIZE_MAX;
  return open_view (s, op, op);
}

// A row that was read with a lock and is written later cannot change in between: it is read once
// more with the writes.
static void read_others (struct splitter *s, uint32_t op) {
  const size_t view = view_of_read (s, op);
  const struct own *own = own_of (s, s->h->op_keys.data[op]);
  VEC_PUSH (s->views.data[view].fragments, split_whole (s->h, op));
  if (view != s->snapshot && own->state == OWN_NOTHING && own->last != OP_NONE && own->last > op)
    to_writes (s, op);
}

// ---------------------------------------------------------------------------------- reads of a key

static void read_key (struct splitter *s, uint32_t op, bool agrees) {
  const enum own_state state = seen_state (s, s->h->op_keys.data[op]);
  if (state == OWN_UNCLEAR)
    return; // nobody knows what it read
  if (state == OWN_NOTHING || (s->policy == POLICY_MAY && !agrees))
    read_others (s, op);
  else if (s->policy == POLICY_MUST)
    to_writes (s, op);
}

// Does the read agree with the own write? A get and a delete that found nothing name the value, a
// cas that failed any other one.
static bool agrees_with_own (struct splitter *s, uint32_t op) {
  const struct own *own = own_of (s, s->h->op_keys.data[op]);
  const enum op_kind kind = (enum op_kind) s->h->op_kinds.data[op];
  const uint32_t value = kind == OP_DEL ? VALUE_ABSENT : s->h->op_values.data[op];
  return own->state == OWN_KNOWN && (own->value == value) != (kind == OP_CAS);
}

// Behind own appends: with a lock it belongs to the writes. A plain one may show the snapshot's
// list or a newer one, and has a view of its own from the snapshot on; if a lock was taken since,
// even that says too much.
static void read_list (struct splitter *s, uint32_t op) {
  const struct op_range list = split_whole (s->h, op).range;
  const uint32_t *elements = list.items ? s->h->item_values.data + list.first_item : NULL;
  uint32_t own;
  if (seen_state (s, s->h->op_keys.data[op]) != OWN_APPENDS
      || !told_ends_with_own (s->h, s->txn, op, elements, list.items, &own)) {
    read_key (s, op, false);
    return;
  }
  if (locks (s->h, op))
    to_writes (s, op);
  else if (!s->locked_since) {
    struct fragment fragment = split_whole (s->h, op);
    fragment.range.items -= own;
    fragment.whole = false;
    const size_t view = open_view (s, s->views.data[s->snapshot].first_op, op);
    VEC_PUSH (s->views.data[view].fragments, fragment);
  }
}

// ------------------------------------------------------------------------------------------ ranges

static uint32_t rank_of_item (const struct splitter *s, const struct op_range *range, uint32_t item) {
  return s->rank[s->h->item_keys.data[range->first_item + item]];
}

// The first item, in the order of the range, that lies at the rank or beyond.
static uint32_t first_item_at (const struct splitter *s, uint32_t op, const struct op_range *range, uint32_t rank) {
  const bool reverse = told_is_reverse (s->h, op);
  uint32_t low = 0;
  LOWER_BOUND (low, range->items, middle,
               reverse ? rank_of_item (s, range, middle) > rank : rank_of_item (s, range, middle) < rank);
  return low;
}

// What lies from one rank to below another, as a range of its own.
static void read_piece (struct splitter *s, uint32_t op, struct span piece, size_t view) {
  struct fragment fragment = split_whole (s->h, op);
  const struct op_range range = fragment.range;
  const struct span asked = told_asked_for (s->h, s->rank, &range);
  if (piece.low >= piece.high)
    return;
  uint32_t first = first_item_at (s, op, &range, told_is_reverse (s->h, op) ? piece.high - 1 : piece.low), end = first;
  while (end < range.items && rank_of_item (s, &range, end) >= piece.low && rank_of_item (s, &range, end) < piece.high)
    end++;
  if (piece.low != asked.low)
    fragment.range.low = s->by_rank[piece.low];
  if (piece.high != asked.high)
    fragment.range.high = s->by_rank[piece.high];
  fragment.range.first_item += first;
  fragment.range.items = end - first;
  if (fragment.kind == OP_ITER)
    fragment.flags |= OP_ITER_END;
  fragment.whole = false;
  VEC_PUSH (s->views.data[view].fragments, fragment);
}

// What was returned for one key of the range, as a get with the writes.
static void read_own_item (struct splitter *s, uint32_t op, uint32_t key, uint32_t value) {
  VEC_PUSH (s->writes.fragments,
            (struct fragment){ .op = op,
                               .kind = OP_GET,
                               .flags = history_flags (s->h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE),
                               .key = key,
                               .value = value });
}

// An iterator that was open while its transaction wrote may have met that or not, and says nothing
// of such keys.
static bool is_written_while_open (const struct splitter *s, uint32_t op, uint32_t key) {
  const struct history *h = s->h;
  bool written = false;
  for (uint32_t write = op + 1; h->op_kinds.data[op] == OP_ITER && write < h->txn_first_op.data[s->txn + 1]; write++)
    written |= h->op_keys.data[write] == key && may_write (h, write) && told_is_open_at (h, op, write);
  return written;
}

#define RANK_NONE UINT32_MAX // outside of all ranges

// Where the keys stand that the transaction writes while an iterator is open.
static void find_written_while_open (const struct splitter *s, uint32_t op, struct span seen, place_vec *cuts) {
  for (uint32_t write = op + 1; write < s->h->txn_first_op.data[s->txn + 1]; write++) {
    const uint32_t key = s->h->op_keys.data[write], rank = may_write (s->h, write) ? s->rank[key] : RANK_NONE;
    bool known = rank < seen.low || rank >= seen.high || !is_written_while_open (s, op, key);
    for (size_t i = 0; i < cuts->count && !known; i++)
      known = cuts->data[i] == rank;
    if (!known)
      VEC_PUSH (*cuts, rank);
  }
}

// Keys that are own writes are taken out of the range; what is left of it stays in one view.
static void read_range (struct splitter *s, uint32_t op) {
  const struct op_range range = split_whole (s->h, op).range;
  place_vec cuts = VEC_EMPTY;
  struct span seen = { 0, 0 };
  const bool fits = told_seen (s->h, s->rank, op, &seen);
  if (fits)
    find_written_while_open (s, op, seen, &cuts);
  for (size_t i = 0; fits && i < s->written.count; i++) {
    const uint32_t key = s->written.data[i], rank = s->rank[key];
    const enum own_state state = seen_state (s, key);
    if (state == OWN_NOTHING || rank < seen.low || rank >= seen.high || is_written_while_open (s, op, key))
      continue;
    const uint32_t item = first_item_at (s, op, &range, rank);
    const bool there = item < range.items && rank_of_item (s, &range, item) == rank;
    const uint32_t value = there ? s->h->item_values.data[range.first_item + item] : VALUE_ABSENT;
    if (s->policy == POLICY_MAY && state == OWN_KNOWN && own_of (s, key)->value != value)
      continue;
    VEC_PUSH (cuts, rank);
    if (s->policy == POLICY_MUST && state == OWN_KNOWN)
      read_own_item (s, op, key, value);
  }
  const size_t view = view_of_read (s, op);
  if (!cuts.count)
    VEC_PUSH (s->views.data[view].fragments, split_whole (s->h, op));
  else
    VEC_SORT (cuts, by_u32);
  for (size_t i = 0; i <= cuts.count && cuts.count; i++)
    read_piece (s, op, (struct span){ i ? cuts.data[i - 1] + 1 : seen.low, i < cuts.count ? cuts.data[i] : seen.high },
                view);
  VEC_FREE (cuts);
}

// ------------------------------------------------------------------------------------ transactions

static void write_key (struct splitter *s, uint32_t op) {
  const struct history *h = s->h;
  struct own *own = own_of (s, h->op_keys.data[op]);
  const bool known = (history_flags (h, op) & OP_RESULT_KNOWN) || own->state == OWN_KNOWN;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (own->state == OWN_NOTHING)
    VEC_PUSH (s->written, h->op_keys.data[op]);
  // A cas without a result, behind a write that is known, did what that says.
  if (kind != OP_CAS || (history_flags (h, op) & OP_RESULT_KNOWN) || own->value == h->op_values.data[op])
    own->value = told_value_written (h, op);
  own->state = kind == OP_PUT || kind == OP_INC ? OWN_KNOWN
               : kind == OP_APPEND              ? OWN_APPENDS
               : known                          ? OWN_KNOWN
                                                : OWN_UNCLEAR;
  to_writes (s, op);
}

static void read_something (struct splitter *s, uint32_t op) {
  const struct history *h = s->h;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const bool recorded = h->op_values.data[op] != VALUE_UNRECORDED;
  const bool is_range = kind == OP_SCAN || kind == OP_ITER;
  const bool stopped = kind == OP_ITER && !(history_flags (h, op) & OP_ITER_END);
  if (recorded && stopped && !split_whole (h, op).range.items)
    return; // it was never asked for an item
  if (!locks (h, op) && s->snapshot == SIZE_MAX)
    s->snapshot = open_view (s, op, op);
  if (!recorded)
    return;
  if (is_range)
    read_range (s, op);
  else if (kind == OP_LIST)
    read_list (s, op);
  else
    read_key (s, op, agrees_with_own (s, op));
}

static void split_txn (struct splitter *s, uint32_t txn) {
  const struct history *h = s->h;
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  s->txn = txn;
  s->used = s->written.count = s->writes.fragments.count = 0;
  s->snapshot = SIZE_MAX;
  s->locked_since = false;
  for (uint32_t op = first; op < end; op++)
    if (may_write (h, op))
      own_of (s, h->op_keys.data[op])->last = op;
  for (uint32_t op = first; op < end; op++) {
    const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
    if (h->txn_status.data[txn] == TXN_ABORTED)
      to_writes (s, op); // as it is
    else if (may_write (h, op))
      write_key (s, op);
    else if (kind == OP_DEL || kind == OP_CAS)
      read_key (s, op, agrees_with_own (s, op));
    else
      read_something (s, op);
  }
  if (h->txn_status.data[txn] == TXN_UNKNOWN)
    s->used = 0; // nobody can have read from parts that only read
  const size_t last = open_view (s, OP_NONE, OP_NONE);
  for (size_t i = 0; i < s->writes.fragments.count; i++)
    VEC_PUSH (s->views.data[last].fragments, s->writes.fragments.data[i]);
}

static uint64_t highest_id (const struct history *h) {
  uint64_t highest = 0;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    highest = h->txn_ids.data[txn] > highest ? h->txn_ids.data[txn] : highest;
  return highest;
}

bool split_make (struct split *split, const struct history *h, const char *dialect, enum own_policy policy,
                 const char **problem) {
  *split = (struct split){ 0 };
  *problem = "there is no such dialect";
  if (strcmp (dialect, "mariadb-rr"))
    return false;
  *problem = "its ids leave no room for those of parts";
  if (highest_id (h) > UINT64_MAX / 2)
    return false;
  uint64_t next_id = highest_id (h) + 1;
  struct splitter s = { .h = h, .policy = policy, .own = MEM_ARRAY (struct own, history_keys (h)) };
  for (uint32_t key = 0; key < history_keys (h); key++)
    s.own[key].txn = TXN_NONE;
  atoms_rank (&h->keys, &s.by_rank, &s.rank);
  split->history = history_new_like (h);
  bool fine = true;
  for (uint32_t txn = 0; txn < history_txns (h) && fine; txn++) {
    split_txn (&s, txn);
    fine = split_write (split, h, txn, s.views.data, s.used, &next_id, problem);
  }
  history_finish (split->history);
  for (size_t i = 0; i < s.views.count; i++)
    VEC_FREE (s.views.data[i].fragments);
  MEM_FREE_ALL (s.views.data, s.writes.fragments.data, s.written.data, s.own, s.rank, s.by_rank);
  return fine;
}

void split_free (struct split *split) {
  history_free (split->history);
  VEC_FREE (split->origin);
}
