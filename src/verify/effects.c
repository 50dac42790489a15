#include "verify/effects.h"

#include <string.h>

// ----------------------------------------------------------------------------------- one operation

bool told_may_write (const struct history *h, uint32_t op) {
  const uint8_t flags = history_flags (h, op);
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_PUT:
  case OP_APPEND:
  case OP_INC: return true;
  case OP_DEL: return !(flags & OP_RESULT_KNOWN) || (flags & OP_RESULT_TRUE);
  case OP_CAS: return flags & OP_RESULT_TRUE;
  default: return false;
  }
}

uint32_t told_value_written (const struct history *h, uint32_t op) {
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_DEL: return VALUE_ABSENT;
  case OP_CAS: return history_aux (h, op);
  case OP_INC: // not recorded: nobody reads it (sees_blind_inc), so that any value will do
    return history_flags (h, op) & OP_RESULT_KNOWN ? history_aux (h, op) : h->op_values.data[op];
  default: return h->op_values.data[op];
  }
}

static struct told_write *own_write (struct told *a, uint32_t txn, uint32_t key) {
  return a->own_stamp[key] == txn + 1 ? &a->writes.data[a->own_at[key]] : NULL;
}

// An incomplete history may lack operations behind this one that wrote the key again.
static uint32_t last_write (const struct told *a, uint32_t txn, uint32_t op) {
  return a->excusing ? a->h->txn_first_op.data[txn + 1] - 1 : op;
}

static void tell_write (struct told *a, uint32_t txn, uint32_t op, uint32_t key, uint32_t value) {
  struct told_write *own = own_write (a, txn, key);
  if (!own) {
    a->own_stamp[key] = txn + 1;
    a->own_at[key] = (uint32_t) a->writes.count;
    VEC_PUSH (a->writes, (struct told_write){ txn, key, value, op, last_write (a, txn, op), OP_NONE, OP_NONE,
                                              .last_unrecorded = OP_NONE });
    return;
  }
  if (own->unrecorded != OP_NONE) { // from here on there surely is a version
    own->unrecorded_before_first = own->unrecorded;
    own->unrecorded = OP_NONE;
    own->first_op = op;
  }
  own->value = value;
  own->last_op = last_write (a, txn, op);
}

// Semantics 2: what the policy makes of a read after an own write of this value. A hint that names
// another source says that it was not the own write.
static enum outcome outcome_of (enum own_policy policy, const struct told_read *read, uint32_t own_value) {
  if (read->hint == read->txn)
    return policy != POLICY_EXTERNAL && told_fits (read, own_value) ? OUTCOME_OWN : OUTCOME_BROKEN;
  if (policy == POLICY_EXTERNAL)
    return OUTCOME_EXTERNAL;
  if (read->hint == HINT_NONE && told_fits (read, own_value))
    return OUTCOME_OWN; // under `may` too: an own read asks nothing of anybody, so no other choice can be better
  return policy == POLICY_MUST ? OUTCOME_BROKEN : OUTCOME_EXTERNAL;
}

// Reads matter to writes as soon as there is an unrecorded delete, of which they may show that it
// wrote nothing.
static bool leaves_out_reads (const struct told *a) {
  return a->writes_only && !a->unrecorded.count;
}

void told_add_read (struct told *a, struct told_read read, bool lenient) {
  if (leaves_out_reads (a))
    return;
  struct told_write *own = own_write (a, read.txn, read.key);
  if (read.hint == read.txn)
    read.if_wrote = read.if_not = OUTCOME_BROKEN; // unless there is an own write
  if (own) {
    const enum outcome outcome = outcome_of (lenient ? POLICY_MAY : a->policy, &read, own->value);
    if (own->unrecorded != OP_NONE) {
      read.unrecorded = own->unrecorded;
      own->seen |= outcome == OUTCOME_OWN && read.hint == read.txn;
      own->refuted |= outcome == OUTCOME_BROKEN && read.hint != read.txn && !own->seen;
    }
    read.if_wrote = outcome;
    if (own->unrecorded == OP_NONE)
      read.if_not = outcome;
  }
  VEC_PUSH (a->reads, read);
}

