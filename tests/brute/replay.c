// Levels by what a store does: put the transactions in some order, carry out their operations, and
// see whether every result is what was recorded. No edges, no versions, no candidates.
//
// The store is an ordered map, some of whose keys hold lists. An initial value under `any` is
// settled by the reads that meet it.

#include "brute.h"
#include "lists.h"
#include "story.h"

#include <string.h>

enum { REPLAY_KEYS = 8, MOST_SERIAL = 9, MOST_INTERLEAVED = 5, MOST_ELEMENTS = 32, MOST_VALUES = 64 };

enum discipline {
  SERIAL, // one transaction after the other
  // reads at the begin, writes at the commit, and no commit of a key in between that the
  // transaction writes
  SNAPSHOT,
  PREFIX, // the same, whoever commits in between
};

static const struct replay_row {
  const char *name;
  enum discipline discipline;
  bool so, rt;
} rows[] = {
  { "serializable", SERIAL, false, false },
  { "strong-session-serializable", SERIAL, true, false },
  { "strict-serializable", SERIAL, true, true },
  { "snapshot-isolation", SNAPSHOT, false, false },
  { "strong-session-snapshot-isolation", SNAPSHOT, true, false },
  { "strict-snapshot-isolation", SNAPSHOT, true, true },
  { "prefix-consistency", PREFIX, true, false },
  { "strict-prefix-consistency", PREFIX, true, true },
};

typedef uint32_t txn_set; // bit per transaction

struct list {
  unsigned length;
  uint32_t element[MOST_ELEMENTS];
};

struct state {
  uint32_t value[REPLAY_KEYS];
  struct list list[REPLAY_KEYS]; // of those keys that hold one
  // An initial value that nobody has read yet, and what is known of it.
  bool open[REPLAY_KEYS], open_is_live[REPLAY_KEYS];
  uint64_t open_is_not[REPLAY_KEYS]; // bit per value
  bool open_is_zero[REPLAY_KEYS];    // it is `zero` or absent
  uint32_t zero[REPLAY_KEYS];
  txn_set begun, done;
  txn_set overtaken; // begun, and somebody has since committed a key that they write
};

// A transaction's writes, as they will be once it has committed.
struct writes {
  bool to[REPLAY_KEYS];
  bool sure[REPLAY_KEYS]; // not only by deletes that may have done nothing
  uint32_t value[REPLAY_KEYS];
  struct list appended[REPLAY_KEYS];
};

struct replay {
  const struct history *h;
  const struct replay_row *row;
  enum brute_own_writes own_writes;
  uint32_t txns, keys;
  uint32_t in_order[REPLAY_KEYS]; // the keys that the store knows
  txn_set took_place;
  txn_set before[MOST_SERIAL]; // who must have committed before it begins
};

// A transaction at work.
struct client {
  const struct replay *replay;
  struct state *state; // what it sees
  struct writes *writes;
  uint32_t first, end; // its operations
  // bit per operation: a delete without a recorded result that found nothing and writes nothing
  uint32_t idle_deletes;
};

// ------------------------------------------------------------------------------------------ writes

static void put (struct writes *writes, uint32_t key, uint32_t value) {
  writes->to[key] = writes->sure[key] = true;
  writes->value[key] = value;
}

static void append (struct list *list, uint32_t element) {
  list->element[list->length++] = element;
}

static bool is_open_delete (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_DEL && !(history_flags (h, op) & OP_RESULT_KNOWN);
}

// Serially a delete of an absent key changes nothing, whether it writes or not. Else it makes a
// difference to others that write the key, and is up to the store; unless the transaction itself
// has surely put or deleted the key.
static bool is_idle (const struct client *client, uint32_t op, const struct writes *so_far) {
  return is_open_delete (client->replay->h, op) && client->idle_deletes >> (op - client->first) & 1
         && !so_far->sure[client->replay->h->op_keys.data[op]];
}

// A delete without a recorded result: false if it wrote nothing.
static bool write_open_delete (const struct client *client, uint32_t op, struct writes *writes) {
  const uint32_t key = client->replay->h->op_keys.data[op];
  const bool sure = writes->sure[key];
  if (sure ? writes->value[key] == VALUE_ABSENT : is_idle (client, op, writes))
    return false;
  put (writes, key, VALUE_ABSENT);
  writes->sure[key] = sure;
  return true;
}

