// Writing down a part of a history so that it demands nothing that the whole does not demand.

#include "explain/core.h"

#include "asg/asg.h"
#include "base/error.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

struct restriction {
  const struct history *h;
  const struct asg *asg;
  const struct core_mask *mask;
  bool whole_ranges;
  uint8_t *installed;  // per install of the ASG: it is still there
  uint8_t *read_stays; // per read of the ASG: whoever can have been its source is still there
  uint32_t *key_rank;  // keys whose reads in the scan at hand are taken out, as a stamp per key
  uint32_t stamp;
  struct history *to;
};

// ------------------------------------------------------------------------------------------------------------------ what stays

static bool is_kept (const struct restriction *r, uint32_t install) {
  const struct asg *asg = r->asg;
  return r->mask->txn[asg->node_txn[asg->install_node[install]]] && r->mask->op[asg->install_last_op[install]];
}

// Every candidate, certain or not, is still there.
static bool keeps_candidates (const struct restriction *r, uint32_t node, uint32_t read) {
  const struct asg *asg = r->asg;
  const uint32_t source = asg->read_source[read];
  if (source < SOURCE_MANY)
    return r->installed[source];
  if (!source_is_many (source))
    return true;
  const struct choice *choice = &asg->choices.data[source & ~SOURCE_MANY];
  for (uint32_t k = choice->first; k < choice->last; k++)
    if (asg->install_node[asg->value_installs[k]] != node && !r->installed[asg->value_installs[k]])
      return false;
  const uint32_t key = asg->read_key[read];
  const bool other = asg->read_flags && (asg->read_flags[read] & READ_OTHER);
  for (uint32_t i = asg->key_first[key]; other && i < asg->key_first[key + 1]; i++)
    if (asg->install_node[i] != node && asg_accepts (asg, read, asg->install_value[i]) && !r->installed[i])
      return false;
  return true;
}

static bool doubt_stays (const struct restriction *r, uint32_t doubt) {
  const struct doubt *d = &r->asg->doubts.data[doubt];
  return r->mask->op[d->op] && (d->install == UINT32_MAX || r->installed[d->install]);
}

// A delete in doubt whose other side could have to do with what is left out is taken out itself, which may take away another one's candidate.
static void find_what_stays (struct restriction *r) {
  const struct asg *asg = r->asg;
  for (uint32_t i = 0; i < asg->installs; i++)
    r->installed[i] = is_kept (r, i);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node = 1; node < asg->nodes; node++)
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
        const uint32_t doubt = asg_read_doubt (asg, read);
        r->read_stays[read] = keeps_candidates (r, node, read) && (doubt == DOUBT_NONE || doubt_stays (r, doubt));
        const uint32_t install = doubt == DOUBT_NONE ? UINT32_MAX : asg->doubts.data[doubt].install;
        if (!r->read_stays[read] && install != UINT32_MAX && r->installed[install]) {
          r->installed[install] = 0;
          changed = true;
        }
      }
  }
}

// ------------------------------------------------------------------------------------------------------------------ writing down

static uint32_t new_key (struct restriction *r, uint32_t key) {
  const char *why = NULL;
  return key == KEY_NONE ? KEY_NONE : history_key (r->to, atoms_get (&r->h->keys, key), &why);
}

static uint32_t new_value (struct restriction *r, uint32_t value) {
  const char *why = NULL;
  return value >= VALUE_NONE ? value : history_value (r->to, atoms_get (&r->h->values, value), &why);
}

static void add_op (struct restriction *r, enum op_kind kind, unsigned flags, uint32_t key, uint32_t value,
                    uint32_t aux) {
  const char *why = NULL;
  if (!history_add_op (r->to, kind, flags, key, value, aux, &why))
    misuse (__func__, why);
}

static void add_times (struct restriction *r, uint32_t op) {
  for (size_t i = 0; i < r->h->op_times.count; i++)
    if (r->h->op_times.data[i].op == op)
      history_set_op_times (r->to, r->h->op_times.data[i].begin, r->h->op_times.data[i].end);
}

