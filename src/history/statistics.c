#include "history/statistics.h"

#include "base/search.h"
#include "base/sort.h"
#include "history/effects.h"

static void count_repeated (const struct history *h, struct history_statistics *s) {
  VEC (uint64_t) pairs = VEC_EMPTY;
  for (uint32_t op = 0; op < history_ops (h); op++) {
    const uint32_t value = effects_value_written (h, op);
    if (value < VALUE_NONE) // not a delete, nor unknown
      VEC_PUSH (pairs, (uint64_t) h->op_keys.data[op] << 32 | value);
  }
  VEC_SORT (pairs, by_u64);
  for (size_t i = 0, next; i < pairs.count; i = next) {
    for (next = i + 1; next < pairs.count && pairs.data[next] == pairs.data[i];)
      next++;
    s->written_pairs++;
    s->repeated_pairs += next - i > 1;
    if (next - i > s->most_repeated)
      s->most_repeated = next - i;
  }
  VEC_FREE (pairs);
}

// How many of the sorted times are below `time`, or up to it.
static size_t count_below (const int64_t *times, size_t count, int64_t time, bool up_to) {
  size_t low = 0;
  LOWER_BOUND (low, count, middle, times[middle] < time || (up_to && times[middle] == time));
  return low;
}

static void count_overlaps (const struct history *h, struct history_statistics *s) {
  const uint32_t txns = history_txns (h);
  int64_t *begins = MEM_ARRAY (int64_t, txns), *ends = MEM_ARRAY (int64_t, txns);
  uint64_t *overlaps = MEM_ARRAY (uint64_t, txns);
  size_t timed = 0;
  for (uint32_t t = 0; t < txns; t++)
    if (history_begin_time (h, t) != TIME_NONE_BEGIN && history_end_time (h, t) != TIME_NONE_END) {
      begins[timed] = history_begin_time (h, t);
      ends[timed++] = history_end_time (h, t);
    }
  SORT (begins, timed, by_i64);
  SORT (ends, timed, by_i64);
  size_t i = 0;
  for (uint32_t t = 0; t < txns; t++)
    if (history_begin_time (h, t) != TIME_NONE_BEGIN && history_end_time (h, t) != TIME_NONE_END)
      overlaps[i++] = count_below (begins, timed, history_end_time (h, t), true)
                      - count_below (ends, timed, history_begin_time (h, t), false) - 1;
  SORT (overlaps, timed, by_u64);
  s->timed = timed;
  if (timed) {
    s->overlap_median = overlaps[timed / 2];
    s->overlap_most = overlaps[timed - 1];
  }
  MEM_FREE_ALL (overlaps, ends, begins);
}

struct history_statistics history_count (const struct history *h) {
  struct history_statistics s = { .bytes = history_bytes (h) };
  for (uint32_t t = 0; t < history_txns (h); t++)
    s.by_status[h->txn_status.data[t]]++;
  for (uint32_t op = 0; op < history_ops (h); op++)
    s.by_kind[h->op_kinds.data[op]]++;
  count_repeated (h, &s);
  count_overlaps (h, &s);
  return s;
}

bool history_has_times (const struct history *h) {
  bool all_aborted = true;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    if (history_begin_time (h, t) != TIME_NONE_BEGIN || history_end_time (h, t) != TIME_NONE_END)
      return true;
    all_aborted = false;
  }
  return all_aborted;
}
