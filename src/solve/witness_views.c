// Views of one step. A reader t3 that reads x from t2 has another installer t1 of x in view: t1
// must come before t2. Of all in view only the one with the latest position matters, and it may be
// t2 itself, so that one number per key that t3 reads will do.
//
//   VIEW_STEPS          in view: what session order, real time or any read of t3 leads from
//   VIEW_EARLIER_READS  in view of a read: what reads of earlier operations of t3 read from

#include "solve/witness_inside.h"

#include "base/search.h"

#include <string.h>

struct views {
  struct check *c;
  uint32_t *reader;   // per key: the node whose view `newest` speaks of
  uint32_t *newest;   // per key: 1 + the latest position of an installer in view; 0: none but T0
  uint32_t *looked;   // per node: the reader that has it in view already
  uint32_t *keys;     // of node_installs
  uint32_t *session;  // per key: 1 + the session that `previous` speaks of; with session order only
  uint32_t *previous; // per key: the session's last committed installer so far

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
  const struct asg *asg = v->c->asg;
  if (!seen || v->looked[seen] == reader)
    return;
  v->looked[seen] = reader;
  const uint32_t position = place_from_1 (v->c, seen);
  const uint32_t reads = asg->node_first_read[reader + 1] - asg->node_first_read[reader],
                 installs = asg->node_first_install[seen + 1] - asg->node_first_install[seen];
  if (installs / 8 <= reads) {
    for (uint32_t k = asg->node_first_install[seen]; k < asg->node_first_install[seen + 1]; k++) {
      const uint32_t key = v->keys[k];
      if (v->reader[key] == reader)
        see (v, key, position);
    }
    return;
  }
  for (uint32_t read = asg->node_first_read[reader]; read < asg->node_first_read[reader + 1]; read++)
    if (asg_install_of (asg, asg->read_key[read], seen) != UINT32_MAX)
      see (v, asg->read_key[read], position);
}

static void start_view (struct views *v, uint32_t node) {
  const struct asg *asg = v->c->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
    v->reader[asg->read_key[read]] = node;
    v->newest[asg->read_key[read]] = 0;
  }
}

static bool read_is_newest (struct views *v, uint32_t read) {
  return v->newest[v->c->asg->read_key[read]] <= place_from_1 (v->c, v->c->read_from[read])
         || witness_wrong (v->c, "a read misses a later version that it has in view");
}

// -------------------------------------------------------------------------------------- VIEW_STEPS

// Walking the ends and giving each transaction's installs to their keys leaves every key's in the
// order of ends.
static void order_ends (struct views *v) {
  const struct check *c = v->c;
  const struct asg *asg = c->asg;
  v->ended_end = MEM_ARRAY (uint32_t, asg->keys);
  v->ended_rank = MEM_ARRAY (uint32_t, asg->installs);
  v->ended_most = MEM_ARRAY (uint32_t, asg->installs);
  if (asg->keys)
    memcpy (v->ended_end, asg->key_first, asg->keys * sizeof *v->ended_end);
  for (uint32_t i = 0; i < c->ended_count; i++) {
    const uint32_t node = c->ended[i].node, position = place_from_1 (c, node);
    for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++) {
      const uint32_t key = v->keys[k], at = v->ended_end[key]++;
      const uint32_t most = at > asg->key_first[key] ? v->ended_most[at - 1] : 0;
      v->ended_rank[at] = i;
      v->ended_most[at] = most > position ? most : position;
    }
  }
}

// What had ended when the reader began.
static void see_ended (struct views *v, uint32_t node, uint32_t key) {
  const uint32_t begin = v->c->asg->key_first[key], before = v->c->ended_before[node];
  const uint32_t first = lower_bound_u32 (v->ended_rank, begin, v->ended_end[key], before);
  if (first > begin)
    see (v, key, v->ended_most[first - 1]);
}

