#include "small_history.h"

#include "oracle.h"

#include "history/history.h"

enum { KEYS = 3, VALUES = 6, TXNS = 6, OPS = 4, SESSIONS = 3, ITEMS = 3 };

struct maker {
  struct history *h;
  struct choices *choices;
  bool lists; // appends and list reads; else deletes, scans, iterators and cas
  bool timed; // operations have times
  const char *why;
};

static uint32_t key (struct maker *m) {
  return history_key (m->h, atom_signed ((int64_t) choose (m->choices, KEYS)), &m->why);
}

static uint32_t value_of (struct maker *m, unsigned number) {
  return history_value (m->h, atom_signed ((int64_t) number), &m->why);
}

static uint32_t value (struct maker *m) {
  return value_of (m, choose (m->choices, VALUES));
}

// What a read returns: mostly a value.
static uint32_t result (struct maker *m) {
  const unsigned choice = choose (m->choices, VALUES + 2);
  return choice < VALUES ? value_of (m, choice) : choice == VALUES ? VALUE_ABSENT : VALUE_UNRECORDED;
}

static unsigned lock (struct maker *m) {
  static const unsigned locks[] = { 0, 0, OP_LOCK_UPDATE, OP_LOCK_SHARE };
  return locks[choose (m->choices, 4)];
}

// del, cas: whether the outcome was recorded, and which.
static unsigned outcome (struct maker *m) {
  static const unsigned outcomes[] = { OP_RESULT_KNOWN | OP_RESULT_TRUE, OP_RESULT_KNOWN, 0 };
  return outcomes[choose (m->choices, 3)];
}

static uint32_t bound (struct maker *m) {
  const unsigned choice = choose (m->choices, KEYS + 2);
  return choice == 0 ? KEY_NONE : history_key (m->h, atom_signed ((int64_t) choice - 1), &m->why);
}

static bool add (struct maker *m, enum op_kind kind, unsigned flags, uint32_t of, uint32_t what, uint32_t aux) {
  if (!history_add_op (m->h, kind, flags, of, what, aux, &m->why))
    return false;
  if (m->timed && choose (m->choices, 2)) {
    const int64_t begin = choose (m->choices, 16);
    history_set_op_times (m->h, begin, begin + choose (m->choices, 8));
  }
  return true;
}

// Items in the order of their keys, each key at most once: readers refuse others.
static bool add_range (struct maker *m, bool iterator) {
  const uint32_t low = bound (m), high = bound (m), range = history_open_range (m->h, low, high);
  const unsigned shape = choose (m->choices, 16), locks = lock (m);
  const bool reverse = iterator && shape & 1, unrecorded = (shape & 14) == 14;
  for (unsigned i = 0; i < KEYS && !unrecorded; i++) {
    if (!choose (m->choices, 2))
      continue;
    const unsigned which = reverse ? KEYS - 1 - i : i;
    if (!history_add_item (m->h, history_key (m->h, atom_signed ((int64_t) which), &m->why), value (m), &m->why))
      return false;
  }
  unsigned flags = locks;
  if (iterator)
    flags |= (reverse ? OP_ITER_REVERSE : 0) | (shape & 2 && !unrecorded ? OP_ITER_END : 0);
  return add (m, iterator ? OP_ITER : OP_SCAN, flags, KEY_NONE, unrecorded ? VALUE_UNRECORDED : VALUE_NONE, range);
}

static bool add_list (struct maker *m) {
  const uint32_t of = key (m);
  const unsigned locks = lock (m), items = choose (m->choices, ITEMS + 3);
  if (items > ITEMS) // not recorded, or null
    return add (m, OP_LIST, locks, of, items == ITEMS + 1 ? VALUE_UNRECORDED : VALUE_ABSENT,
                items == ITEMS + 1 ? AUX_NONE : history_open_range (m->h, KEY_NONE, KEY_NONE));
  const uint32_t range = history_open_range (m->h, KEY_NONE, KEY_NONE);
  for (unsigned i = 0; i < items; i++)
    if (!history_add_item (m->h, KEY_NONE, value (m), &m->why))
      return false;
  return add (m, OP_LIST, locks, of, items ? VALUE_NONE : VALUE_ABSENT, range);
}

