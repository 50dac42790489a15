// Does the history contradict a hint? Only what the recorded operations say counts here: who writes
// what, what was read, what lists show. That no order of transactions goes with a hint is a matter
// of levels, and no business of this file.

#include "hints/hints_inside.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_SIZE = 80 };

static uint64_t id_of (const struct hint_index *x, uint32_t txn) {
  return x->h->txn_ids.data[txn];
}

static const char *key_of (const struct hint_index *x, uint32_t key, char name[NAME_SIZE]) {
  return hint_key_words (atoms_get (&x->h->keys, key), name, NAME_SIZE);
}

// ------------------------------------------------------------------------------------------- reads

struct what_was_read {
  uint32_t key;
  uint32_t value; // or VALUE_ABSENT
  enum effect_read kind;
};

// A value that was not recorded may be any.
static bool accepts (const struct what_was_read *read, uint32_t value) {
  if (value == VALUE_UNRECORDED || (value == VALUE_ABSENT && read->kind == READS_OR_ABSENT))
    return true;
  return (read->value == value) != (read->kind == READS_OTHER);
}

static bool does_not_fit (const struct hint_index *x, struct hint_place place, struct error *error, const char *format,
                          ...) __attribute__ ((format (printf, 4, 5)));

static bool does_not_fit (const struct hint_index *x, struct hint_place place, struct error *error, const char *format,
                          ...) {
  char text[300];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  return error_set (error, "%.300s: transaction %" PRIu64 ", operation %" PRIu32 ", hint version: %s", x->h->name,
                    id_of (x, place.txn), place.op - x->h->txn_first_op.data[place.txn] + 1, text);
}

// The reader itself: its latest write before the read; an iterator that stays open may meet later
// ones too.
static bool fit_own (const struct hint_index *x, struct hint_place place, const struct what_was_read *read,
                     struct error *error) {
  const struct history *h = x->h;
  const bool stays_open = effects_stay_open (h, place.op);
  char name[NAME_SIZE];
  for (uint32_t op = stays_open ? h->txn_first_op.data[place.txn + 1] : place.op;
       op-- > h->txn_first_op.data[place.txn];) {
    const uint32_t written = h->op_keys.data[op] == read->key ? effects_value_written (h, op) : VALUE_NONE;
    if (written == VALUE_NONE || op == place.op)
      continue;
    if (accepts (read, written))
      return true;
    if (!stays_open)
      break;
  }
  return does_not_fit (x, place, error, "the transaction itself did not write what it read from key %s",
                       key_of (x, read->key, name));
}

static bool fit_source (const struct hint_index *x, struct hint_place place, const struct what_was_read *read,
                        uint32_t source, struct error *error) {
  const struct history *h = x->h;
  char name[NAME_SIZE];
  if (source == HINT_INITIAL) {
    const uint32_t initial = x->init_value[read->key];
    return initial == VALUE_UNRECORDED || accepts (read, initial)
           || does_not_fit (x, place, error, "what was read from key %s is not its initial state",
                            key_of (x, read->key, name));
  }
  if (source == place.txn)
    return fit_own (x, place, read, error);
  if (h->txn_status.data[source] == TXN_ABORTED)
    return does_not_fit (x, place, error, "transaction %" PRIu64 " aborted", id_of (x, source));
  const uint32_t op = index_install (x, read->key, source);
  return (op != OP_NONE && accepts (read, effects_value_written (h, op)))
         || does_not_fit (x, place, error, "transaction %" PRIu64 " did not install what was read from key %s",
                          id_of (x, source), key_of (x, read->key, name));
}

// A list is read as its last element, less what the reader appended itself. Elements tell their
// writers, so that nothing is learnt here.
static bool fit_list_version (const struct hint_index *x, struct hint_place place, uint32_t source,
                              struct error *error) {
  const struct history *h = x->h;
  const struct op_range list = effects_range (h, place.op);
  uint32_t count = list.items;
  for (uint32_t op = place.op; op-- > h->txn_first_op.data[place.txn] && count;) {
    const struct effects own = effects_of (h, op);
    if (own.writes != WRITES_ELEMENT || own.key != h->op_keys.data[place.op])
      continue;
    if (source == place.txn || h->item_values.data[list.first_item + count - 1] != own.written)
      break;
    count--;
  }
  const struct what_was_read read = { h->op_keys.data[place.op],
                                      count ? h->item_values.data[list.first_item + count - 1] : VALUE_ABSENT,
                                      READS_VALUE };
  return fit_source (x, place, &read, source, error);
}

