#include "story.h"

#include "excuses.h"
#include "lists.h"
#include "writes.h"

#include <string.h>

uint32_t story_initial_value (const struct history *h, uint32_t key) {
  for (size_t i = 0; i < h->init_keys.count; i++)
    if (h->init_keys.data[i] == key)
      return h->init_values.data[i];
  return h->init == INIT_DEFAULT ? h->init_default : VALUE_ABSENT;
}

// Session order runs into an unknown transaction, never out of it.
bool story_in_session_order (const struct history *h, uint32_t first, uint32_t second) {
  return h->txn_sessions.data[first] == h->txn_sessions.data[second] && first < second
         && h->txn_status.data[first] == TXN_COMMITTED;
}

// The end of an unknown transaction is +infinity, whatever was recorded.
bool story_in_real_time (const struct history *h, uint32_t first, uint32_t second, int64_t clock_skew) {
  const int64_t end = history_end_time (h, first), begin = history_begin_time (h, second);
  if (first == second || h->txn_status.data[first] != TXN_COMMITTED || end == TIME_NONE_END || begin == TIME_NONE_BEGIN)
    return false;
  int64_t latest_end;
  return !__builtin_add_overflow (end, clock_skew, &latest_end) && latest_end < begin;
}

bool story_has_times (const struct history *h) {
  bool all_aborted = true;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    all_aborted = false;
    if (history_begin_time (h, t) != TIME_NONE_BEGIN || history_end_time (h, t) != TIME_NONE_END)
      return true;
  }
  return all_aborted;
}

bool story_has_committed (const struct history *h) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (h->txn_status.data[t] == TXN_COMMITTED)
      return true;
  return false;
}

// What is needed to tell one transaction after the other.
struct telling {
  struct story *story;
  const struct history *h;
  struct brute_verdicts *verdicts;
  enum brute_own_writes policy;
  bool some_lock;
  key_set universe;
  uint32_t did_nothing;
  // The transaction at hand.
  unsigned node, operation;
  uint32_t first, end;                  // its operations
  struct op_write writes[STORY_EVENTS]; // by position
};

static struct story_txn *reader_of (const struct telling *t) {
  return &t->story->txns[t->node];
}

// The event of a read or of a write: each takes one, and a write comes after the read of the same
// operation.
static unsigned next_event (struct telling *t) {
  struct story_txn *txn = reader_of (t);
  t->verdicts->too_big |= txn->events == STORY_EVENTS;
  return t->verdicts->too_big ? 0 : txn->events++;
}

static void tell_write (struct telling *t, unsigned key, uint32_t value) {
  struct story_version *version = &reader_of (t)->versions[key];
  const unsigned event = next_event (t);
  if (!version->installed)
    version->first_event = event;
  version->installed = true;
  version->value = value;
  version->last_event = event;
}

