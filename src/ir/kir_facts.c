#include "ir/kir_facts.h"

#include "base/sort.h"

static bool same_id (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

uint32_t kir_facts_txn (const struct kir_facts *f, uint64_t id) {
  return hash_set_find (&f->id_table, hash_u64 (id), same_id, f->ids.data, &id);
}

static bool same_access (const void *context, uint32_t index, const void *wanted) {
  const struct staged_op *one = (const struct staged_op *) context + index, *other = wanted;
  return one->txn == other->txn && one->key == other->key;
}

struct staged_op *kir_facts_install (const struct kir_facts *f, uint32_t txn, uint32_t key) {
  const struct staged_op wanted = { .txn = txn, .key = key };
  const uint32_t found = hash_set_find (&f->install_table, hash_pair (txn, key), same_access, f->ops.data, &wanted);
  return found == UINT32_MAX ? NULL : &f->ops.data[found];
}

void kir_facts_stage (struct kir_facts *f, struct staged_op op) {
  op.number = (uint32_t) f->ops.count;
  VEC_PUSH (f->ops, op);
  if (op.phase == STAGED_INSTALL)
    hash_set_insert (&f->install_table, hash_pair (op.txn, op.key), op.number);
}

// ------------------------------------------------------------------------------------------- order

// What is only there to be named stands behind the rest, an own write and the read behind it
// together.
static bool is_named_only (const struct staged_op *op) {
  return op->phase >= STAGED_WRONG;
}

static int in_program_order (const void *a, const void *b) {
  const struct staged_op *x = a, *y = b;
  if (x->txn != y->txn)
    return COMPARE (x->txn, y->txn);
  if (is_named_only (x) != is_named_only (y))
    return is_named_only (x) ? 1 : -1;
  if (!is_named_only (x)) {
    if (x->place != y->place)
      return COMPARE (x->place, y->place);
    if (x->phase != y->phase)
      return COMPARE (x->phase, y->phase);
  }
  return COMPARE (x->number, y->number);
}

// One operation reads several keys, or reads a key and writes it.
static bool share_place (const struct kir_facts *f, const struct staged_op *a, const struct staged_op *b) {
  return f->has_places && a->txn == b->txn && a->place == b->place && !is_named_only (a) && !is_named_only (b);
}

static bool check_places (const struct kir_facts *f, struct error *error) {
  for (size_t i = 1; i < f->ops.count; i++) {
    const struct staged_op *previous = &f->ops.data[i - 1], *op = &f->ops.data[i];
    if (!share_place (f, previous, op) || (previous->part && (op->part || op->phase != STAGED_READ)))
      continue;
    const struct said_at said = f->said.data[previous->number > op->number ? previous->number : op->number];
    return error_at_line (error, f->h->name, said.line, said.column, "%s",
                          "another operation of the transaction stands at this place");
  }
  return true;
}

static void number_operations (struct kir_facts *f) {
  for (size_t i = 0; i < f->ops.count; i++) {
    struct staged_op *op = &f->ops.data[i], *previous = i ? op - 1 : NULL;
    op->slot = !previous || previous->txn != op->txn ? 0 : previous->slot + !share_place (f, previous, op);
  }
}

// ----------------------------------------------------------------------------------------- history

// `lock`: what the same operation read, if it is a cas or a delete, it locked.
static bool add_write (struct kir_facts *f, const struct staged_op *op, unsigned lock, const char **why) {
  uint32_t value = op->value;
  if (op->phase == STAGED_UNRECORDED || op->unrecorded)
    return history_add_op (f->h, OP_DEL, lock, op->key, VALUE_NONE, AUX_NONE, why);
  // the file does not say which value it was, only that it is gone
  if (op->phase == STAGED_FIRST_WRITE) {
    value = history_value (f->h, atom_bytes ("overwritten", 11), why);
    if (value == UINT32_MAX)
      return false;
  }
  if (value == VALUE_ABSENT)
    return history_add_op (f->h, OP_DEL, lock | OP_RESULT_KNOWN | OP_RESULT_TRUE, op->key, VALUE_NONE, AUX_NONE, why);
  return history_add_op (f->h, OP_PUT, lock, op->key, value, AUX_NONE, why);
}

static bool add_op (struct kir_facts *f, const struct staged_op *op, const char **why) {
  const unsigned lock = op->locks ? OP_LOCK_UPDATE : 0;
  switch (op->phase) {
  case STAGED_READ:
    if (op->part)
      break;
    return history_add_op (f->h, OP_GET, lock, op->key, op->flags & READ_OTHER ? VALUE_UNRECORDED : op->value, AUX_NONE,
                           why);
  case STAGED_OWN_READ:
    return history_add_op (f->h, OP_GET, 0, op->key, op->flags & READ_OTHER ? VALUE_UNRECORDED : op->value, AUX_NONE,
                           why);
  case STAGED_WRONG: break;
  default: return add_write (f, op, lock, why);
  }
  return history_add_op (f->h, OP_SCAN, lock, KEY_NONE, VALUE_NONE, history_open_range (f->h, KEY_NONE, KEY_NONE), why);
}

// That some operation locks must be seen even if none of the file does: a read without a result
// says that and nothing else.
static bool add_lock (struct kir_facts *f, const char **why) {
  if (!f->locks || !history_keys (f->h) || !f->txns.count)
    return true;
  for (size_t i = 0; i < f->ops.count; i++)
    if (f->ops.data[i].locks)
      return true;
  return history_add_op (f->h, OP_GET, OP_LOCK_UPDATE, 0, VALUE_UNRECORDED, AUX_NONE, why);
}

// The operation is what the last of the facts that share it says: the write, if there is one.
static bool add_ops (struct kir_facts *f, size_t *next, uint32_t txn, const char **why) {
  bool locks = false;
  for (; *next < f->ops.count && f->ops.data[*next].txn == txn; ++*next) {
    struct staged_op op = f->ops.data[*next];
    locks |= op.locks;
    if (*next + 1 < f->ops.count && share_place (f, &op, &f->ops.data[*next + 1]))
      continue;
    op.locks = locks;
    locks = false;
    if (!add_op (f, &op, why))
      return false;
  }
  return true;
}

bool kir_facts_fill_history (struct kir_facts *f, struct error *error) {
  const char *why = "?";
  size_t op = 0;
  bool fine = true;
  VEC_SORT (f->ops, in_program_order);
  if (!check_places (f, error))
    return false;
  number_operations (f);
  for (uint32_t txn = 0; fine && txn < f->txns.count; txn++)
    fine = history_begin_txn (f->h, &f->txns.data[txn].header, &why) && add_ops (f, &op, txn, &why);
  if (!fine || !add_lock (f, &why))
    return error_set (error, "%.400s: %s", f->h->name, why);
  history_finish (f->h);
  return true;
}

// --------------------------------------------------------------------------------------------- ASG

// From staged transactions to those of the history, which has grouped them by session.
static uint32_t *number_transactions (const struct kir_facts *f) {
  uint32_t *txn_of = MEM_ARRAY (uint32_t, f->txns.count);
  for (uint32_t t = 0; t < history_txns (f->h); t++)
    txn_of[kir_facts_txn (f, f->h->txn_ids.data[t])] = t;
  return txn_of;
}

struct taking {
  const struct kir_facts *f;
  struct asg_facts *facts;
  const uint32_t *slot_of; // by number
  uint32_t txn, first_op;  // of the history
};

static void take_install (const struct taking *t, const struct staged_op *op) {
  const uint32_t last = t->first_op + op->slot;
  const uint32_t first = op->has_first_write ? t->first_op + t->slot_of[op->number + 1] : last;
  const uint32_t unrecorded = op->unrecorded       ? first
                              : op->has_unrecorded ? t->first_op + t->slot_of[op->number + 1 + op->has_first_write]
                                                   : UINT32_MAX;
  VEC_PUSH (t->facts->installs, (struct install_fact){ t->txn, first, last, op->key, op->value, unrecorded });
}

// `own` facts are wrong if what was read is not what was written.
static void take_fault (const struct taking *t, const struct staged_op *op) {
  const bool own = op->phase == STAGED_OWN_READ;
  if (own && read_accepts (op->value, op->flags, op[-1].value))
    return;
  const uint32_t at = t->first_op + op->slot;
  VEC_PUSH (t->facts->faults, (struct asg_fault){ .kind = own ? FAULT_OWN_WRITE : op->fault,
                                                  .txn = t->txn,
                                                  .op = at,
                                                  .key = op->key,
                                                  .value = op->value,
                                                  .flags = op->flags,
                                                  .other = own ? at - 1 : UINT32_MAX });
}

static void take_transaction (const struct taking *t, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    const struct staged_op *op = &t->f->ops.data[i];
    if (op->phase == STAGED_READ)
      VEC_PUSH (t->facts->reads,
                (struct read_fact){ t->txn, t->first_op + op->slot, op->key, op->value, op->flags, op->undeleted });
    else if (op->phase == STAGED_INSTALL)
      take_install (t, op);
    else if (op->phase == STAGED_WRONG || op->phase == STAGED_OWN_READ)
      take_fault (t, op);
  }
}

