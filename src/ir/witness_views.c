// Views of one step. A reader t3 that reads x from t2 has another installer t1 of x in view: t1
// must come before t2. Of all in view only the one with the latest position matters, and it may be
// t2 itself, so that one number per key that t3 reads will do.
//
//   VIEW_STEPS          in view: what session order, real time or any read of t3 leads from
//   VIEW_EARLIER_READS  in view of a read: what reads of earlier operations of t3 read from

#include "ir/witness_inside.h"

#include "base/search.h"

#include <string.h>

struct views {
  struct check *c;
  uint32_t *reader; // per key: the node whose view `newest` speaks of
  uint32_t *newest; // per key: 1 + the latest position of an installer in view; 0: none but T0
  uint32_t *looked; // per node: the reader that has it in view already
  uint32_t *keys;   // of node_installs

  // With real time only: per key its installs by the end of their transactions.
  uint32_t *ended_end;  // per key: the end of its part, which starts at key_first
  uint32_t *ended_rank; // when, as an index of check.ended
  uint32_t *ended_most; // the latest position up to here, plus 1
};

static uint32_t place_from_1 (const struct check *c, uint32_t node) {
  return (uint32_t) (place (c, node, 0) + 1);
}

static void see (struct views *v, uint32_t key, uint32_t position) {
  if (v->newest[key] < position)
    v->newest[key] = position;
}

// All that `seen` installs and the reader reads; by whichever list is the shorter one.
static void see_transaction (struct views *v, uint32_t reader, uint32_t seen) {
  const struct ir *ir = v->c->ir;
  if (!seen || v->looked[seen] == reader)
    return;
  v->looked[seen] = reader;
  const uint32_t position = place_from_1 (v->c, seen);
  const uint32_t reads = ir->node_first_read[reader + 1] - ir->node_first_read[reader],
                 installs = ir->node_first_install[seen + 1] - ir->node_first_install[seen];
  if (installs / 8 <= reads) {
    for (uint32_t k = ir->node_first_install[seen]; k < ir->node_first_install[seen + 1]; k++) {
      const uint32_t key = v->keys[k];
      if (v->reader[key] == reader && has_install (v->c, ir->node_installs[k]))
        see (v, key, position);
    }
    return;
  }
  for (uint32_t read = ir->node_first_read[reader]; read < ir->node_first_read[reader + 1]; read++) {
    const uint32_t install = ir_install_of (ir, ir->read_key[read], seen);
    if (install != INSTALL_NONE && has_install (v->c, install))
      see (v, ir->read_key[read], position);
  }
}

static void start_view (struct views *v, uint32_t node) {
  const struct ir *ir = v->c->ir;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
    v->reader[ir->read_key[read]] = node;
    v->newest[ir->read_key[read]] = 0;
  }
}

static bool read_is_newest (struct views *v, uint32_t node, uint32_t read) {
  return !has_read (v->c, node, read)
         || v->newest[v->c->ir->read_key[read]] <= place_from_1 (v->c, v->c->read_from[read])
         || witness_wrong (v->c, "a read misses a later version that it has in view");
}

// -------------------------------------------------------------------------------------- VIEW_STEPS

// Walking the ends and giving each transaction's installs to their keys leaves every key's in the
// order of ends.
static void order_ends (struct views *v) {
  const struct check *c = v->c;
  const struct ir *ir = c->ir;
  v->ended_end = MEM_ARRAY (uint32_t, ir->keys);
  v->ended_rank = MEM_ARRAY (uint32_t, ir->installs);
  v->ended_most = MEM_ARRAY (uint32_t, ir->installs);
  if (ir->keys)
    memcpy (v->ended_end, ir->key_first, ir->keys * sizeof *v->ended_end);
  for (uint32_t i = 0; i < c->ended_count; i++) {
    const uint32_t node = c->ended[i].node, position = place_from_1 (c, node);
    for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++) {
      if (!has_install (c, ir->node_installs[k]))
        continue;
      const uint32_t key = v->keys[k], at = v->ended_end[key]++;
      const uint32_t most = at > ir->key_first[key] ? v->ended_most[at - 1] : 0;
      v->ended_rank[at] = i;
      v->ended_most[at] = most > position ? most : position;
    }
  }
}

