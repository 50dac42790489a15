// Strict two-phase locking: item locks, shared and exclusive, and shared locks of ranges. A lock is
// held until its transaction ends. Who would wait for somebody that waits for it, directly or
// through others, is aborted instead.

#include "generate/engine.h"

static bool holds_item (const struct txn *txn, uint32_t item, bool exclusive) {
  for (size_t i = 0; i < txn->locks.count; i++)
    if (txn->locks.data[i].item == item && (txn->locks.data[i].exclusive || !exclusive))
      return true;
  return false;
}

// Does this lock stand in the way of an exclusive (or shared) lock of the item?
static bool blocks_item (const struct lock *lock, uint32_t item, uint64_t key, bool exclusive) {
  if (lock->item == item)
    return exclusive || lock->exclusive;
  return exclusive && lock->item == NONE && key >= lock->low && key < lock->high;
}

static bool blocks_range (const struct engine *engine, const struct lock *lock, uint64_t low, uint64_t high) {
  if (lock->item == NONE || !lock->exclusive)
    return false;
  const uint64_t key = engine->store->items.data[lock->item].key;
  return key >= low && key < high;
}

static enum outcome wait_for (struct engine *engine, unsigned client, uint32_t other) {
  for (uint32_t at = other; at != NONE; at = engine->txns[at].waits_for)
    if (at == client) {
      engine_end (engine, client);
      return STEP_ABORT;
    }
  engine->txns[client].waits_for = other;
  return STEP_WAIT;
}

enum outcome lock_item (struct engine *engine, unsigned client, uint32_t item, bool exclusive) {
  struct txn *txn = &engine->txns[client];
  struct item *locked = &engine->store->items.data[item];
  if (holds_item (txn, item, exclusive))
    return STEP_DONE;
  const bool shares = exclusive && holds_item (txn, item, false);
  const bool nobody_else = locked->exclusive == NONE && (!exclusive || locked->shared == shares);
  if (!nobody_else || (exclusive && engine->range_locks)) // a closer look
    for (unsigned other = 0; other < engine->clients; other++)
      for (size_t i = 0; other != client && i < engine->txns[other].locks.count; i++)
        if (blocks_item (&engine->txns[other].locks.data[i], item, locked->key, exclusive))
          return wait_for (engine, client, other);
  VEC_PUSH (txn->locks, (struct lock){ .item = item, .exclusive = exclusive });
  if (exclusive)
    locked->exclusive = client;
  else
    locked->shared++;
  return STEP_DONE;
}

enum outcome lock_range (struct engine *engine, unsigned client, uint64_t low, uint64_t high) {
  for (unsigned other = 0; other < engine->clients; other++)
    for (size_t i = 0; other != client && i < engine->txns[other].locks.count; i++)
      if (blocks_range (engine, &engine->txns[other].locks.data[i], low, high))
        return wait_for (engine, client, other);
  VEC_PUSH (engine->txns[client].locks, (struct lock){ .item = NONE, .low = low, .high = high });
  engine->range_locks++;
  return STEP_DONE;
}

void locks_release (struct engine *engine, unsigned client) {
  struct txn *txn = &engine->txns[client];
  for (size_t i = 0; i < txn->locks.count; i++) {
    const struct lock *lock = &txn->locks.data[i];
    if (lock->item == NONE)
      engine->range_locks--;
    else if (lock->exclusive)
      engine->store->items.data[lock->item].exclusive = NONE;
    else
      engine->store->items.data[lock->item].shared--;
  }
  txn->locks.count = 0;
}
