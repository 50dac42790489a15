// Writing down a part of a history so that it demands nothing that the whole does not demand. A
// part costs what it holds: it is found out operation by operation whether what one rests on is
// still there, and the search for somebody who is not ends with the first.

#include "core/core_index.h"

#include "asg/asg.h"
#include "base/error.h"
#include "base/search.h"

// -------------------------------------------------------------------------------------- what stays

// Where it matters when a version was written, it is written by the last write of its key or not at
// all: an earlier one in its place would be seen too soon.
static bool keeps_version_of (const struct restriction *r, uint32_t op) {
  const uint32_t node = r->asg->txn_node[history_txn_of_op (r->h, op)];
  if (!r->index->tells_events || node == NODE_NONE || effects_value_written (r->h, op) == VALUE_NONE)
    return true;
  const uint32_t install = asg_install_of (r->asg, r->h->op_keys.data[op], node);
  return install == INSTALL_NONE || r->mask->op[r->asg->install_last_op[install]];
}

bool core_keeps_op (const struct restriction *r, uint32_t op) {
  return r->mask->op[op] && r->mask->txn[history_txn_of_op (r->h, op)] && keeps_version_of (r, op);
}

bool core_keeps_install (const struct restriction *r, uint32_t install) {
  const struct asg *asg = r->asg;
  return r->mask->txn[asg->node_txn[asg->install_node[install]]] && r->mask->op[asg->install_last_op[install]]
         && !(r->index->install_gone && r->index->install_gone[install]);
}

// Every candidate, certain or not, is still there.
static bool keeps_candidates (const struct restriction *r, uint32_t node, uint32_t read) {
  const struct asg *asg = r->asg;
  const struct choice *choice = &asg->choices.data[asg->read_source[read] & ~SOURCE_MANY];
  for (uint32_t k = choice->first; k < choice->last; k++)
    if (asg->install_node[asg->value_installs[k]] != node && !core_keeps_install (r, asg->value_installs[k]))
      return false;
  const uint32_t key = asg->read_key[read];
  const bool other = asg_read_flags (asg, read) & READ_OTHER;
  for (uint32_t i = asg->key_first[key]; other && i < asg->key_first[key + 1]; i++)
    if (asg->install_node[i] != node && asg_accepts (asg, read, asg->install_value[i]) && !core_keeps_install (r, i))
      return false;
  return true;
}

// The transaction's last write of the key that the operation writes.
static uint32_t last_write_from (const struct history *h, uint32_t op) {
  uint32_t last = op;
  for (uint32_t next = op + 1; next < h->txn_first_op.data[history_txn_of_op (h, op) + 1]; next++)
    if (h->op_keys.data[next] == h->op_keys.data[op] && effects_value_written (h, next) != VALUE_NONE)
      last = next;
  return last;
}

// Nobody can have been the source; but whoever wrote it all the same, and aborted, or overwrote it,
// or cannot have taken place, or is the reader itself, is still there. Without them it would be
// another anomaly.
static bool keeps_writers (const struct restriction *r, uint32_t read) {
  const struct asg *asg = r->asg;
  const bool several = asg_read_flags (asg, read) & READ_SEVERAL;
  const struct core_writes all = several ? core_writes_of_key (r->index, asg->read_key[read])
                                         : core_writes_of_value (r->index, asg->read_key[read], asg->read_value[read]);
  for (uint32_t i = all.first; i < all.last; i++) {
    const uint32_t op = r->index->writes[i];
    if (asg_accepts (asg, read, effects_value_written (r->h, op))
        && !(core_keeps_op (r, op) && core_keeps_op (r, last_write_from (r->h, op))))
      return false;
  }
  return true;
}

static bool keeps_sources (const struct restriction *r, uint32_t node, uint32_t read) {
  const uint32_t source = r->asg->read_source[read];
  if (source < SOURCE_MANY)
    return core_keeps_install (r, source);
  if (source_is_many (source))
    return keeps_candidates (r, node, read);
  return source != SOURCE_NONE || keeps_writers (r, read);
}

// Where only the last read of a key before its first write guards that write, a part without it
// must not put an earlier one into its place. One that nothing explains guards nothing, and is as
// wrong there.
static bool would_become_last (const struct restriction *r, uint32_t node, uint32_t read) {
  const struct asg *asg = r->asg;
  const uint32_t own = r->index->last_read_counts ? asg_install_of (asg, asg->read_key[read], node) : INSTALL_NONE;
  if (own == INSTALL_NONE || asg->read_source[read] == SOURCE_NONE)
    return false;
  for (uint32_t later = read + 1; later < asg->node_first_read[node + 1]; later++)
    if (asg->read_key[later] == asg->read_key[read] && asg->read_op[later] <= asg->install_first_op[own])
      return !r->mask->op[asg->read_op[later]] || !core_keeps_read (r, node, later);
  return false;
}

