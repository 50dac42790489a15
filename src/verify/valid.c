// `valid`: the choices explain every result, and what the level proscribes is not there.
//
// Every edge that a level's graph must not have a cycle of is compared with the order: edges that
// all lead forward close no cycle. Where a level counts anti-dependencies or asks what a reader has
// seen, it is enough to look at those few that lead backward (look_back.c).

#include "verify/valid.h"

#include "base/budget.h"
#include "base/group.h"
#include "base/sort.h"
#include <string.h>

static unsigned long long txn_id (const struct world *w, uint32_t txn) {
  return w->told->h->txn_ids.data[txn];
}

static bool wrong (const struct world *w, const struct placed_read *read, const char *what) {
  return complain (w->complaint, "transaction %llu, operation %u: %s", txn_id (w, read->read.txn),
                   read->read.op - w->told->h->txn_first_op.data[read->read.txn], what);
}

// ------------------------------------------------------------------------ session order, real time

static bool keeps_sessions (const struct world *w) {
  const struct history *h = w->told->h;
  for (uint32_t s = 0; s < history_sessions (h); s++) {
    uint32_t latest = TXN_NONE;
    for (uint32_t txn = h->session_first.data[s]; txn < h->session_first.data[s + 1]; txn++) {
      if (!w->in[txn])
        continue;
      if (latest != TXN_NONE && w->commit[latest] >= world_entry (w, txn))
        return complain (w->complaint, "the order breaks session order at transaction %llu", txn_id (w, txn));
      if (told_committed (w->told, txn) && (latest == TXN_NONE || w->commit[txn] > w->commit[latest]))
        latest = txn;
    }
  }
  return true;
}

static bool keeps_program_order (const struct world *w) {
  for (uint32_t txn = 1; w->told->origin && txn < w->txns; txn++)
    if (told_program_order (w->told, txn - 1, txn) && w->commit[txn - 1] >= world_entry (w, txn))
      return complain (w->complaint, "the order breaks that of the parts of transaction %llu", txn_id (w, txn));
  return true;
}

// Somebody who ended before another one began must not come behind it.
static bool keeps_real_time (const struct world *w) {
  const struct history *h = w->told->h;
  const struct certificate *c = w->c;
  const bool enters_at_begin = world_has_points (w) && c->points == 2;
  int64_t latest_begin = INT64_MIN; // of those that entered so far
  for (size_t i = 0; i < c->order.count; i++) {
    const uint32_t txn = c->order.data[i] >> (c->points - 1);
    const bool commits = c->points == 1 || c->order.data[i] % 2;
    int64_t ended;
    if (commits && told_ended (w->told, txn, c->clock_skew, &ended) && ended < latest_begin)
      return complain (w->complaint, "the order breaks real time at transaction %llu", txn_id (w, txn));
    if (commits != enters_at_begin && history_begin_time (h, txn) > latest_begin)
      latest_begin = history_begin_time (h, txn);
  }
  return true;
}

// Snapshot isolation: who writes a key committed before the next one who writes it began.
static bool keeps_versions_apart (const struct world *w) {
  for (uint32_t key = 0; key < history_keys (w->told->h); key++)
    for (uint32_t i = w->key_first[key]; i + 1 < w->key_first[key + 1]; i++)
      if (w->versions[i].place >= w->begin[world_writer (w, i + 1)])
        return complain (w->complaint, "transactions %llu and %llu write a key at the same time",
                         txn_id (w, world_writer (w, i)), txn_id (w, world_writer (w, i + 1)));
  return true;
}

// ------------------------------------------------------------------------------- the initial state

// Where it may be anything: what its readers agree on so far. Values that it cannot have are kept
// as pairs.
struct initial {
  uint32_t *value; // per key; VALUE_UNRECORDED: open. NULL: nothing is open
  VEC (struct told_read) others;
};

static bool initial_fits (const struct world *w, struct initial *initial, const struct placed_read *read) {
  if (!initial->value || read->source != INITIAL || read->read.list)
    return true;
  if (read->read.other || read->read.or_absent) {
    VEC_PUSH (initial->others, read->read);
    return true;
  }
  uint32_t *value = &initial->value[read->read.key];
  if (*value == VALUE_UNRECORDED)
    *value = read->read.value;
  return *value == read->read.value || wrong (w, read, "another read found another initial value");
}

