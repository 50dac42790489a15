// The in-memory trace: what a client sent and what came back.
//
// Columns of 32-bit indexes, not records of pointers: a get or a put costs 9 bytes plus its share
// of interned values; 5 bytes more where some operation has flags, or a result of another shape.
// Operations of all kinds are represented, whether or not a level checks them yet. SEMANTICS
// sections 1 and 2 (docs/semantics.md) say what each means.
//
// A reader builds a history with history_begin_txn, history_add_*, and history_finish; sessions may
// interleave while it is being built. After history_finish transactions are numbered 0 .. txns-1
// session by session, each session in its own order, and the history does not change any more.

#ifndef KRAIT_HISTORY_HISTORY_H
#define KRAIT_HISTORY_HISTORY_H

#include "base/error.h"
#include "base/vec.h"
#include "history/atoms.h"
#include "history/id_set.h"

#include <stdbool.h>
#include <stdint.h>

enum txn_status { TXN_COMMITTED, TXN_ABORTED, TXN_UNKNOWN };

enum op_kind { OP_PUT, OP_DEL, OP_GET, OP_SCAN, OP_ITER, OP_APPEND, OP_LIST, OP_CAS, OP_INC };
enum { OP_KINDS = OP_INC + 1 };

// Flags of an operation.
enum {
  OP_LOCK_UPDATE = 1, // reads: taken FOR UPDATE
  OP_LOCK_SHARE = 2,  // reads: taken FOR SHARE
  // del: `found` was recorded; cas: `ok` was recorded; inc: the new value was recorded
  OP_RESULT_KNOWN = 4,
  OP_RESULT_TRUE = 8,   // del: found; cas: ok; inc: there is a value that the new one can come from
  OP_ITER_END = 16,     // iter: the end of the range was reached
  OP_ITER_REVERSE = 32, // iter: from b downwards
};

// Special values of the value column.
#define VALUE_ABSENT UINT32_MAX           // get: the key was absent; list: null; cas: expects absent; init: absent
#define VALUE_UNRECORDED (UINT32_MAX - 1) // a read whose result was not recorded constrains nothing
#define VALUE_NONE                                                                                                     \
  (UINT32_MAX - 2)          // the operation has no value of its own: del, and recorded results of scan, iter, list
#define KEY_NONE UINT32_MAX // scan, iter: no bound
#define OP_NONE UINT32_MAX
#define TXN_NONE UINT32_MAX
#define AUX_NONE UINT32_MAX

#define TIME_NONE_BEGIN INT64_MIN // a missing begin is -infinity
#define TIME_NONE_END INT64_MAX   // a missing end is +infinity

// What a scan, an iterator or a list read returned, and the range it was asked for.
struct op_range {
  uint32_t low, high;  // keys: [low, high), KEY_NONE: no bound. list: unused
  uint32_t first_item; // index into item_keys and item_values
  uint32_t items;
};

struct op_times {
  uint32_t op;
  int64_t begin, end; // TIME_NONE_BEGIN, TIME_NONE_END: missing
};

struct op_hint {
  uint32_t owner; // operation or transaction
  uint32_t text;  // atom of `texts`: compact JSON
};

enum init_mode { INIT_ABSENT, INIT_DEFAULT, INIT_ANY };

enum key_type { KEYS_UNDECIDED, KEYS_INT, KEYS_BYTES };

struct history {
  char *name;   // the path as given, for messages
  char *source; // free text of the header, or NULL
  enum key_type key_type;

  struct atoms keys, values;
  struct atoms texts; // hints, kept as they came

  // Initial state: INIT_DEFAULT gives every key init_default; a map of single keys overrides any
  // mode but INIT_ANY (value VALUE_ABSENT allowed).
  enum init_mode init;
  uint32_t init_default;
  VEC (uint32_t) init_keys;
  VEC (uint32_t) init_values;

  uint32_t hints; // atom of `texts` with the header's hints, or AUX_NONE

  // Sessions, in order of first appearance.
  VEC (uint64_t) session_labels;
  // after history_finish: index of the first transaction; one more entry at the end
  VEC (uint32_t) session_first;

  // Transactions.
  VEC (uint64_t) txn_ids;
  VEC (uint32_t) txn_sessions;
  VEC (uint8_t) txn_status;
  VEC (int64_t) txn_begin;        // empty when no transaction has a begin
  VEC (int64_t) txn_end;          // empty when no transaction has an end
  VEC (uint32_t) txn_first_op;    // one more entry at the end
  VEC (struct op_hint) txn_hints; // sorted by owner
  // how formats that can mix sessions write them; empty: session by session
  VEC (uint32_t) txn_order;

