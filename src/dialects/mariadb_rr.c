// MariaDB's (InnoDB's) repeatable read. Plain reads see a snapshot, taken by the first of them, and
// own writes; locking reads and writes see the newest committed state, and nobody compares the two.
// A transaction becomes up to three kinds of parts, in program order:
//
//   S   its plain reads, where the first of them stood: one view
//   L   each locking read by itself, with a view of its own; a delete that found nothing and a cas
//     that failed are such reads
//   W   its writes, together, at the end
//
// Rows stay locked from a locking read or a write to the commit. Hence the read part of a write may
// as well take place with the write (W has such operations whole), and a row that was read with a
// lock and then written is read once more by W. What a transaction reads of its own writes is
// judged in W too, where they are. docs/dialects.md has the reasons, and what this gives up.

#include "base/sort.h"
#include "dialects/parts.h"
#include "dialects/ranges.h"

static const char snapshot_reads[] = "the snapshot reads", locking_read[] = "a locking read", writes[] = "the writes",
                  list_read[] = "a list read after an own append";

// What the transaction at hand has written to a key so far.
enum own_kind {
  OWN_VALUE, // `value`, or VALUE_ABSENT after a delete
  OWN_LIST,  // appends
  OWN_OPEN,  // something or nothing: the result of a delete or cas was not recorded
};

struct own {
  uint32_t txn; // whose write this is; TXN_NONE: nobody's
  enum own_kind kind;
  uint32_t value;
  uint32_t last_txn, last_write; // the last operation of last_txn that may write the key
};

struct splitter {
  const struct history *h;
  enum own_writes policy;
  struct key_ranks ranks;
  struct own *own;           // per key
  VEC (uint32_t) own_keys;   // of the transaction at hand, each once
  piece_vec snapshot, write; // of the transaction at hand
  piece_vec locking;         // those of all L, one after the other
  VEC (struct subtransaction) parts;
  VEC (size_t) first; // per part: its first piece in `locking`
  VEC (uint32_t) cuts;
  uint32_t txn;
  size_t view;         // index of S among the parts; SIZE_MAX: no snapshot was taken yet
  bool locked_in_view; // a locking read came after the snapshot
};

// The key's own state, if the policy lets reads see it.
static const struct own *seen_own (const struct splitter *s, uint32_t key) {
  return s->policy != OWN_EXTERNAL && s->own[key].txn == s->txn ? &s->own[key] : NULL;
}

// ------------------------------------------------------------------------------------------- parts

static void open_part (struct splitter *s, const char *name, uint32_t first_op, uint32_t last_op) {
  VEC_PUSH (s->parts, (struct subtransaction){ .name = name, .first_op = first_op, .last_op = last_op });
  VEC_PUSH (s->first, s->locking.count);
}

// A plain read: the first one takes the snapshot.
static void take_snapshot (struct splitter *s, uint32_t op) {
  if (s->view != SIZE_MAX)
    return;
  s->view = s->parts.count;
  open_part (s, snapshot_reads, op, op);
}

static piece_vec *reading_part (struct splitter *s, uint32_t op) {
  if (!effects_lock (s->h, op) && effects_of (s->h, op).only_reads)
    return &s->snapshot;
  open_part (s, locking_read, op, op);
  s->locked_in_view = s->view != SIZE_MAX;
  return &s->locking;
}

static void to_write_part (struct splitter *s, uint32_t op) {
  VEC_PUSH (s->write, piece_of (s->h, op));
}

// A read of others' versions of one key. If it locks, nobody can have written the key between it
// and a later own write.
static void add_item_read (struct splitter *s, uint32_t op) {
  const struct own *own = &s->own[s->h->op_keys.data[op]];
  piece_vec *to = reading_part (s, op);
  VEC_PUSH (*to, piece_of (s->h, op));
  if (to == &s->locking && own->txn != s->txn && own->last_txn == s->txn && own->last_write > op)
    to_write_part (s, op);
}

// ----------------------------------------------------------------------------- reads of own writes

// What the policy makes of a read that agrees with the own state, or does not. False: it is a read
// of others' versions.
static bool settled_by_own (struct splitter *s, const struct own *own, bool agrees, uint32_t op) {
  if (!own)
    return false;
  if (own->kind == OWN_OPEN)
    return true; // nobody knows what it is a read of
  if (s->policy == OWN_MAY)
    return agrees;
  to_write_part (s, op);
  return true;
}

// A get, or a delete or cas that failed. (An inc does not.)
static void add_read_of_key (struct splitter *s, uint32_t op, const struct effects *e) {
  const struct own *own = seen_own (s, e->key);
  const bool agrees = own && own->kind == OWN_VALUE && (own->value == e->read) == (e->reads == READS_VALUE);
  if (!settled_by_own (s, own, agrees, op))
    add_item_read (s, op);
}

