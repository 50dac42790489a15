#include "story.h"

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

// The last write of the key by operations [first, end), or `end`.
static uint32_t last_put (const struct history *h, uint32_t first, uint32_t end, uint32_t key) {
  for (uint32_t op = end; op > first; op--)
    if (h->op_kinds.data[op - 1] == OP_PUT && h->op_keys.data[op - 1] == key)
      return op - 1;
  return end;
}

// Could a transaction other than `reader`, or the initial state, give this value?
static bool has_external_candidate (const struct history *h, uint32_t reader, uint32_t key, uint32_t value) {
  if (h->init == INIT_ANY || story_initial_value (h, key) == value)
    return true;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (t == reader || h->txn_status.data[t] == TXN_ABORTED)
      continue;
    const uint32_t end = h->txn_first_op.data[t + 1], put = last_put (h, h->txn_first_op.data[t], end, key);
    if (put != end && h->op_values.data[put] == value)
      return true;
  }
  return false;
}

// A committed read refutes a policy that leaves it without anything to read from.
enum brute_own_writes story_own_writes (const struct history *h, enum brute_own_writes asked) {
  if (asked != BRUTE_OWN_INFER)
    return asked;
  bool must_refuted = false, external_refuted = false;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint32_t first = h->txn_first_op.data[t], end = h->txn_first_op.data[t + 1];
    for (uint32_t op = first; op < end && h->txn_status.data[t] == TXN_COMMITTED; op++) {
      const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
      if (h->op_kinds.data[op] != OP_GET || value == VALUE_UNRECORDED)
        continue;
      const uint32_t own = last_put (h, first, op, key);
      if (own == op)
        continue;
      must_refuted |= h->op_values.data[own] != value;
      external_refuted |= !has_external_candidate (h, t, key, value);
    }
  }
  return !must_refuted ? BRUTE_OWN_MUST : !external_refuted ? BRUTE_OWN_EXTERNAL : BRUTE_OWN_MAY;
}

static void tell_put (struct story_version *version, unsigned event, uint32_t value) {
  if (!version->installed)
    version->first_event = event;
  version->installed = true;
  version->value = value;
  version->last_event = event;
}

// The reader's version of the key is its latest own write so far. False: too many reads.
static bool tell_get (struct story *story, struct story_read read, enum brute_own_writes policy) {
  struct story_txn *txn = &story->txns[read.reader];
  const struct story_version *own = &txn->versions[read.key];
  if (read.value == VALUE_UNRECORDED)
    return true;
  if (own->installed && policy == BRUTE_OWN_MUST) {
    txn->breaks_own_writes |= own->value != read.value;
    return true;
  }
  read.may_be_own = own->installed && policy == BRUTE_OWN_MAY && own->value == read.value;
  if (story->reads == STORY_READS)
    return false;
  story->read[story->reads++] = read;
  return true;
}

static bool any_read_locks (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE))
      return true;
  return false;
}

// The operations of transaction t, in program order.
static bool tell_txn (struct story *story, const struct history *h, uint32_t t, enum brute_own_writes policy,
                      bool some_lock, struct brute_verdicts *verdicts) {
  const uint32_t first = h->txn_first_op.data[t], end = h->txn_first_op.data[t + 1];
  struct story_txn *txn = &story->txns[t + 1];
  txn->status = (enum txn_status) h->txn_status.data[t];
  txn->events = end - first;
  for (uint32_t op = first; op < end; op++) {
    const unsigned event = op - first, key = h->op_keys.data[op];
    const bool locks = h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
    switch ((enum op_kind) h->op_kinds.data[op]) {
    case OP_PUT: tell_put (&txn->versions[key], event, h->op_values.data[op]); break;
    case OP_GET:
      verdicts->too_big |= !tell_get (
        story, (struct story_read){ t + 1, event, key, h->op_values.data[op], false, locks || !some_lock }, policy);
      break;
    default: verdicts->supported = false; return false;
    }
  }
  return !verdicts->too_big;
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

bool story_tell (struct story *story, const struct history *h, const struct brute_options *options,
                 struct brute_verdicts *verdicts) {
  verdicts->supported = true;
  verdicts->too_big = !fits (h);
  if (verdicts->too_big)
    return false;
  memset (story, 0, sizeof *story);
  story->nodes = history_txns (h) + 1;
  story->keys = history_keys (h);
  story->any_initial = h->init == INIT_ANY;
  for (unsigned key = 0; key < story->keys; key++)
    story->initial[key] = story_initial_value (h, key);
  story->has_times = story_has_times (h);
  const enum brute_own_writes policy = story_own_writes (h, options->own_writes);
  const bool some_lock = any_read_locks (h);
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (!tell_txn (story, h, t, policy, some_lock, verdicts))
      return false;
  tell_orders (story, h, options->clock_skew);
  return true;
}