// Behind unrecorded deletes, of which none is known to have written nothing: that all of them wrote
// asks for nothing and gives the same version as any other choice, and the last one has it; or none
// did, and each of them read absent. Cursors apart, no other choice can be better.
static void join_deletes (struct told *a, struct told_write *own, uint32_t op) {
  struct told_read absent = told_new_read (a, own->txn, op, own->key, VALUE_ABSENT, false);
  absent.unrecorded = own->unrecorded;
  absent.if_wrote = OUTCOME_OWN;
  for (size_t i = 0; i < a->reads.count; i++) // iterators that were open when it came
    if (a->reads.data[i].unrecorded == op)
      a->reads.data[i].unrecorded = own->unrecorded;
  VEC_PUSH (a->reads, absent);
  own->last_op = last_write (a, own->txn, op);
  own->last_unrecorded = op;
}

// A delete without a recorded result: after an own put it wrote; after an own delete that surely
// wrote it did nothing; else it either wrote, or read absent and wrote nothing.
static void tell_blind_delete (struct told *a, uint32_t txn, uint32_t op, uint32_t key) {
  struct told_write *own = own_write (a, txn, key);
  if (own && own->unrecorded == OP_NONE) {
    if (own->value != VALUE_ABSENT)
      tell_write (a, txn, op, key, VALUE_ABSENT);
    return;
  }
  if (own && !own->refuted) {
    join_deletes (a, own, op);
    return;
  }
  struct told_read absent = told_new_read (a, txn, op, key, VALUE_ABSENT, false);
  absent.unrecorded = op;
  absent.if_wrote = OUTCOME_OWN;
  VEC_PUSH (a->reads, absent);
  if (!own) {
    tell_write (a, txn, op, key, VALUE_ABSENT);
    own = own_write (a, txn, key);
  }
  *own =
    (struct told_write){ txn, key, VALUE_ABSENT, op, last_write (a, txn, op), op, OP_NONE, .last_unrecorded = OP_NONE };
  VEC_PUSH (a->unrecorded, op);
}

static void tell_delete (struct told *a, uint32_t txn, uint32_t op, uint32_t key) {
  const uint8_t flags = history_flags (a->h, op);
  if (!(flags & OP_RESULT_KNOWN)) {
    tell_blind_delete (a, txn, op, key);
    return;
  }
  told_add_read (a, told_new_read (a, txn, op, key, VALUE_ABSENT, flags & OP_RESULT_TRUE), false);
  if (flags & OP_RESULT_TRUE)
    tell_write (a, txn, op, key, VALUE_ABSENT);
}

static void tell_cas (struct told *a, uint32_t txn, uint32_t op, uint32_t key) {
  const bool done = history_flags (a->h, op) & OP_RESULT_TRUE;
  told_add_read (a, told_new_read (a, txn, op, key, a->h->op_values.data[op], !done), false);
  if (done)
    tell_write (a, txn, op, key, history_aux (a->h, op));
}

// The new value tells what the old one was; that it cannot have been anything is a result that
// cannot be.
static void tell_inc (struct told *a, uint32_t txn, uint32_t op, uint32_t key) {
  const uint8_t flags = history_flags (a->h, op);
  const uint32_t value = a->h->op_values.data[op];
  if (flags & OP_RESULT_TRUE) {
    struct told_read read = told_new_read (a, txn, op, key, value, false);
    read.or_absent = atom_is_zero (atoms_get (&a->h->values, value));
    told_add_read (a, read, false);
  } else if ((flags & OP_RESULT_KNOWN) && !leaves_out_reads (a))
    VEC_PUSH (a->malformed, op);
  tell_write (a, txn, op, key, told_value_written (a->h, op));
}

// Most reads come after no own write, and no hint speaks of them.
static void tell_get (struct told *a, uint32_t txn, uint32_t op, uint32_t key, uint32_t value) {
  if (value == VALUE_UNRECORDED || leaves_out_reads (a))
    return;
  if (a->hints || own_write (a, txn, key))
    told_add_read (a, told_new_read (a, txn, op, key, value, false), false);
  else
    VEC_PUSH (a->reads, told_new_read (a, txn, op, key, value, false));
}