// The list ends with the transaction's own appends so far; `others` is what comes before them.
static bool ends_with_own (const struct splitter *s, uint32_t op, uint32_t *others) {
  const struct history *h = s->h;
  const struct op_range range = effects_range (h, op);
  *others = range.items;
  for (uint32_t i = op; i-- > h->txn_first_op.data[s->txn];) {
    const struct effects own = effects_of (h, i);
    if (own.writes == WRITES_ELEMENT && own.key == h->op_keys.data[op])
      if (!*others || h->item_values.data[range.first_item + --*others] != own.written)
        return false;
  }
  return true;
}

// What comes before the own appends is the snapshot's list if elements are rows of their own, and
// the newest one if the list is one row, which an append reads and writes. A view of its own, after
// the snapshot's and before the commit, allows for both, unless a locking read is in between.
static void add_list_after_append (struct splitter *s, uint32_t op, uint32_t others) {
  if (s->locked_in_view)
    return;
  struct piece piece = piece_of (s->h, op);
  piece.range.items = others;
  piece.whole = false;
  open_part (s, list_read, s->parts.data[s->view].first_op, op);
  VEC_PUSH (s->locking, piece);
}

static void add_list (struct splitter *s, uint32_t op) {
  const struct own *own = seen_own (s, s->h->op_keys.data[op]);
  uint32_t others;
  if (!own || own->kind != OWN_LIST || !ends_with_own (s, op, &others)) {
    if (!settled_by_own (s, own, false, op))
      add_item_read (s, op);
  } else if (effects_lock (s->h, op))
    to_write_part (s, op);
  else
    add_list_after_append (s, op, others);
}

// One key of a range, as a get in W.
static void add_own_item (struct splitter *s, uint32_t op, uint32_t key, uint32_t value) {
  VEC_PUSH (s->write, (struct piece){ .op = op,
                                      .kind = OP_GET,
                                      .flags = history_flags (s->h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE),
                                      .key = key,
                                      .value = value,
                                      .aux = AUX_NONE });
}

static bool is_cut (const struct splitter *s, uint32_t rank) {
  for (size_t i = 0; i < s->cuts.count; i++)
    if (s->cuts.data[i] == rank)
      return true;
  return false;
}

// An iterator may or may not have met what its transaction wrote while it was open: nobody knows
// what it read of these keys.
static void cut_written_meanwhile (struct splitter *s, uint32_t op, struct key_span at) {
  const struct history *h = s->h;
  const struct op_times *iterator = effects_stay_open (h, op) ? history_times_of_op (h, op) : NULL;
  if (!iterator || iterator->end == TIME_NONE_END)
    return;
  for (uint32_t other = op + 1; other < h->txn_first_op.data[s->txn + 1]; other++) {
    const struct op_times *times = effects_may_write (h, other) ? history_times_of_op (h, other) : NULL;
    if (!times || times->begin == TIME_NONE_BEGIN || times->begin > iterator->end)
      continue;
    const uint32_t rank = s->ranks.rank[h->op_keys.data[other]];
    if (rank >= at.low && rank < at.high && !is_cut (s, rank))
      VEC_PUSH (s->cuts, rank);
  }
}

// Takes the keys out of the range that are own writes.
static void cut_own (struct splitter *s, uint32_t op, struct key_span at) {
  cut_written_meanwhile (s, op, at);
  for (size_t i = 0; i < s->own_keys.count; i++) {
    const uint32_t key = s->own_keys.data[i], rank = s->ranks.rank[key];
    const struct own *own = seen_own (s, key);
    if (!own || rank < at.low || rank >= at.high || is_cut (s, rank))
      continue;
    const uint32_t value = range_value (&s->ranks, op, rank);
    if (s->policy == OWN_MAY && own->kind == OWN_VALUE && own->value != value)
      continue;
    VEC_PUSH (s->cuts, rank);
    if (own->kind == OWN_VALUE && s->policy == OWN_MUST)
      add_own_item (s, op, key, value);
  }
  VEC_SORT (s->cuts, by_u32);
}

static void add_range (struct splitter *s, uint32_t op) {
  struct key_span at;
  s->cuts.count = 0;
  if (effects_looked_at (s->h, s->ranks.rank, op, &at)) // else whoever judges the history will say so
    cut_own (s, op, at);
  range_cut (&s->ranks, op, at, s->cuts.data, s->cuts.count, reading_part (s, op));
}