static void copy_op (struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  uint32_t aux = h->op_aux.data[op];
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind == OP_CAS)
    aux = new_value (r, aux);
  else if (aux != AUX_NONE) {
    const struct op_range *range = &h->ranges.data[aux];
    const bool bounds = kind != OP_LIST;
    aux = history_open_range (r->to, bounds ? new_key (r, range->low) : KEY_NONE,
                              bounds ? new_key (r, range->high) : KEY_NONE);
    const char *why = NULL;
    for (uint32_t i = 0; i < range->items; i++)
      history_add_item (r->to, new_key (r, h->item_keys.data[range->first_item + i]),
                        new_value (r, h->item_values.data[range->first_item + i]), &why);
  }
  add_op (r, kind, h->op_flags.data[op], new_key (r, h->op_keys.data[op]), new_value (r, h->op_values.data[op]), aux);
  add_times (r, op);
}

static void put_instead (struct restriction *r, uint32_t op, uint32_t value) {
  add_op (r, OP_PUT, 0, new_key (r, r->h->op_keys.data[op]), new_value (r, value), AUX_NONE);
}

// A dead version without having read: behind an own put a delete surely writes.
static void delete_blindly (struct restriction *r, uint32_t op) {
  const char *why = NULL;
  const uint32_t value = history_value (r->to, atom_bytes ("(deleted)", 9), &why);
  const uint32_t key = new_key (r, r->h->op_keys.data[op]);
  add_op (r, OP_PUT, 0, key, value, AUX_NONE);
  add_op (r, OP_DEL, 0, key, VALUE_NONE, AUX_NONE);
}

// ----------------------------------------------------------------------------------------------------------------------- scans

// The key right behind this one; false: there is none.
static bool key_behind (struct restriction *r, uint32_t key, uint32_t *behind) {
  const struct atom atom = atoms_get (&r->h->keys, key);
  const char *why = NULL;
  if (atom.kind == ATOM_BYTES) {
    char *bytes = mem_alloc (atom.length + 1);
    memcpy (bytes, atom.bytes, atom.length);
    bytes[atom.length] = 0;
    *behind = history_key (r->to, atom_bytes (bytes, atom.length + 1), &why);
    mem_free (bytes);
    return true;
  }
  if (atom.kind == ATOM_UNSIGNED && atom.number == UINT64_MAX)
    return false;
  const struct atom next =
    atom.kind == ATOM_UNSIGNED ? atom_unsigned (atom.number + 1) : atom_signed ((int64_t) atom.number + 1);
  *behind = history_key (r->to, next, &why);
  return true;
}

struct cut {
  struct atom atom;
  uint32_t key;
};

static int by_atom (const void *a, const void *b) {
  return atom_compare (((const struct cut *) a)->atom, ((const struct cut *) b)->atom);
}

typedef VEC (struct cut) cut_vec;

// A piece [low, high) of a scan's result; bounds are keys of the new history, items the old one's.
static void add_piece (struct restriction *r, uint32_t op, const struct op_range *range, uint32_t low, uint32_t high) {
  const struct history *h = r->h;
  if (low == high && low != KEY_NONE)
    return;
  const uint32_t aux = history_open_range (r->to, low, high);
  const bool reverse = h->op_kinds.data[op] == OP_ITER && (h->op_flags.data[op] & OP_ITER_REVERSE);
  const char *why = NULL;
  for (uint32_t i = 0; i < range->items; i++) {
    const uint32_t item = range->first_item + (reverse ? range->items - 1 - i : i);
    const struct atom atom = atoms_get (&h->keys, h->item_keys.data[item]);
    if ((low == KEY_NONE || atom_compare (atoms_get (&r->to->keys, low), atom) <= 0)
        && (high == KEY_NONE || atom_compare (atom, atoms_get (&r->to->keys, high)) < 0)
        && r->key_rank[h->item_keys.data[item]] != r->stamp)
      history_add_item (r->to, new_key (r, h->item_keys.data[item]), new_value (r, h->item_values.data[item]), &why);
  }
  add_op (r, OP_SCAN, h->op_flags.data[op] & (OP_LOCK_UPDATE | OP_LOCK_SHARE), KEY_NONE, VALUE_NONE, aux);
}