static int by_key (const void *a, const void *b) {
  const struct told_read *x = a, *y = b;
  return COMPARE (x->key, y->key);
}

static bool can_start_as (const struct told_read *others, size_t count, uint32_t value) {
  for (size_t i = 0; i < count; i++)
    if (!told_fits (&others[i], value))
      return false;
  return true;
}

// What is said of one key; where nobody read its value, some value that nobody named will do,
// unless one of two was read.
static bool others_fit_key (const struct told_read *others, size_t count, uint32_t value) {
  if (value != VALUE_UNRECORDED)
    return can_start_as (others, count, value);
  for (size_t i = 0; i < count; i++)
    if (others[i].or_absent)
      return can_start_as (others, count, VALUE_ABSENT) || can_start_as (others, count, others[i].value);
  return true;
}

static bool others_fit (const struct world *w, struct initial *initial) {
  VEC_SORT (initial->others, by_key);
  for (size_t first = 0, end; first < initial->others.count; first = end) {
    const struct told_read *others = initial->others.data + first;
    for (end = first + 1; end < initial->others.count && initial->others.data[end].key == others->key;)
      end++;
    if (!others_fit_key (others, end - first, initial->value[others->key]))
      return complain (w->complaint, "an initial value is another one than a read allows");
  }
  return true;
}

static void initial_open (const struct world *w, struct initial *initial) {
  const uint32_t keys = history_keys (w->told->h);
  memset (initial, 0, sizeof *initial);
  if (w->told->h->init != INIT_ANY)
    return;
  initial->value = MEM_ARRAY (uint32_t, keys);
  for (uint32_t key = 0; key < keys; key++)
    initial->value[key] = VALUE_UNRECORDED;
}

static void initial_close (struct initial *initial) {
  MEM_FREE_ALL (initial->value, initial->others.data);
}

// ------------------------------------------------------------------------------------------- lists

// The writers of a list are the first versions of its key, one after the other.
static bool list_fits (const struct world *w, const struct told_list *list) {
  const uint32_t first = w->key_first[list->key], count = w->key_first[list->key + 1] - first;
  bool fine = list->writers <= count;
  for (uint32_t i = 0; i < list->writers && fine; i++)
    fine = world_writer (w, first + i) == w->told->list_writers.data[list->first_writer + i];
  return fine || complain (w->complaint, "operation %u: a list does not show the versions of its key", list->op);
}

// Where reads do not count, lists still show the order of those of their writers that took place,
// and one of two is a prefix of the other.
static bool lists_agree (struct world *w) {
  struct told *a = w->told;
  struct told_list *longest = MEM_ZARRAY (struct told_list, history_keys (a->h));
  bool fine = true;
  for (uint32_t txn = 0; fine && told_next (a, w->in, &txn); txn++)
    for (size_t i = 0; i < a->lists.count && fine; i++) {
      const struct told_list *list = &a->lists.data[i];
      uint32_t last = TXN_NONE;
      fine = !list->impossible && told_one_is_prefix (&longest[list->key], list);
      if (list->count > longest[list->key].count)
        longest[list->key] = *list;
      for (uint32_t k = 0; k < list->writers && fine; k++) {
        const uint32_t writer = a->list_writers.data[list->first_writer + k];
        if (!w->in[writer])
          continue;
        fine = last == TXN_NONE || w->rank[last] < w->rank[writer];
        last = writer;
      }
      if (!fine)
        complain (w->complaint, "operation %u: a list that no order of appends explains", list->op);
    }
  mem_free (longest);
  return fine;
}

// --------------------------------------------------------------------------------- what levels ask

// Reads of one transaction that are to be looked at more closely.
typedef VEC (struct placed_read) placed_read_vec;

static bool anti_dependency_leads_back (const struct world *w, const struct placed_read *read) {
  const uint32_t next = next_writer (w, read);
  return next != INITIAL && w->commit[next] < w->commit[read->read.txn];
}

