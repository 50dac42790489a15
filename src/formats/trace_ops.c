// Operations of a trace, from input and output to the columns of the history.

#include "formats/trace_read.h"

bool trace_next_datum (struct trace_data *data, struct atom *atom) {
  const char *at = data->at;
  const enum trace_type type = (enum trace_type) load_le32 (at);
  const uint32_t length = load_le32 (at + 4);
  data->count--;
  data->at += trace_datum_length (type, length);
  switch (type) {
  case TRACE_NOTHING: return false;
  case TRACE_UNSIGNED: *atom = atom_unsigned (load_le64 (at + 8)); return true;
  case TRACE_NEGATIVE: *atom = atom_signed ((int64_t) load_le64 (at + 8)); return true;
  case TRACE_BYTES: *atom = atom_bytes (at + 8, length); return true;
  }
  return false;
}

static bool next_key (struct history *h, struct trace_data *data, uint32_t *key, const char **why) {
  struct atom atom;
  *key = KEY_NONE;
  return !trace_next_datum (data, &atom) || (*key = history_key (h, atom, why)) != KEY_NONE;
}

static bool next_value (struct history *h, struct trace_data *data, uint32_t *value, const char **why) {
  struct atom atom;
  *value = VALUE_ABSENT;
  return !trace_next_datum (data, &atom) || (*value = history_value (h, atom, why)) != ATOM_NONE;
}

static bool add_items (struct history *h, struct trace_data data, bool with_keys, const char **why) {
  uint32_t key = KEY_NONE, value;
  while (data.count)
    if ((with_keys && !next_key (h, &data, &key, why)) || !next_value (h, &data, &value, why)
        || !history_add_item (h, key, value, why))
      return false;
  return true;
}

static bool add_range (struct history *h, struct trace_op *op, const char **why) {
  uint32_t low, high;
  if (!next_key (h, &op->arguments, &low, why) || !next_key (h, &op->arguments, &high, why))
    return false;
  const bool known = op->answer == TRACE_ITEMS;
  const uint32_t range = history_open_range (h, low, high);
  return (!known || add_items (h, op->data, true, why))
         && history_add_op (h, op->kind, op->flags, KEY_NONE, known ? VALUE_NONE : VALUE_UNRECORDED, range, why);
}

static bool add_list (struct history *h, struct trace_op *op, uint32_t key, const char **why) {
  if (op->answer == TRACE_DONE)
    return history_add_op (h, OP_LIST, op->flags, key, VALUE_UNRECORDED, AUX_NONE, why);
  const bool absent = op->answer == TRACE_ABSENT;
  const uint32_t range = history_open_range (h, KEY_NONE, KEY_NONE);
  return (absent || add_items (h, op->data, false, why))
         && history_add_op (h, OP_LIST, op->flags, key, absent ? VALUE_ABSENT : VALUE_NONE, range, why);
}

static bool add_get (struct history *h, struct trace_op *op, uint32_t key, const char **why) {
  uint32_t value = op->answer == TRACE_DONE ? VALUE_UNRECORDED : VALUE_ABSENT;
  return (op->answer != TRACE_VALUE || next_value (h, &op->data, &value, why))
         && history_add_op (h, OP_GET, op->flags, key, value, AUX_NONE, why);
}

static bool add_inc (struct history *h, struct trace_op *op, uint32_t key, const char **why) {
  uint32_t by, result = VALUE_UNRECORDED;
  return next_value (h, &op->arguments, &by, why)
         && (op->answer != TRACE_VALUE || next_value (h, &op->data, &result, why))
         && history_add_inc (h, op->flags, key, by, result, why);
}

static bool add (struct history *h, struct trace_op *op, const char **why) {
  uint32_t key, value = VALUE_NONE, aux = AUX_NONE;
  if (op->kind == OP_SCAN || op->kind == OP_ITER)
    return add_range (h, op, why);
  if (!next_key (h, &op->arguments, &key, why))
    return false;
  if (op->kind == OP_LIST)
    return add_list (h, op, key, why);
  if (op->kind == OP_GET)
    return add_get (h, op, key, why);
  if (op->kind == OP_INC)
    return add_inc (h, op, key, why);
  if ((op->kind != OP_DEL && !next_value (h, &op->arguments, &value, why))
      || (op->kind == OP_CAS && !next_value (h, &op->arguments, &aux, why)))
    return false;
  if (op->answer == TRACE_TRUE || op->answer == TRACE_FALSE)
    op->flags |= OP_RESULT_KNOWN | (op->answer == TRACE_TRUE ? OP_RESULT_TRUE : 0);
  return history_add_op (h, op->kind, op->flags, key, value, aux, why);
}

bool trace_flush_op (struct trace_reader *r) {
  struct trace_op *op = &r->op;
  const char *why;
  if (!op->open)
    return true;
  op->open = false;
  if (op->answer == TRACE_REFUSED)
    return true;
  if (op->end < op->begin)
    return trace_fail (r, op->at, "the operation ends before it begins");
  if (!add (r->h, op, &why))
    return trace_fail (r, op->at, why);
  if (op->begin != TIME_NONE_BEGIN || op->end != TIME_NONE_END)
    history_set_op_times (r->h, op->begin, op->end);
  return true;
}
