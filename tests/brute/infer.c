// The own-write policy `infer`: must if no committed read refutes it, else external, else may.
//
// A committed transaction refutes must if, whichever of its deletes without recorded results wrote,
// some read of it did not see the own write that it must see, or a hint says so. A read refutes
// external if it comes after a certain own write and nobody else can have given it what it
// returned, or if a hint says that it saw an own write.

#include "lists.h"
#include "operations.h"
#include "story.h"
#include "writes.h"

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
    const bool known = history_flags (h, op) & OP_RESULT_KNOWN, yes = history_flags (h, op) & OP_RESULT_TRUE;
    if (h->op_keys.data[op] != key)
      continue;
    switch ((enum op_kind) h->op_kinds.data[op]) {
    case OP_PUT: write (&written, h->op_values.data[op]); break;
    case OP_CAS:
      if (yes)
        write (&written, history_aux (h, op));
      break;
    case OP_INC: write (&written, known ? history_aux (h, op) : VALUE_UNRECORDED); break;
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

enum { NO_HINT = STORY_NODES };

// The node that a hint names as the source of a read, or NO_HINT.
static unsigned hinted_source (const struct brute_hints *hints, unsigned reader, unsigned operation, uint32_t key) {
  for (unsigned i = 0; hints && i < hints->sources; i++)
    if (hints->source[i].reader == reader && hints->source[i].operation == operation && hints->source[i].key == key)
      return hints->source[i].source;
  return NO_HINT;
}

// A committed transaction at hand.
struct reader {
  const struct history *h;
  const struct brute_hints *hints;
  key_set universe;
  uint32_t txn, first, end;
  struct op_write writes[STORY_EVENTS]; // under one choice
};

static unsigned source_of (const struct reader *r, uint32_t op, uint32_t key) {
  return hinted_source (r->hints, r->txn + 1, op - r->first, key);
}

// Can the read have seen what it must, if the last own write before it was `own`? An iterator may
// see what is written while it is open, or not.
static bool read_is_fine (const struct reader *r, uint32_t op, const struct op_read *read, const struct op_write *own) {
  bool later = false, fits_later = false;
  for (uint32_t next = op + 1; next < r->end; next++) {
    const struct op_write *write = &r->writes[next - r->first];
    if (!write->wrote || r->h->op_keys.data[next] != read->key || !operation_iterator_is_open (r->h, op, next))
      continue;
    later = true;
    fits_later |= expectation_met (read->expects, read->value, write->value);
  }
  const bool fits_own = own && expectation_met (read->expects, read->value, own->value);
  const unsigned source = source_of (r, op, read->key);
  if (source == r->txn + 1)
    return fits_own || fits_later;
  return !own || later || (fits_own && source == NO_HINT);
}

static bool choice_is_fine (const struct reader *r) {
  for (uint32_t op = r->first; op < r->end; op++) {
    struct op_reads reads = { 0 };
    if (r->h->op_kinds.data[op] != OP_LIST)
      operation_reads (r->h, op, r->universe, &reads);
    for (unsigned i = 0; i < reads.count; i++) {
      const struct op_write *own = NULL;
      for (uint32_t before = r->first; before < op; before++)
        if (r->h->op_keys.data[before] == reads.all[i].key && r->writes[before - r->first].wrote)
          own = &r->writes[before - r->first];
      if (!read_is_fine (r, op, &reads.all[i], own))
        return false;
    }
  }
  return true;
}

static bool refutes_must (struct reader *r) {
  unsigned open = 0;
  for (uint32_t did_nothing = 0; did_nothing >> open == 0; did_nothing++) {
    open = 0;
    writes_settle (r->h, r->txn, did_nothing, &open, r->writes);
    if (choice_is_fine (r))
      return false;
  }
  return true;
}

static void look_at_reads (const struct reader *r, uint32_t op, struct refuted *refuted) {
  struct op_reads reads;
  operation_reads (r->h, op, r->universe, &reads);
  for (unsigned i = 0; i < reads.count; i++) {
    const struct op_read *read = &reads.all[i];
    const struct written own = last_write (r->h, r->first, op, read->key);
    if (is_written_while_open (r->h, r->txn, op, read->key))
      continue;
    refuted->external |= source_of (r, op, read->key) == r->txn + 1;
    if (own.by_somebody && !own.uncertain)
      refuted->external |= !has_external_candidate (r->h, r->txn, read);
  }
}

static void look_at_list (const struct history *h, uint32_t t, uint32_t op, struct refuted *refuted) {
  const struct appends own = lists_appends (h, t, op, h->op_keys.data[op]);
  if (h->op_values.data[op] == VALUE_UNRECORDED || !own.count)
    return;
  const struct op_range *range = &h->ranges.data[history_aux (h, op)];
  refuted->must |= !lists_ends_with (range, h, &own);
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    for (unsigned k = 0; k < own.count; k++)
      refuted->external |= h->item_values.data[i] == own.value[k];
}

static void look_at_txn (struct reader *r, struct refuted *refuted) {
  refuted->must |= refutes_must (r);
  for (uint32_t op = r->first; op < r->end; op++)
    if (r->h->op_kinds.data[op] == OP_LIST)
      look_at_list (r->h, r->txn, op, refuted);
    else
      look_at_reads (r, op, refuted);
}

enum brute_own_writes story_own_writes (const struct history *h, const struct brute_options *options) {
  if (options->own_writes != BRUTE_OWN_INFER)
    return options->own_writes;
  struct reader r = { .h = h, .hints = options->hints, .universe = operation_universe (h) };
  struct refuted refuted = { false, false };
  for (r.txn = 0; r.txn < history_txns (h); r.txn++) {
    r.first = h->txn_first_op.data[r.txn];
    r.end = h->txn_first_op.data[r.txn + 1];
    if (h->txn_status.data[r.txn] == TXN_COMMITTED)
      look_at_txn (&r, &refuted);
  }
  return !refuted.must ? BRUTE_OWN_MUST : !refuted.external ? BRUTE_OWN_EXTERNAL : BRUTE_OWN_MAY;
}