bool core_keeps_read (const struct restriction *r, uint32_t node, uint32_t read) {
  if (would_become_last (r, node, read) || (r->index->is_rewritten && !keeps_writers (r, read)))
    return false;
  const uint32_t unrecorded = asg_read_unrecorded (r->asg, read);
  if (unrecorded != UNRECORDED_NONE) {
    const struct unrecorded_delete *d = &r->asg->unrecorded.data[unrecorded];
    if (!core_keeps_op (r, d->op) || (d->install != INSTALL_NONE && !core_keeps_install (r, d->install)))
      return false;
  }
  return keeps_sources (r, node, read);
}

// An unrecorded delete whose other side could have to do with what is left out is taken out itself,
// which may take away another one's candidate.
static void take_out_unrecorded (struct restriction *r) {
  const struct asg *asg = r->asg;
  for (bool changed = asg->unrecorded.count; changed;) {
    changed = false;
    for (size_t i = 0; i < r->mask->kept.count; i++) {
      const uint32_t node = asg->txn_node[r->mask->kept.data[i]];
      for (uint32_t read = node == NODE_NONE ? 0 : asg->node_first_read[node];
           node != NODE_NONE && read < asg->node_first_read[node + 1]; read++) {
        const uint32_t unrecorded = asg_read_unrecorded (asg, read);
        const uint32_t install =
          unrecorded == UNRECORDED_NONE ? INSTALL_NONE : asg->unrecorded.data[unrecorded].install;
        if (install == INSTALL_NONE || !core_keeps_install (r, install) || core_keeps_read (r, node, read))
          continue;
        r->index->install_gone[install] = 1;
        VEC_PUSH (r->installs_gone, install);
        changed = true;
      }
    }
  }
}

struct core_writes core_reads_of_op (const struct restriction *r, uint32_t node, uint32_t op) {
  const struct asg *asg = r->asg;
  const uint32_t end = asg->node_first_read[node + 1];
  const uint32_t first = lower_bound_u32 (asg->read_op, asg->node_first_read[node], end, op);
  return (struct core_writes){ first, upper_bound_u32 (asg->read_op, first, end, op) };
}

bool core_keeps_reads (const struct restriction *r, uint32_t node, uint32_t op) {
  const struct core_writes reads = core_reads_of_op (r, node, op);
  for (uint32_t read = reads.first; read < reads.last; read++)
    if (!core_keeps_read (r, node, read))
      return false;
  return true;
}

// ------------------------------------------------------------------------------------ writing down

uint32_t core_new_key (struct restriction *r, uint32_t key) {
  const char *why = NULL;
  if (key == KEY_NONE)
    return KEY_NONE;
  if (r->index->in_initial_map && r->index->key_used[key] != r->number) {
    r->index->key_used[key] = r->number;
    VEC_PUSH (r->keys_used, key);
  }
  return history_key (r->to, atoms_get (&r->h->keys, key), &why);
}

uint32_t core_new_value (struct restriction *r, uint32_t value) {
  const char *why = NULL;
  return value >= VALUE_NONE ? value : history_value (r->to, atoms_get (&r->h->values, value), &why);
}

void core_add_op (struct restriction *r, enum op_kind kind, unsigned flags, uint32_t key, uint32_t value,
                  uint32_t aux) {
  const char *why = NULL;
  if (!history_add_op (r->to, kind, flags, key, value, aux, &why))
    misuse (__func__, why);
}

static void add_times (struct restriction *r, uint32_t op) {
  const struct op_times *times = history_times_of_op (r->h, op);
  if (times)
    history_set_op_times (r->to, times->begin, times->end);
}

// The append is the one that an element comes from, or could: those that were aborted count only if
// all were.
static bool counts (const struct restriction *r, struct core_writes appends, uint32_t op) {
  const uint8_t *status = r->h->txn_status.data;
  if (status[history_txn_of_op (r->h, op)] != TXN_ABORTED)
    return true;
  for (uint32_t i = appends.first; i < appends.last; i++)
    if (status[history_txn_of_op (r->h, r->index->writes[i])] != TXN_ABORTED)
      return false;
  return true;
}

