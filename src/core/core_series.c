// Cores that share no transaction. A read that nothing explains is one by itself, with those who
// wrote what it read: these are taken first, as they stand. Then regions are gone through:
// transactions that took place about the same time, and whom they read from. Small ones first, then
// larger ones, then all that is left. A region is checked again after each core that it had, so the
// smaller it is, the cheaper are its cores; where there are many violations most are within a small
// one.

#include "asg/asg.h"
#include "base/sort.h"
#include "core/core_index.h"
#include "history/history.h"
#include "levels/levels.h"

enum phase { FAULTS, SMALL_REGIONS, LARGE_REGIONS, WHOLE, OVER };

struct core_series {
  struct search search;
  uint8_t *unused; // per transaction: it is in no core so far
  uint8_t *faulty; // per transaction: it read what nothing explains
  enum phase phase;
  uint32_t next; // transaction, while they are gone through
  bool is_open;  // there is a region at hand
  // The region's transactions; `txn` is of those of them that are in no core. It says nothing of
  // operations.
  struct core_mask region;
  uint32_t *order; // transactions, about as they took place
  bool complete;
};

// ------------------------------------------------------------------------------------------ faults

static bool has_fault (const struct asg *asg, uint32_t txn) {
  const uint32_t node = asg->txn_node[txn];
  if (node == NODE_NONE || asg->optional[node])
    return false;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (asg->read_source[read] == SOURCE_NONE)
      return true;
  return false;
}

static uint8_t *find_faults (const struct search *s) {
  const struct asg *asg = s->index->asg;
  uint8_t *faulty = MEM_ZARRAY (uint8_t, history_txns (s->h));
  for (uint32_t t = 0; t < history_txns (s->h); t++)
    faulty[t] = s->options.level->rules.wr.used && has_fault (asg, t);
  for (size_t i = 0; i < asg->faults.count; i++)
    faulty[asg->faults.data[i].txn] = 1;
  return faulty;
}

// Whoever wrote what the read returned, behind the reader; false: too many, or one of them is used,
// so that the read cannot be kept.
static bool suspect_writers (const struct core_series *series, uint32_t read, txn_vec *suspects) {
  enum { MOST_WRITERS = 64 };
  const struct search *s = &series->search;
  const struct asg *asg = s->index->asg;
  const struct core_writes all = core_writes_of_value (s->index, asg->read_key[read], asg->read_value[read]);
  suspects->count = 1;
  if (all.last - all.first > MOST_WRITERS)
    return false;
  for (uint32_t i = all.first; i < all.last; i++) {
    const uint32_t writer = history_txn_of_op (s->h, s->index->writes[i]);
    if (!series->unused[writer])
      return false;
    // whoever stands here more often is met once all the same
    if (writer != suspects->data[suspects->count - 1])
      VEC_PUSH (*suspects, writer);
  }
  return true;
}

// The transaction, and all who have to do with one of its faults; false: somebody among them is
// used.
static bool suspect_fault (const struct core_series *series, uint32_t txn, txn_vec *suspects) {
  const struct asg *asg = series->search.index->asg;
  const uint32_t node = asg->txn_node[txn];
  bool any = false;
  VEC_PUSH (*suspects, txn);
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
    if (asg->read_source[read] != SOURCE_NONE)
      continue;
    any = true;
    if (suspect_writers (series, read, suspects))
      return true;
  }
  suspects->count = 1;
  return !any; // then it is something else
}

// ------------------------------------------------------------------------------------------ series

struct placed {
  double place;
  uint32_t txn;
};

static int by_place (const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  return x->place != y->place ? COMPARE (x->place, y->place) : COMPARE (x->txn, y->txn);
}

// About as they took place: by their begin, or without times as if every session had been as fast
// as it had to be to end with the others.
static uint32_t *order_of_txns (const struct history *h) {
  const uint32_t txns = history_txns (h);
  struct placed *placed = MEM_ARRAY (struct placed, txns);
  for (uint32_t first = 0, end; first < txns; first = end) {
    for (end = first + 1; end < txns && h->txn_sessions.data[end] == h->txn_sessions.data[first];)
      end++;
    for (uint32_t t = first; t < end; t++)
      placed[t] = (struct placed){ h->txn_begin.count ? (double) h->txn_begin.data[t]
                                                      : (double) (t - first) / (double) (end - first),
                                   t };
  }
  SORT (placed, txns, by_place);
  uint32_t *order = MEM_ARRAY (uint32_t, txns);
  for (uint32_t i = 0; i < txns; i++)
    order[i] = placed[i].txn;
  mem_free (placed);
  return order;
}

struct core_series *core_series_new (const struct judge *judge, const struct history *h,
                                     const struct check_options *options) {
  struct core_series *series = mem_zalloc (sizeof *series);
  const struct anomaly any = { .class = CLASS_NONE };
  if (options->module_count || !search_start (&series->search, judge, h, options, any)) {
    mem_free (series);
    return NULL;
  }
  series->unused = MEM_ARRAY (uint8_t, history_txns (h));
  if (history_txns (h))
    memset (series->unused, 1, history_txns (h));
  series->faulty = find_faults (&series->search);
  series->region.txn = MEM_ZARRAY (uint8_t, history_txns (h));
  series->order = order_of_txns (h);
  return series;
}