bool fit_version (const struct hint_index *x, struct hint_place place, uint32_t key, uint32_t source,
                  struct error *error) {
  const struct effects e = effects_of (x->h, place.op);
  const struct what_was_read read = { key, e.read, e.reads };
  return e.reads == READS_LIST ? fit_list_version (x, place, source, error)
                               : fit_source (x, place, &read, source, error);
}

// ------------------------------------------------------------------------------------------- scans

// An iterator that stopped has seen what lies up to the last item that it fetched.
static bool is_covered (const struct history *h, uint32_t op, const struct op_range *range, struct atom key) {
  if (range->low != KEY_NONE && atom_compare (key, atoms_get (&h->keys, range->low)) < 0)
    return false;
  if (range->high != KEY_NONE && atom_compare (key, atoms_get (&h->keys, range->high)) >= 0)
    return false;
  if (!effects_stopped (h, op))
    return true;
  if (!range->items)
    return false;
  const struct atom last = atoms_get (&h->keys, h->item_keys.data[range->first_item + range->items - 1]);
  return effects_reverse (h, op) ? atom_compare (key, last) >= 0 : atom_compare (key, last) <= 0;
}

bool fit_version_in_set (const struct hint_index *x, struct hint_place place, struct atom atom, uint32_t source,
                         struct error *error) {
  const struct history *h = x->h;
  const struct op_range *range = &h->ranges.data[history_aux (h, place.op)];
  const uint32_t key = index_key (x, atom);
  char name[NAME_SIZE];
  if (!is_covered (h, place.op, range, atom))
    return does_not_fit (x, place, error, "key %s is not in the range that was read",
                         hint_key_words (atom, name, sizeof name));
  if (key == KEY_NONE)
    return source == HINT_INITIAL
           || does_not_fit (x, place, error, "nobody writes key %s", hint_key_words (atom, name, sizeof name));
  struct what_was_read read = { key, VALUE_ABSENT, READS_VALUE };
  for (uint32_t i = range->first_item; i < range->first_item + range->items; i++)
    if (h->item_keys.data[i] == key) {
      read.value = h->item_values.data[i];
      break;
    }
  return fit_source (x, place, &read, source, error);
}

// ---------------------------------------------------------------------------------- version orders

bool fit_order (const struct hint_index *x, const struct hints *hints, const struct version_order *order,
                struct error *error) {
  const struct history *h = x->h;
  const uint32_t *txns = hints->order_txns.data + order->first;
  uint32_t timed = TXN_NONE; // the last one with a timestamp
  char name[NAME_SIZE];
  key_of (x, order->key, name);
  for (uint32_t i = 0; i < order->count; i++) {
    const char *wrong = h->txn_status.data[txns[i]] == TXN_ABORTED          ? "aborted"
                        : index_install (x, order->key, txns[i]) == OP_NONE ? "does not write the key"
                                                                            : NULL;
    if (wrong)
      return error_set (error, "%.300s: hint versionOrder, key %s: transaction %" PRIu64 " %s", h->name, name,
                        id_of (x, txns[i]), wrong);
    if (!hints->trust_commit_ts || !hints->commit_ts || !hints->has_commit_ts[txns[i]])
      continue;
    if (timed != TXN_NONE && hints->commit_ts[timed] >= hints->commit_ts[txns[i]])
      return error_set (error,
                        "%.300s: hint versionOrder, key %s: transaction %" PRIu64 " stands before %" PRIu64
                        ", but its commitTs is not smaller",
                        h->name, name, id_of (x, timed), id_of (x, txns[i]));
    timed = txns[i];
  }
  return true;
}

// ------------------------------------------------------------------------------------------- lists

struct append {
  uint32_t key, value; // sorted by
  uint32_t txn;
};

typedef VEC (struct append) append_vec;

