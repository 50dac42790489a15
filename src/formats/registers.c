#include "formats/registers.h"

#include "formats/json_read.h"

#include <inttypes.h>
#include <stdio.h>

void registers_first_line (struct json_reader *r) {
  const char *at = json_place (r), *newline = memchr (at, '\n', (size_t) (r->end - at));
  r->end = newline ? newline : r->end;
  r->line_end = ' ';
}

bool registers_flush (struct registers *r, const char **why, uint64_t *place) {
  size_t added;
  if (history_add_announced (r->history, r->kinds, r->keys, r->values, &added, why))
    return true;
  *place = r->places[added];
  return false;
}

bool registers_refuse (const struct history *h, uint32_t txn, uint32_t op, struct error *error, const char *what,
                       const char *format) {
  char operation[32] = "";
  if (op != OP_NONE)
    snprintf (operation, sizeof operation, ", operation %" PRIu32, op - h->txn_first_op.data[txn] + 1);
  return error_set (error, "%.300s: transaction %" PRIu64 "%s: %s cannot be written as %s", h->name,
                    h->txn_ids.data[txn], operation, what, format);
}

static const char *misfit_of_atom (const struct atoms *atoms, uint32_t index, bool negative) {
  switch (atoms_kind (atoms, index)) {
  case ATOM_BYTES: return "a string";
  case ATOM_NEGATIVE: return negative ? NULL : "a negative number";
  default: return NULL;
  }
}

static const char *misfit_of_op (const struct history *h, uint32_t op, const struct register_limits *limits) {
  const enum op_kind kind = (enum op_kind) h->op_kinds.data[op];
  if (kind != OP_GET && kind != OP_PUT)
    return op_kind_name (kind);
  if (h->op_values.data[op] == VALUE_UNRECORDED)
    return "a read without a result";
  const char *misfit = misfit_of_atom (&h->keys, h->op_keys.data[op], limits->negative);
  if (!misfit && h->op_values.data[op] != VALUE_ABSENT)
    misfit = misfit_of_atom (&h->values, h->op_values.data[op], limits->negative);
  return misfit;
}

bool registers_check (const struct history *h, const struct register_limits *limits, struct error *error) {
  if (h->init == INIT_ANY)
    return error_set (error, "%.300s: the initial state `any` cannot be written as %s", h->name, limits->format);
  for (uint32_t txn = 0; txn < history_txns (h); txn++) {
    if (h->txn_status.data[txn] == TXN_UNKNOWN && !limits->unknown)
      return registers_refuse (h, txn, OP_NONE, error, "an unknown outcome", limits->format);
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const char *misfit = misfit_of_op (h, op, limits);
      if (misfit)
        return registers_refuse (h, txn, op, error, misfit, limits->format);
    }
  }
  return true;
}

static bool is_zero (const struct history *h, uint32_t value) {
  return value != VALUE_ABSENT && atom_is_zero (atoms_get (&h->values, value));
}

// Operations on one key that would mean something else if its start were written as 0.
static const char *misfit_of_start (const struct history *h, uint32_t op, const uint32_t *initial,
                                    const bool *explicit_zero) {
  const uint32_t key = h->op_keys.data[op], value = h->op_values.data[op];
  const bool format_absent = explicit_zero && explicit_zero[key];
  if (initial[key] == VALUE_ABSENT) {
    if (format_absent)
      return value == VALUE_ABSENT ? "a read of absent" : NULL;
    return is_zero (h, value) ? "a 0 on a key that starts absent" : NULL;
  }
  if (format_absent)
    return "a first transaction of zeros only, on a key that does not start absent,";
  if (!is_zero (h, initial[key]))
    return "a key that does not start with 0";
  return value == VALUE_ABSENT ? "a read of absent on a key that starts with 0" : NULL;
}

bool registers_start_at_zero (const struct history *h, const struct register_limits *limits, const bool *explicit_zero,
                              struct error *error) {
  uint32_t *initial = history_initial_values (h);
  bool fits = true;
  for (uint32_t txn = 0; fits && txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; fits && op < h->txn_first_op.data[txn + 1]; op++) {
      const char *misfit = misfit_of_start (h, op, initial, explicit_zero);
      fits = !misfit || registers_refuse (h, txn, op, error, misfit, limits->format);
    }
  mem_free (initial);
  return fits;
}