  // Operations.
  VEC (uint8_t) op_kinds;
  VEC (uint8_t) some_op_flags; // empty when no operation has flags
  VEC (uint32_t) op_keys;      // KEY_NONE for scan and iter
  // put, append: written; get: read; cas: expected. VALUE_ABSENT, VALUE_UNRECORDED, VALUE_NONE inc
  // with OP_RESULT_TRUE: the value that it came from; else by how much it was to increase scan,
  // iter: VALUE_UNRECORDED or VALUE_NONE; list: VALUE_ABSENT for null (with an empty range) too
  VEC (uint32_t) op_values;
  // scan, iter, list: index into ranges (AUX_NONE: result not recorded for list); cas, inc: the new
  // value; else AUX_NONE. Empty when no operation has any
  VEC (uint32_t) some_op_aux;
  VEC (struct op_range) ranges;
  VEC (uint32_t) item_keys;       // scan and iter items; KEY_NONE for list elements
  VEC (uint32_t) item_values;     // the item's value, the list's element
  VEC (struct op_times) op_times; // sorted by op
  VEC (struct op_hint) op_hints;  // the `version` of reads, sorted by owner

  // Things a reader wants to tell besides (a torn last line, say); joined by newlines, or NULL.
  char *warnings;

  // Why there may be further transactions (SEMANTICS 8, incomplete histories): a line per reason,
  // in words; NULL: there are none.
  char *incomplete;

  // Only while building.
  // for readers: what cannot be read is left out, and the history incomplete
  bool ignore_unreadable;
  struct id_set ids;
  uint32_t waiting_ops; // announced, and not in the columns yet
  struct hash_set session_table;
  struct hash_set init_table;
};

// All columns, for what is done to each alike.
#define HISTORY_COLUMNS(X)                                                                                             \
  X (init_keys)                                                                                                        \
  X (init_values)                                                                                                      \
  X (session_labels)                                                                                                   \
  X (session_first)                                                                                                    \
  X (txn_ids)                                                                                                          \
  X (txn_sessions)                                                                                                     \
  X (txn_status)                                                                                                       \
  X (txn_begin)                                                                                                        \
  X (txn_end)                                                                                                          \
  X (txn_first_op)                                                                                                     \
  X (txn_hints)                                                                                                        \
  X (txn_order)                                                                                                        \
  X (op_kinds)                                                                                                         \
  X (some_op_flags)                                                                                                    \
  X (op_keys)                                                                                                          \
  X (op_values)                                                                                                        \
  X (some_op_aux)                                                                                                      \
  X (ranges)                                                                                                           \
  X (item_keys)                                                                                                        \
  X (item_values)                                                                                                      \
  X (op_times)                                                                                                         \
  X (op_hints)

struct history *history_new (const char *name);
// Without transactions, but with the name, keys, values (of the same indexes), initial state and
// header of another one.
struct history *history_new_like (const struct history *);
void history_free (struct history *);

static inline uint32_t history_txns (const struct history *h) {
  return (uint32_t) h->txn_ids.count;
}
static inline uint32_t history_sessions (const struct history *h) {
  return (uint32_t) h->session_labels.count;
}
static inline uint32_t history_ops (const struct history *h) {
  return (uint32_t) h->op_kinds.count;
}
static inline uint32_t history_keys (const struct history *h) {
  return atoms_count (&h->keys);
}

// Building. Each returns false, with a text in `why` that lacks the place, when the input is at
// fault: a duplicate id, an end before its begin, a key of the other type, more than 2^32 - 16 of
// something. The reader adds file and place.

struct txn_header {
  uint64_t session;
  bool has_id; // else numbered: 1 + number of transactions before it in the input
  uint64_t id;
  enum txn_status status;
  int64_t begin, end; // TIME_NONE_BEGIN, TIME_NONE_END
};

bool history_begin_txn (struct history *, const struct txn_header *, const char **why);

// The status and the end may become known only after the operations; these speak of the transaction
// begun last.
void history_set_status (struct history *, enum txn_status);
bool history_set_end (struct history *, int64_t end, const char **why);

// For `return history_refuse (why, …)`.
static inline bool history_refuse (const char **why, const char *text) {
  *why = text;
  return false;
}

// KEY_NONE when the type of key differs from earlier ones, or too many.
uint32_t history_key (struct history *, struct atom, const char **why);
uint32_t history_value (struct history *, struct atom, const char **why); // ATOM_NONE: too many