// Those of aborted transactions order nothing, and may be repeated by others.
static void find_appends (const struct history *h, append_vec *appends) {
  for (uint32_t txn = 0; txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; op < h->txn_first_op.data[txn + 1]; op++) {
      const struct effects e = effects_of (h, op);
      if (e.writes == WRITES_ELEMENT && h->txn_status.data[txn] != TXN_ABORTED)
        VEC_PUSH (*appends, (struct append){ e.key, e.written, txn });
    }
  VEC_SORT (*appends, by_u32_pair);
}

#define ORDER_NONE UINT32_MAX

struct list_check {
  const struct hint_index *x;
  const struct hints *hints;
  append_vec appends;
  uint32_t *order_of_key; // in hints->orders, or ORDER_NONE
  uint32_t *rank;         // per transaction: its place in the order at hand, from 1 on; else 0
};

static uint32_t writer_of (const struct list_check *c, uint32_t key, uint32_t value) {
  const struct append wanted = { key, value, 0 }, *found = NULL;
  if (c->appends.count)
    found = bsearch (&wanted, c->appends.data, c->appends.count, sizeof wanted, by_u32_pair);
  return found ? found->txn : TXN_NONE;
}

static bool wrong_list (const struct list_check *c, const char *hint, struct hint_place place, uint32_t first,
                        uint32_t second, struct error *error) {
  const struct history *h = c->x->h;
  char name[NAME_SIZE];
  return error_set (error,
                    "%.300s: hint %s, key %s: transaction %" PRIu64 " comes after %" PRIu64
                    ", but the list that transaction %" PRIu64 " read in operation %" PRIu32
                    " has them the other way round",
                    h->name, hint, key_of (c->x, h->op_keys.data[place.op], name), id_of (c->x, first),
                    id_of (c->x, second), id_of (c->x, place.txn), place.op - h->txn_first_op.data[place.txn] + 1);
}

static bool fit_list (const struct list_check *c, struct hint_place place, struct error *error) {
  const struct history *h = c->x->h;
  const struct hints *hints = c->hints;
  const struct op_range list = effects_range (h, place.op);
  const bool timed = hints->trust_commit_ts && hints->commit_ts;
  uint32_t last_ranked = TXN_NONE, last_timed = TXN_NONE;
  for (uint32_t i = list.first_item; i < list.first_item + list.items; i++) {
    const uint32_t txn = writer_of (c, h->op_keys.data[place.op], h->item_values.data[i]);
    // an own append is laid over what the others appended, wherever it ends up
    if (txn == TXN_NONE || txn == place.txn)
      continue;
    if (c->rank[txn]) {
      if (last_ranked != TXN_NONE && c->rank[last_ranked] > c->rank[txn])
        return wrong_list (c, "versionOrder", place, last_ranked, txn, error);
      last_ranked = txn;
    }
    if (timed && hints->has_commit_ts[txn]) {
      if (last_timed != TXN_NONE && hints->commit_ts[last_timed] > hints->commit_ts[txn])
        return wrong_list (c, "commitTs", place, last_timed, txn, error);
      last_timed = txn;
    }
  }
  return true;
}

// Lists of one key look at the ranks of that key only: these are set while one list is compared.
static void set_ranks (struct list_check *c, uint32_t key, bool on) {
  if (c->order_of_key[key] == ORDER_NONE)
    return;
  const struct version_order *order = &c->hints->orders.data[c->order_of_key[key]];
  for (uint32_t i = 0; i < order->count; i++)
    c->rank[c->hints->order_txns.data[order->first + i]] = on ? i + 1 : 0;
}

// Longest lists first would do; but all of them is simpler, and a list costs what it holds and what
// the hint of its key does.
static bool fit_lists_of (struct list_check *c, struct error *error) {
  const struct history *h = c->x->h;
  bool fits = true;
  for (uint32_t txn = 0; fits && txn < history_txns (h); txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; fits && op < h->txn_first_op.data[txn + 1]; op++) {
      if (effects_of (h, op).reads != READS_LIST || h->txn_status.data[txn] != TXN_COMMITTED)
        continue;
      set_ranks (c, h->op_keys.data[op], true);
      fits = fit_list (c, (struct hint_place){ txn, op }, error);
      set_ranks (c, h->op_keys.data[op], false);
    }
  return fits;
}

static bool has_lists (const struct history *h) {
  for (uint32_t op = 0; op < history_ops (h); op++)
    if (effects_of (h, op).reads == READS_LIST)
      return true;
  return false;
}