// What the result speaks of, as bounds in the new history; false: nothing.
static bool covered (struct restriction *r, uint32_t op, const struct op_range *range, uint32_t *low, uint32_t *high) {
  const struct history *h = r->h;
  const uint8_t flags = h->op_flags.data[op];
  *low = new_key (r, range->low);
  *high = new_key (r, range->high);
  if (h->op_kinds.data[op] == OP_SCAN || (flags & OP_ITER_END))
    return true;
  if (!range->items)
    return false;
  const uint32_t last = h->item_keys.data[range->first_item + range->items - 1];
  if (flags & OP_ITER_REVERSE)
    *low = new_key (r, last);
  else if (!key_behind (r, last, high))
    *high = KEY_NONE;
  return true;
}

static void cut_range (struct restriction *r, uint32_t op, cut_vec *cuts) {
  const struct op_range *range = &r->h->ranges.data[r->h->op_aux.data[op]];
  uint32_t low, high;
  if (!covered (r, op, range, &low, &high))
    return;
  qsort (cuts->data, cuts->count, sizeof *cuts->data, by_atom);
  bool open = true;
  for (size_t i = 0; i < cuts->count && open; i++) {
    add_piece (r, op, range, low, new_key (r, cuts->data[i].key));
    open = key_behind (r, cuts->data[i].key, &low);
  }
  if (open)
    add_piece (r, op, range, low, high);
}

static bool is_in_range (const struct history *h, const struct op_range *range, uint32_t key) {
  const struct atom atom = atoms_get (&h->keys, key);
  return (range->low == KEY_NONE || atom_compare (atoms_get (&h->keys, range->low), atom) <= 0)
         && (range->high == KEY_NONE || atom_compare (atom, atoms_get (&h->keys, range->high)) < 0);
}

// Does the transaction write the key before this operation with one that is taken out?
static bool own_write_is_gone (const struct restriction *r, uint32_t txn, uint32_t op, uint32_t key) {
  const struct history *h = r->h;
  for (uint32_t other = h->txn_first_op.data[txn]; other < op; other++)
    if (h->op_keys.data[other] == key && !r->mask->op[other] && h->op_kinds.data[other] != OP_GET
        && h->op_kinds.data[other] != OP_LIST)
      return true;
  return false;
}

// Or at any time, if an iterator may have been open then.
static bool any_own_write_is_gone (const struct restriction *r, uint32_t txn, uint32_t op) {
  const bool timed = r->h->op_kinds.data[op] == OP_ITER && r->h->op_times.count;
  const uint32_t end = timed ? r->h->txn_first_op.data[txn + 1] : op;
  const struct op_range *range = &r->h->ranges.data[r->h->op_aux.data[op]];
  for (uint32_t other = r->h->txn_first_op.data[txn]; other < end; other++)
    if (!r->mask->op[other] && r->h->op_keys.data[other] != KEY_NONE
        && is_in_range (r->h, range, r->h->op_keys.data[other]) && r->h->op_kinds.data[other] != OP_GET
        && r->h->op_kinds.data[other] != OP_LIST)
      return true;
  return false;
}

static void write_range (struct restriction *r, uint32_t node, uint32_t txn, uint32_t op) {
  const struct asg *asg = r->asg;
  if (r->h->op_aux.data[op] == AUX_NONE || r->h->op_values.data[op] == VALUE_UNRECORDED)
    return;
  cut_vec cuts = VEC_EMPTY;
  r->stamp++;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (asg->read_op[read] == op && !r->read_stays[read]) {
      r->key_rank[asg->read_key[read]] = r->stamp;
      VEC_PUSH (cuts, (struct cut){ atoms_get (&r->h->keys, asg->read_key[read]), asg->read_key[read] });
    }
  if (any_own_write_is_gone (r, txn, op)) {
    // Its own writes are part of what it returned: simpler to leave it out.
  } else if (!cuts.count)
    copy_op (r, op);
  else if (!r->whole_ranges
           && !(r->h->op_kinds.data[op] == OP_ITER && r->h->op_times.count)) // open while others came up
    cut_range (r, op, &cuts);
  VEC_FREE (cuts);
}

