#include "operations.h"

bool expectation_met (enum expectation expects, uint32_t expected, uint32_t value) {
  switch (expects) {
  case EXPECTS_VALUE: return value == expected;
  case EXPECTS_LIVE: return value != VALUE_ABSENT;
  case EXPECTS_OTHER: return value != expected;
  case EXPECTS_ZERO: return value == expected || value == VALUE_ABSENT;
  default: return false;
  }
}

key_set operation_universe (const struct history *h) {
  key_set found = 0;
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (h->op_keys.data[op] != KEY_NONE)
      found |= key_bit (h->op_keys.data[op]);
  for (size_t i = 0; i < h->item_keys.count; i++)
    if (h->item_keys.data[i] != KEY_NONE)
      found |= key_bit (h->item_keys.data[i]);
  for (size_t i = 0; i < h->init_keys.count; i++)
    found |= key_bit (h->init_keys.data[i]);
  return found;
}

static int compare_keys (const struct history *h, uint32_t a, uint32_t b) {
  return atom_compare (atoms_get (&h->keys, a), atoms_get (&h->keys, b));
}

bool operation_in_range (const struct history *h, uint32_t key, uint32_t low, uint32_t high) {
  return (low == KEY_NONE || compare_keys (h, low, key) <= 0) && (high == KEY_NONE || compare_keys (h, key, high) < 0);
}

static struct op_times times_of (const struct history *h, uint32_t op) {
  for (size_t i = 0; i < h->op_times.count; i++)
    if (h->op_times.data[i].op == op)
      return h->op_times.data[i];
  return (struct op_times){ op, TIME_NONE_BEGIN, TIME_NONE_END };
}

bool operation_iterator_is_open (const struct history *h, uint32_t iterator, uint32_t later) {
  const int64_t end = times_of (h, iterator).end, begin = times_of (h, later).begin;
  return h->op_kinds.data[iterator] == OP_ITER && end != TIME_NONE_END && begin != TIME_NONE_BEGIN && begin <= end;
}

static bool is_reverse (const struct history *h, uint32_t op) {
  return h->op_kinds.data[op] == OP_ITER && history_flags (h, op) & OP_ITER_REVERSE;
}

static bool is_malformed (const struct history *h, uint32_t op, const struct op_range *range) {
  const uint32_t *keys = h->item_keys.data + range->first_item;
  for (uint32_t i = 0; i < range->items; i++) {
    if (!operation_in_range (h, keys[i], range->low, range->high))
      return true;
    const int step = i ? compare_keys (h, keys[i - 1], keys[i]) : 0;
    if (i && (is_reverse (h, op) ? step <= 0 : step >= 0))
      return true;
  }
  return false;
}

// A scan covers its range; so does an iterator that reached the end; another one gets as far as the
// last item fetched.
static bool is_covered (const struct history *h, uint32_t op, const struct op_range *range, uint32_t key) {
  if (!operation_in_range (h, key, range->low, range->high))
    return false;
  if (h->op_kinds.data[op] == OP_SCAN || history_flags (h, op) & OP_ITER_END)
    return true;
  if (!range->items)
    return false;
  const int step = compare_keys (h, key, h->item_keys.data[range->first_item + range->items - 1]);
  return is_reverse (h, op) ? step >= 0 : step <= 0;
}

// What the range was seen to hold at a key.
static struct op_read range_read (const struct history *h, const struct op_range *range, uint32_t key) {
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if (h->item_keys.data[i] == key)
      return (struct op_read){ key, EXPECTS_VALUE, h->item_values.data[i], false };
  return (struct op_read){ key, EXPECTS_VALUE, VALUE_ABSENT, true };
}

static void range_reads (const struct history *h, uint32_t op, key_set universe, struct op_reads *reads) {
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  reads->malformed = is_malformed (h, op, range);
  for (uint32_t key = 0; key < history_keys (h) && !reads->malformed; key++)
    if (universe & key_bit (key) && is_covered (h, op, range, key))
      reads->all[reads->count++] = range_read (h, range, key);
}

void operation_reads (const struct history *h, uint32_t op, key_set universe, struct op_reads *reads) {
  const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
  const bool known = history_flags (h, op) & OP_RESULT_KNOWN, yes = history_flags (h, op) & OP_RESULT_TRUE;
  *reads = (struct op_reads){ 0 };
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_GET:
    if (value != VALUE_UNRECORDED)
      reads->all[reads->count++] = (struct op_read){ key, EXPECTS_VALUE, value, false };
    break;
  case OP_DEL:
    if (known)
      reads->all[reads->count++] = (struct op_read){ key, yes ? EXPECTS_LIVE : EXPECTS_VALUE, VALUE_ABSENT, false };
    break;
  case OP_CAS:
    if (known)
      reads->all[reads->count++] = (struct op_read){ key, yes ? EXPECTS_VALUE : EXPECTS_OTHER, value, false };
    break;
  case OP_INC:
    reads->malformed = known && !yes;
    if (yes) {
      const struct atom from = atoms_get (&h->values, value);
      const bool zero = from.kind == ATOM_UNSIGNED && from.number == 0;
      reads->all[reads->count++] = (struct op_read){ key, zero ? EXPECTS_ZERO : EXPECTS_VALUE, value, false };
    }
    break;
  case OP_SCAN:
  case OP_ITER:
    if (value != VALUE_UNRECORDED)
      range_reads (h, op, universe, reads);
    break;
  default: break;
  }
}

bool operation_looks_at (const struct history *h, uint32_t op, uint32_t key) {
  const bool recorded = h->op_values.data[op] != VALUE_UNRECORDED;
  switch ((enum op_kind) h->op_kinds.data[op]) {
  case OP_PUT:
  case OP_APPEND: return false;
  case OP_SCAN:
  case OP_ITER: return recorded && is_covered (h, op, &h->ranges.data[history_aux (h, op)], key);
  case OP_GET:
  case OP_LIST: return recorded && h->op_keys.data[op] == key;
  default: return history_flags (h, op) & OP_RESULT_KNOWN && h->op_keys.data[op] == key;
  }
}
