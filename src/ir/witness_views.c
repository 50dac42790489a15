// Views of one step. A reader t3 that reads x from t2 has another installer t1 of x in view: t1
// must come before t2. Of all in view only the one with the latest place matters, and it may be t2
// itself, so that one number per key that t3 reads will do.
//
//   VIEW_STEPS          in view: what session order, real time or any read of t3 leads from
//   VIEW_EARLIER_READS  in view of a read: what reads of earlier operations of t3 read from

#include "ir/witness_inside.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

static const char missed[] = "a read misses a later version that it has in view";

struct views {
  struct check *c;
  uint32_t *reader; // per key: the node whose view `newest` speaks of
  uint32_t *newest; // per key: the latest place of an installer in view; 0: none but T0
  uint32_t *looked; // per node: the reader that has it in view already
};

static void see (struct views *v, uint32_t key, uint32_t install) {
  const uint32_t place =
    install == INSTALL_NONE || !has_install (v->c, install) ? 0 : place_of (v->c, v->c->ir->install_node[install], 0);
  v->newest[key] = place > v->newest[key] ? place : v->newest[key];
}

// All that the source of a read installs and the reader reads; by whichever list is the shorter
// one.
static void see_source (struct views *v, uint32_t reader, uint32_t source) {
  const struct ir *ir = v->c->ir;
  const uint32_t seen = source == SOURCE_NONE ? 0 : ir_writer_of (ir, source);
  if (!seen || v->looked[seen] == reader)
    return;
  v->looked[seen] = reader;
  const uint32_t first = ir->node_first_install[seen], end = ir->node_first_install[seen + 1];
  const uint32_t first_read = ir->node_first_read[reader], end_read = ir->node_first_read[reader + 1];
  for (uint32_t k = first; k < end && end - first <= end_read - first_read; k++) {
    const uint32_t key = group_of_place (ir->key_first, ir->keys, ir->node_installs[k]);
    if (v->reader[key] == reader)
      see (v, key, ir->node_installs[k]);
  }
  for (uint32_t read = first_read; read < end_read && end - first > end_read - first_read; read++)
    see (v, ir->read_key[read], ir_install_of (ir, ir->read_key[read], seen));
}

// Session order was checked: of the session's installers so far the last one is the latest.
static void see_session (struct views *v, uint32_t node, uint32_t key) {
  const struct ir *ir = v->c->ir;
  const uint32_t before = ir->rules.so.used ? ir_session_before (ir, node) : NODE_NONE, first = ir->key_first[key];
  if (before == NODE_NONE)
    return;
  uint32_t behind = upper_bound_u32 (ir->install_node, first, ir->key_first[key + 1], before);
  while (behind > first && !has_install (v->c, behind - 1))
    behind--;
  if (behind > first && ir->install_node[behind - 1] >= ir->chain_first[ir->node_chain[before]])
    see (v, key, behind - 1);
}

static bool read_is_newest (struct views *v, uint32_t read) {
  const struct check *c = v->c;
  return c->source[read] == SOURCE_NONE
         || v->newest[c->ir->read_key[read]] <= place_of (c, ir_writer_of (c->ir, c->source[read]), 0)
         || witness_wrong (v->c, missed);
}

// The end of the reads that belong to the same operation.
static uint32_t end_of_operation (const struct ir *ir, uint32_t read, uint32_t end) {
  uint32_t next = read + 1;
  while (next < end && ir->read_op[next] == ir->read_op[read])
    next++;
  return next;
}

static bool view_holds (struct views *v, uint32_t node) {
  const struct ir *ir = v->c->ir;
  const bool steps = ir->rules.view == VIEW_STEPS;
  const uint32_t end = ir->node_first_read[node + 1];
  for (uint32_t read = ir->node_first_read[node]; read < end; read++) {
    v->reader[ir->read_key[read]] = node;
    v->newest[ir->read_key[read]] = 0;
  }
  for (uint32_t read = ir->node_first_read[node]; steps && read < end; read++) {
    see_source (v, node, v->c->source[read]);
    see_session (v, node, ir->read_key[read]);
  }
  for (uint32_t read = ir->node_first_read[node]; read < end;) {
    const uint32_t next = steps ? read + 1 : end_of_operation (ir, read, end);
    for (uint32_t r = read; r < next; r++)
      if (!read_is_newest (v, r))
        return false;
    for (; read < next; read++)
      see_source (v, node, v->c->source[read]);
  }
  return !witness_spent (v->c);
}

// --------------------------------------------------------------------------------------- real time

// A transaction that ended in a time slot, or began after one. Sorted by slot, ends first.
struct moment {
  uint32_t slot, node; // twice the slot, plus 1 for a begin
};

static bool moment_holds (struct views *v, const struct moment *moment) {
  const struct ir *ir = v->c->ir;
  const uint32_t node = moment->node;
  if (moment->slot & 1)
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (!read_is_newest (v, read))
        return false;
  for (uint32_t k = ir->node_first_install[node]; !(moment->slot & 1) && k < ir->node_first_install[node + 1]; k++)
    see (v, group_of_place (ir->key_first, ir->keys, ir->node_installs[k]), ir->node_installs[k]);
  return !witness_spent (v->c);
}

// Slot by slot: what had ended is in view of whoever began then.
static bool times_hold (struct views *v) {
  const struct ir *ir = v->c->ir;
  VEC (struct moment) moments = VEC_EMPTY;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    if (v->c->w->in[node] && ir->time_after[node] != SLOT_NONE)
      VEC_PUSH (moments, (struct moment){ 2 * ir->time_after[node], node });
    if (v->c->w->in[node] && ir->time_before[node] != SLOT_NONE)
      VEC_PUSH (moments, (struct moment){ 2 * ir->time_before[node] + 1, node });
  }
  VEC_SORT (moments, by_u32_pair);
  for (uint32_t key = 0; key < ir->keys; key++)
    v->newest[key] = 0;
  bool fine = true;
  for (size_t i = 0; fine && i < moments.count; i++)
    fine = moment_holds (v, &moments.data[i]);
  VEC_FREE (moments);
  return fine;
}

bool ir_witness_views (struct check *c) {
  const struct ir *ir = c->ir;
  if (ir->rules.view == VIEW_PATHS)
    return true;
  struct views v = { .c = c,
                     .reader = MEM_ZARRAY (uint32_t, ir->keys),
                     .newest = MEM_ZARRAY (uint32_t, ir->keys),
                     .looked = MEM_ZARRAY (uint32_t, ir->nodes) };
  bool fine = true;
  for (uint32_t node = 1; fine && node < ir->nodes; node++)
    fine = !c->w->in[node] || view_holds (&v, node);
  fine = fine && (ir->rules.view != VIEW_STEPS || !ir->rules.rt.used || times_hold (&v));
  MEM_FREE_ALL (v.reader, v.newest, v.looked);
  return fine;
}