// --------------------------------------------------------------------------------------------------------------------- operations

// All reads of the operation stay. (An own read is none.)
static bool reads_stay (const struct restriction *r, uint32_t node, uint32_t op) {
  const struct asg *asg = r->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
    if (asg->read_op[read] == op && !r->read_stays[read])
      return false;
  return true;
}

static bool list_stays (const struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  const uint32_t range = h->op_aux.data[op];
  for (uint32_t i = 0; range != AUX_NONE && i < h->ranges.data[range].items; i++) {
    const uint32_t element = h->item_values.data[h->ranges.data[range].first_item + i];
    for (uint32_t t = 0; t < history_txns (h); t++)
      for (uint32_t other = h->txn_first_op.data[t]; other < h->txn_first_op.data[t + 1]; other++)
        if (h->op_kinds.data[other] == OP_APPEND && h->op_keys.data[other] == h->op_keys.data[op]
            && h->op_values.data[other] == element && !(r->mask->txn[t] && r->mask->op[other]))
          return false;
  }
  return true;
}

static void write_delete (struct restriction *r, uint32_t node, uint32_t op) {
  const struct asg *asg = r->asg;
  const uint8_t flags = r->h->op_flags.data[op];
  if (flags & OP_RESULT_KNOWN) {
    if (reads_stay (r, node, op))
      copy_op (r, op);
    else if (flags & OP_RESULT_TRUE)
      delete_blindly (r, op);
    return;
  }
  const uint32_t install = asg_install_of (asg, r->h->op_keys.data[op], node);
  const bool in_doubt = install != UINT32_MAX && asg_install_doubt (asg, install) != DOUBT_NONE;
  if (in_doubt ? r->installed[install] : reads_stay (r, node, op))
    copy_op (r, op);
}

// A delete without a recorded result, behind an own delete: it did nothing.
static bool does_nothing (const struct history *h, uint32_t txn, uint32_t op) {
  if (h->op_kinds.data[op] != OP_DEL || (h->op_flags.data[op] & OP_RESULT_KNOWN))
    return false;
  for (uint32_t other = op; other-- > h->txn_first_op.data[txn];) {
    const enum op_kind kind = (enum op_kind) h->op_kinds.data[other];
    const uint8_t flags = h->op_flags.data[other];
    const bool failed = (flags & OP_RESULT_KNOWN) && !(flags & OP_RESULT_TRUE);
    if (h->op_keys.data[other] == h->op_keys.data[op]
        && (kind == OP_PUT || ((kind == OP_DEL || kind == OP_CAS) && !failed)))
      return kind == OP_DEL;
  }
  return false;
}

static void write_operation (struct restriction *r, uint32_t node, uint32_t txn, uint32_t op) {
  const struct history *h = r->h;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind == OP_SCAN || kind == OP_ITER) {
    write_range (r, node, txn, op);
    return;
  }
  if (does_nothing (h, txn, op))
    return;
  if (kind != OP_PUT && kind != OP_APPEND && own_write_is_gone (r, txn, op, h->op_keys.data[op])) {
    if (kind == OP_CAS && (h->op_flags.data[op] & OP_RESULT_TRUE))
      put_instead (r, op, h->op_aux.data[op]);
    if (kind == OP_DEL && (!(h->op_flags.data[op] & OP_RESULT_KNOWN) || (h->op_flags.data[op] & OP_RESULT_TRUE)))
      delete_blindly (r, op);
    return;
  }
  switch (kind) {
  case OP_DEL: write_delete (r, node, op); return;
  case OP_CAS:
    if (reads_stay (r, node, op))
      copy_op (r, op);
    else if (h->op_flags.data[op] & OP_RESULT_TRUE)
      put_instead (r, op, h->op_aux.data[op]);
    return;
  case OP_GET:
    if (reads_stay (r, node, op))
      copy_op (r, op);
    return;
  case OP_LIST:
    if (list_stays (r, op))
      copy_op (r, op);
    return;
  default: copy_op (r, op);
  }
}