// A list loses the elements whose appends are left out. Those before its last one say nothing but
// the order of appends.
static bool is_left_out (const struct restriction *r, uint32_t op, uint32_t element) {
  if (effects_of (r->h, op).reads != READS_LIST)
    return false;
  const struct core_writes appends = core_writes_of_value (r->index, r->h->op_keys.data[op], element);
  for (uint32_t i = appends.first; i < appends.last; i++)
    if (!core_keeps_op (r, r->index->writes[i]) && counts (r, appends, r->index->writes[i]))
      return true;
  return false;
}

static uint32_t copy_items (struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  const bool bounds = h->op_keys.data[op] == KEY_NONE;
  const uint32_t low = bounds ? core_new_key (r, range->low) : KEY_NONE,
                 high = bounds ? core_new_key (r, range->high) : KEY_NONE, aux = history_open_range (r->to, low, high);
  const char *why = NULL;
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if (!is_left_out (r, op, h->item_values.data[i]))
      history_add_item (r->to, core_new_key (r, h->item_keys.data[i]), core_new_value (r, h->item_values.data[i]),
                        &why);
  return aux;
}

void core_copy_op (struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  uint32_t aux = history_aux (h, op);
  if (aux != AUX_NONE)
    aux = op_has_range (kind) ? copy_items (r, op) : core_new_value (r, aux);
  core_add_op (r, kind, history_flags (h, op), core_new_key (r, h->op_keys.data[op]),
               core_new_value (r, h->op_values.data[op]), aux);
  add_times (r, op);
  core_hint_op (r, op);
}

// With its times: an iterator that was open then may have met it.
static void put_instead (struct restriction *r, uint32_t op, uint32_t value) {
  core_add_op (r, OP_PUT, 0, core_new_key (r, r->h->op_keys.data[op]), core_new_value (r, value), AUX_NONE);
  add_times (r, op);
}

// Hints cannot speak of this write any more.
static void note_write_lost (struct restriction *r, uint32_t op) {
  if (!r->tells_hints)
    VEC_PUSH (r->writes_lost, op);
}

// From here on, the transaction's operations cannot count on this write of it.
static void note_write_gone (struct restriction *r, uint32_t op) {
  size_t at = r->writes_gone.count;
  note_write_lost (r, op);
  VEC_PUSH (r->writes_gone, op);
  for (; at && r->writes_gone.data[at - 1] > op; at--)
    r->writes_gone.data[at] = r->writes_gone.data[at - 1];
  r->writes_gone.data[at] = op;
}

// Without its read, it may as well have found nothing: that says less, and whoever needs more must
// keep what it can have found.
static void delete_blindly (struct restriction *r, uint32_t op) {
  core_add_op (r, OP_DEL, 0, core_new_key (r, r->h->op_keys.data[op]), VALUE_NONE, AUX_NONE);
  add_times (r, op);
  note_write_gone (r, op);
}

// The write that an operation makes besides reading; its read is taken out.
static void write_blindly (struct restriction *r, uint32_t op) {
  const uint32_t written = effects_value_written (r->h, op);
  if (written == VALUE_ABSENT)
    delete_blindly (r, op);
  else if (written == VALUE_UNRECORDED) // an inc without a result reads nothing that was recorded
    core_copy_op (r, op);
  else if (written != VALUE_NONE)
    put_instead (r, op, written);
}

// -------------------------------------------------------------------------------------- operations

// The transaction writes the key before this operation with one that is taken out.
static bool own_write_is_gone (const struct restriction *r, uint32_t op) {
  for (size_t i = 0; i < r->writes_gone.count && r->writes_gone.data[i] < op; i++)
    if (r->h->op_keys.data[r->writes_gone.data[i]] == r->h->op_keys.data[op])
      return true;
  return false;
}

static void write_blind_delete (struct restriction *r, uint32_t op) {
  const struct asg *asg = r->asg;
  const uint32_t install = asg_install_of (asg, r->h->op_keys.data[op], r->node);
  const bool unrecorded = install != INSTALL_NONE && asg_install_unrecorded (asg, install) != UNRECORDED_NONE;
  if (unrecorded ? core_keeps_install (r, install) : core_keeps_reads (r, r->node, op))
    core_copy_op (r, op);
  else
    note_write_gone (r, op);
}

