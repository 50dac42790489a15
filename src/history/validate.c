// What the rest of Krait relies on, checked once for histories that come as ready columns.

#include "history/distinct.h"
#include "history/history.h"

#include <string.h>

static bool validate_atoms (const struct atoms *atoms, const char **why) {
  if (atoms->kinds.count != atoms->payloads.count || (atoms->kinds.count && atoms->numbers.count)
      || atoms_count (atoms) > INDEX_MOST)
    return history_refuse (why, "atom columns of different length");
  for (size_t i = 0; i < atoms->kinds.count; i++) {
    const uint8_t kind = atoms->kinds.data[i];
    const uint64_t payload = atoms->payloads.data[i];
    if (kind > ATOM_BYTES)
      return history_refuse (why, "an atom of no known kind");
    if (kind == ATOM_NEGATIVE && (int64_t) payload >= 0)
      return history_refuse (why, "a negative integer that is not negative");
    if (kind != ATOM_BYTES)
      continue;
    uint32_t length;
    if (payload > atoms->pool.count || atoms->pool.count - payload < sizeof length)
      return history_refuse (why, "a string outside of its pool");
    memcpy (&length, atoms->pool.data + payload, sizeof length);
    if (length > ATOM_MAX_LENGTH || atoms->pool.count - payload - sizeof length < length)
      return history_refuse (why, "a string outside of its pool");
  }
  return true;
}

// Two equal atoms under two numbers would make equal keys differ.
static bool validate_distinct (const struct atoms *atoms, const char **why) {
  return atoms_distinct (atoms) || history_refuse (why, "a key or value that stands in its table twice");
}

static bool validate_txns (const struct history *h, const char **why) {
  const size_t txns = h->txn_ids.count;
  if (h->txn_sessions.count != txns || h->txn_status.count != txns || h->txn_first_op.count != txns + 1
      || (h->txn_begin.count && h->txn_begin.count != txns) || (h->txn_end.count && h->txn_end.count != txns)
      || txns > INDEX_MOST)
    return history_refuse (why, "transaction columns of different length");
  bool fine = true;
  for (uint32_t t = 0; fine && t < txns; t++) {
    if (h->txn_sessions.data[t] >= h->session_labels.count)
      fine = history_refuse (why, "a transaction of no session");
    else if (h->txn_status.data[t] > TXN_UNKNOWN)
      fine = history_refuse (why, "a transaction of no known status");
    else if (h->txn_first_op.data[t] > h->txn_first_op.data[t + 1])
      fine = history_refuse (why, "a transaction with less than no operations");
    else if (history_end_time (h, t) < history_begin_time (h, t))
      fine = history_refuse (why, "a transaction that ends before it begins");
  }
  if (fine && !numbers_distinct (h->txn_ids.data, txns))
    return history_refuse (why, "a transaction id that was used before");
  if (fine && (h->txn_first_op.data[0] != 0 || h->txn_first_op.data[txns] != h->op_kinds.count))
    return history_refuse (why, "operations outside of transactions");
  return fine;
}

static bool is_value (const struct history *h, uint32_t value) {
  return value < atoms_count (&h->values);
}

static bool validate_range (const struct history *h, uint32_t aux, bool of_keys, const char **why) {
  if (aux >= h->ranges.count)
    return history_refuse (why, "a result that is not there");
  const struct op_range *range = &h->ranges.data[aux];
  const uint32_t keys = history_keys (h);
  if (range->first_item > h->item_values.count || h->item_values.count - range->first_item < range->items)
    return history_refuse (why, "a result outside of its column");
  if (of_keys && ((range->low != KEY_NONE && range->low >= keys) || (range->high != KEY_NONE && range->high >= keys)))
    return history_refuse (why, "a bound that is not a key");
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if ((of_keys && h->item_keys.data[i] >= keys) || !is_value (h, h->item_values.data[i]))
      return history_refuse (why, "an item without a key or value");
  return true;
}

// As history_add_inc makes them.
static bool validate_inc (const struct history *h, uint32_t op) {
  const uint32_t value = h->op_values.data[op], aux = history_aux (h, op);
  const bool known = history_flags (h, op) & OP_RESULT_KNOWN, fits = history_flags (h, op) & OP_RESULT_TRUE;
  if (!is_value (h, value) || atoms_get (&h->values, value).kind == ATOM_BYTES || (fits && !known)
      || (known ? !is_value (h, aux) : aux != AUX_NONE))
    return false;
  struct atom difference;
  return !known || atom_minus (atoms_get (&h->values, aux), atoms_get (&h->values, value), &difference) == fits;
}