static void tell_operation (struct told *a, uint32_t txn, uint32_t op) {
  const struct history *h = a->h;
  const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_PUT:
  case OP_APPEND: tell_write (a, txn, op, key, value); break;
  case OP_DEL: tell_delete (a, txn, op, key); break;
  case OP_CAS: tell_cas (a, txn, op, key); break;
  case OP_INC: tell_inc (a, txn, op, key); break;
  case OP_GET: tell_get (a, txn, op, key, value); break;
  case OP_SCAN:
  case OP_ITER:
    if (value != VALUE_UNRECORDED && !leaves_out_reads (a))
      told_add_range (a, txn, op);
    break;
  case OP_LIST:
    if (told_list_is_recorded (h, op) && !a->writes_only && !a->lists_apart)
      told_add_list (a, txn, op);
    break;
  }
}

void told_add (struct told *a, uint32_t txn) {
  const struct history *h = a->h;
  for (size_t i = 0; i < a->writes.count; i++)
    a->own_stamp[a->writes.data[i].key] = 0;
  a->reads.count = a->writes.count = a->lists.count = a->list_writers.count = 0;
  a->malformed.count = a->unrecorded.count = 0;
  for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++)
    tell_operation (a, txn, op);
  if (a->excuses)
    told_excuse (a);
}

bool told_next (struct told *a, const uint8_t *marks, uint32_t *txn) {
  while (*txn < history_txns (a->h) && !(marks ? marks[*txn] : told_takes_part (a, *txn)))
    ++*txn;
  if (*txn == history_txns (a->h))
    return false;
  told_add (a, *txn);
  return true;
}

bool told_add_of (struct told *a, uint32_t op) {
  if (op >= history_ops (a->h) || !told_takes_part (a, history_txn_of_op (a->h, op)))
    return false;
  told_add (a, history_txn_of_op (a->h, op));
  return true;
}

const struct told_read *told_find_read (const struct told *a, uint32_t op, uint32_t key) {
  for (size_t i = 0; i < a->reads.count; i++)
    if (a->reads.data[i].op == op && a->reads.data[i].key == key)
      return &a->reads.data[i];
  return NULL;
}

const struct told_write *told_find_write (const struct told *a, uint32_t key) {
  for (size_t i = 0; i < a->writes.count; i++)
    if (a->writes.data[i].key == key)
      return &a->writes.data[i];
  return NULL;
}

bool told_writer_of (struct told *a, uint32_t key, uint32_t txn, struct told_writer *writer) {
  if (!told_takes_part (a, txn))
    return false;
  told_add (a, txn);
  const struct told_write *write = told_find_write (a, key);
  if (write)
    *writer = (struct told_writer){ key, txn, write->value, write->unrecorded };
  return write;
}

const struct told_read *told_read_of (struct told *a, uint32_t op, uint32_t key) {
  return told_add_of (a, op) ? told_find_read (a, op, key) : NULL;
}

// ------------------------------------------------------------------------------------------- hints

static bool is_written_order (const struct hints *hints, uint32_t key, uint32_t first, uint32_t second) {
  for (size_t i = 0; i < hints->orders.count; i++) {
    const struct version_order *order = &hints->orders.data[i];
    bool met = false;
    for (uint32_t k = order->first; order->key == key && k < order->first + order->count; k++) {
      if (hints->order_txns.data[k] == second)
        return met;
      met |= hints->order_txns.data[k] == first;
    }
  }
  return false;
}

bool told_hinted_order (const struct told *a, uint32_t key, uint32_t first, uint32_t second) {
  const struct hints *hints = a->hints;
  if (!hints || !told_takes_part (a, first) || !told_takes_part (a, second))
    return false;
  const bool timed = hints->trust_commit_ts && hints->commit_ts && hints->has_commit_ts[first]
                     && hints->has_commit_ts[second] && hints->commit_ts[first] < hints->commit_ts[second];
  return timed || is_written_order (hints, key, first, second);
}

void told_assume_order (struct told *a, uint32_t key, uint32_t first, uint32_t second) {
  VEC_PUSH (a->assumed, (struct assumption){ OP_NONE, key, first, second });
}

void told_assume_source (struct told *a, const struct told_read *read) {
  if (read->hint != HINT_NONE)
    VEC_PUSH (a->assumed, (struct assumption){ read->op, read->key, read->hint, 0 });
}

