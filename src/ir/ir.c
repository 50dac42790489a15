// Lowering is short because the ASG did the work: what is left is real time, as a chain of time points, so that its edges cost O(n).

#include "ir/ir.h"

#include "base/search.h"
#include "base/sort.h"
#include "hints/hints.h"
#include "history/history.h"

const char *edge_kind_name (enum edge_kind kind) {
  static const char *const names[EDGE_KINDS] = { "so", "rt", "ww", "wr", "rw", "given" };
  return (unsigned) kind < EDGE_KINDS ? names[kind] : "?";
}

// How many of the sorted ends lie more than `skew` before `begin`.
static uint32_t ends_before (const int64_t *ends, uint32_t count, int64_t begin, int64_t skew) {
  if (begin == TIME_NONE_BEGIN)
    return 0;
  int64_t limit;
  if (__builtin_sub_overflow (begin, skew, &limit))
    return 0;
  uint32_t low = 0;
  LOWER_BOUND (low, count, middle, ends[middle] < limit);
  return low;
}

static void lower_real_time (struct ir *ir, int64_t skew) {
  const struct asg *asg = ir->asg;
  const struct history *h = asg->history;
  int64_t *ends = MEM_ARRAY (int64_t, asg->nodes);
  uint32_t count = 0;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const int64_t end = history_end_time (h, asg->node_txn[node]);
    if (!asg->optional[node] && end != TIME_NONE_END)
      ends[count++] = end;
  }
  SORT (ends, count, by_i64);

  // A slot for each number of ends that some begin sees; slot_of[k] = slot that stands for "the first k ends".
  uint32_t *slot_of = MEM_ZARRAY (uint32_t, (size_t) count + 1);
  for (uint32_t node = 1; node < asg->nodes; node++)
    slot_of[ends_before (ends, count, history_begin_time (h, asg->node_txn[node]), skew)] = 1;
  slot_of[0] = 0;
  uint32_t slots = 0;
  for (uint32_t k = 1; k <= count; k++)
    slot_of[k] = slot_of[k] ? slots++ : SLOT_NONE;
  ir->slots = slots;

  // The first slot that covers at least k ends.
  uint32_t *covering = MEM_ARRAY (uint32_t, (size_t) count + 1);
  uint32_t next = SLOT_NONE;
  for (uint32_t k = count; k >= 1; k--) {
    if (slot_of[k] != SLOT_NONE)
      next = slot_of[k];
    covering[k] = next;
  }

  ir->time_before = MEM_ARRAY (uint32_t, asg->nodes);
  ir->time_after = MEM_ARRAY (uint32_t, asg->nodes);
  ir->time_before[0] = ir->time_after[0] = SLOT_NONE;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t seen = ends_before (ends, count, history_begin_time (h, asg->node_txn[node]), skew);
    ir->time_before[node] = seen ? slot_of[seen] : SLOT_NONE;
    ir->time_after[node] = SLOT_NONE;
    const int64_t end = history_end_time (h, asg->node_txn[node]);
    if (asg->optional[node] || end == TIME_NONE_END)
      continue;
    // All ends equal to this one come into view together: count those not above it.
    uint32_t low = 0;
    LOWER_BOUND (low, count, middle, ends[middle] <= end);
    ir->time_after[node] = covering[low];
  }
  mem_free (covering);
  mem_free (slot_of);
  mem_free (ends);
}

static int64_t probable_time (const struct history *h, uint32_t txn) {
  const int64_t end = history_end_time (h, txn), begin = history_begin_time (h, txn);
  return end != TIME_NONE_END && h->txn_status.data[txn] == TXN_COMMITTED ? end : begin;
}

static bool all_timed (const struct asg *asg) {
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (probable_time (asg->history, asg->node_txn[node]) == TIME_NONE_BEGIN)
      return false;
  return asg->history->txn_begin.count || asg->history->txn_end.count;
}

struct timed_node {
  int64_t time;
  uint32_t node;
};

static int by_probable_time (const void *a, const void *b) {
  const struct timed_node *x = a, *y = b;
  return x->time != y->time ? COMPARE (x->time, y->time) : COMPARE (x->node, y->node);
}

