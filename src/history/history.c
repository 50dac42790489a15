#include "history/history.h"

#include "base/group.h"
#include "base/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct history *history_new (const char *name) {
  struct history *h = mem_zalloc (sizeof *h);
  h->name = mem_strdup (name);
  h->init = INIT_ABSENT;
  h->init_default = VALUE_ABSENT;
  h->hints = AUX_NONE;
  return h;
}

#define FREE_COLUMN(column) VEC_FREE (h->column);

void history_free (struct history *h) {
  if (!h)
    return;
  MEM_FREE_ALL (h->name, h->source, h->warnings, h->incomplete);
  atoms_free (&h->keys);
  atoms_free (&h->values);
  atoms_free (&h->texts);
  HISTORY_COLUMNS (FREE_COLUMN)
  id_set_free (&h->ids);
  hash_set_free (&h->session_table);
  hash_set_free (&h->init_table);
  mem_free (h);
}

static bool same_number (const void *context, uint32_t index, const void *wanted) {
  return ((const uint64_t *) context)[index] == *(const uint64_t *) wanted;
}

static uint32_t session_index (struct history *h, uint64_t label) {
  // Traces come in long runs of one session; the last one is asked first.
  if (h->txn_sessions.count) {
    const uint32_t last = h->txn_sessions.data[h->txn_sessions.count - 1];
    if (h->session_labels.data[last] == label)
      return last;
  }
  const uint64_t hash = hash_u64 (label);
  uint32_t index = hash_set_find (&h->session_table, hash, same_number, h->session_labels.data, &label);
  if (index != HASH_NONE)
    return index;
  index = (uint32_t) h->session_labels.count;
  VEC_PUSH (h->session_labels, label);
  hash_set_insert (&h->session_table, hash, index);
  return index;
}

// Time columns exist only from the first transaction on that has a time.
#define SET_TIME(column, total, time, missing)                                                                         \
  do {                                                                                                                 \
    if ((time) != (missing))                                                                                           \
      while ((column).count < (total))                                                                                 \
        VEC_PUSH ((column), (missing));                                                                                \
    if ((column).count)                                                                                                \
      (column).data[(total) -1] = (time);                                                                              \
  } while (0)

bool history_begin_txn (struct history *h, const struct txn_header *header, const char **why) {
  if (h->txn_ids.count >= INDEX_MOST)
    return history_refuse (why, "too many transactions");
  if (header->end < header->begin)
    return history_refuse (why, "the transaction ends before it begins");
  const uint32_t txn = history_txns (h);
  const uint64_t id = header->has_id ? header->id : (uint64_t) txn + 1;
  if (!id_set_add (&h->ids, h->txn_ids.data, h->txn_ids.count, id))
    return history_refuse (why, "the transaction id was used before");
  const uint32_t session = session_index (h, header->session);
  VEC_PUSH (h->txn_ids, id);
  VEC_PUSH (h->txn_sessions, session);
  VEC_PUSH (h->txn_status, (uint8_t) header->status);
  VEC_PUSH (h->txn_first_op, history_ops (h) + h->waiting_ops);
  if (h->txn_begin.count)
    VEC_PUSH (h->txn_begin, TIME_NONE_BEGIN);
  if (h->txn_end.count)
    VEC_PUSH (h->txn_end, TIME_NONE_END);
  SET_TIME (h->txn_begin, h->txn_ids.count, header->begin, TIME_NONE_BEGIN);
  SET_TIME (h->txn_end, h->txn_ids.count, header->end, TIME_NONE_END);
  return true;
}

void history_set_status (struct history *h, enum txn_status status) {
  if (!h->txn_status.count)
    misuse (__func__, "no transaction begun");
  h->txn_status.data[h->txn_status.count - 1] = (uint8_t) status;
}

bool history_set_end (struct history *h, int64_t end, const char **why) {
  const size_t txns = h->txn_ids.count;
  if (!txns)
    misuse (__func__, "no transaction begun");
  if (end < history_begin_time (h, (uint32_t) (txns - 1)))
    return history_refuse (why, "the transaction ends before it begins");
  SET_TIME (h->txn_end, txns, end, TIME_NONE_END);
  return true;
}

static const char too_many_keys[] = "too many keys, or a key that is too long",
                  too_many_values[] = "too many values, or a value that is too long";

