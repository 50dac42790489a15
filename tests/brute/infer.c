// The own-write policy `infer`: must if no committed read refutes it, else external, else may.
//
// A committed read after an own write refutes a policy that leaves it without anything to read from. A delete without a recorded
// result may have written or not: after it no read of the transaction refutes anything, and to others it may have given absent.

#include "lists.h"
#include "operations.h"
#include "story.h"

// What operations [first, end) of a transaction leave in a key.
struct written {
  bool by_somebody, uncertain;
  uint32_t value;
};

static void write (struct written *written, uint32_t value) {
  *written = (struct written){ .by_somebody = true, .value = value };
}

static struct written last_write (const struct history *h, uint32_t first, uint32_t end, uint32_t key) {
  struct written written = { false, false, VALUE_NONE };
  for (uint32_t op = first; op < end; op++) {
    const bool known = h->op_flags.data[op] & OP_RESULT_KNOWN, yes = h->op_flags.data[op] & OP_RESULT_TRUE;
    if (h->op_keys.data[op] != key)
      continue;
    switch ((enum op_kind) h->op_kinds.data[op]) {
    case OP_PUT: write (&written, h->op_values.data[op]); break;
    case OP_CAS:
      if (yes)
        write (&written, h->op_aux.data[op]);
      break;
    case OP_DEL:
      if (known ? yes : written.by_somebody && !written.uncertain)
        write (&written, VALUE_ABSENT);
      else if (!known)
        written = (struct written){ true, true, VALUE_ABSENT };
      break;
    default: break;
    }
  }
  return written;
}

// Could a transaction other than `reader`, or the initial state, give what the read expects?
static bool has_external_candidate (const struct history *h, uint32_t reader, const struct op_read *read) {
  if (h->init == INIT_ANY || expectation_met (read->expects, read->value, story_initial_value (h, read->key)))
    return true;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (t == reader || h->txn_status.data[t] == TXN_ABORTED)
      continue;
    const struct written last = last_write (h, h->txn_first_op.data[t], h->txn_first_op.data[t + 1], read->key);
    if (last.by_somebody && expectation_met (read->expects, read->value, last.value))
      return true;
  }
  return false;
}

struct refuted {
  bool must, external;
};

// Is the key written, or perhaps, while the iterator is open? Then every policy allows both.
static bool is_written_while_open (const struct history *h, uint32_t t, uint32_t op, uint32_t key) {
  for (uint32_t later = op + 1; later < h->txn_first_op.data[t + 1]; later++)
    if (operation_iterator_is_open (h, op, later) && last_write (h, later, later + 1, key).by_somebody)
      return true;
  return false;
}

static void look_at_reads (const struct history *h, uint32_t t, uint32_t op, key_set universe,
                           struct refuted *refuted) {
  struct op_reads reads;
  operation_reads (h, op, universe, &reads);
  for (unsigned i = 0; i < reads.count; i++) {
    const struct op_read *read = &reads.all[i];
    const struct written own = last_write (h, h->txn_first_op.data[t], op, read->key);
    if (!own.by_somebody || own.uncertain || is_written_while_open (h, t, op, read->key))
      continue;
    refuted->must |= !expectation_met (read->expects, read->value, own.value);
    refuted->external |= !has_external_candidate (h, t, read);
  }
}

static void look_at_list (const struct history *h, uint32_t t, uint32_t op, struct refuted *refuted) {
  const struct appends own = lists_appends (h, t, op, h->op_keys.data[op]);
  if (h->op_values.data[op] == VALUE_UNRECORDED || !own.count)
    return;
  const struct op_range *range = &h->ranges.data[h->op_aux.data[op]];
  refuted->must |= !lists_ends_with (range, h, &own);
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    for (unsigned k = 0; k < own.count; k++)
      refuted->external |= h->item_values.data[i] == own.value[k];
}

enum brute_own_writes story_own_writes (const struct history *h, enum brute_own_writes asked) {
  if (asked != BRUTE_OWN_INFER)
    return asked;
  const key_set universe = operation_universe (h);
  struct refuted refuted = { false, false };
  for (uint32_t t = 0; t < history_txns (h); t++)
    for (uint32_t op = h->txn_first_op.data[t]; op < h->txn_first_op.data[t + 1]; op++) {
      if (h->txn_status.data[t] != TXN_COMMITTED)
        continue;
      if (h->op_kinds.data[op] == OP_LIST)
        look_at_list (h, t, op, &refuted);
      else
        look_at_reads (h, t, op, universe, &refuted);
    }
  return !refuted.must ? BRUTE_OWN_MUST : !refuted.external ? BRUTE_OWN_EXTERNAL : BRUTE_OWN_MAY;
}