// By 1, or by so much that it overflows; values are small numbers or words.
static bool add_inc (struct maker *m) {
  const uint32_t of = key (m);
  const uint32_t by = history_value (m->h, atom_signed (choose (m->choices, 8) ? 1 : INT64_MIN), &m->why);
  const unsigned flags = lock (m);
  return history_add_inc (m->h, flags, of, by, choose (m->choices, 8) ? value (m) : VALUE_UNRECORDED, &m->why);
}

static bool add_other (struct maker *m, unsigned kind) {
  switch (kind) {
  case 0: {
    const uint32_t of = key (m);
    const unsigned flags = outcome (m) | lock (m);
    return add (m, OP_DEL, flags, of, VALUE_NONE, AUX_NONE);
  }
  case 1: {
    const uint32_t of = key (m), written = value (m);
    const unsigned expected = choose (m->choices, VALUES + 1), flags = outcome (m) | lock (m);
    return add (m, OP_CAS, flags, of, expected < VALUES ? value_of (m, expected) : VALUE_ABSENT, written);
  }
  default: return choose (m->choices, 4) ? add_range (m, kind == 2) : add_inc (m);
  }
}

static bool add_any (struct maker *m) {
  const unsigned kind = choose (m->choices, 8);
  if (kind < 2) {
    const uint32_t of = key (m);
    return add (m, m->lists && kind ? OP_APPEND : OP_PUT, 0, of, value (m), AUX_NONE);
  }
  if (kind < 4) {
    if (m->lists && kind == 3)
      return add_list (m);
    const uint32_t of = key (m);
    const unsigned flags = lock (m);
    return add (m, OP_GET, flags, of, result (m), AUX_NONE);
  }
  if (!m->lists)
    return add_other (m, kind - 4);
  return kind % 2 ? add_list (m) : add (m, OP_APPEND, 0, key (m), value (m), AUX_NONE);
}

static bool add_txn (struct maker *m, bool times) {
  static const enum txn_status statuses[] = { TXN_COMMITTED, TXN_COMMITTED, TXN_COMMITTED, TXN_UNKNOWN, TXN_ABORTED };
  struct txn_header txn = { .begin = TIME_NONE_BEGIN, .end = TIME_NONE_END };
  txn.session = 1 + choose (m->choices, SESSIONS);
  txn.status = statuses[choose (m->choices, 5)];
  const unsigned ops = choose (m->choices, OPS + 1);
  if (times) {
    // the last one: missing
    const unsigned begin = choose (m->choices, 17), end = choose (m->choices, 17);
    txn.begin = begin < 16 ? (int64_t) begin : TIME_NONE_BEGIN;
    txn.end = end < 16 ? (int64_t) begin + end : TIME_NONE_END;
  }
  if (!history_begin_txn (m->h, &txn, &m->why))
    return false;
  for (unsigned o = 0; o < ops; o++)
    if (!add_any (m))
      return false;
  return true;
}

static bool add_init (struct maker *m) {
  const unsigned kind = choose (m->choices, 8);
  m->h->init = kind < 4 ? INIT_ABSENT : kind < 6 ? INIT_DEFAULT : INIT_ANY;
  if (m->h->init == INIT_DEFAULT)
    m->h->init_default = value (m);
  if (kind % 2 == 0 || m->h->init == INIT_ANY)
    return true;
  const unsigned what = choose (m->choices, VALUES + 1);
  return history_set_init_key (m->h, key (m), what < VALUES ? value_of (m, what) : VALUE_ABSENT, &m->why);
}

static bool fill (struct maker *m) {
  const unsigned shape = choose (m->choices, 8);
  const bool times = shape & 1;
  m->lists = shape & 2;
  m->timed = shape & 4;
  if (!add_init (m))
    return false;
  for (unsigned t = 0; t < TXNS && m->choices->next != m->choices->end; t++)
    if (!add_txn (m, times))
      return false;
  return true;
}

// By way of the text form: what its reader refuses is no history, and what it gives is one that a
// user could have.
struct history *small_history (struct choices *choices) {
  struct maker m = { .h = history_new ("small"), .choices = choices };
  struct history *read = NULL;
  if (fill (&m)) {
    fuzz_bytes text = VEC_EMPTY;
    history_finish (m.h);
    oracle_write (m.h, &text);
    read = oracle_read (text.data, text.count);
    VEC_FREE (text);
  }
  history_free (m.h);
  return read;
}