// Adds what an operation other than append writes, given its result. False: nothing.
static bool write_result (const struct client *client, uint32_t op, struct writes *writes) {
  const struct history *h = client->replay->h;
  const uint32_t key = h->op_keys.data[op];
  const bool yes = history_flags (h, op) & OP_RESULT_TRUE;
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_PUT: put (writes, key, h->op_values.data[op]); return true;
  case OP_CAS:
    if (yes)
      put (writes, key, history_aux (h, op));
    return yes;
  case OP_INC: put (writes, key, history_aux (h, op)); return true; // AUX_NONE, if nobody looks
  case OP_DEL:
    if (is_open_delete (h, op))
      return write_open_delete (client, op, writes);
    if (yes)
      put (writes, key, VALUE_ABSENT);
    return yes;
  default: return false;
  }
}

// ------------------------------------------------------------------------------------------- reads

static bool see_open (struct state *state, uint32_t key, enum expectation expects, uint32_t value) {
  switch (expects) {
  case EXPECTS_ZERO:
    state->open_is_zero[key] = true;
    state->zero[key] = value;
    return !state->open_is_live[key] || !(state->open_is_not[key] >> value & 1);
  case EXPECTS_VALUE:
    state->open[key] = false;
    state->value[key] = value;
    if (state->open_is_zero[key] && value != VALUE_ABSENT && value != state->zero[key])
      return false;
    return value == VALUE_ABSENT ? !state->open_is_live[key] : !(state->open_is_not[key] >> value & 1);
  case EXPECTS_LIVE: state->open_is_live[key] = true; return true;
  default:
    if (value == VALUE_ABSENT)
      state->open_is_live[key] = true;
    else
      state->open_is_not[key] |= (uint64_t) 1 << value;
    return true;
  }
}

static bool see_stored (struct state *state, uint32_t key, enum expectation expects, uint32_t value) {
  return state->open[key] ? see_open (state, key, expects, value) : expectation_met (expects, value, state->value[key]);
}

static bool see (struct client *client, uint32_t key, enum expectation expects, uint32_t value) {
  const struct writes *own = client->writes;
  const enum brute_own_writes policy = client->replay->own_writes;
  if (!own->to[key] || policy == BRUTE_OWN_EXTERNAL)
    return see_stored (client->state, key, expects, value);
  return expectation_met (expects, value, own->value[key])
         || (policy == BRUTE_OWN_MAY && see_stored (client->state, key, expects, value));
}

// What is written while the iterator `op` is open may be seen; else what was there before, own or
// not, whatever the policy.
static bool see_while_open (struct client *client, uint32_t op, uint32_t key, uint32_t value) {
  struct writes later = *client->writes;
  bool any = false;
  for (uint32_t next = op + 1; next < client->end; next++) {
    const bool wrote = client->replay->h->op_keys.data[next] == key && write_result (client, next, &later);
    if (!wrote || !operation_iterator_is_open (client->replay->h, op, next))
      continue;
    any = true;
    if (later.value[key] == value)
      return true;
  }
  if (!any)
    return see (client, key, EXPECTS_VALUE, value);
  return (client->writes->to[key] && client->writes->value[key] == value)
         || see_stored (client->state, key, EXPECTS_VALUE, value);
}

// Walks over the keys of the range, and expects the items one after the other, and nothing between
// them.
static bool see_range (struct client *client, uint32_t op) {
  const struct replay *replay = client->replay;
  const struct history *h = replay->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const unsigned flags = history_flags (h, op);
  const bool whole = h->op_kinds.data[op] == OP_SCAN || flags & OP_ITER_END;
  uint32_t item = range->first_item;
  const uint32_t end = item + range->items;
  for (uint32_t i = 0; i < replay->keys && (whole || item < end); i++) {
    const uint32_t key = replay->in_order[flags & OP_ITER_REVERSE ? replay->keys - 1 - i : i];
    if (!operation_in_range (h, key, range->low, range->high))
      continue;
    const bool is_next = item < end && h->item_keys.data[item] == key;
    if (!see_while_open (client, op, key, is_next ? h->item_values.data[item] : VALUE_ABSENT))
      return false;
    item += is_next;
  }
  return item == end;
}

static bool same_elements (const uint32_t *a, const uint32_t *b, size_t count) {
  return !count || !memcmp (a, b, count * sizeof *a); // of nothing there may be no pointer
}

static bool is_list (const struct list *list, const struct list *more, const uint32_t *elements, uint32_t count) {
  return count == list->length + more->length && same_elements (elements, list->element, list->length)
         && (!more->length || same_elements (elements + list->length, more->element, more->length));
}

static bool see_list (struct client *client, uint32_t op) {
  static const struct list nothing;
  const struct history *h = client->replay->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const uint32_t key = h->op_keys.data[op], *elements = h->item_values.data + range->first_item;
  const struct list *stored = &client->state->list[key], *own = &client->writes->appended[key];
  const enum brute_own_writes policy = client->replay->own_writes;
  return (policy != BRUTE_OWN_EXTERNAL && is_list (stored, own, elements, range->items))
         || (policy != BRUTE_OWN_MUST && is_list (stored, &nothing, elements, range->items));
}

