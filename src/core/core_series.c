// Cores that share no transaction. A read that nothing explains is one by itself, with those who wrote what it read: these are taken first, as they stand. Then
// the rest is checked as a whole, which costs a check for each core; so once that has found a few, a part around each transaction is tried, since where
// there are many violations they are small.

#include "core/core_series.h"

#include "asg/asg.h"
#include "core/core_index.h"
#include "core/core_search.h"
#include "history/history.h"
#include "levels/levels.h"

#include <string.h>

enum phase { FAULTS, WHOLE, AROUND, WHOLE_AGAIN, OVER };

struct core_series {
  struct search search;
  uint8_t *unused; // per transaction: it is in no core so far
  uint8_t *faulty; // per transaction: it read what nothing explains
  enum phase phase;
  uint32_t next; // transaction, while they are gone through
  unsigned found_in_whole;
  bool complete;
};

// ------------------------------------------------------------------------------------------------------------------------ faults

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

// Whoever wrote what the read returned, behind the reader; false: too many, or one of them is used, so that the read cannot be kept.
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
    if (writer != suspects->data[suspects->count - 1]) // whoever stands here more often is met once all the same
      VEC_PUSH (*suspects, writer);
  }
  return true;
}

// The transaction, and all who have to do with one of its faults; false: somebody among them is used.
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

// ------------------------------------------------------------------------------------------------------------------------- series

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
  return series;
}

void core_series_free (struct core_series *series) {
  if (!series)
    return;
  search_end (&series->search);
  mem_free (series->unused);
  mem_free (series->faulty);
  mem_free (series);
}

bool core_series_is_complete (const struct core_series *series) {
  return series->complete;
}

void core_series_use (struct core_series *series, const struct history *core) {
  txn_vec txns = VEC_EMPTY;
  search_find_txns (&series->search, core, &txns);
  for (size_t i = 0; i < txns.count; i++)
    series->unused[txns.data[i]] = 0;
  VEC_FREE (txns);
}

static void keep_unused (struct core_series *series) {
  txn_vec unused = VEC_EMPTY;
  for (uint32_t t = 0; t < history_txns (series->search.h); t++)
    if (series->unused[t])
      VEC_PUSH (unused, t);
  core_mask_keep (&series->search.mask, unused.data, unused.count);
  VEC_FREE (unused);
}

static struct history *take_around (struct core_series *series, const txn_vec *suspects, size_t first, size_t most) {
  struct history *core = search_around (&series->search, series->unused, suspects, first, most);
  if (core)
    core_series_use (series, core);
  return core;
}

// Around each transaction in turn, or each that is faulty: of these, all that is needed is suspected already, as a rule.
static struct history *next_around (struct core_series *series) {
  enum { NEAR = 16, MOST_OF_FAULT = 64 };
  const uint32_t txns = history_txns (series->search.h);
  const bool faults = series->phase == FAULTS;
  struct history *core = NULL;
  for (; series->next < txns && !core && !search_is_spent (&series->search); series->next++) {
    txn_vec suspects = VEC_EMPTY;
    if (!series->unused[series->next] || (faults && !series->faulty[series->next]))
      continue;
    bool worth_it = true;
    if (faults)
      worth_it = suspect_fault (series, series->next, &suspects);
    else
      VEC_PUSH (suspects, series->next);
    if (worth_it)
      core = take_around (series, &suspects, faults ? suspects.count : NEAR, faults ? MOST_OF_FAULT : NEAR + 1);
    VEC_FREE (suspects);
  }
  return core;
}

// Of what is left over as a whole. That it cannot be decided ends the series as well.
static struct history *next_in_whole (struct core_series *series) {
  struct search *s = &series->search;
  keep_unused (series);
  struct history *rest = core_restrict (s->index, &s->mask), *core = NULL;
  struct judgement found = s->judge->decide (rest, &s->options);
  series->complete = found.verdict == VERDICT_VALID || !history_has_committed (rest);
  if (found.verdict == VERDICT_INVALID) {
    txn_vec suspects = VEC_EMPTY;
    search_find_suspects (s, found.violation, &suspects);
    core = take_around (series, &suspects, suspects.count ? suspects.count : 8, SIZE_MAX);
    VEC_FREE (suspects);
  }
  violation_free (found.violation);
  history_free (rest);
  return core;
}

struct history *core_series_next (struct core_series *series) {
  enum { A_FEW = 4 };
  struct history *core = NULL;
  while (!core && series->phase != OVER && !search_is_spent (&series->search)) {
    const bool around = series->phase == FAULTS || series->phase == AROUND;
    core = around ? next_around (series) : next_in_whole (series);
    series->found_in_whole += core && !around;
    const bool enough = series->phase == WHOLE && series->found_in_whole == A_FEW;
    if (core && !enough)
      continue;
    series->next = 0;
    series->phase = around || enough ? series->phase + 1 : OVER;
  }
  return core;
}
