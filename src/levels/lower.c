// From the abstract semantic graph to the IR of a level: its rules, what they mean for single
// reads, and real time as a chain of time points, so that its edges cost O(n).

#include "levels/lower.h"

#include "asg/asg.h"
#include "base/search.h"
#include "base/sort.h"
#include "history/history.h"
#include "ir/builder.h"
#include "levels/levels.h"
#include "levels/probable_order.h"

#include <string.h>

_Static_assert(ABSENT + 0 == VALUE_ABSENT + 0, "absent is absent");
_Static_assert(INITIAL_OPEN + 0 == VALUE_UNRECORDED + 0, "an initial value that was not recorded is open");

// --------------------------------------------------------------------------------------- real time

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

  // A slot for each number of ends that some begin sees; slot_of[k] = slot that stands for "the
  // first k ends".
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
  MEM_FREE_ALL (covering, slot_of, ends);
}

// ----------------------------------------------------------------------------------------- columns

static void borrow_columns (struct ir *ir, const struct asg *asg) {
  ir_borrow (ir, &asg->columns, asg->choices.data, asg->choices.count);
  ir->orders = asg->orders.data;
  ir->order_count = (uint32_t) asg->orders.count;
  ir->implied = asg->implied.data;
  ir->implied_count = (uint32_t) asg->implied.count;
  ir->deletes_settled = asg->settled;
  ir->history = asg->history;
  ir->threads = asg->options.threads;
}

// Unknown transactions, then deletes without a recorded result.
static void lower_presences (struct ir *ir, const struct asg *asg) {
  const uint32_t deletes = (uint32_t) asg->unrecorded.count;
  if (!asg->optionals && !deletes)
    return;
  ir->node_presence = MEM_ZARRAY (uint32_t, asg->nodes);
  for (uint32_t node = 1; node < asg->nodes; node++)
    if (asg->optional[node])
      ir->node_presence[node] =
        if_so (ir_add_presence (ir, (struct presence){ .kind = PRESENCE_IN, .node = node, .install = INSTALL_NONE }));
  for (size_t i = 0; i < asg->forced.count; i++)
    VEC_PUSH (ir->holds, ir->node_presence[asg->forced.data[i]]);
  for (uint32_t d = 0; d < deletes; d++) {
    const struct unrecorded_delete *unrecorded = &asg->unrecorded.data[d];
    ir_add_presence (ir, (struct presence){ PRESENCE_WROTE, unrecorded->node, unrecorded->key, unrecorded->install });
  }
  ir->install_presence = MEM_ARRAY (uint32_t, asg->installs);
  for (uint32_t i = 0; i < asg->installs; i++) {
    const uint32_t unrecorded = asg_install_unrecorded (asg, i);
    ir->install_presence[i] =
      unrecorded == UNRECORDED_NONE ? ir->node_presence[asg->install_node[i]] : if_so (ir->first_delete + unrecorded);
  }
  if (!asg->read_unrecorded)
    return;
  ir->read_presence = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t read = 0; read < asg->reads; read++)
    ir->read_presence[read] =
      asg->read_unrecorded[read] == UNRECORDED_NONE ? ALWAYS : unless (ir->first_delete + asg->read_unrecorded[read]);
}

uint32_t mark_if_wrote (const struct read_marks *marks, uint32_t unrecorded) {
  return if_so (marks->ir->first_delete + unrecorded);
}

uint32_t mark_if_writes (struct read_marks *marks, uint32_t node) {
  const struct presence presence = { .kind = PRESENCE_WRITES, .node = node, .install = INSTALL_NONE };
  return if_so (ir_add_presence (marks->ir, presence));
}

// What the anti-dependencies of single reads mean, where that is not the same for all.
static void lower_reads (struct ir *ir, const struct asg *asg, const struct level *level) {
  const bool free_predicates = level->traits.predicates_free && asg->predicates;
  ir->marks_reads = level->traits.mark_reads;
  if (ir->marks_reads || free_predicates) {
    ir->read_anti = MEM_ARRAY (uint8_t, asg->reads);
    memset (ir->read_anti, level->rules.anti, asg->reads);
  }
  if (ir->marks_reads && asg->unrecorded.count) {
    ir->read_when = MEM_ARRAY (uint32_t, asg->reads);
    for (uint32_t read = 0; read < asg->reads; read++)
      ir->read_when[read] = NEVER;
  }
  if (ir->marks_reads)
    level->traits.mark_reads (asg, &(struct read_marks){ ir->read_anti, ir->read_when, ir });
  for (uint32_t read = 0; free_predicates && read < asg->reads; read++)
    if (asg->read_flags[read] & READ_PREDICATE)
      ir->read_anti[read] = ANTI_NONE;
}

struct ir *lower_asg (struct asg *asg, const struct level *level, int64_t clock_skew) {
  const char *problem = level_problem (level);
  if (problem)
    misuse (level->name, problem);
  struct ir *ir = ir_new (&level->rules, level->name);
  ir->level = level;
  ir->asg = asg;
  borrow_columns (ir, asg);
  lower_presences (ir, asg);
  lower_reads (ir, asg, level);
  // with excuses no order would give what was read
  ir->serial = ir_asks_for_serial (ir) && !asg->excused.reads && !asg->excused.vague && !asg->excused.elements;
  if (level->rules.rt.used)
    lower_real_time (ir, clock_skew);
  probable_order (ir);
  return ir;
}

// ------------------------------------------------------------------------------ with what is given

static void release_asg (void *asg) {
  asg_free (asg);
}

void lower_names (struct ir *ir) {
  if (ir->node_id)
    return;
  ir->node_id = MEM_ZARRAY (uint64_t, ir->nodes);
  for (uint32_t node = 1; node < ir->nodes; node++)
    ir->node_id[node] = ir->history->txn_ids.data[ir->node_txn[node]];
}

struct ir *lower (struct asg *asg, const struct level *level, const struct given *given, int64_t clock_skew) {
  // Where reads say nothing nobody must have been read, and unknown transactions are left out. To
  // keep them, lists would have to tell there how their elements stand to each other if some of
  // them are missing, and which readers exclude each other.
  struct asg *there = asg->optionals && !level->rules.wr.used ? asg_without_unknown (asg) : asg;
  // To have written is never worse for the level, but may be for a module that asks who read from
  // whom, and facts of hints may ask for a delete that wrote nothing; and one whose read would be
  // excused asks for less if it did not.
  const bool collapse = there->unrecorded.count && level->traits.deletes_write && !there->hint_facts
                        && !there->excused.unrecorded && !constraints_speak_of_reads (given->constraints);
  struct asg *settled = collapse ? asg_settle (there) : there;
  struct asg *chained = level->rules.so.used ? settled : asg_rechain (settled, level->rules.wr.used);
  struct ir *ir = lower_asg (chained, level, clock_skew);
  if (chained != asg)
    ir_lent_by (ir, chained, release_asg);
  if (settled != there && settled != chained)
    asg_free (settled);
  if (there != asg && there != chained)
    asg_free (there);
  ir->edges_are_program_order = given->program_order;
  for (size_t i = 0; i < given->edge_count; i++)
    VEC_PUSH (ir->edges,
              (struct ir_edge){ chained->txn_node[given->edges[i].from], chained->txn_node[given->edges[i].to] });
  ir_constrain (ir, lower_constraints (given->constraints, asg, chained, level));
  if (LOG_IS_COMPILED_IN)
    lower_names (ir);
  return ir;
}