// ------------------------------------------------------------------------------------------- order

bool told_session_order (const struct told *a, uint32_t first, uint32_t second) {
  return told_committed (a, first) && told_takes_part (a, second) && first < second
         && a->h->txn_sessions.data[first] == a->h->txn_sessions.data[second];
}

bool told_program_order (const struct told *a, uint32_t first, uint32_t second) {
  return a->origin && first < second && told_committed (a, first) && told_committed (a, second)
         && a->origin[first] == a->origin[second];
}

bool told_ended (const struct told *a, uint32_t txn, int64_t clock_skew, int64_t *limit) {
  if (!told_committed (a, txn))
    return false;
  const int64_t end = history_end_time (a->h, txn);
  return end != TIME_NONE_END && !__builtin_add_overflow (end, clock_skew, limit);
}

bool told_real_time (const struct told *a, uint32_t first, uint32_t second, int64_t clock_skew) {
  int64_t limit;
  return told_takes_part (a, second) && first != second && told_ended (a, first, clock_skew, &limit)
         && limit < history_begin_time (a->h, second); // a missing begin is before everything
}

bool told_has_times (const struct told *a) {
  bool nobody = true;
  for (uint32_t txn = 0; txn < history_txns (a->h); txn++) {
    if (!told_takes_part (a, txn))
      continue;
    nobody = false;
    if (history_begin_time (a->h, txn) != TIME_NONE_BEGIN || history_end_time (a->h, txn) != TIME_NONE_END)
      return true;
  }
  return nobody;
}

bool told_holds_cursor (const struct told *a, const struct told_read *read) {
  const enum op_kind kind = (enum op_kind) a->h->op_kinds.data[read->op];
  if (read->predicate || a->excusing) // which read was the last may be up to what is missing
    return false;
  if (a->some_read_locks)
    return history_flags (a->h, read->op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
  return kind == OP_GET || kind == OP_LIST;
}

bool told_run_divides_cursors (const struct told *a, const struct told_write *write) {
  const uint32_t first = write->unrecorded != OP_NONE ? write->unrecorded : write->unrecorded_before_first;
  bool before = false, inside = false;
  if (write->last_unrecorded == OP_NONE)
    return false;
  for (size_t i = 0; i < a->reads.count; i++) {
    const struct told_read *read = &a->reads.data[i];
    if (read->key != write->key || !told_holds_cursor (a, read))
      continue;
    before |= read->op < first;
    inside |= read->op >= first && read->op < write->last_unrecorded;
  }
  return before && inside;
}

// ------------------------------------------------------------------------------------------ making

static void set_initial_values (struct told *a) {
  const struct history *h = a->h;
  const uint32_t keys = history_keys (h);
  const uint32_t common = h->init == INIT_ANY       ? VALUE_UNRECORDED
                          : h->init == INIT_DEFAULT ? h->init_default
                                                    : VALUE_ABSENT;
  a->init_value = MEM_ARRAY (uint32_t, keys);
  for (uint32_t key = 0; key < keys; key++)
    a->init_value[key] = common;
  for (size_t i = 0; h->init != INIT_ANY && i < h->init_keys.count; i++)
    a->init_value[h->init_keys.data[i]] = h->init_values.data[i];
}

static bool is_undefined (const struct told *a, uint32_t op) {
  return a->h->op_kinds.data[op] == OP_CAS && !(history_flags (a->h, op) & OP_RESULT_KNOWN)
         && told_takes_part (a, history_txn_of_op (a->h, op));
}

static bool is_blind_inc (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_INC && !(history_flags (h, op) & OP_RESULT_KNOWN);
}

// The transaction told last reads a key that an inc without a recorded result may have written
// before: another transaction's, or an own one behind which the read stands.
static bool sees_blind_inc (const struct told *a, const uint32_t *blind, uint32_t txn) {
  for (size_t i = 0; i < a->reads.count; i++) {
    const uint32_t op = blind[a->reads.data[i].key];
    const bool own = op != OP_NONE && history_txn_of_op (a->h, op) == txn;
    if (op != OP_NONE && (!own || op < a->reads.data[i].op))
      return true;
  }
  for (size_t i = 0; i < a->malformed.count; i++) {
    const uint32_t key = a->h->op_keys.data[a->malformed.data[i]];
    if (key != KEY_NONE && blind[key] != OP_NONE && history_txn_of_op (a->h, blind[key]) != txn)
      return true;
  }
  return false;
}

// Per key the first inc without a recorded result; if nobody has any, false. One of another
// transaction is as good as the first to whoever has one, too: both are noted in turn.
static bool find_blind_incs (const struct told *a, uint32_t *blind, bool last) {
  const struct history *h = a->h;
  bool some = false;
  for (uint32_t key = 0; key < history_keys (h); key++)
    blind[key] = OP_NONE;
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      if (!told_takes_part (a, txn) || !is_blind_inc (h, op))
        continue;
      uint32_t *noted = &blind[h->op_keys.data[op]];
      const bool same = *noted != OP_NONE && history_txn_of_op (h, *noted) == txn;
      if (*noted == OP_NONE || (last && !same))
        *noted = op;
      some = true;
    }
  return some;
}