// A delete without a recorded result, behind an own delete: it did nothing.
static bool does_nothing (const struct restriction *r, uint32_t op) {
  const struct effects e = effects_of (r->h, op);
  if (e.writes != WRITES_PERHAPS)
    return false;
  const uint32_t install = asg_install_of (r->asg, e.key, r->node);
  if (install != INSTALL_NONE
      && r->asg->install_last_op[install] == op) // what the transaction read shows that the other one did
    return false;
  const uint32_t before = effects_last_write_before (r->h, op, e.key);
  return before != UINT32_MAX && effects_value_written (r->h, before) == VALUE_ABSENT;
}

static void write_operation (struct restriction *r, uint32_t op) {
  const struct effects e = effects_of (r->h, op);
  if (e.key == KEY_NONE)
    core_write_range (r, op);
  else if (e.reads == READS_NOTHING && e.writes != WRITES_PERHAPS)
    core_copy_op (r, op);
  else if (does_nothing (r, op))
    note_write_lost (r, op);
  else if (own_write_is_gone (r, op))
    write_blindly (r, op);
  else if (e.writes == WRITES_PERHAPS)
    write_blind_delete (r, op);
  else if (core_keeps_reads (r, r->node, op))
    core_copy_op (r, op);
  else
    write_blindly (r, op);
}

// ---------------------------------------------------------------------------- unknown and left out

static bool keeps_all (const struct restriction *r, struct core_writes all) {
  for (uint32_t i = all.first; i < all.last; i++)
    if (!core_keeps_op (r, r->index->writes[i]))
      return false;
  return true;
}

// Whoever wrote what the operation read, or may have: of a value those who write it, of anything
// else all who write the key.
static bool keeps_what_it_rests_on (const struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  struct core_index *x = r->index;
  const struct effects e = effects_of (h, op);
  const struct op_range range = effects_range (h, op);
  switch (e.reads) {
  case READS_UNRECORDED:
  case READS_IMPOSSIBLE: return true;
  case READS_NOTHING: return e.writes != WRITES_PERHAPS || keeps_all (r, core_writes_of_key (x, e.key));
  case READS_VALUE: return keeps_all (r, core_writes_of_value (x, e.key, e.read));
  case READS_OTHER:
  case READS_OR_ABSENT: return keeps_all (r, core_writes_of_key (x, e.key));
  case READS_LIST:
    for (uint32_t i = range.first_item; i < range.first_item + range.items; i++)
      if (is_left_out (r, op, h->item_values.data[i]))
        return false;
    return true;
  case READS_RANGE: break;
  }
  const struct core_writes keys = core_keys_in_range (x, &range);
  for (uint32_t i = keys.first; i < keys.last; i++)
    if (!keeps_all (r, core_writes_of_key (x, x->sorted_keys[i])))
      return false;
  return true;
}

// An unknown transaction that cannot have taken place: what speaks against it stays only if it does
// not rest on what is left out.
static void write_unexplained (struct restriction *r, uint32_t op) {
  if (keeps_what_it_rests_on (r, op))
    core_copy_op (r, op);
  else
    write_blindly (r, op);
}

// ------------------------------------------------------------------------------------ transactions

static void find_writes_gone (struct restriction *r) {
  r->writes_gone.count = 0;
  for (uint32_t op = r->h->txn_first_op.data[r->txn]; op < r->h->txn_first_op.data[r->txn + 1]; op++)
    if (!core_keeps_op (r, op) && effects_value_written (r->h, op) != VALUE_NONE)
      VEC_PUSH (r->writes_gone, op);
}

static void write_kept (struct restriction *r, uint32_t op) {
  if (r->h->txn_status.data[r->txn] == TXN_ABORTED) // its reads say nothing
    core_copy_op (r, op);
  else if (r->node == NODE_NONE)
    write_unexplained (r, op);
  else
    write_operation (r, op);
}

// It reads others' versions without a lock. (An iterator that was never asked for an item reads
// nothing.)
static bool is_plain_read (const struct history *h, uint32_t op) {
  const struct effects e = effects_of (h, op);
  return e.only_reads && e.reads != READS_NOTHING && !effects_lock (h, op);
}