// -------------------------------------------------------------------------------------- operations

// The key held what gives the new value when the difference is added.
static bool see_inc (struct client *client, uint32_t op) {
  struct op_reads reads;
  operation_reads (client->replay->h, op, 0, &reads);
  return !reads.malformed && (!reads.count || see (client, reads.all[0].key, reads.all[0].expects, reads.all[0].value));
}

static bool see_result (struct client *client, uint32_t op) {
  const struct history *h = client->replay->h;
  const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
  const bool yes = history_flags (h, op) & OP_RESULT_TRUE;
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_PUT:
  case OP_APPEND: return true;
  case OP_CAS: return see (client, key, yes ? EXPECTS_VALUE : EXPECTS_OTHER, value);
  case OP_DEL:
    if (is_open_delete (h, op))
      return !is_idle (client, op, client->writes) || see (client, key, EXPECTS_VALUE, VALUE_ABSENT);
    return see (client, key, yes ? EXPECTS_LIVE : EXPECTS_VALUE, VALUE_ABSENT);
  case OP_GET: return value == VALUE_UNRECORDED || see (client, key, EXPECTS_VALUE, value);
  case OP_LIST: return value == VALUE_UNRECORDED || see_list (client, op);
  case OP_INC: return see_inc (client, op);
  default: return value == VALUE_UNRECORDED || see_range (client, op);
  }
}

// Carries out a transaction's operations on the state, and collects its writes. False if a result
// is not what was recorded.
static bool carry_out (const struct replay *replay, uint32_t txn, struct state *state, struct writes *writes,
                       uint32_t idle_deletes) {
  const struct history *h = replay->h;
  struct client client = {
    replay, state, writes, h->txn_first_op.data[txn], h->txn_first_op.data[txn + 1], idle_deletes
  };
  memset (writes, 0, sizeof *writes);
  for (uint32_t op = client.first; op < client.end; op++) {
    if (!see_result (&client, op))
      return false;
    if (h->op_kinds.data[op] == OP_APPEND)
      append (&writes->appended[h->op_keys.data[op]], h->op_values.data[op]);
    else
      write_result (&client, op, writes);
  }
  return true;
}

static void apply (struct state *state, const struct writes *writes) {
  for (uint32_t key = 0; key < REPLAY_KEYS; key++) {
    if (writes->to[key]) {
      state->value[key] = writes->value[key];
      state->open[key] = false;
    }
    for (unsigned i = 0; i < writes->appended[key].length; i++)
      append (&state->list[key], writes->appended[key].element[i]);
  }
}

// ------------------------------------------------------------------------------------------ orders

static bool may_begin (const struct replay *replay, uint32_t txn, const struct state *state) {
  const txn_set bit = 1u << txn;
  return replay->took_place & bit && !(state->begun & bit)
         && !(replay->before[txn] & replay->took_place & ~state->done);
}

static bool some_serial_order (const struct replay *replay, const struct state *state) {
  if (state->done == replay->took_place)
    return true;
  for (uint32_t txn = 0; txn < replay->txns; txn++) {
    struct state next = *state;
    struct writes writes;
    if (!may_begin (replay, txn, state) || !carry_out (replay, txn, &next, &writes, 0))
      continue;
    apply (&next, &writes);
    next.begun |= 1u << txn;
    next.done |= 1u << txn;
    if (some_serial_order (replay, &next))
      return true;
  }
  return false;
}

static bool write_the_same (const struct writes *a, const struct writes *b) {
  for (uint32_t key = 0; key < REPLAY_KEYS; key++)
    if ((a->to[key] && b->to[key]) || (a->appended[key].length && b->appended[key].length))
      return true;
  return false;
}

// Bit per operation.
static uint32_t open_deletes (const struct history *h, uint32_t txn) {
  const uint32_t first = h->txn_first_op.data[txn];
  uint32_t found = 0;
  for (uint32_t op = first; op < h->txn_first_op.data[txn + 1]; op++)
    if (is_open_delete (h, op))
      found |= 1u << (op - first);
  return found;
}

static bool some_interleaving (const struct replay *, const struct state *, struct writes *);

static bool begins (const struct replay *replay, uint32_t txn, const struct state *state, struct writes *writes) {
  const uint32_t all = open_deletes (replay->h, txn);
  uint32_t idle = 0;
  do { // every subset
    struct state next = *state;
    next.begun |= 1u << txn;
    if (carry_out (replay, txn, &next, &writes[txn], idle) && some_interleaving (replay, &next, writes))
      return true;
    idle = (idle - all) & all;
  } while (idle);
  return false;
}