// Session order was checked: of the session's installers so far the last one is the latest.
static void see_steps (struct views *v, uint32_t node, uint32_t session) {
  const struct check *c = v->c;
  for (uint32_t read = c->asg->node_first_read[node]; read < c->asg->node_first_read[node + 1]; read++) {
    const uint32_t key = c->asg->read_key[read];
    see_transaction (v, node, c->read_from[read]);
    if (c->level->rules.so.used && v->session[key] == session + 1)
      see (v, key, place_from_1 (c, v->previous[key]));
    if (c->level->rules.rt.used)
      see_ended (v, node, key);
  }
}

static void leave_to_session (struct views *v, uint32_t node, uint32_t session) {
  const struct asg *asg = v->c->asg;
  if (!v->c->level->rules.so.used || !is_committed (asg, node))
    return;
  for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++) {
    const uint32_t key = v->keys[k];
    v->session[key] = session + 1;
    v->previous[key] = node;
  }
}

static bool steps_hold (struct views *v, uint32_t node, uint32_t session) {
  const struct asg *asg = v->c->asg;
  start_view (v, node);
  see_steps (v, node, session);
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (!read_is_newest (v, read))
      return false;
  leave_to_session (v, node, session);
  return true;
}

// ------------------------------------------------------------------------------ VIEW_EARLIER_READS

// The end of the reads that belong to the same operation.
static uint32_t end_of_operation (const struct asg *asg, uint32_t read, uint32_t end) {
  uint32_t next = read + 1;
  while (asg->read_op && next < end && asg->read_op[next] == asg->read_op[read])
    next++;
  return next;
}

static bool earlier_reads_hold (struct views *v, uint32_t node) {
  const struct asg *asg = v->c->asg;
  const uint32_t end = asg->node_first_read[node + 1];
  start_view (v, node);
  for (uint32_t read = asg->node_first_read[node]; read < end;) {
    const uint32_t next = end_of_operation (asg, read, end);
    for (uint32_t r = read; r < next; r++)
      if (!read_is_newest (v, r))
        return false;
    for (; read < next; read++)
      see_transaction (v, node, v->c->read_from[read]);
  }
  return true;
}

// ---------------------------------------------------------------------------------------- together

static bool every_view_holds (struct views *v) {
  const struct asg *asg = v->c->asg;
  const struct history *h = asg->history;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    const uint32_t node = asg->txn_node[t];
    if (node == NODE_NONE || !v->c->w->in[node])
      continue;
    if (v->c->level->rules.view == VIEW_STEPS ? !steps_hold (v, node, h->txn_sessions.data[t])
                                              : !earlier_reads_hold (v, node))
      return false;
    if (witness_spent (v->c))
      return false;
  }
  return true;
}

static uint32_t *list_keys (const struct check *c) {
  uint32_t *keys = MEM_ARRAY (uint32_t, c->asg->installs);
  for (uint32_t k = 0; k < c->asg->installs; k++)
    keys[k] = c->version[c->asg->node_installs[k]].key;
  return keys;
}

bool witness_views (struct check *c) {
  const struct asg *asg = c->asg;
  if (c->level->rules.view == VIEW_PATHS)
    return true;
  struct views v = { .c = c };
  v.reader = MEM_ZARRAY (uint32_t, asg->keys);
  v.newest = MEM_ZARRAY (uint32_t, asg->keys);
  v.looked = MEM_ZARRAY (uint32_t, asg->nodes);
  v.keys = list_keys (c);
  v.session = MEM_ZARRAY (uint32_t, asg->keys);
  v.previous = MEM_ZARRAY (uint32_t, asg->keys);
  if (c->level->rules.view == VIEW_STEPS && c->level->rules.rt.used)
    order_ends (&v);
  const bool fine = every_view_holds (&v);
  mem_free (v.reader);
  mem_free (v.newest);
  mem_free (v.looked);
  mem_free (v.keys);
  mem_free (v.session);
  mem_free (v.previous);
  mem_free (v.ended_end);
  mem_free (v.ended_rank);
  mem_free (v.ended_most);
  return fine;
}