// Cursor stability: the reads of the transaction that guard what it wrote are followed by its own
// version. The last one before the first write counts, and what that write itself read (a cas, a
// delete that found its key) comes before it.
static bool keeps_cursors (struct world *w, const placed_read_vec *reads, uint32_t txn) {
  struct told *a = w->told;
  told_add (a, txn);
  for (size_t i = 0; i < a->writes.count; i++) {
    const struct told_write *write = &a->writes.data[i];
    const uint32_t before = write->unrecorded_before_first;
    const uint32_t first = before != OP_NONE && world_wrote (w, before) ? before : write->first_op;
    const struct placed_read *last = NULL;
    if (!world_installed (w, write))
      continue;
    for (size_t k = 0; k < reads->count; k++)
      if (reads->data[k].read.key == write->key && reads->data[k].read.op <= first
          && told_holds_cursor (a, &reads->data[k].read))
        last = &reads->data[k];
    if (last && (last->at == last->end || world_writer (w, last->at) != txn))
      return wrong (w, last, "somebody else's version lies between what it read and what it wrote");
  }
  return true;
}

#define RANK_NONE UINT32_MAX // behind all others

static uint32_t lowest_of (const struct world *w, const placed_read_vec *reads) {
  uint32_t lowest = RANK_NONE;
  for (size_t i = 0; i < reads->count; i++) {
    const uint32_t next = next_writer (w, &reads->data[i]);
    if (next != INITIAL && w->rank[next] < lowest)
      lowest = w->rank[next];
  }
  return lowest;
}

// Anti-dependencies that lead backward: nobody whom the reader comes behind may have overwritten
// what it read.
static bool saw_what_precedes (struct world *w, const placed_read_vec *suspects, uint32_t txn, bool with_anti) {
  if (!suspects->count)
    return true;
  world_look_back (w, &(struct look_back){ txn, OP_NONE, lowest_of (w, suspects), false, with_anti });
  for (size_t i = 0; i < suspects->count; i++)
    if (world_marked (w, next_writer (w, &suspects->data[i])))
      return wrong (w, &suspects->data[i], "it does not see a version that precedes it");
  return true;
}

// The same for each read by itself and for what had happened to its transaction until then.
static bool saw_what_it_had_seen (struct world *w, const placed_read_vec *suspects, uint32_t txn) {
  for (size_t i = 0; i < suspects->count; i++) {
    const uint32_t next = next_writer (w, &suspects->data[i]);
    world_look_back (w, &(struct look_back){ txn, suspects->data[i].read.op, w->rank[next], false, false });
    if (world_marked (w, next))
      return wrong (w, &suspects->data[i], "it does not see a version that its transaction had seen already");
  }
  return true;
}

// What is marked; by the one axiom, what session order and real time show, too.
static bool is_visible (const struct world *w, uint32_t reader, uint32_t txn) {
  return world_marked (w, txn)
         || (w->level->family == FAMILY_READ_ATOMIC
             && (told_session_order (w->told, txn, reader)
                 || (w->level->rt && told_real_time (w->told, txn, reader, w->c->clock_skew))));
}

// The versions between the one read and the reader, by others.
static bool nothing_visible_between (struct world *w, const placed_read_vec *reads) {
  for (size_t i = 0; i < reads->count; i++) {
    const struct placed_read *read = &reads->data[i];
    for (uint32_t at = read->at; at < read->end && w->versions[at].place < w->commit[read->read.txn]; at++)
      if (is_visible (w, read->read.txn, world_writer (w, at)))
        return wrong (w, read, "a version that it sees is newer than the one that it read");
  }
  return true;
}

static bool keeps_causality (struct world *w, const placed_read_vec *reads, uint32_t txn) {
  world_look_back (w, &(struct look_back){ txn, OP_NONE, lowest_of (w, reads), true, false });
  return nothing_visible_between (w, reads);
}

static bool reads_atomically (struct world *w, const placed_read_vec *reads) {
  world_unmark (w);
  for (size_t i = 0; i < reads->count; i++)
    if (reads->data[i].source != INITIAL)
      w->mark[reads->data[i].source] = w->stamp;
  return nothing_visible_between (w, reads);
}

// What earlier operations of the transaction read from. Reads come in the order of operations.
static bool reads_forward (struct world *w, const placed_read_vec *reads) {
  world_unmark (w);
  size_t marked = 0;
  for (size_t i = 0; i < reads->count; i++) {
    for (; reads->data[marked].read.op < reads->data[i].read.op; marked++)
      if (reads->data[marked].source != INITIAL)
        w->mark[reads->data[marked].source] = w->stamp;
    placed_read_vec one = { (struct placed_read *) &reads->data[i], 1, 1 };
    if (!nothing_visible_between (w, &one))
      return false;
  }
  return true;
}