static void add_read (struct splitter *s, uint32_t op, const struct effects *e) {
  if (e->reads != READS_NOTHING && e->only_reads && !effects_lock (s->h, op))
    take_snapshot (s, op);
  switch (e->reads) {
  case READS_NOTHING:
  case READS_UNRECORDED: return;
  case READS_VALUE:
  case READS_OTHER:
  case READS_OR_ABSENT:
  case READS_IMPOSSIBLE: add_read_of_key (s, op, e); return;
  case READS_LIST: add_list (s, op); return;
  case READS_RANGE: add_range (s, op); return;
  }
}

// ------------------------------------------------------------------------------------------ writes

// The own state after a write that did, or may, take place.
static struct own after (const struct splitter *s, uint32_t op) {
  const struct effects e = effects_of (s->h, op);
  const struct own *before = &s->own[e.key];
  struct own own = *before;
  const bool sure = before->txn == s->txn && before->kind == OWN_VALUE;
  own.txn = s->txn;
  own.kind = e.writes == WRITES_VALUE || sure ? OWN_VALUE : OWN_OPEN;
  own.value = e.written;
  if (e.writes == WRITES_ELEMENT)
    own.kind = OWN_LIST;
  if (e.writes == WRITES_UNDEFINED && before->value != e.read)
    own.value = before->value;
  return own;
}

static void add_write (struct splitter *s, uint32_t op) {
  const uint32_t key = s->h->op_keys.data[op];
  if (s->own[key].txn != s->txn)
    VEC_PUSH (s->own_keys, key);
  s->own[key] = after (s, op);
  to_write_part (s, op);
}

// ------------------------------------------------------------------------------------ transactions

static void start_txn (struct splitter *s, uint32_t txn) {
  const struct history *h = s->h;
  s->txn = txn;
  s->view = SIZE_MAX;
  s->locked_in_view = false;
  s->own_keys.count = s->snapshot.count = s->write.count = s->locking.count = s->parts.count = s->first.count = 0;
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
    if (effects_may_write (h, op)) {
      s->own[h->op_keys.data[op]].last_txn = txn;
      s->own[h->op_keys.data[op]].last_write = op;
    }
}

// Pieces get their places when no more will come, and parts without any go. Nobody can have read
// from a part that only reads: of a transaction whose outcome is unknown, the writes are enough.
static void close_parts (struct splitter *s) {
  const bool unknown = s->h->txn_status.data[s->txn] == TXN_UNKNOWN;
  size_t kept = 0;
  for (size_t i = 0; i < s->parts.count && !unknown; i++) {
    struct subtransaction part = s->parts.data[i];
    const size_t end = i + 1 < s->parts.count ? s->first.data[i + 1] : s->locking.count;
    part.pieces = i == s->view ? s->snapshot.data : s->locking.data + s->first.data[i];
    part.count = i == s->view ? s->snapshot.count : end - s->first.data[i];
    if (part.count)
      s->parts.data[kept++] = part;
  }
  s->parts.count = kept;
  if (s->write.count)
    VEC_PUSH (s->parts, (struct subtransaction){ writes, s->write.data, s->write.count, OP_NONE, OP_NONE });
}

static void split (struct splitter *s, uint32_t txn) {
  const struct history *h = s->h;
  start_txn (s, txn);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const struct effects e = effects_of (h, op);
    if (h->txn_status.data[txn] == TXN_ABORTED)
      to_write_part (s, op); // as it is: nobody looks at it
    else if (e.writes != WRITES_NOTHING)
      add_write (s, op);
    else
      add_read (s, op, &e);
  }
  close_parts (s);
}

static bool rewrite (const struct history *h, enum own_writes policy, struct rewriting *to, const char **why) {
  struct splitter s = { .h = h, .policy = policy, .own = MEM_ARRAY (struct own, history_keys (h)) };
  struct parts_writer writer;
  bool fine = true;
  for (uint32_t key = 0; key < history_keys (h); key++)
    s.own[key] = (struct own){ .txn = TXN_NONE, .last_txn = TXN_NONE };
  key_ranks_start (&s.ranks, h);
  parts_start (&writer, h, to);
  for (uint32_t t = 0; t < history_txns (h) && fine; t++) {
    split (&s, t);
    fine = parts_write (&writer, t, s.parts.data, s.parts.count, why);
  }
  history_finish (to->history);
  key_ranks_free (&s.ranks);
  MEM_FREE_ALL (s.own, s.own_keys.data, s.snapshot.data, s.write.data, s.locking.data, s.parts.data, s.first.data,
                s.cuts.data);
  return fine;
}

const struct dialect dialect_mariadb_rr = {
  .name = "mariadb-rr",
  .about = "MariaDB's repeatable read: plain reads share a snapshot, locking reads and writes see the newest state",
  .rewrite = rewrite,
};