static const char *unseen_values (struct told *a) {
  uint32_t *blind = MEM_ARRAY (uint32_t, history_keys (a->h));
  bool seen = false;
  for (int last = 0; last < 2; last++)
    if (find_blind_incs (a, blind, last))
      for (uint32_t txn = 0; !seen && told_next (a, NULL, &txn); txn++)
        seen = sees_blind_inc (a, blind, txn);
  mem_free (blind);
  return seen ? "an inc has no recorded result, and its key is read, which is not defined" : NULL;
}

static bool has_kind (const struct history *h, enum op_kind kind) {
  return history_ops (h) && memchr (h->op_kinds.data, kind, history_ops (h));
}

static bool has_read_locks (const struct history *h) {
  uint8_t flags = 0;
  for (uint32_t op = 0; op < history_ops (h); op++)
    flags |= history_flags (h, op);
  return flags & (OP_LOCK_UPDATE | OP_LOCK_SHARE);
}

struct told *told_new (const struct history *h, enum own_policy policy, const struct hints *hints, bool excusing,
                       const char **problem) {
  struct told *a = mem_zalloc (sizeof *a);
  bool incs = false;
  a->h = h;
  a->hints = hints;
  a->policy = policy;
  a->excusing = excusing && h->incomplete;
  *problem = NULL;
  const bool cas = has_kind (h, OP_CAS), inc = has_kind (h, OP_INC);
  for (uint32_t op = 0; cas && op < history_ops (h); op++)
    if (is_undefined (a, op))
      *problem = "a cas has no recorded result, which is not defined";
  for (uint32_t op = 0; inc && op < history_ops (h); op++)
    incs |= is_blind_inc (h, op);
  a->some_read_locks = has_read_locks (h);
  a->some_lists = has_kind (h, OP_APPEND) || has_kind (h, OP_LIST);
  set_initial_values (a);
  a->own_stamp = MEM_ZARRAY (uint32_t, history_keys (h));
  a->own_at = MEM_ARRAY (uint32_t, history_keys (h));
  if (has_kind (h, OP_SCAN) || has_kind (h, OP_ITER))
    a->order = key_order_new (a);
  if (a->some_lists && !*problem)
    *problem = told_undefined_list (a);
  if (incs && !*problem)
    *problem = unseen_values (a);
  if (a->excusing && !*problem) {
    a->kept_elements = MEM_ARRAY (uint32_t, h->item_values.count);
    a->excuses = told_excuses_new (a);
  }
  if (!*problem)
    return a;
  told_free (a);
  return NULL;
}

void told_free (struct told *a) {
  if (!a)
    return;
  MEM_FREE_ALL (a->reads.data, a->writes.data, a->lists.data, a->list_writers.data, a->malformed.data,
                a->unrecorded.data, a->assumed.data);
  told_asked_free (a->asked);
  MEM_FREE_ALL (a->init_value, a->own_stamp, a->own_at);
  key_order_free (a->order);
  appends_free (a->appends);
  told_excuses_free (a->excuses);
  MEM_FREE_ALL (a->kept_elements, a);
}
