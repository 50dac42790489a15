// Levels by what a store does: put the transactions in some order, carry out their operations, and see whether every
// read gives what was recorded. No edges, no versions, no candidates.
//
// An initial value under `any` is settled by the first read that meets it.

#include "brute.h"
#include "story.h"

#include <string.h>

enum { REPLAY_KEYS = 8, MOST_SERIAL = 9, MOST_INTERLEAVED = 5 };

enum discipline {
  SERIAL,   // one transaction after the other
  SNAPSHOT, // reads at the begin, writes at the commit, and no commit of a key in between that the transaction writes
  PREFIX,   // the same, whoever commits in between
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

struct state {
  uint32_t value[REPLAY_KEYS];
  bool open[REPLAY_KEYS]; // an initial value that nobody has read yet
  txn_set begun, done;
  txn_set overtaken; // begun, and somebody has since committed a key that they write
};

// A transaction's writes, as they will be once it has committed.
struct writes {
  bool to[REPLAY_KEYS];
  uint32_t value[REPLAY_KEYS];
};

struct replay {
  const struct history *h;
  const struct replay_row *row;
  enum brute_own_writes own_writes;
  uint32_t txns;
  txn_set took_place;
  txn_set before[MOST_SERIAL]; // who must have committed before it begins
};

static bool see (struct state *state, uint32_t key, uint32_t value) {
  if (state->open[key]) {
    state->open[key] = false;
    state->value[key] = value;
  }
  return state->value[key] == value;
}

// A read after an own write, `own`, in a transaction that sees `state`.
static bool see_after_own (const struct replay *replay, struct state *state, uint32_t key, uint32_t value,
                           uint32_t own) {
  switch (replay->own_writes) {
  case BRUTE_OWN_EXTERNAL: return see (state, key, value);
  case BRUTE_OWN_MAY: return value == own || see (state, key, value);
  default: return value == own;
  }
}

// Carries out a transaction's operations on the state, and collects its writes. False if a read does not give what was
// recorded.
static bool carry_out (const struct replay *replay, uint32_t txn, struct state *state, struct writes *writes) {
  const struct history *h = replay->h;
  memset (writes, 0, sizeof *writes);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
    if (h->op_kinds.data[op] == OP_PUT) {
      writes->to[key] = true;
      writes->value[key] = value;
    } else if (value == VALUE_UNRECORDED)
      continue;
    else if (writes->to[key] ? !see_after_own (replay, state, key, value, writes->value[key])
                             : !see (state, key, value))
      return false;
  }
  return true;
}

static void apply (struct state *state, const struct writes *writes) {
  for (uint32_t key = 0; key < REPLAY_KEYS; key++)
    if (writes->to[key]) {
      state->value[key] = writes->value[key];
      state->open[key] = false;
    }
}

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
    if (!may_begin (replay, txn, state) || !carry_out (replay, txn, &next, &writes))
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
    if (a->to[key] && b->to[key])
      return true;
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
      next.begun |= bit;
      if (carry_out (replay, txn, &next, &writes[txn]) && some_interleaving (replay, &next, writes))
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

static bool can_replay (const struct history *h, enum discipline discipline) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_kinds.data[op] != OP_PUT && h->op_kinds.data[op] != OP_GET)
      return false;
  uint32_t carried_out = 0;
  for (uint32_t t = 0; t < history_txns (h); t++)
    carried_out += h->txn_status.data[t] != TXN_ABORTED;
  return carried_out <= (discipline == SERIAL ? MOST_SERIAL : MOST_INTERLEAVED) && history_txns (h) <= MOST_SERIAL
         && history_keys (h) <= REPLAY_KEYS;
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
    .own_writes = story_own_writes (h, options->own_writes),
    .txns = history_txns (h),
  };
  set_order (&replay, options->clock_skew);
  struct state initial = { .begun = 0 };
  for (uint32_t key = 0; key < history_keys (h); key++) {
    initial.open[key] = h->init == INIT_ANY;
    initial.value[key] = story_initial_value (h, key);
  }
  if (rows[level].rt && !story_has_times (h))
    *verdict = BRUTE_UNDEFINED;
  else
    *verdict = some_outcome (&replay, 0, &initial) ? BRUTE_HOLDS : BRUTE_FAILS;
  return true;
}