// What had ended when the reader began.
static void see_ended (struct views *v, uint32_t node, uint32_t key) {
  const uint32_t begin = v->c->ir->key_first[key], before = v->c->ended_before[node];
  const uint32_t first = lower_bound_u32 (v->ended_rank, begin, v->ended_end[key], before);
  if (first > begin)
    see (v, key, v->ended_most[first - 1]);
}

// Session order was checked: of the session's installers so far the last one is the latest.
static void see_session (struct views *v, uint32_t node, uint32_t key) {
  const struct ir *ir = v->c->ir;
  const uint32_t before = ir_session_before (ir, node), first = ir->key_first[key];
  if (before == NODE_NONE)
    return;
  uint32_t behind = upper_bound_u32 (ir->install_node, first, ir->key_first[key + 1], before);
  while (behind > first && ir->install_node[behind - 1] >= ir->chain_first[ir->node_chain[before]]) {
    if (has_install (v->c, --behind)) {
      see (v, key, place_from_1 (v->c, ir->install_node[behind]));
      return;
    }
  }
}

static void see_steps (struct views *v, uint32_t node) {
  const struct check *c = v->c;
  for (uint32_t read = c->ir->node_first_read[node]; read < c->ir->node_first_read[node + 1]; read++) {
    if (!has_read (c, node, read))
      continue;
    see_transaction (v, node, c->read_from[read]);
    if (c->ir->rules.so.used)
      see_session (v, node, c->ir->read_key[read]);
    if (c->ir->rules.rt.used)
      see_ended (v, node, c->ir->read_key[read]);
  }
}

static bool steps_hold (struct views *v, uint32_t node) {
  const struct ir *ir = v->c->ir;
  start_view (v, node);
  see_steps (v, node);
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    if (!read_is_newest (v, node, read))
      return false;
  return true;
}

// ------------------------------------------------------------------------------ VIEW_EARLIER_READS

// The end of the reads that belong to the same operation.
static uint32_t end_of_operation (const struct ir *ir, uint32_t read, uint32_t end) {
  uint32_t next = read + 1;
  while (ir->read_op && next < end && ir->read_op[next] == ir->read_op[read])
    next++;
  return next;
}

static bool earlier_reads_hold (struct views *v, uint32_t node) {
  const struct ir *ir = v->c->ir;
  const uint32_t end = ir->node_first_read[node + 1];
  start_view (v, node);
  for (uint32_t read = ir->node_first_read[node]; read < end;) {
    const uint32_t next = end_of_operation (ir, read, end);
    for (uint32_t r = read; r < next; r++)
      if (!read_is_newest (v, node, r))
        return false;
    for (; read < next; read++)
      see_transaction (v, node, v->c->read_from[read]);
  }
  return true;
}

// ---------------------------------------------------------------------------------------- together

static bool every_view_holds (struct views *v) {
  const struct ir *ir = v->c->ir;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    if (!v->c->w->in[node])
      continue;
    if (ir->rules.view == VIEW_STEPS ? !steps_hold (v, node) : !earlier_reads_hold (v, node))
      return false;
    if (witness_spent (v->c))
      return false;
  }
  return true;
}

static uint32_t *list_keys (const struct check *c) {
  uint32_t *keys = MEM_ARRAY (uint32_t, c->ir->installs);
  for (uint32_t k = 0; k < c->ir->installs; k++)
    keys[k] = c->version[c->ir->node_installs[k]].key;
  return keys;
}

bool ir_witness_views (struct check *c) {
  const struct ir *ir = c->ir;
  if (c->ir->rules.view == VIEW_PATHS)
    return true;
  struct views v = { .c = c };
  v.reader = MEM_ZARRAY (uint32_t, ir->keys);
  v.newest = MEM_ZARRAY (uint32_t, ir->keys);
  v.looked = MEM_ZARRAY (uint32_t, ir->nodes);
  v.keys = list_keys (c);
  if (c->ir->rules.view == VIEW_STEPS && c->ir->rules.rt.used)
    order_ends (&v);
  const bool fine = every_view_holds (&v);
  mem_free (v.reader);
  mem_free (v.newest);
  mem_free (v.looked);
  mem_free (v.keys);
  mem_free (v.ended_end);
  mem_free (v.ended_rank);
  mem_free (v.ended_most);
  return fine;
}
