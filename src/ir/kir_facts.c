#include "ir/kir_facts.h"

#include <stdlib.h>

static bool same_id (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

uint32_t kir_facts_txn (const struct kir_facts *f, uint64_t id) {
  return hash_set_find (&f->id_table, hash_u64 (id), same_id, f->ids.data, &id);
}

// -------------------------------------------------------------------------------------------------------------------- order

static bool is_own (const struct staged_op *op) {
  return op->phase == STAGED_OWN_WRITE || op->phase == STAGED_OWN_READ;
}

static int in_program_order (const void *a, const void *b) {
  const struct staged_op *x = a, *y = b;
  if (x->txn != y->txn)
    return x->txn < y->txn ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  // An own write and the read behind it stay together.
  const int px = is_own (x) ? STAGED_OWN_WRITE : (int) x->phase;
  const int py = is_own (y) ? STAGED_OWN_WRITE : (int) y->phase;
  if (px != py)
    return px < py ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static bool refuse (const struct kir_facts *f, uint32_t number, struct error *error, const char *text) {
  const struct said_at said = f->said.data[number];
  return error_at_line (error, f->h->name, said.line, said.column, "%s", text);
}

// Every read of the file is external, unless `own` facts say what reads of own writes saw: these are wrong only if own writes must be seen.
static bool has_own_facts (const struct kir_facts *f) {
  for (size_t i = 0; i < f->ops.count; i++)
    if (is_own (&f->ops.data[i]))
      return true;
  return false;
}

// In program order: are places unique, and, where own writes must be seen, external reads before them? Own facts have no places of their own.
static bool check_places (const struct kir_facts *f, struct error *error) {
  uint32_t *wrote = MEM_ZARRAY (uint32_t, history_keys (f->h)); // per key: 1 + the last transaction that wrote it
  const struct staged_op *previous = NULL;
  const bool own_facts = has_own_facts (f);
  bool fine = true;
  for (size_t i = 0; fine && i < f->ops.count; i++) {
    const struct staged_op *op = &f->ops.data[i];
    if (is_own (op))
      continue;
    if (previous && previous->txn == op->txn && previous->place == op->place)
      fine = refuse (f, previous->number > op->number ? previous->number : op->number, error,
                     "another operation of the transaction stands at this place");
    else if (op->phase != STAGED_READ)
      wrote[op->key] = op->txn + 1;
    else if (own_facts && wrote[op->key] == op->txn + 1)
      fine = refuse (f, op->number, error,
                     "an external read behind the transaction's own write of the key, in a file with own facts");
    previous = op;
  }
  mem_free (wrote);
  return fine;
}

// ------------------------------------------------------------------------------------------------------------------ history

static bool add_op (struct kir_facts *f, const struct staged_op *op, const char **why) {
  const bool is_read = op->phase == STAGED_READ || op->phase == STAGED_OWN_READ;
  uint32_t value = op->value;
  if (op->phase == STAGED_FIRST_WRITE) { // the file does not say which value it was, only that it is gone
    value = history_value (f->h, atom_bytes ("overwritten", 11), why);
    if (value == UINT32_MAX)
      return false;
  }
  return history_add_op (f->h, is_read ? OP_GET : OP_PUT, op->locks ? OP_LOCK_UPDATE : 0, op->key, value, AUX_NONE,
                         why);
}

// That some operation locks must be seen even if none of the file does: a read without a result says that and nothing else.
static bool add_lock (struct kir_facts *f, const char **why) {
  if (!f->locks || !history_keys (f->h) || !f->txns.count)
    return true;
  for (size_t i = 0; i < f->ops.count; i++)
    if (f->ops.data[i].locks)
      return true;
  return history_add_op (f->h, OP_GET, OP_LOCK_UPDATE, 0, VALUE_UNRECORDED, AUX_NONE, why);
}

bool kir_facts_fill_history (struct kir_facts *f, struct error *error) {
  const char *why = "?";
  size_t op = 0;
  bool fine = true;
  if (f->ops.count)
    qsort (f->ops.data, f->ops.count, sizeof *f->ops.data, in_program_order);
  if (f->has_places && !check_places (f, error))
    return false;
  for (size_t txn = 0; fine && txn < f->txns.count; txn++) {
    fine = history_begin_txn (f->h, &f->txns.data[txn].header, &why);
    for (; fine && op < f->ops.count && f->ops.data[op].txn == txn; op++)
      fine = add_op (f, &f->ops.data[op], &why);
  }
  if (!fine || !add_lock (f, &why))
    return error_set (error, "%.400s: %s", f->h->name, why);
  history_finish (f->h);
  return true;
}

struct asg *kir_facts_asg (const struct kir_facts *f) {
  return asg_build (f->h, &(struct asg_options){ .merge_equal_reads = !f->has_places,
                                                 .events = f->has_places,
                                                 .own_writes = has_own_facts (f) ? OWN_MUST : OWN_EXTERNAL });
}

void kir_facts_free (struct kir_facts *f) {
  history_free (f->h);
  VEC_FREE (f->txns);
  VEC_FREE (f->ids);
  hash_set_free (&f->id_table);
  VEC_FREE (f->ops);
  VEC_FREE (f->said);
  VEC_FREE (f->key_first_op);
  VEC_FREE (f->edges);
}