static void take_claims (const struct kir_facts *f, const uint32_t *txn_of, struct asg_facts *facts) {
  for (size_t i = 0; i < f->orders.count; i++) {
    struct order_fact order = f->orders.data[i];
    order.before = txn_of[order.before];
    order.after = txn_of[order.after];
    order.reader = order.reader == UINT32_MAX ? UINT32_MAX : txn_of[order.reader];
    VEC_PUSH (facts->orders, order);
  }
  for (size_t i = 0; i < f->implied.count; i++)
    VEC_PUSH (facts->implied,
              (struct claim_fact){ txn_of[f->implied.data[i].reader], txn_of[f->implied.data[i].other] });
  for (size_t i = 0; i < f->forced.count; i++)
    VEC_PUSH (facts->forced, txn_of[f->forced.data[i]]);
}

struct asg *kir_facts_asg (const struct kir_facts *f) {
  struct asg_facts facts = { 0 };
  uint32_t *txn_of = number_transactions (f);
  uint32_t *slot_of = MEM_ARRAY (uint32_t, f->ops.count);
  size_t *first = MEM_ZARRAY (size_t, f->txns.count + 1);
  for (size_t i = 0; i < f->ops.count; i++) {
    first[f->ops.data[i].txn + 1] = i + 1;
    slot_of[f->ops.data[i].number] = f->ops.data[i].slot;
  }
  for (size_t txn = 0; txn < f->txns.count; txn++)
    if (first[txn + 1] < first[txn])
      first[txn + 1] = first[txn];
  for (uint32_t t = 0; t < history_txns (f->h); t++) {
    const uint32_t staged = kir_facts_txn (f, f->h->txn_ids.data[t]);
    take_transaction (&(struct taking){ f, &facts, slot_of, t, f->h->txn_first_op.data[t] }, first[staged],
                      first[staged + 1]);
  }
  take_claims (f, txn_of, &facts);
  struct asg *asg = asg_build_from_facts (
    f->h, &facts, &(struct asg_options){ .merge_equal_reads = !f->has_places, .events = f->has_places });
  mem_free (txn_of);
  mem_free (slot_of);
  mem_free (first);
  asg_facts_free (&facts);
  return asg;
}

void kir_facts_free (struct kir_facts *f) {
  history_free (f->h);
  VEC_FREE (f->txns);
  VEC_FREE (f->ids);
  hash_set_free (&f->id_table);
  VEC_FREE (f->ops);
  hash_set_free (&f->install_table);
  VEC_FREE (f->said);
  VEC_FREE (f->edges);
  VEC_FREE (f->orders);
  VEC_FREE (f->implied);
  VEC_FREE (f->forced);
}