// An operation of the transaction begun last. `aux` as in the column.
bool history_add_op (struct history *, enum op_kind, unsigned flags, uint32_t key, uint32_t value, uint32_t aux,
                     const char **why);

// Gets and puts of integers that are not negative, many at a time: keys and values are looked up
// together, so that memory is waited for in parallel. Those that were announced (so that the
// transactions begun meanwhile know where their operations start) and no others; `kinds` holds
// OP_GET, OP_PUT, or OP_GET | GETS_ABSENT, which has no value. `added`: how many before the one at
// fault.
enum { GETS_ABSENT = 128, MOST_ANNOUNCED = 256 };
static inline void history_announce_op (struct history *h) {
  h->waiting_ops++;
}
bool history_add_announced (struct history *, const uint8_t *kinds, const uint64_t *keys, const uint64_t *values,
                            size_t *added, const char **why);

// An inc of the transaction begun last, by an integer. `result`: the new value, or
// VALUE_UNRECORDED.
bool history_add_inc (struct history *, unsigned flags, uint32_t key, uint32_t by, uint32_t result, const char **why);
// By how much it was to increase its key.
struct atom history_inc_by (const struct history *, uint32_t op);

// For scan, iter and list: opens a range, items are added to it, then history_add_op with the
// returned index as aux.
uint32_t history_open_range (struct history *, uint32_t low, uint32_t high);
bool history_add_item (struct history *, uint32_t key, uint32_t value, const char **why);

// Extras of the operation added last.
void history_set_op_times (struct history *, int64_t begin, int64_t end);
bool history_set_op_hint (struct history *, const char *json, size_t length, const char **why);
// Extras of the transaction begun last, and of the header.
bool history_set_txn_hint (struct history *, const char *json, size_t length, const char **why);
bool history_set_header_hints (struct history *, const char *json, size_t length, const char **why);

// a key twice: false
bool history_set_init_key (struct history *, uint32_t key, uint32_t value, const char **why);

void history_warn (struct history *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// Marks the history as incomplete; a reason that is there already is not added again.
void history_mark_incomplete (struct history *, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

// Sessions by their labels instead of by first appearance; before history_finish, after the last
// transaction.
void history_sort_sessions (struct history *);

// Groups transactions by session, drops building tables and spare memory. Afterwards the history is
// read-only.
void history_finish (struct history *);

// Checks every index and order that the rest of Krait relies on; for histories that come from a
// binary file as columns, where nothing was checked while building. Text as above.
bool history_validate (const struct history *, const char **why);

// Bytes held by the columns and tables.
size_t history_bytes (const struct history *);

// Of an operation.
static inline uint8_t history_flags (const struct history *h, uint32_t op) {
  return h->some_op_flags.count ? h->some_op_flags.data[op] : 0;
}
static inline uint32_t history_aux (const struct history *h, uint32_t op) {
  return h->some_op_aux.count ? h->some_op_aux.data[op] : AUX_NONE;
}
void history_set_aux (struct history *, uint32_t op, uint32_t aux);

static inline int64_t history_begin_time (const struct history *h, uint32_t txn) {
  return h->txn_begin.count ? h->txn_begin.data[txn] : TIME_NONE_BEGIN;
}
static inline int64_t history_end_time (const struct history *h, uint32_t txn) {
  return h->txn_end.count ? h->txn_end.data[txn] : TIME_NONE_END;
}

// Per key the value that it starts with: VALUE_ABSENT, or VALUE_UNRECORDED where it is open. To be
// freed.
uint32_t *history_initial_values (const struct history *);

// Is there anything to be judged?
bool history_has_committed (const struct history *);

// The transaction of an operation, after history_finish.
uint32_t history_txn_of_op (const struct history *, uint32_t op);
const struct op_times *history_times_of_op (const struct history *, uint32_t op); // NULL: none were recorded
// Atoms of `texts`, or AUX_NONE.
uint32_t history_hint_of_op (const struct history *, uint32_t op);
uint32_t history_hint_of_txn (const struct history *, uint32_t txn);

const char *op_kind_name (enum op_kind); // "put", "del", …

// The aux column is an index into ranges; else a value, or AUX_NONE.
static inline bool op_has_range (enum op_kind kind) {
  return kind == OP_SCAN || kind == OP_ITER || kind == OP_LIST;
}
const char *txn_status_name (enum txn_status); // "ok", "abort", "unknown": the names of JSON Lines

#endif
