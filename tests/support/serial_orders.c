#include "tests/support/serial_orders.h"

#include "base/error.h"
#include "tests/brute/story.h"
#include "verify/verify.h"

#include <string.h>

struct search {
  const struct history *h;
  const struct level *level;
  int64_t skew;
  enum own_writes own_writes;
  serial_order found;
  void *context;
  uint32_t order[SERIAL_MOST_TXNS];
  uint32_t count;
  bool placed[SERIAL_MOST_TXNS];
  uint64_t total;
  bool stopped;
};

static bool is (const struct search *s, uint32_t txn, enum txn_status status) {
  return s->h->txn_status.data[txn] == status;
}

// Must `first` come before `second`, if both are there?
static bool must_precede (const struct search *s, uint32_t first, uint32_t second) {
  return (s->level->rules.so.used && story_in_session_order (s->h, first, second))
         || (s->level->rules.rt.used && story_in_real_time (s->h, first, second, s->skew));
}

static bool may_come_now (const struct search *s, uint32_t txn) {
  if (s->placed[txn] || is (s, txn, TXN_ABORTED))
    return false;
  for (uint32_t t = 0; t < history_txns (s->h); t++) {
    if (t == txn || is (s, t, TXN_ABORTED))
      continue;
    if (!s->placed[t] && is (s, t, TXN_COMMITTED) && must_precede (s, t, txn))
      return false;
    if (s->placed[t] && must_precede (s, txn, t))
      return false;
  }
  return true;
}

// Carries the transaction out; false if a read does not fit. All reads are held against the state
// at the beginning, except those that see an own write.
static bool carry_out (const struct search *s, uint32_t txn, uint32_t *state) {
  const struct history *h = s->h;
  uint32_t after[STORY_KEYS];
  bool wrote[STORY_KEYS] = { false };
  memcpy (after, state, sizeof after);
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
    if (h->op_kinds.data[op] == OP_PUT) {
      after[key] = value;
      wrote[key] = true;
      continue;
    }
    const bool own = wrote[key] && after[key] == value;
    if (value == VALUE_UNRECORDED || (own && s->own_writes != OWN_EXTERNAL))
      continue;
    if ((wrote[key] && s->own_writes == OWN_MUST) || (state[key] != value && state[key] != VALUE_UNRECORDED))
      return false;
    state[key] = value; // an open initial value is settled by its first reader
    after[key] = wrote[key] ? after[key] : value;
  }
  memcpy (state, after, sizeof after);
  return true;
}

static void go_on (struct search *s, const uint32_t *state) {
  bool complete = true;
  for (uint32_t t = 0; t < history_txns (s->h); t++)
    complete &= s->placed[t] || !is (s, t, TXN_COMMITTED);
  if (complete) {
    s->total++;
    s->stopped |= !s->found (s->context, s->order, s->count);
  }
  uint32_t next[STORY_KEYS];
  for (uint32_t t = 0; t < history_txns (s->h) && !s->stopped; t++) {
    if (!may_come_now (s, t))
      continue;
    memcpy (next, state, sizeof next);
    if (!carry_out (s, t, next))
      continue;
    s->placed[t] = true;
    s->order[s->count++] = t;
    go_on (s, next);
    s->count--;
    s->placed[t] = false;
  }
}

uint64_t serial_orders (const struct history *h, const struct level *level, int64_t clock_skew,
                        enum own_writes own_writes, serial_order found, void *context) {
  struct search s = {
    .h = h, .level = level, .skew = clock_skew, .own_writes = own_writes, .found = found, .context = context
  };
  uint32_t state[STORY_KEYS] = { 0 };
  if (history_txns (h) > SERIAL_MOST_TXNS || history_keys (h) > STORY_KEYS)
    misuse (__func__, "the history is too large");
  for (uint32_t key = 0; key < history_keys (h); key++)
    state[key] = h->init == INIT_ANY ? VALUE_UNRECORDED : story_initial_value (h, key);
  go_on (&s, state);
  return s.total;
}

bool serial_has_verdict (const struct history *h, const struct level *level) {
  bool timed = !level->rules.rt.used;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    timed |= h->txn_status.data[txn] != TXN_ABORTED
             && (history_begin_time (h, txn) != TIME_NONE_BEGIN || history_end_time (h, txn) != TIME_NONE_END);
  return timed && history_has_committed (h);
}

const char *serial_order_refused (const struct history *h, const struct level *level, int64_t clock_skew,
                                  enum own_writes own_writes, const uint32_t *order, uint32_t count) {
  static struct complaint complaint;
  if (!serial_has_verdict (h, level))
    return NULL;
  const struct claim claim = { .level = level->name, .policy = (enum own_policy) own_writes, .clock_skew = clock_skew };
  struct certificate *c = certificate_new (&claim, h);
  c->valid = true;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t i = 0; i < count; i++)
      if (order[i] == txn && h->txn_status.data[txn] == TXN_UNKNOWN
          && (!c->took_place.count || c->took_place.data[c->took_place.count - 1] != txn))
        VEC_PUSH (c->took_place, txn);
  for (uint32_t i = 0; i < count; i++)
    VEC_PUSH (c->order, order[i]);
  const bool fine = verify_certificate (h, c, &complaint);
  certificate_free (c);
  return fine ? NULL : complaint.text;
}