static bool validate_op (const struct history *h, uint32_t op, const char **why) {
  const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op], aux = history_aux (h, op);
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (h->op_kinds.data[op] >= OP_KINDS)
    return history_refuse (why, "an operation of no known kind");
  if (kind == OP_SCAN || kind == OP_ITER)
    return aux == AUX_NONE || validate_range (h, aux, true, why);
  if (key >= history_keys (h))
    return history_refuse (why, "an operation without a key");
  switch (kind) {
  case OP_PUT:
  case OP_APPEND: return is_value (h, value) || history_refuse (why, "a write without a value");
  case OP_GET: return value >= VALUE_UNRECORDED || is_value (h, value) || history_refuse (why, "a read of no value");
  case OP_CAS:
    return ((value == VALUE_ABSENT || is_value (h, value)) && is_value (h, aux))
           || history_refuse (why, "a cas without values");
  case OP_INC: return validate_inc (h, op) || history_refuse (why, "an inc without fitting values");
  case OP_LIST: return aux == AUX_NONE || validate_range (h, aux, false, why);
  default: return true;
  }
}

static bool validate_sparse (const struct history *h, const char **why) {
  const uint32_t texts = atoms_count (&h->texts);
  for (size_t i = 0; i < h->op_times.count; i++)
    if (h->op_times.data[i].op >= history_ops (h) || (i && h->op_times.data[i].op <= h->op_times.data[i - 1].op))
      return history_refuse (why, "times of no operation");
  for (size_t i = 0; i < h->op_hints.count; i++)
    if (h->op_hints.data[i].owner >= history_ops (h) || h->op_hints.data[i].text >= texts
        || (i && h->op_hints.data[i].owner <= h->op_hints.data[i - 1].owner))
      return history_refuse (why, "a hint of no operation");
  for (size_t i = 0; i < h->txn_hints.count; i++)
    if (h->txn_hints.data[i].owner >= history_txns (h) || h->txn_hints.data[i].text >= texts
        || (i && h->txn_hints.data[i].owner <= h->txn_hints.data[i - 1].owner))
      return history_refuse (why, "a hint of no transaction");
  return h->hints == AUX_NONE || h->hints < texts || history_refuse (why, "a hint that is not there");
}

static bool validate_key_types (const struct history *h, const char **why) {
  for (uint32_t k = 0; k < history_keys (h); k++) {
    const enum key_type type = atoms_kind (&h->keys, k) == ATOM_BYTES ? KEYS_BYTES : KEYS_INT;
    if (type != h->key_type)
      return history_refuse (why, "keys of two types");
  }
  return true;
}

static bool validate_init (const struct history *h, const char **why) {
  if ((unsigned) h->init > INIT_ANY || h->init_keys.count != h->init_values.count)
    return history_refuse (why, "an initial state of no known kind");
  if (h->init == INIT_DEFAULT && !is_value (h, h->init_default))
    return history_refuse (why, "an initial value that is not there");
  uint8_t *seen = MEM_ZARRAY (uint8_t, (size_t) history_keys (h) + 1);
  bool fine = true;
  for (size_t i = 0; fine && i < h->init_keys.count; i++) {
    const uint32_t key = h->init_keys.data[i], value = h->init_values.data[i];
    if (key >= history_keys (h) || (value != VALUE_ABSENT && !is_value (h, value)))
      fine = history_refuse (why, "an initial value that is not there");
    else if (seen[key]++)
      fine = history_refuse (why, "an initial state that names a key twice");
  }
  mem_free (seen);
  return fine;
}

bool history_validate (const struct history *h, const char **why) {
  const size_t ops = h->op_kinds.count;
  if ((h->some_op_flags.count && h->some_op_flags.count != ops) || h->op_keys.count != ops || h->op_values.count != ops
      || (h->some_op_aux.count && h->some_op_aux.count != ops) || ops > INDEX_MOST
      || h->item_keys.count != h->item_values.count)
    return history_refuse (why, "operation columns of different length");
  if (!validate_atoms (&h->keys, why) || !validate_atoms (&h->values, why) || !validate_atoms (&h->texts, why)
      || !validate_distinct (&h->keys, why) || !validate_distinct (&h->values, why) || !validate_txns (h, why)
      || !validate_key_types (h, why) || !validate_init (h, why) || !validate_sparse (h, why))
    return false;
  for (uint32_t op = 0; op < ops; op++)
    if (!validate_op (h, op, why))
      return false;
  return true;
}