bool fit_lists (const struct hint_index *x, const struct hints *hints, struct error *error) {
  if (!has_lists (x->h))
    return true;
  struct list_check c = { .x = x, .hints = hints };
  find_appends (x->h, &c.appends);
  c.order_of_key = mem_nones (history_keys (x->h));
  c.rank = MEM_ZARRAY (uint32_t, history_txns (x->h));
  for (uint32_t i = 0; i < hints->orders.count; i++)
    c.order_of_key[hints->orders.data[i].key] = i;
  const bool fits = fit_lists_of (&c, error);
  VEC_FREE (c.appends);
  MEM_FREE_ALL (c.order_of_key, c.rank);
  return fits;
}

// -------------------------------------------------------------------------------------- timestamps

struct stamped {
  int64_t time;
  uint32_t txn;
};

static int by_stamp (const void *a, const void *b) {
  const struct stamped *x = a, *y = b;
  return x->time != y->time ? COMPARE (x->time, y->time) : COMPARE (x->txn, y->txn);
}

bool fit_commit_ts (const struct hint_index *x, const struct hints *hints, struct error *error) {
  VEC (struct stamped) stamps = VEC_EMPTY;
  bool fits = true;
  for (uint32_t key = 0; fits && key < history_keys (x->h); key++) {
    stamps.count = 0;
    for (uint32_t i = x->key_first[key]; i < x->key_first[key + 1]; i++) {
      const uint32_t txn = x->install_txn[i];
      if (hints->has_commit_ts[txn] && x->h->txn_status.data[txn] != TXN_ABORTED
          && (!stamps.count || stamps.data[stamps.count - 1].txn != txn))
        VEC_PUSH (stamps, (struct stamped){ hints->commit_ts[txn], txn });
    }
    VEC_SORT (stamps, by_stamp);
    for (size_t i = 1; fits && i < stamps.count; i++)
      if (stamps.data[i - 1].time == stamps.data[i].time) {
        char name[NAME_SIZE];
        fits = error_set (error,
                          "%.300s: hint commitTs: transactions %" PRIu64 " and %" PRIu64
                          " both write key %s, and both have %" PRId64,
                          x->h->name, id_of (x, stamps.data[i - 1].txn), id_of (x, stamps.data[i].txn),
                          key_of (x, key, name), stamps.data[i].time);
      }
  }
  VEC_FREE (stamps);
  return fits;
}

// ----------------------------------------------------------------------------------- unique values

struct written {
  uint32_t value, txn; // sorted by
};

static bool repeated_value (const struct hint_index *x, uint32_t key, const struct written *first, uint32_t other,
                            struct error *error) {
  char name[NAME_SIZE], value[NAME_SIZE], who[64];
  snprintf (who, sizeof who, "transactions %" PRIu64 " and %" PRIu64, id_of (x, first->txn),
            other == TXN_NONE ? 0 : id_of (x, other));
  if (other == TXN_NONE)
    snprintf (who, sizeof who, "the initial state and transaction %" PRIu64, id_of (x, first->txn));
  return error_set (error, "%.300s: hint uniqueValues: %s both give key %s the value %s", x->h->name, who,
                    key_of (x, key, name),
                    hint_key_words (atoms_get (&x->h->values, first->value), value, sizeof value));
}

bool fit_unique_values (const struct hint_index *x, struct error *error) {
  VEC (struct written) all = VEC_EMPTY;
  bool fits = true;
  for (uint32_t key = 0; fits && key < history_keys (x->h); key++) {
    all.count = 0;
    for (uint32_t i = x->key_first[key]; i < x->key_first[key + 1]; i++) {
      const struct written write = { effects_value_written (x->h, x->install_op[i]), x->install_txn[i] };
      if (write.value >= VALUE_UNRECORDED)
        continue;
      if (fits && write.value == x->init_value[key])
        fits = repeated_value (x, key, &write, TXN_NONE, error);
      VEC_PUSH (all, write);
    }
    VEC_SORT (all, by_u32_pair);
    for (size_t i = 1; fits && i < all.count; i++)
      if (all.data[i - 1].value == all.data[i].value && all.data[i - 1].txn != all.data[i].txn)
        fits = repeated_value (x, key, &all.data[i - 1], all.data[i].txn, error);
  }
  VEC_FREE (all);
  return fits;
}