void core_series_free (struct core_series *series) {
  if (!series)
    return;
  search_end (&series->search);
  MEM_FREE_ALL (series->unused, series->faulty);
  core_mask_free (&series->region);
  MEM_FREE_ALL (series->order, series);
}

bool core_series_is_complete (const struct core_series *series) {
  return series->complete;
}

void core_series_use (struct core_series *series, const struct history *core) {
  txn_vec txns = VEC_EMPTY;
  search_find_txns (&series->search, core, &txns);
  for (size_t i = 0; i < txns.count; i++)
    series->unused[txns.data[i]] = series->region.txn[txns.data[i]] = 0;
  VEC_FREE (txns);
}

// All that is needed is suspected already, as a rule.
static struct history *next_fault (struct core_series *series) {
  enum { MOST = 64 };
  struct history *core = NULL;
  for (; series->next < history_txns (series->search.h) && !core && !search_is_spent (&series->search);
       series->next++) {
    txn_vec suspects = VEC_EMPTY;
    if (series->unused[series->next] && series->faulty[series->next] && suspect_fault (series, series->next, &suspects))
      core = search_around (&series->search, series->unused, &suspects, suspects.count, MOST);
    VEC_FREE (suspects);
  }
  if (core)
    core_series_use (series, core);
  return core;
}

// ----------------------------------------------------------------------------------------- regions

// So many transactions in a row, and whoever they read from.
static void take_window (struct core_series *series, size_t size) {
  const uint32_t *txns;
  txn_vec window = VEC_EMPTY;
  for (size_t i = series->next; i < history_txns (series->search.h) && i < series->next + size; i++)
    if (series->unused[series->order[i]])
      VEC_PUSH (window, series->order[i]);
  struct grower *grower = grower_new (series->search.index, series->unused, window.data, window.count);
  const size_t count = grower_sources (grower, &txns);
  core_mask_keep (&series->region, txns, count);
  grower_free (grower);
  VEC_FREE (window);
}

// False: there is no further one in this phase.
static bool open_region (struct core_series *series) {
  static const size_t sizes[] = { [SMALL_REGIONS] = 64, [LARGE_REGIONS] = 512 };
  const uint32_t txns = history_txns (series->search.h);
  if (series->phase == WHOLE) {
    take_window (series, txns);
    return series->is_open = !series->next++;
  }
  const size_t size = sizes[series->phase];
  if (txns <= size || series->next >= txns)
    return false;
  take_window (series, size);
  series->next += (uint32_t) size / 2;
  return series->is_open = true;
}

static void keep_region (struct core_series *series) {
  txn_vec kept = VEC_EMPTY;
  for (size_t i = 0; i < series->region.kept.count; i++)
    if (series->region.txn[series->region.kept.data[i]])
      VEC_PUSH (kept, series->region.kept.data[i]);
  core_mask_keep (&series->search.mask, kept.data, kept.count);
  VEC_FREE (kept);
}

// NULL: none was found that is minimal.
static struct history *search_region (struct core_series *series, const struct violation *wrong) {
  struct search *s = &series->search;
  txn_vec suspects = VEC_EMPTY;
  search_find_suspects (s, wrong, &suspects);
  const size_t first = suspects.count ? suspects.count : 8;
  struct history *core = search_around (s, series->region.txn, &suspects, first, SIZE_MAX);
  VEC_FREE (suspects);
  if (!search_is_spent (s))
    return core;
  history_free (core);
  return NULL;
}

// Little patience is had as long as there will be a larger region to find it in: one in which many
// reads are left out may be harder than the whole.
static void be_patient (struct core_series *series, struct budget *all, struct budget *some, unsigned times) {
  enum { MOST = 1000000 };
  static const unsigned patience[] = { [SMALL_REGIONS] = 10, [LARGE_REGIONS] = 40, [WHOLE] = 0 };
  const size_t size = series->region.kept.count + 100;
  if (all)
    budget_start_slice (some, all, 0);
  else
    budget_start (some, 0, 0, NULL);
  some->most_calls = times * patience[series->phase] * (unsigned) (size < MOST ? size : MOST);
  series->search.options.budget = some;
}

// NULL: nothing is wrong with the region, or nobody knows.
static struct history *next_in_region (struct core_series *series) {
  enum { TIMES = 50 };
  struct search *s = &series->search;
  struct budget *all = s->options.budget, some;
  keep_region (series);
  struct history *part = core_restrict (s->index, &s->mask), *core = NULL;
  be_patient (series, all, &some, 1);
  struct judgement found = s->judge->decide (part, &s->options);
  series->complete = series->phase == WHOLE && (found.verdict == VERDICT_VALID || !history_has_committed (part));
  be_patient (series, all, &some, TIMES);
  if (found.verdict == VERDICT_INVALID)
    core = search_region (series, found.violation);
  s->options.budget = all;
  violation_free (found.violation);
  history_free (part);
  if (core)
    core_series_use (series, core);
  return core;
}

struct history *core_series_next (struct core_series *series) {
  struct history *core = NULL;
  while (!core && series->phase != OVER && !search_is_spent (&series->search)) {
    const bool faults = series->phase == FAULTS;
    if (faults)
      core = next_fault (series);
    else if (series->is_open)
      core = next_in_region (series);
    if (core || (!faults && open_region (series)))
      continue;
    core_mask_keep (&series->region, NULL, 0);
    series->is_open = false;
    series->next = 0;
    series->phase++;
  }
  return core;
}
