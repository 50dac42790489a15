#include "solve/replay.h"

#include "solve/store.h"

#include "base/memory.h"
#include "history/history.h"

#include <string.h>

static bool wrong (const char **why, const char *text) {
  *why = text;
  return false;
}

// Every committed transaction once, no aborted one, no unknown one twice.
static bool complete (const struct history *h, const uint32_t *order, uint32_t count, const char **why) {
  uint8_t *seen = MEM_ZARRAY (uint8_t, history_txns (h));
  bool fine = true;
  for (uint32_t i = 0; fine && i < count; i++)
    fine = order[i] < history_txns (h) && !seen[order[i]]++ && h->txn_status.data[order[i]] != TXN_ABORTED;
  for (uint32_t t = 0; fine && t < history_txns (h); t++)
    fine = seen[t] || h->txn_status.data[t] != TXN_COMMITTED;
  mem_free (seen);
  return fine || wrong (why, "the order does not hold each committed transaction once");
}

// Session order runs into unknown transactions, never out of them: whatever committed before t in
// its session stands before t.
static bool keeps_sessions (const struct history *h, const uint32_t *order, uint32_t count, const char **why) {
  const uint32_t txns = history_txns (h);
  uint32_t *committed_before = MEM_ARRAY (uint32_t, txns); // in its session
  uint32_t *placed = MEM_ZARRAY (uint32_t, history_sessions (h));
  for (uint32_t t = 0; t < txns; t++) {
    const bool first = t == h->session_first.data[h->txn_sessions.data[t]];
    committed_before[t] = first ? 0 : committed_before[t - 1] + (h->txn_status.data[t - 1] == TXN_COMMITTED);
  }
  bool fine = true;
  for (uint32_t i = 0; fine && i < count; i++) {
    const uint32_t t = order[i], session = h->txn_sessions.data[t];
    // Committed ones are placed in their order, so that a count says which.
    if (h->txn_status.data[t] == TXN_COMMITTED)
      fine = placed[session]++ == committed_before[t];
    else
      fine = placed[session] >= committed_before[t];
  }
  mem_free (committed_before);
  mem_free (placed);
  return fine || wrong (why, "the order breaks session order");
}

// Nobody stands behind a transaction that began after its end.
static bool keeps_real_time (const struct history *h, int64_t skew, const uint32_t *order, uint32_t count,
                             const char **why) {
  int64_t latest_begin = TIME_NONE_BEGIN;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t t = order[i];
    const int64_t end = history_end_time (h, t), begin = history_begin_time (h, t);
    int64_t limit;
    if (h->txn_status.data[t] == TXN_COMMITTED && end != TIME_NONE_END && !__builtin_add_overflow (end, skew, &limit)
        && limit < latest_begin)
      return wrong (why, "the order breaks real time");
    if (begin > latest_begin)
      latest_begin = begin;
  }
  return true;
}

bool replay_serial_order (const struct history *h, const struct hints *hints, const struct level *level,
                          int64_t clock_skew, enum own_writes own_writes, const uint32_t *order, uint32_t count,
                          const char **why) {
  return complete (h, order, count, why) && (!level->rules.so.used || keeps_sessions (h, order, count, why))
         && (!level->rules.rt.used || keeps_real_time (h, clock_skew, order, count, why))
         && store_replays (h, hints, own_writes, order, count, why);
}

bool replay_given_edges (const struct history *h, const struct ir_edge *edges, size_t edge_count, const uint32_t *order,
                         uint32_t count, const char **why) {
  if (!edge_count)
    return true;
  uint32_t *place = MEM_ZARRAY (uint32_t, history_txns (h)); // from 1 on
  for (uint32_t i = 0; i < count; i++)
    place[order[i]] = i + 1;
  bool fine = true;
  for (size_t i = 0; fine && i < edge_count; i++)
    fine = place[edges[i].from] && place[edges[i].from] < place[edges[i].to];
  mem_free (place);
  return fine || wrong (why, "the order breaks a given edge");
}