// The first plain read, or what stands in its place. If it is left out, a read without a result
// stays there: the view that others have after it was taken then.
static void keep_place_of_read (struct restriction *r, uint32_t op, bool is_left_out) {
  const struct history *h = r->h;
  bool has_others = false;
  for (uint32_t other = op + 1; is_left_out && !has_others && other < h->txn_first_op.data[r->txn + 1]; other++)
    has_others = core_keeps_op (r, other) && is_plain_read (h, other);
  r->has_plain_read = !is_left_out || has_others;
  if (!is_left_out || !has_others)
    return;
  const struct effects e = effects_of (h, op);
  if (e.key != KEY_NONE && !e.on_list)
    core_add_op (r, OP_GET, 0, core_new_key (r, h->op_keys.data[op]), VALUE_UNRECORDED, AUX_NONE);
  else
    core_add_op (r, OP_SCAN, 0, KEY_NONE, VALUE_UNRECORDED, history_open_range (r->to, KEY_NONE, KEY_NONE));
  add_times (r, op);
}

static void write_txn (struct restriction *r) {
  const struct history *h = r->h;
  const char *why = NULL;
  const struct txn_header header = { .session = h->session_labels.data[h->txn_sessions.data[r->txn]],
                                     .has_id = true,
                                     .id = h->txn_ids.data[r->txn],
                                     .status = (enum txn_status) h->txn_status.data[r->txn],
                                     .begin = history_begin_time (h, r->txn),
                                     .end = history_end_time (h, r->txn) };
  if (!history_begin_txn (r->to, &header, &why))
    misuse (__func__, why);
  core_hint_txn (r, r->txn);
  find_writes_gone (r);
  r->has_plain_read = false;
  for (uint32_t op = h->txn_first_op.data[r->txn]; op < h->txn_first_op.data[r->txn + 1]; op++) {
    const uint32_t before = history_ops (r->to);
    if (core_keeps_op (r, op))
      write_kept (r, op);
    if (r->index->is_rewritten && !r->has_plain_read && is_plain_read (h, op))
      keep_place_of_read (r, op, before == history_ops (r->to));
  }
}

// Where some reads lock, the others need not; a part none of whose reads does must not mean that
// all count. A read without a result says no more than that.
static void keep_telling_locks (struct restriction *r) {
  if (!r->index->tells_locks || !history_txns (r->to))
    return;
  for (uint32_t op = 0; op < history_ops (r->to); op++)
    if (effects_lock (r->to, op))
      return;
  const uint32_t range = history_open_range (r->to, KEY_NONE, KEY_NONE);
  core_add_op (r, OP_SCAN, OP_LOCK_SHARE, KEY_NONE, VALUE_UNRECORDED, range);
}

// ----------------------------------------------------------------------------------- initial state

static void copy_initial_state (struct restriction *r) {
  const struct history *h = r->h;
  r->to->key_type = h->key_type;
  r->to->incomplete = h->incomplete ? mem_strdup (h->incomplete) : NULL;
  r->to->init = h->init;
  r->to->init_default = core_new_value (r, h->init_default);
}

// Only keys that occur, or that a scan would see: the rest of a large initial state says nothing
// here.
static void copy_initial_keys (struct restriction *r) {
  const char *why = NULL;
  for (size_t i = 0; i < r->keys_used.count; i++) {
    const uint32_t key = r->keys_used.data[i], place = r->index->in_initial_map[key];
    if (place)
      history_set_init_key (r->to, core_new_key (r, key), core_new_value (r, r->h->init_values.data[place - 1]), &why);
  }
}

static void write_part (struct restriction *r) {
  r->number = ++r->index->parts;
  r->to = history_new (r->h->name);
  r->keys_used.count = 0;
  copy_initial_state (r);
  for (size_t i = 0; i < r->mask->kept.count; i++) {
    r->txn = r->mask->kept.data[i];
    r->node = r->asg->txn_node[r->txn];
    write_txn (r);
  }
  keep_telling_locks (r);
  core_hint_header (r);
  copy_initial_keys (r);
  history_finish (r->to);
}

// What hints say about a write depends on what becomes of it, which is known only when all is
// written.
struct history *core_restrict (struct core_index *index, const struct core_mask *mask) {
  struct restriction r = { .index = index, .h = index->h, .asg = index->asg, .mask = mask };
  take_out_unrecorded (&r);
  write_part (&r);
  if (index->hints) {
    history_free (r.to);
    r.tells_hints = true;
    write_part (&r);
  }
  for (size_t i = 0; i < r.installs_gone.count; i++)
    index->install_gone[r.installs_gone.data[i]] = 0;
  VEC_FREE (r.installs_gone);
  VEC_FREE (r.writes_gone);
  VEC_FREE (r.writes_lost);
  VEC_FREE (r.keys_used);
  return r.to;
}