// writes[t] is filled for each t that has begun.
static bool some_interleaving (const struct replay *replay, const struct state *state, struct writes *writes) {
  if (state->done == replay->took_place)
    return true;
  for (uint32_t txn = 0; txn < replay->txns; txn++) {
    struct state next = *state;
    const txn_set bit = 1u << txn;
    if (may_begin (replay, txn, state)) {
      if (begins (replay, txn, state, writes))
        return true;
    } else if (state->begun & bit & ~state->done) {
      if (state->overtaken & bit && replay->row->discipline == SNAPSHOT)
        return false; // it can never commit
      next.done |= bit;
      apply (&next, &writes[txn]);
      for (uint32_t other = 0; other < replay->txns; other++)
        if (next.begun & ~next.done & (1u << other) && write_the_same (&writes[txn], &writes[other]))
          next.overtaken |= 1u << other;
      if (some_interleaving (replay, &next, writes))
        return true;
    }
  }
  return false;
}

// Unknown transactions from `txn` on may have taken place or not.
static bool some_outcome (struct replay *replay, uint32_t txn, const struct state *initial) {
  if (txn == replay->txns) {
    struct writes writes[MOST_SERIAL];
    return replay->row->discipline == SERIAL ? some_serial_order (replay, initial)
                                             : some_interleaving (replay, initial, writes);
  }
  const uint8_t status = replay->h->txn_status.data[txn];
  if (status != TXN_COMMITTED && some_outcome (replay, txn + 1, initial))
    return true;
  if (status == TXN_ABORTED)
    return false;
  replay->took_place |= 1u << txn;
  const bool found = some_outcome (replay, txn + 1, initial);
  replay->took_place &= ~(1u << txn);
  return found;
}

static void set_order (struct replay *replay, int64_t clock_skew) {
  for (uint32_t i = 0; i < replay->txns; i++)
    for (uint32_t j = 0; j < replay->txns; j++)
      if ((replay->row->so && story_in_session_order (replay->h, i, j))
          || (replay->row->rt && story_in_real_time (replay->h, i, j, clock_skew)))
        replay->before[j] |= 1u << i;
}

static bool is_supported (const struct history *h) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++)
      if (h->txn_status.data[t] != TXN_ABORTED && h->op_kinds.data[op] == OP_CAS
          && !(history_flags (h, op) & OP_RESULT_KNOWN))
        return false;
  return lists_supported (h, operation_universe (h));
}

static bool can_replay (const struct history *h, enum discipline discipline) {
  uint32_t carried_out = 0;
  for (uint32_t t = 0; t < history_txns (h); t++)
    carried_out += h->txn_status.data[t] != TXN_ABORTED;
  return carried_out <= (discipline == SERIAL ? MOST_SERIAL : MOST_INTERLEAVED) && history_txns (h) <= MOST_SERIAL
         && history_keys (h) <= REPLAY_KEYS && history_ops (h) <= MOST_ELEMENTS
         && atoms_count (&h->values) <= MOST_VALUES && is_supported (h);
}

// Every key of the history, by insertion.
static void sort_keys (struct replay *replay) {
  const struct history *h = replay->h;
  const key_set known = operation_universe (h);
  for (uint32_t key = 0; key < history_keys (h); key++) {
    if (!(known & key_bit (key)))
      continue;
    uint32_t place = replay->keys++;
    for (; place && operation_in_range (h, key, KEY_NONE, replay->in_order[place - 1]); place--)
      replay->in_order[place] = replay->in_order[place - 1];
    replay->in_order[place] = key;
  }
}

unsigned replay_levels (void) {
  return sizeof rows / sizeof *rows;
}

const char *replay_level_name (unsigned level) {
  return rows[level].name;
}

bool brute_replay (const struct history *h, const struct brute_options *options, unsigned level,
                   enum brute_verdict *verdict) {
  if (!can_replay (h, rows[level].discipline))
    return false;
  struct replay replay = {
    .h = h,
    .row = &rows[level],
    .own_writes = story_own_writes (h, options),
    .txns = history_txns (h),
  };
  sort_keys (&replay);
  set_order (&replay, options->clock_skew);
  struct state initial = { .begun = 0 };
  for (uint32_t key = 0; key < history_keys (h); key++) {
    initial.open[key] = h->init == INIT_ANY;
    initial.value[key] = story_initial_value (h, key);
  }
  if (!story_has_committed (h) || (rows[level].rt && !story_has_times (h)))
    *verdict = BRUTE_UNDEFINED;
  else
    *verdict = some_outcome (&replay, 0, &initial) ? BRUTE_HOLDS : BRUTE_FAILS;
  return true;
}