// An anti-dependency of a read that must lead forward in the order.
static bool must_lead_forward (const struct world *w, const struct told_read *read, bool writes) {
  switch (w->level->family) {
  case FAMILY_REPEATABLE_READ: return !read->predicate;
  case FAMILY_SERIALIZABLE: return true;
  case FAMILY_UPDATE_SERIALIZABLE: return writes;
  default: return false;
  }
}

// Is the read to be looked at again, when all reads of its transaction are known?
static bool needs_another_look (const struct world *w, const struct placed_read *read) {
  switch (w->level->family) {
  case FAMILY_CAUSAL: return read->at < read->end && w->versions[read->at].place < w->commit[read->read.txn];
  case FAMILY_CURSOR_STABILITY:
  case FAMILY_READ_ATOMIC:
  case FAMILY_READ_COMMITTED_AXIOMATIC: return true;
  case FAMILY_MONOTONIC_VIEW:
  case FAMILY_CONSISTENT_VIEW:
  case FAMILY_UPDATE_SERIALIZABLE: // where it is one that only reads
    return anti_dependency_leads_back (w, read);
  default: return false;
  }
}

static bool read_fits (struct world *w, const struct told_read *read, bool writes, struct placed_read *placed) {
  const uint32_t txn = read->txn;
  const struct named_source *named = world_named (w, read);
  w->sources_used += named != NULL;
  if (!world_place_read (w, read, named, placed))
    return wrong (w, placed, "its source does not explain it");
  if (placed->source != INITIAL && w->commit[placed->source] >= world_entry (w, txn))
    return wrong (w, placed, "it comes before its source");
  const uint32_t next = next_writer (w, placed);
  if (next == INITIAL)
    return true;
  if (world_has_points (w))
    return w->begin[txn] < w->commit[next] || wrong (w, placed, "what it read was overwritten before it began");
  return !must_lead_forward (w, read, writes) || w->commit[txn] < w->commit[next]
         || wrong (w, placed, "what it read was overwritten before its turn");
}

static bool complain_of_items (const struct world *w) {
  return complain (w->complaint, "operation %u: its items are out of range, out of order or repeated",
                   w->told->malformed.data[0]);
}

static void note_source (struct world *w, const struct placed_read *placed) {
  if (w->seen_first && placed->source != INITIAL)
    VEC_PUSH (w->seen, placed->source);
}

// Of the transaction told last.
static bool reads_fit (struct world *w, struct initial *initial, placed_read_vec *again) {
  struct told *a = w->told;
  again->count = 0;
  if (a->malformed.count)
    return complain_of_items (w);
  const bool writes = world_writes (w);
  for (size_t i = 0; i < a->lists.count; i++)
    if (!list_fits (w, &a->lists.data[i]))
      return false;
  for (size_t i = 0; i < a->reads.count; i++) {
    const struct told_read *read = &a->reads.data[i];
    const enum outcome outcome = world_outcome (w, read);
    struct placed_read placed;
    if (outcome == OUTCOME_BROKEN)
      return wrong (w, &(struct placed_read){ .read = *read }, "a result that nothing explains");
    if (outcome == OUTCOME_OWN)
      continue;
    if (!read_fits (w, read, writes, &placed) || !initial_fits (w, initial, &placed))
      return false;
    note_source (w, &placed);
    if (needs_another_look (w, &placed))
      VEC_PUSH (*again, placed);
  }
  return true;
}

static bool transaction_fits (struct world *w, const placed_read_vec *again, uint32_t txn) {
  switch (w->level->family) {
  case FAMILY_CURSOR_STABILITY: return keeps_cursors (w, again, txn);
  case FAMILY_MONOTONIC_VIEW: return saw_what_it_had_seen (w, again, txn);
  case FAMILY_CONSISTENT_VIEW: return saw_what_precedes (w, again, txn, false);
  case FAMILY_UPDATE_SERIALIZABLE: return saw_what_precedes (w, again, txn, true);
  case FAMILY_CAUSAL: return keeps_causality (w, again, txn);
  case FAMILY_READ_ATOMIC: return reads_atomically (w, again);
  case FAMILY_READ_COMMITTED_AXIOMATIC: return reads_forward (w, again);
  default: return true;
  }
}