uint32_t history_key (struct history *h, struct atom atom, const char **why) {
  const enum key_type type = atom.kind == ATOM_BYTES ? KEYS_BYTES : KEYS_INT;
  if (h->key_type == KEYS_UNDECIDED)
    h->key_type = type;
  if (h->key_type != type) {
    *why = type == KEYS_BYTES ? "a string as key in a history of integer keys"
                              : "an integer as key in a history of string keys";
    return KEY_NONE;
  }
  const uint32_t key = atoms_intern (&h->keys, atom);
  if (key == ATOM_NONE)
    *why = too_many_keys;
  return key;
}

uint32_t history_value (struct history *h, struct atom atom, const char **why) {
  const uint32_t value = atoms_intern (&h->values, atom);
  if (value == ATOM_NONE)
    *why = too_many_values;
  return value;
}

// These two columns exist from the first operation on that has something to say there.
#define FILL_UP(column, wanted, byte)                                                                                  \
  do {                                                                                                                 \
    const size_t missing_ = (wanted) - (column).count;                                                                 \
    VEC_RESERVE (column, wanted);                                                                                      \
    if (missing_)                                                                                                      \
      memset ((column).data + (column).count, (byte), missing_ * sizeof *(column).data);                               \
    (column).count = (wanted);                                                                                         \
  } while (0)

static void push_flags (struct history *h, uint8_t flags) {
  FILL_UP (h->some_op_flags, h->op_kinds.count, 0);
  VEC_PUSH (h->some_op_flags, flags);
}

static void push_aux (struct history *h, uint32_t aux) {
  FILL_UP (h->some_op_aux, h->op_kinds.count, 0xff); // AUX_NONE
  VEC_PUSH (h->some_op_aux, aux);
}

void history_set_aux (struct history *h, uint32_t op, uint32_t aux) {
  FILL_UP (h->some_op_aux, h->op_kinds.count, 0xff);
  h->some_op_aux.data[op] = aux;
}

bool history_add_op (struct history *h, enum op_kind kind, unsigned flags, uint32_t key, uint32_t value, uint32_t aux,
                     const char **why) {
  if (!h->txn_ids.count)
    misuse (__func__, "no transaction begun");
  if (h->waiting_ops)
    misuse (__func__, "operations were announced before this one");
  if (h->op_kinds.count >= INDEX_MOST)
    return history_refuse (why, "too many operations");
  if (flags || h->some_op_flags.count)
    push_flags (h, (uint8_t) flags);
  if (aux != AUX_NONE || h->some_op_aux.count)
    push_aux (h, aux);
  VEC_PUSH (h->op_kinds, (uint8_t) kind);
  VEC_PUSH (h->op_keys, key);
  VEC_PUSH (h->op_values, value);
  return true;
}

static uint32_t *room_for (struct history *h, size_t count) {
  const size_t ops = h->op_kinds.count + count;
  VEC_RESERVE (h->op_kinds, ops);
  VEC_RESERVE (h->op_keys, ops);
  VEC_RESERVE (h->op_values, ops);
  return h->op_values.data + h->op_values.count;
}

// Gets of absent have no value to be looked up: the others' are next to each other for that.
static size_t intern_values (struct history *h, const uint8_t *kinds, const uint64_t *values, size_t count,
                             uint32_t *ids) {
  uint64_t wanted[MOST_ANNOUNCED] = { 0 };
  uint32_t found[MOST_ANNOUNCED];
  size_t with_value = 0, next = 0;
  for (size_t i = 0; i < count; i++) {
    wanted[with_value] = values[i];
    with_value += !(kinds[i] & GETS_ABSENT);
  }
  const size_t interned = atoms_intern_numbers (&h->values, wanted, with_value, found);
  for (size_t i = 0; i < count; i++) {
    const bool absent = kinds[i] & GETS_ABSENT;
    if (!absent && next == interned)
      return i;
    ids[i] = absent ? VALUE_ABSENT : found[next];
    next += !absent;
  }
  return count;
}