static bool has_commit_ts (const struct asg *asg, uint32_t node) {
  return asg->hints->has_commit_ts[asg->node_txn[node]];
}

static bool all_have_commit_ts (const struct asg *asg) {
  if (!asg->hints || !asg->hints->commit_ts)
    return false;
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (!asg->optional[node] && !has_commit_ts (asg, node))
      return false;
  return true;
}

// Nobody knows where an unknown transaction without a timestamp belongs: at the end.
static int64_t hinted_time (const struct asg *asg, uint32_t node) {
  return has_commit_ts (asg, node) ? asg->hints->commit_ts[asg->node_txn[node]] : INT64_MAX;
}

static void hint_by_times (struct ir *ir, bool commit_ts) {
  const struct asg *asg = ir->asg;
  struct timed_node *nodes = MEM_ARRAY (struct timed_node, asg->nodes);
  for (uint32_t node = 1; node < asg->nodes; node++)
    nodes[node] =
      (struct timed_node){ commit_ts ? hinted_time (asg, node) : probable_time (asg->history, asg->node_txn[node]),
                           node };
  SORT (nodes + 1, asg->nodes - 1, by_probable_time);
  for (uint32_t i = 1; i < asg->nodes; i++)
    ir->hint[nodes[i].node] = i;
  mem_free (nodes);
}

static void hint_by_sessions (struct ir *ir) {
  const struct asg *asg = ir->asg;
  const struct history *h = asg->history;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const uint32_t txn = asg->node_txn[node], session = h->txn_sessions.data[txn];
    const uint64_t first = h->session_first.data[session], end = h->session_first.data[session + 1];
    ir->hint[node] = (uint32_t) (((txn - first) * (uint64_t) UINT32_MAX) / (end - first));
  }
}

struct ir *ir_lower (struct asg *asg, const struct level *level, int64_t clock_skew) {
  const char *problem = level_problem (level);
  if (problem)
    misuse (level->name, problem);
  struct ir *ir = mem_zalloc (sizeof *ir);
  ir->level = level;
  ir->asg = asg;
  ir->chains_are_sessions = level->so.used;
  ir->clock_skew = clock_skew;
  if (level->rt.used)
    lower_real_time (ir, clock_skew);
  ir->hint = MEM_ZARRAY (uint32_t, asg->nodes);
  const bool commit_ts = all_have_commit_ts (asg);
  if (commit_ts || all_timed (asg))
    hint_by_times (ir, commit_ts);
  else
    hint_by_sessions (ir);
  return ir;
}

void ir_free (struct ir *ir) {
  if (!ir)
    return;
  mem_free (ir->time_before);
  mem_free (ir->time_after);
  mem_free (ir->hint);
  VEC_FREE (ir->edges);
  VEC_FREE (ir->edge_module);
  demands_free (ir->demands);
  if (ir->owns_asg)
    asg_free (ir->asg);
  history_free (ir->history);
  mem_free (ir);
}

void ir_demand (struct ir *ir, struct demands *demands) {
  ir->demands = demands;
  for (size_t i = 0; demands && i < demands->list.count; i++) {
    const struct demand *demand = &demands->list.data[i];
    const struct demand_alternative *only = &demands->alternatives.data[demand->first_alternative];
    for (uint32_t k = 0; demand->known && k < only->edges; k++) {
      VEC_PUSH (ir->edges, demands->edges.data[only->first_edge + k]);
      VEC_PUSH (ir->edge_module, demand->module);
    }
  }
}

const char *ir_edge_module (const struct ir *ir, uint32_t edge) {
  const size_t others = ir->edges.count - ir->edge_module.count;
  if (edge >= ir->edges.count || edge < others)
    return NULL;
  return ir->demands->modules.data[ir->edge_module.data[edge - others]];
}

uint64_t ir_superpositions (const struct ir *ir) {
  const struct asg *asg = ir->asg;
  uint64_t total = asg->choices.count;
  for (uint32_t key = 0; key < asg->keys; key++) {
    const uint64_t writers = asg->key_first[key + 1] - asg->key_first[key];
    total += writers * (writers - (writers != 0)) / 2;
  }
  return total;
}