// The certificate names sources only for reads that are there. Each read was looked at once.
static bool sources_are_reads (struct world *w) {
  const struct certificate *c = w->c;
  for (size_t i = 0; w->sources_used < c->sources.count && i < c->sources.count; i++) {
    const struct named_source *named = &c->sources.data[i];
    const struct told_read *read = told_read_of (w->told, named->op, named->key);
    if (!read || !w->in[read->txn] || world_outcome (w, read) != OUTCOME_EXTERNAL)
      return complain (w->complaint, "operation %u: a source for a read that is not there", named->op);
  }
  return true;
}

// ------------------------------------------------------------------------------------------- hints

static bool breaks_order (const struct world *w, const char *hint, uint32_t first, uint32_t second) {
  return complain (w->complaint,
                   "the versions of transactions %llu and %llu are in another order than the hint %s says",
                   txn_id (w, first), txn_id (w, second), hint);
}

static bool keeps_written_order (const struct world *w, const struct version_order *order) {
  uint32_t last = TXN_NONE;
  for (uint32_t i = order->first; i < order->first + order->count; i++) {
    const uint32_t txn = w->told->hints->order_txns.data[i];
    if (world_version_of (w, order->key, txn) == VERSION_NONE)
      continue;
    if (last != TXN_NONE && w->rank[last] > w->rank[txn])
      return breaks_order (w, "versionOrder", last, txn);
    last = txn;
  }
  return true;
}

static bool keeps_commit_times (const struct world *w, uint32_t key) {
  const struct hints *hints = w->told->hints;
  uint32_t last = TXN_NONE;
  for (uint32_t i = w->key_first[key]; i < w->key_first[key + 1]; i++) {
    const uint32_t txn = world_writer (w, i);
    if (!hints->has_commit_ts[txn])
      continue;
    if (last != TXN_NONE && hints->commit_ts[last] >= hints->commit_ts[txn])
      return breaks_order (w, "commitTs", last, txn);
    last = txn;
  }
  return true;
}

// Hints that show that a delete wrote, where reads do not count.
static bool keeps_shown_deletes (struct world *w) {
  struct told *a = w->told;
  for (uint32_t txn = 0; told_next (a, w->in, &txn); txn++)
    for (size_t i = 0; i < a->reads.count; i++)
      if (told_shows_delete (&a->reads.data[i]) && !world_wrote (w, a->reads.data[i].unrecorded))
        return complain (w->complaint, "operation %u: a hint says that it saw an own delete, which did not write",
                         a->reads.data[i].op);
  return true;
}

// What hints say is so in this world, too. What they say about reads is seen where reads are looked
// at.
static bool keeps_hints (struct world *w) {
  const struct hints *hints = w->told->hints;
  if (!hints)
    return true;
  for (size_t i = 0; i < hints->orders.count; i++)
    if (!keeps_written_order (w, &hints->orders.data[i]))
      return false;
  for (uint32_t key = 0; hints->trust_commit_ts && hints->commit_ts && key < history_keys (w->told->h); key++)
    if (!keeps_commit_times (w, key))
      return false;
  return claim_reads_count (*w->level) || keeps_shown_deletes (w);
}

// -------------------------------------------------------------------------------- the last version

// Of the transaction told last, whose reads have the last version before it.
static bool last_reads_fit (struct world *w, uint32_t txn, void *initial) {
  const struct told *a = w->told;
  (void) txn;
  if (a->malformed.count)
    return complain_of_items (w);
  for (size_t i = 0; i < a->reads.count; i++) {
    const struct told_read *read = &a->reads.data[i];
    const enum outcome outcome = world_outcome (w, read);
    const uint32_t value = w->values ? w->values[read->key] : VALUE_UNRECORDED;
    if (outcome == OUTCOME_OWN || (outcome == OUTCOME_EXTERNAL && value != VALUE_UNRECORDED && told_fits (read, value)))
      continue;
    struct placed_read placed = { .read = *read, .source = INITIAL };
    if (outcome == OUTCOME_BROKEN)
      return wrong (w, &placed, "a result that nothing explains");
    if (w->values ? value != VALUE_UNRECORDED : !world_place_last (w, read, &placed))
      return wrong (w, &placed, "its source does not explain it");
    if (!initial_fits (w, initial, &placed))
      return false;
    note_source (w, &placed);
  }
  return true;
}