bool history_add_announced (struct history *h, const uint8_t *kinds, const uint64_t *keys, const uint64_t *values,
                            size_t *added, const char **why) {
  const size_t count = h->waiting_ops, room = INDEX_MOST - h->op_kinds.count, first = h->op_kinds.count;
  h->waiting_ops = 0;
  *added = 0;
  if (!count)
    return true;
  uint32_t *value_ids = room_for (h, count);
  const size_t known_keys = atoms_intern_numbers (&h->keys, keys, count, h->op_keys.data + first);
  *added = intern_values (h, kinds, values, known_keys, value_ids);
  if (room < *added) {
    *added = room;
    return history_refuse (why, "too many operations");
  }
  if (*added < count)
    return history_refuse (why, *added == known_keys ? too_many_keys : too_many_values);
  for (size_t i = 0; i < count; i++)
    h->op_kinds.data[first + i] = kinds[i] & (uint8_t) ~GETS_ABSENT;
  h->op_kinds.count = h->op_keys.count = h->op_values.count = first + count;
  if (h->some_op_flags.count)
    FILL_UP (h->some_op_flags, first + count, 0);
  if (h->some_op_aux.count)
    FILL_UP (h->some_op_aux, first + count, 0xff);
  return true;
}

// What the key must have held is told by the new value; it is kept in the place of the difference.
bool history_add_inc (struct history *h, unsigned flags, uint32_t key, uint32_t by, uint32_t result, const char **why) {
  const struct atom step = atoms_get (&h->values, by);
  struct atom read;
  if (step.kind == ATOM_BYTES)
    return history_refuse (why, "an increment by something that is not an integer");
  if (result == VALUE_UNRECORDED)
    return history_add_op (h, OP_INC, flags, key, by, AUX_NONE, why);
  if (!atom_minus (atoms_get (&h->values, result), step, &read))
    return history_add_op (h, OP_INC, flags | OP_RESULT_KNOWN, key, by, result, why);
  const uint32_t from = history_value (h, read, why);
  return from != UINT32_MAX
         && history_add_op (h, OP_INC, flags | OP_RESULT_KNOWN | OP_RESULT_TRUE, key, from, result, why);
}

struct atom history_inc_by (const struct history *h, uint32_t op) {
  const struct atom from = atoms_get (&h->values, h->op_values.data[op]);
  struct atom by = from;
  if (history_flags (h, op) & OP_RESULT_TRUE)
    atom_minus (atoms_get (&h->values, history_aux (h, op)), from, &by);
  return by;
}

uint32_t history_open_range (struct history *h, uint32_t low, uint32_t high) {
  VEC_PUSH (h->ranges, (struct op_range){ low, high, (uint32_t) h->item_values.count, 0 });
  return (uint32_t) (h->ranges.count - 1);
}

bool history_add_item (struct history *h, uint32_t key, uint32_t value, const char **why) {
  if (!h->ranges.count)
    misuse (__func__, "no range opened");
  if (h->item_values.count >= INDEX_MOST)
    return history_refuse (why, "too many returned items");
  VEC_PUSH (h->item_keys, key);
  VEC_PUSH (h->item_values, value);
  h->ranges.data[h->ranges.count - 1].items++;
  return true;
}

void history_set_op_times (struct history *h, int64_t begin, int64_t end) {
  if (!h->op_kinds.count)
    misuse (__func__, "no operation added");
  VEC_PUSH (h->op_times, (struct op_times){ history_ops (h) - 1, begin, end });
}

static uint32_t intern_text (struct history *h, const char *json, size_t length, const char **why) {
  const uint32_t text = atoms_intern (&h->texts, atom_bytes (json, length));
  if (text == ATOM_NONE)
    *why = "too many hints, or a hint that is too long";
  return text;
}

bool history_set_op_hint (struct history *h, const char *json, size_t length, const char **why) {
  if (!h->op_kinds.count)
    misuse (__func__, "no operation added");
  const uint32_t text = intern_text (h, json, length, why);
  if (text != ATOM_NONE)
    VEC_PUSH (h->op_hints, (struct op_hint){ history_ops (h) - 1, text });
  return text != ATOM_NONE;
}

bool history_set_txn_hint (struct history *h, const char *json, size_t length, const char **why) {
  if (!h->txn_ids.count)
    misuse (__func__, "no transaction begun");
  const uint32_t text = intern_text (h, json, length, why);
  if (text != ATOM_NONE)
    VEC_PUSH (h->txn_hints, (struct op_hint){ history_txns (h) - 1, text });
  return text != ATOM_NONE;
}