static bool guards_a_cursor (const struct telling *t, uint32_t op, bool predicate) {
  const enum op_kind kind = (enum op_kind) t->h->op_kinds.data[op];
  const bool locks = history_flags (t->h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
  const bool is_get = kind == OP_GET || kind == OP_LIST;
  return !predicate && !t->story->excusing && (t->some_lock ? locks : is_get);
}

// Writes of the key while the iterator `op` is open: is there any, and is any what was read?
struct open_writes {
  bool any, fit;
};

static struct open_writes find_open_writes (const struct telling *t, uint32_t op, const struct op_read *said) {
  struct open_writes found = { false, false };
  for (uint32_t later = op + 1; later < t->end; later++) {
    const struct op_write *write = &t->writes[later - t->first];
    if (!write->wrote || t->h->op_keys.data[later] != said->key || !operation_iterator_is_open (t->h, op, later))
      continue;
    found.any = true;
    found.fit |= expectation_met (said->expects, said->value, write->value);
  }
  return found;
}

// The reader's version of the key is its latest own write so far. An iterator may or may not see
// what is written while it is open.
static void tell_read (struct telling *t, uint32_t op, unsigned event, const struct op_read *said) {
  struct story_txn *txn = reader_of (t);
  const struct story_version *own = &txn->versions[said->key];
  const struct open_writes later = find_open_writes (t, op, said);
  const enum brute_own_writes policy = later.any ? BRUTE_OWN_MAY : t->policy;
  const bool fits_own = own->installed && expectation_met (said->expects, said->value, own->value);
  if (own->installed && policy == BRUTE_OWN_MUST) {
    txn->breaks_reads |= !fits_own;
    txn->own_misses += !fits_own;
    return;
  }
  t->verdicts->too_big |= t->story->reads == STORY_READS;
  if (t->verdicts->too_big)
    return;
  t->story->read[t->story->reads++] = (struct story_read){
    .reader = t->node,
    .operation = t->operation,
    .event = event,
    .key = said->key,
    .expects = said->expects,
    .value = said->value,
    .predicate = said->predicate,
    .may_be_own = (fits_own || later.fit) && policy == BRUTE_OWN_MAY,
    .guards_a_cursor = guards_a_cursor (t, op, said->predicate),
  };
}

// Everything that the operation read is one event.
static void tell_reads (struct telling *t, uint32_t op) {
  struct op_reads reads;
  operation_reads (t->h, op, t->universe, &reads);
  const unsigned event = next_event (t);
  reader_of (t)->breaks_reads |= reads.malformed;
  for (unsigned i = 0; i < reads.count; i++)
    tell_read (t, op, event, &reads.all[i]);
}

static void tell_list (struct telling *t, uint32_t op) {
  const struct story_read read = {
    .reader = t->node,
    .operation = t->operation,
    .event = next_event (t),
    .key = t->h->op_keys.data[op],
    .guards_a_cursor = guards_a_cursor (t, op, false),
  };
  if (t->h->op_values.data[op] != VALUE_UNRECORDED)
    t->verdicts->too_big |= !lists_tell_read (t->story, t->h, op, read, t->policy);
}

static bool is_blind_inc (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_INC && !(history_flags (h, op) & OP_RESULT_KNOWN);
}

// An inc without a recorded result leaves it open what anybody read of its key, unless that was
// surely before.
static bool incs_supported (const struct telling *t, uint32_t txn, uint32_t op) {
  const struct history *h = t->h;
  const uint32_t key = h->op_keys.data[op];
  for (uint32_t other = 0; other < history_txns (h); other++) {
    struct op_write writes[STORY_EVENTS];
    unsigned unused = 0;
    if (h->txn_status.data[other] == TXN_ABORTED)
      continue;
    writes_settle (h, other, UINT32_MAX, &unused, writes); // all that is open read absent
    const uint32_t first = h->txn_first_op.data[other];
    for (uint32_t reader = first; reader < h->txn_first_op.data[other + 1]; reader++)
      if ((other != txn || reader > op)
          && (operation_looks_at (h, reader, key)
              || (h->op_keys.data[reader] == key && writes[reader - first].read_absent)))
        return false;
  }
  return true;
}

// Under `any`, what three reads at a time say about a key's beginning is not looked at.
static bool starts_supported (const struct telling *t) {
  const struct history *h = t->h;
  key_set zero = 0, not_zero = 0, not_absent = 0;
  for (uint32_t txn = 0; txn < history_txns (h) && h->init == INIT_ANY; txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
      struct op_reads reads;
      if (h->txn_status.data[txn] == TXN_ABORTED || (kind != OP_INC && kind != OP_CAS && kind != OP_DEL))
        continue;
      operation_reads (h, op, t->universe, &reads);
      for (unsigned i = 0; i < reads.count; i++) {
        const struct op_read *read = &reads.all[i];
        const bool other = read->expects == EXPECTS_OTHER, absent = read->value == VALUE_ABSENT;
        const struct atom atom = absent ? atom_bytes ("", 0) : atoms_get (&h->values, read->value);
        zero |= read->expects == EXPECTS_ZERO ? key_bit (read->key) : 0;
        not_absent |= read->expects == EXPECTS_LIVE || (other && absent) ? key_bit (read->key) : 0;
        not_zero |= other && atom.kind == ATOM_UNSIGNED && !atom.number ? key_bit (read->key) : 0;
      }
    }
  return !(zero & not_zero & not_absent);
}

// What it read, then what it wrote.
static void tell_operation (struct telling *t, uint32_t op) {
  const struct op_write *write = &t->writes[op - t->first];
  const uint32_t key = t->h->op_keys.data[op];
  const bool known = history_flags (t->h, op) & OP_RESULT_KNOWN;
  switch ((enum op_kind) t->h->op_kinds.data[op]) {
  case OP_PUT:
  case OP_APPEND: break;
  case OP_LIST: tell_list (t, op); break;
  case OP_DEL:
    if (known)
      tell_reads (t, op);
    if (write->read_absent)
      tell_read (t, op, next_event (t), &(struct op_read){ key, EXPECTS_VALUE, VALUE_ABSENT, false });
    break;
  case OP_INC:
    if (is_blind_inc (t->h, op))
      t->verdicts->supported &= incs_supported (t, t->node - 1, op);
    tell_reads (t, op);
    break;
  case OP_CAS: t->verdicts->supported &= known; // fall through
  default: tell_reads (t, op); break;
  }
  if (write->wrote)
    tell_write (t, key, write->value);
}

// The operations of a transaction, in program order.
static void tell_txn (struct telling *t, uint32_t txn) {
  t->node = txn + 1;
  t->first = t->h->txn_first_op.data[txn];
  t->end = t->h->txn_first_op.data[txn + 1];
  reader_of (t)->status = (enum txn_status) t->h->txn_status.data[txn];
  if (reader_of (t)->status == TXN_ABORTED)
    return;
  writes_settle (t->h, txn, t->did_nothing, &t->story->open_deletes, t->writes);
  t->verdicts->too_big |= t->story->open_deletes > STORY_OPEN_DELETES;
  for (uint32_t op = t->first; op < t->end; op++) {
    t->operation = op - t->first;
    tell_operation (t, op);
  }
}

static bool any_read_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (history_flags (h, op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
      return true;
  return false;
}

static void tell_orders (struct story *story, const struct history *h, int64_t clock_skew) {
  for (unsigned i = 1; i < story->nodes; i++)
    for (unsigned j = 1; j < story->nodes; j++) {
      if (story->txns[i].status == TXN_ABORTED || story->txns[j].status == TXN_ABORTED)
        continue;
      if (story_in_session_order (h, i - 1, j - 1))
        relation_add (&story->session_order, i, j);
      if (story_in_real_time (h, i - 1, j - 1, clock_skew))
        relation_add (&story->real_time, i, j);
    }
}

static bool fits (const struct history *h) {
  if (history_txns (h) >= STORY_NODES || history_keys (h) > STORY_KEYS)
    return false;
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (h->txn_first_op.data[t + 1] - h->txn_first_op.data[t] > STORY_EVENTS)
      return false;
  return true;
}

// A transaction of an incomplete history may lack operations that wrote its keys again.
static void write_at_the_end (struct telling *t) {
  for (t->node = 1; t->node < t->story->nodes; t->node++) {
    const unsigned event = next_event (t);
    for (unsigned key = 0; key < t->story->keys; key++)
      reader_of (t)->versions[key].last_event = event;
  }
}

bool story_tell (struct story *story, const struct history *h, const struct brute_options *options,
                 uint32_t did_nothing, struct brute_verdicts *verdicts) {
  verdicts->supported = true;
  verdicts->too_big = !fits (h);
  if (verdicts->too_big)
    return false;
  memset (story, 0, sizeof *story);
  story->nodes = history_txns (h) + 1;
  story->keys = history_keys (h);
  story->excusing = h->incomplete && !options->as_if_complete;
  story->any_initial = h->init == INIT_ANY;
  for (unsigned key = 0; key < story->keys; key++)
    story->initial[key] = story_initial_value (h, key);
  story->has_times = story_has_times (h);
  struct telling t = { .story = story, .h = h, .verdicts = verdicts, .did_nothing = did_nothing };
  t.policy = story_own_writes (h, options);
  t.some_lock = any_read_locks (h);
  t.universe = operation_universe (h);
  verdicts->supported = lists_supported (h, t.universe) && starts_supported (&t);
  for (uint32_t txn = 0; txn < history_txns (h) && verdicts->supported; txn++)
    tell_txn (&t, txn);
  tell_orders (story, h, options->clock_skew);
  if (options->excuses)
    brute_apply_excuses (options->excuses, story);
  if (story->excusing)
    write_at_the_end (&t);
  return verdicts->supported && !verdicts->too_big;
}