// ---------------------------------------------------------------------------------- a serial order

// One transaction after the other, each read reading the last version before it: then every edge of
// every level leads forward, and there is nothing between a version and who reads it. What is left
// to see is that the results are those of such a run, which takes one value per key, or one list.
// Hints and what modules demand speak of versions, and need to see them all.
static bool is_serial (const struct world *w) {
  return w->c->points == 1 && !w->c->sources.count && !w->c->constraints.list.count && !w->told->hints
         && !w->told->excusing && claim_reads_count (*w->level);
}

struct run {
  struct initial initial;
  // The lists, as far as they have grown: where each one's room begins, and how many elements it
  // has.
  uint32_t *list_first, *list_count; // NULL: there are none
  uint32_t *elements;
};

// What was appended before, then what the transaction itself did, if it sees that.
static bool is_list (const struct world *w, const struct run *run, uint32_t op, bool with_own) {
  const struct history *h = w->told->h;
  const uint32_t key = h->op_keys.data[op];
  const struct op_range *range = history_aux (h, op) != AUX_NONE ? &h->ranges.data[history_aux (h, op)] : NULL;
  const uint32_t *elements = range ? h->item_values.data + range->first_item : NULL;
  const size_t count = range ? range->items : 0;
  size_t at = run->list_count[key];
  if (count < at || (at && memcmp (elements, run->elements + run->list_first[key + 1], at * sizeof *elements)))
    return false;
  for (uint32_t own = h->txn_first_op.data[history_txn_of_op (h, op)]; with_own && own < op; own++)
    if (h->op_kinds.data[own] == OP_APPEND && h->op_keys.data[own] == key) {
      if (at == count || elements[at] != h->op_values.data[own])
        return false;
      at++;
    }
  return at == count;
}

static bool run_lists (const struct world *w, struct run *run, uint32_t txn) {
  const struct history *h = w->told->h;
  const uint32_t first = h->txn_first_op.data[txn], end = h->txn_first_op.data[txn + 1];
  for (uint32_t op = first; op < end; op++)
    if (h->op_kinds.data[op] == OP_LIST && told_list_is_recorded (h, op)
        && !(w->told->policy != POLICY_EXTERNAL && is_list (w, run, op, true))
        && !(w->told->policy != POLICY_MUST && is_list (w, run, op, false)))
      return complain (w->complaint, "operation %u: a list does not show what was appended", op);
  for (uint32_t op = first; op < end; op++)
    if (h->op_kinds.data[op] == OP_APPEND) {
      const uint32_t key = h->op_keys.data[op];
      run->elements[run->list_first[key + 1] + run->list_count[key]++] = h->op_values.data[op];
    }
  return true;
}

static void open_lists (const struct world *w, struct run *run) {
  const struct history *h = w->told->h;
  const uint32_t keys = history_keys (h);
  if (!w->told->some_lists)
    return;
  run->list_first = groups_new (keys);
  run->list_count = MEM_ZARRAY (uint32_t, keys);
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] == OP_APPEND)
      group_count (run->list_first, h->op_keys.data[op]);
  run->elements = MEM_ARRAY (uint32_t, groups_sum (run->list_first, keys));
}

static bool run_transaction (struct world *w, uint32_t txn, void *context) {
  struct run *run = context;
  return last_reads_fit (w, txn, &run->initial) && (!run->list_first || run_lists (w, run, txn));
}

static bool runs (struct world *w) {
  struct run run = { 0 };
  size_t wrote;
  if (world_runs_plainly (w))
    return true;
  w->values = MEM_COPY (w->told->init_value, history_keys (w->told->h));
  open_lists (w, &run);
  initial_open (w, &run.initial);
  w->told->lists_apart = true;
  w->told->left = w->values;
  bool fine = world_tell (w, run_transaction, &run, &wrote);
  w->told->lists_apart = false;
  w->told->left = NULL;
  fine = fine && others_fit (w, &run.initial) && world_wrote_no_more_than (w, wrote);
  initial_close (&run.initial);
  MEM_FREE_ALL (run.list_first, run.list_count, run.elements);
  return fine;
}

// Looking back may take long, and nothing that it says counts if it was stopped.
static bool is_stopped (const struct world *w) {
  return budget_spent (w->budget) && !complain (w->complaint, "a limit was reached");
}

