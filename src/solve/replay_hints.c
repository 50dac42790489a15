// A serial order against the facts that hints tell: each read with a hint has the version that it
// names in front of it, and the versions of a key come in the order that hints give. Nothing is
// shared with the ASG.

#include "solve/replay.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "hints/hints.h"
#include "history/effects.h"

#include <stdlib.h>

enum key_state { KEY_ABSENT, KEY_LIVE, KEY_OPEN };

struct version_of {
  uint32_t txn, key;
};

struct replaying {
  const struct history *h;
  const struct hints *hints;
  uint32_t *place;              // per transaction, from 1 on; 0: left out
  uint32_t *current;            // per key: who installed it last, or HINT_INITIAL
  uint8_t *state;               // per key: enum key_state
  int64_t *last_stamp;          // per key
  uint8_t *stamped;             // per key: there is one
  VEC (struct version_of) read; // that readers with hints name, sorted
  // deletes without a recorded result that found nothing, sorted in the end
  VEC (struct version_of) idle;
  const char *wrong;
};

static bool has_version (const struct version_of *all, size_t count, uint32_t txn, uint32_t key) {
  const struct version_of wanted = { txn, key };
  return count && bsearch (&wanted, all, count, sizeof wanted, by_u32_pair);
}

static void prepare (struct replaying *r, const uint32_t *order, uint32_t count) {
  const struct history *h = r->h;
  const uint32_t keys = history_keys (h);
  r->place = MEM_ZARRAY (uint32_t, history_txns (h));
  for (uint32_t i = 0; i < count; i++)
    r->place[order[i]] = i + 1;
  r->current = MEM_ARRAY (uint32_t, keys);
  r->state = MEM_ARRAY (uint8_t, keys);
  r->last_stamp = MEM_ARRAY (int64_t, keys);
  r->stamped = MEM_ZARRAY (uint8_t, keys);
  for (uint32_t key = 0; key < keys; key++) {
    r->current[key] = HINT_INITIAL;
    r->state[key] = h->init == INIT_ABSENT            ? KEY_ABSENT
                    : h->init == INIT_ANY             ? KEY_OPEN
                    : h->init_default == VALUE_ABSENT ? KEY_ABSENT
                                                      : KEY_LIVE;
  }
  for (size_t i = 0; h->init != INIT_ANY && i < h->init_keys.count; i++)
    r->state[h->init_keys.data[i]] = h->init_values.data[i] == VALUE_ABSENT ? KEY_ABSENT : KEY_LIVE;
  for (size_t i = 0; i < r->hints->sources.count; i++) {
    const struct source_hint *hint = &r->hints->sources.data[i];
    if (hint->source < HINT_INITIAL && r->place[history_txn_of_op (h, hint->op)])
      VEC_PUSH (r->read, (struct version_of){ hint->source, hint->key });
  }
  VEC_SORT (r->read, by_u32_pair);
}

static void check_reads (struct replaying *r, uint32_t txn) {
  const uint32_t *op_first = r->hints->op_first;
  if (!op_first)
    return;
  for (uint32_t i = op_first[r->h->txn_first_op.data[txn]]; i < op_first[r->h->txn_first_op.data[txn + 1]]; i++) {
    const struct source_hint *hint = &r->hints->sources.data[i];
    if (hint->source != txn && r->current[hint->key] != hint->source)
      r->wrong = "a read has another version in front of it than a hint says";
  }
}

static void install (struct replaying *r, uint32_t txn, uint32_t key, bool live) {
  const struct hints *hints = r->hints;
  r->state[key] = live ? KEY_LIVE : KEY_ABSENT;
  if (r->current[key] == txn)
    return;
  r->current[key] = txn;
  if (!hints->trust_commit_ts || !hints->commit_ts || !hints->has_commit_ts[txn])
    return;
  if (r->stamped[key] && r->last_stamp[key] >= hints->commit_ts[txn])
    r->wrong = "the version order is not that of the commit timestamps";
  r->stamped[key] = 1;
  r->last_stamp[key] = hints->commit_ts[txn];
}

// A delete without a recorded result wrote if there was something; if there was nothing, it may
// have, which counts only if somebody read that.
static void delete_blindly (struct replaying *r, uint32_t txn, uint32_t key) {
  if (r->state[key] == KEY_LIVE || has_version (r->read.data, r->read.count, txn, key))
    install (r, txn, key, false);
  else
    VEC_PUSH (r->idle, (struct version_of){ txn, key });
}

static void apply_writes (struct replaying *r, uint32_t txn) {
  const struct history *h = r->h;
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    const struct effects e = effects_of (h, op);
    if (e.writes == WRITES_PERHAPS)
      delete_blindly (r, txn, e.key);
    else if (e.writes != WRITES_NOTHING)
      install (r, txn, e.key, e.written != VALUE_ABSENT);
  }
}

static void check_orders (struct replaying *r) {
  const struct hints *hints = r->hints;
  VEC_SORT (r->idle, by_u32_pair);
  for (size_t i = 0; i < hints->orders.count; i++) {
    const struct version_order *order = &hints->orders.data[i];
    uint32_t last = 0;
    for (uint32_t k = order->first; k < order->first + order->count; k++) {
      const uint32_t txn = hints->order_txns.data[k], place = r->place[txn];
      if (!place || (r->current[order->key] != txn && has_version (r->idle.data, r->idle.count, txn, order->key)))
        continue;
      if (place < last)
        r->wrong = "the version order is not the one that a hint gives";
      last = place;
    }
  }
}

bool replay_hints (const struct history *h, const struct hints *hints, const uint32_t *order, uint32_t count,
                   const char **why) {
  if (!hints)
    return true;
  struct replaying r = { .h = h, .hints = hints };
  prepare (&r, order, count);
  for (uint32_t i = 0; i < count && !r.wrong; i++) {
    check_reads (&r, order[i]);
    apply_writes (&r, order[i]);
  }
  if (!r.wrong)
    check_orders (&r);
  mem_free (r.place);
  mem_free (r.current);
  mem_free (r.state);
  mem_free (r.last_stamp);
  mem_free (r.stamped);
  VEC_FREE (r.read);
  VEC_FREE (r.idle);
  if (r.wrong)
    *why = r.wrong;
  return !r.wrong;
}