bool history_set_header_hints (struct history *h, const char *json, size_t length, const char **why) {
  h->hints = intern_text (h, json, length, why);
  return h->hints != ATOM_NONE;
}

static bool same_index (const void *context, uint32_t index, const void *wanted) {
  return ((const uint32_t *) context)[index] == *(const uint32_t *) wanted;
}

bool history_set_init_key (struct history *h, uint32_t key, uint32_t value, const char **why) {
  const uint64_t hash = hash_u64 (key);
  if (hash_set_find (&h->init_table, hash, same_index, h->init_keys.data, &key) != HASH_NONE)
    return history_refuse (why, "the initial state names a key twice");
  hash_set_insert (&h->init_table, hash, (uint32_t) h->init_keys.count);
  VEC_PUSH (h->init_keys, key);
  VEC_PUSH (h->init_values, value);
  return true;
}

static bool has_line (const char *lines, const char *text) {
  const size_t length = strlen (text);
  for (const char *at = lines; at; at = strchr (at, '\n') ? strchr (at, '\n') + 1 : NULL)
    if (!strncmp (at, text, length) && (!at[length] || at[length] == '\n'))
      return true;
  return false;
}

// Adds a line to a text that may be NULL; `once`: unless it is there already.
static void add_line (char **lines, bool once, const char *format, va_list arguments) {
  char text[512];
  vsnprintf (text, sizeof text, format, arguments);
  if (once && has_line (*lines, text))
    return;
  const size_t old = *lines ? strlen (*lines) : 0, added = strlen (text);
  *lines = mem_realloc (*lines, old + added + 2);
  if (old)
    (*lines)[old] = '\n';
  memcpy (*lines + old + (old ? 1 : 0), text, added + 1);
}

void history_warn (struct history *h, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  add_line (&h->warnings, false, format, arguments);
  va_end (arguments);
}

void history_mark_incomplete (struct history *h, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  add_line (&h->incomplete, true, format, arguments);
  va_end (arguments);
}

uint32_t *history_initial_values (const struct history *h) {
  uint32_t *values = MEM_ARRAY (uint32_t, history_keys (h));
  for (uint32_t key = 0; key < history_keys (h); key++)
    values[key] = h->init == INIT_ABSENT ? VALUE_ABSENT : h->init == INIT_ANY ? VALUE_UNRECORDED : h->init_default;
  for (size_t i = 0; h->init != INIT_ANY && i < h->init_keys.count; i++)
    values[h->init_keys.data[i]] = h->init_values.data[i];
  return values;
}

bool history_has_committed (const struct history *h) {
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (h->txn_status.data[t] == TXN_COMMITTED)
      return true;
  return false;
}

uint32_t history_txn_of_op (const struct history *h, uint32_t op) {
  return group_of_place (h->txn_first_op.data, history_txns (h), op);
}

const struct op_times *history_times_of_op (const struct history *h, uint32_t op) {
  size_t at = 0;
  LOWER_BOUND (at, h->op_times.count, middle, h->op_times.data[middle].op < op);
  return at < h->op_times.count && h->op_times.data[at].op == op ? &h->op_times.data[at] : NULL;
}

static uint32_t hint_of (const struct op_hint *hints, size_t count, uint32_t owner) {
  size_t at = 0;
  LOWER_BOUND (at, count, middle, hints[middle].owner < owner);
  return at < count && hints[at].owner == owner ? hints[at].text : AUX_NONE;
}

uint32_t history_hint_of_op (const struct history *h, uint32_t op) {
  return hint_of (h->op_hints.data, h->op_hints.count, op);
}

uint32_t history_hint_of_txn (const struct history *h, uint32_t txn) {
  return hint_of (h->txn_hints.data, h->txn_hints.count, txn);
}

const char *op_kind_name (enum op_kind kind) {
  static const char *const names[OP_KINDS] = { "put", "del", "get", "scan", "iter", "append", "list", "cas", "inc" };
  return (unsigned) kind < OP_KINDS ? names[kind] : "?";
}

const char *txn_status_name (enum txn_status status) {
  static const char *const names[] = { "ok", "abort", "unknown" };
  return (unsigned) status <= TXN_UNKNOWN ? names[status] : "?";
}