// A write that is left out concerns a key that the operation read.
static bool lost_a_writer (const struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  const bool ranged = h->op_keys.data[op] == KEY_NONE;
  if (ranged && h->op_aux.data[op] == AUX_NONE)
    return false;
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t other = h->txn_first_op.data[t]; other < h->txn_first_op.data[t + 1]; other++) {
      const uint32_t key = h->op_keys.data[other];
      if (key == KEY_NONE || h->op_kinds.data[other] == OP_GET || h->op_kinds.data[other] == OP_LIST
          || (r->mask->txn[t] && r->mask->op[other]))
        continue;
      if (ranged ? is_in_range (h, &h->ranges.data[h->op_aux.data[op]], key) : key == h->op_keys.data[op])
        return true;
    }
  return false;
}

// An unknown transaction that cannot have taken place: what speaks against it stays only if it does not rest on what is left out.
static void write_unexplained (struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  const uint8_t flags = h->op_flags.data[op];
  if (kind == OP_PUT || kind == OP_APPEND || (kind == OP_LIST ? list_stays (r, op) : !lost_a_writer (r, op)))
    copy_op (r, op);
  else if (kind == OP_CAS && (flags & OP_RESULT_TRUE))
    put_instead (r, op, h->op_aux.data[op]);
  else if (kind == OP_DEL && (!(flags & OP_RESULT_KNOWN) || (flags & OP_RESULT_TRUE)))
    delete_blindly (r, op);
}

static void write_txn (struct restriction *r, uint32_t txn) {
  const struct history *h = r->h;
  const char *why = NULL;
  const struct txn_header header = { .session = h->session_labels.data[h->txn_sessions.data[txn]],
                                     .has_id = true,
                                     .id = h->txn_ids.data[txn],
                                     .status = (enum txn_status) h->txn_status.data[txn],
                                     .begin = history_begin_time (h, txn),
                                     .end = history_end_time (h, txn) };
  if (!history_begin_txn (r->to, &header, &why))
    misuse (__func__, why);
  const uint32_t node = r->asg->txn_node[txn];
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
    if (!r->mask->op[op])
      continue;
    if (h->txn_status.data[txn] == TXN_ABORTED) // its reads say nothing
      copy_op (r, op);
    else if (node == NODE_NONE)
      write_unexplained (r, op);
    else
      write_operation (r, node, txn, op);
  }
}

static void copy_initial_state (struct restriction *r) {
  const struct history *h = r->h;
  r->to->key_type = h->key_type;
  r->to->init = h->init;
  r->to->init_default = new_value (r, h->init_default);
}

// Only keys that occur: the rest of a large initial state says nothing here, unless scans would see it.
static void copy_initial_keys (struct restriction *r) {
  const struct history *h = r->h;
  const char *why = NULL;
  for (size_t i = 0; i < h->init_keys.count; i++)
    if (r->to->ranges.count || atoms_find (&r->to->keys, atoms_get (&h->keys, h->init_keys.data[i])) != UINT32_MAX)
      history_set_init_key (r->to, new_key (r, h->init_keys.data[i]), new_value (r, h->init_values.data[i]), &why);
}

struct history *core_restrict (const struct history *h, const struct asg *asg, const struct core_mask *mask,
                               bool whole_ranges) {
  struct restriction r = { .h = h, .asg = asg, .mask = mask, .whole_ranges = whole_ranges };
  r.installed = MEM_ARRAY (uint8_t, asg->installs);
  r.read_stays = MEM_ARRAY (uint8_t, asg->reads);
  r.key_rank = MEM_ZARRAY (uint32_t, history_keys (h));
  r.to = history_new (h->name);
  find_what_stays (&r);
  copy_initial_state (&r);
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (mask->txn[t])
      write_txn (&r, t);
  copy_initial_keys (&r);
  history_finish (r.to);
  mem_free (r.installed);
  mem_free (r.read_stays);
  mem_free (r.key_rank);
  return r.to;
}