// Where a transaction has one place, a read whose source is not named has the last version before
// that place. Every edge of it leads forward, and nothing lies between the two, so that all there
// is to see is whether that version explains it, which can be seen when the transaction's turn
// comes. Lists speak of all versions of their key.
static bool has_last_reads (const struct world *w) {
  return w->c->points == 1 && claim_reads_count (*w->level) && !w->told->some_lists;
}

// At some levels nothing that comes later speaks against a source that is named, either: of other
// versions those before the reader alone count.
static bool is_seen_in_turn (const struct world *w) {
  switch (w->level->family) {
  case FAMILY_READ_COMMITTED:
  case FAMILY_CAUSAL:
  case FAMILY_READ_ATOMIC:
  case FAMILY_READ_COMMITTED_AXIOMATIC: return has_last_reads (w) && !w->c->constraints.list.count;
  default: return false;
  }
}

struct turn {
  struct initial *initial;
  placed_read_vec again; // scratch
};

static bool named_reads_fit (struct world *w, struct turn *turn, uint32_t txn) {
  if (!reads_fit (w, turn->initial, &turn->again) || is_stopped (w))
    return false;
  if (w->seen_first)
    w->seen_first[w->rank[txn] + 1] = (uint32_t) w->seen.count;
  return !turn->again.count || transaction_fits (w, &turn->again, txn);
}

static bool takes_its_turn (struct world *w, uint32_t txn, void *context) {
  struct turn *turn = context;
  if (world_has_named (w, txn))
    return named_reads_fit (w, turn, txn);
  const bool fine = last_reads_fit (w, txn, turn->initial);
  if (w->seen_first)
    w->seen_first[w->rank[txn] + 1] = (uint32_t) w->seen.count;
  return fine;
}

static bool all_reads_fit (struct world *w, struct initial *initial) {
  placed_read_vec again = VEC_EMPTY;
  const bool last = has_last_reads (w);
  bool fine = true;
  // In an order in which neighbours read neighbouring versions.
  for (uint32_t i = 0; i < w->placed && fine && !w->in_turn; i++) {
    const uint32_t txn = w->by_commit[i];
    if (last && !world_has_named (w, txn))
      continue;
    told_add (w->told, txn);
    fine = reads_fit (w, initial, &again) && (!again.count || transaction_fits (w, &again, txn)) && !is_stopped (w);
  }
  fine = fine && others_fit (w, initial);
  VEC_FREE (again);
  return fine;
}

static bool reads_and_versions_fit (struct world *w, struct initial *initial) {
  const struct claim_level *level = w->level;
  struct turn turn = { .initial = initial };
  w->in_turn = is_seen_in_turn (w);
  if (w->in_turn && level->family == FAMILY_CAUSAL)
    w->seen_first = MEM_ZARRAY (uint32_t, (size_t) w->placed + 1);
  const bool ordered = world_order_versions (w, has_last_reads (w) ? takes_its_turn : NULL, &turn);
  VEC_FREE (turn.again);
  if (!ordered || !world_meets_constraints (w)
      || (level->family == FAMILY_SNAPSHOT_ISOLATION && !keeps_versions_apart (w)))
    return false;
  if (claim_reads_count (*level) ? !all_reads_fit (w, initial) || (!w->generous && !sources_are_reads (w))
                                 : w->told->some_lists && !lists_agree (w))
    return false;
  return keeps_hints (w);
}

static bool versions_fit (struct world *w) {
  struct initial initial;
  initial_open (w, &initial);
  const bool fine = reads_and_versions_fit (w, &initial);
  initial_close (&initial);
  return fine;
}

static bool world_fits (struct world *w) {
  const struct claim_level *level = w->level;
  return keeps_program_order (w) && (!level->so || keeps_sessions (w)) && (!level->rt || keeps_real_time (w))
         && (is_serial (w) ? runs (w) : versions_fit (w));
}

bool verify_valid (struct told *told, const struct certificate *c, const struct claim_level *level,
                   const struct verify_now *now, struct complaint *complaint) {
  struct world w;
  bool fine = world_make (&w, told, c, level, complaint);
  w.generous = now != NULL;
  w.budget = now ? now->budget : NULL;
  fine = fine && world_fits (&w);
  world_free (&w);
  return fine;
}
