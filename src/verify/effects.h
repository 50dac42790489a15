// What a history says, told for the verifier: per transaction what it read from outside and what it
// wrote.
//
// This is the verifier's own reading of docs/semantics.md, sections 1 and 2. It shares nothing with
// the checker but the history itself and the facts that its hints state, as they were read, so that
// an error in the one is not an error in the other. Nothing is chosen here: where a delete without
// a recorded result leaves it open what a read saw, both outcomes are told.
//
//   effects.c         one transaction's operations in their order, own writes, deletes without a
//     recorded result
//   effects_ranges.c  which keys a scan or an iterator speaks of
//   effects_lists.c   what lists say
//   effects_excuses.c what is excused in an incomplete history
//   sources.c         who can be the source of a read

#ifndef KRAIT_VERIFY_EFFECTS_H
#define KRAIT_VERIFY_EFFECTS_H

#include "hints/hints.h"
#include "history/history.h"

#define INITIAL UINT32_MAX // in the place of a transaction: the initial state, T0

enum own_policy { POLICY_MUST, POLICY_EXTERNAL, POLICY_MAY, POLICIES };

// What becomes of a read: it saw an own write, as it may; it cannot be; it read what another
// transaction wrote.
enum outcome { OUTCOME_OWN, OUTCOME_BROKEN, OUTCOME_EXTERNAL };

struct told_read {
  uint32_t txn, op, key;
  uint32_t value; // VALUE_ABSENT too
  bool other;     // it saw anything but the value
  bool or_absent; // it saw the value, which is 0, or nothing: an inc takes either for 0
  bool predicate; // a scan that covered the key and did not return it
  bool list;      // it read from `writer` and from nobody else
  // by an open iterator: an own write explains it, but it may be external all the same
  bool perhaps;
  uint32_t writer;
  // whom the history's hints name as the source: a transaction, perhaps the reader, HINT_INITIAL,
  // or HINT_NONE
  uint32_t hint;
  // A delete of the same transaction without a recorded result, on which the outcome depends;
  // OP_NONE: both are the same.
  uint32_t unrecorded;
  enum outcome if_wrote, if_not;
};

struct told_write {
  uint32_t txn, key, value; // of the last write
  // of those that surely wrote; if there is none, of the one in doubt
  uint32_t first_op, last_op;
  // the version is there only if this delete wrote; OP_NONE: it is there
  uint32_t unrecorded;
  // a delete without a recorded result before first_op; OP_NONE: none
  uint32_t unrecorded_before_first;
  // a read shows that the unrecorded delete wrote nothing, unless `seen`
  bool refuted;
  bool seen; // a hint says that a read saw it
  // of several unrecorded deletes: the last one, all of them wrote or none; OP_NONE: one at most
  uint32_t last_unrecorded;
};

// What one list read says, without the reader's own suffix.
struct told_list {
  uint32_t txn, op, key;
  uint32_t count;
  const uint32_t *elements;
  uint32_t first_writer,
    // in told.list_writers: transactions that are not aborted, in the order of their elements
    writers;
  bool broken;     // a result that nothing explains; read-uncommitted does not mind
  bool impossible; // no order of appends gives it; counts at every level
};

// Who may have installed a version of a key.
struct told_writer {
  uint32_t key, txn, value;
  uint32_t unrecorded; // the delete that it takes; OP_NONE: it did
};
typedef VEC (struct told_writer) source_vec;
struct asked; // sources.c

struct excuses; // effects_excuses.c
// Facts of hints that an argument rests on: whose version of a key comes first, or where a read
// read.
struct assumption {
  uint32_t op; // OP_NONE: the order of two versions
  uint32_t key, a, b;
};

struct key_order; // effects_ranges.c
struct appends;   // effects_lists.c

struct told {
  const struct history *h;
  const struct hints *hints; // of the history; or NULL
  // of a history that a dialect made: per transaction the one that it is a part of; or NULL
  const uint32_t *origin;
  enum own_policy policy;
  bool some_read_locks, some_lists;
  bool excusing; // what nothing recorded explains is left out
  // reads, lists and results are left out, as far as writes do not depend on them; a matter of
  // speed
  bool writes_only;
  bool lists_apart; // lists and what they read are left out: somebody else looks at them
  // per key the value that was written last, VALUE_UNRECORDED: any; what ranges read of it from
  // others is left out; NULL: nothing is, since it matters who wrote
  const uint32_t *left;

  // Of the transaction told last. Reads and writes of unrecorded deletes are among them.
  VEC (struct told_read) reads;
  VEC (struct told_write) writes;
  VEC (struct told_list) lists;
  VEC (uint32_t) list_writers;
  // scans and iterators whose items are out of range, out of order or repeated, and incs whose new
  // value no value gives
  VEC (uint32_t) malformed;
  VEC (uint32_t) unrecorded; // deletes without a recorded result that may have written or not

  // noted by whoever concluded something from a hint; some more than once
  VEC (struct assumption) assumed;

  // Inside.
  struct asked *asked;  // NULL: nobody asked about sources yet
  uint32_t *init_value; // per key; VALUE_UNRECORDED: any
  // per key: 1 + the transaction that wrote it last, and where in `writes`
  uint32_t *own_stamp, *own_at;
  struct key_order *order; // NULL: no ranges
  struct appends *appends; // NULL: nobody asked about a list yet
  struct excuses *excuses; // NULL: not `excusing`, or not known yet
  // of lists, in the places of the history's items; NULL: not `excusing`
  uint32_t *kept_elements;
};

// NULL, with the reason in `problem`, for what the semantics leaves undefined. `excusing`: an
// incomplete history is read as one; else as if it were complete, as one must be to be valid.
struct told *told_new (const struct history *, enum own_policy, const struct hints *, bool excusing,
                       const char **problem);
void told_free (struct told *);

// Tells one transaction, which is not aborted.
void told_add (struct told *, uint32_t txn);
// The next one from *txn on that has a mark, or, without marks, that is not aborted; false: none.
bool told_next (struct told *, const uint8_t *marks, uint32_t *txn);
// That of the operation; false: there is none, or it is aborted.
bool told_add_of (struct told *, uint32_t op);

// May the read have read from this transaction, or INITIAL, as far as hints go?
static inline bool told_hint_allows (const struct told_read *read, uint32_t source) {
  return read->hint == HINT_NONE || read->hint == (source == INITIAL ? HINT_INITIAL : source);
}

// A hint says that the read saw an own delete without a recorded result. That this wrote counts at
// every level, whatever reads do there.
static inline bool told_shows_delete (const struct told_read *read) {
  return read->hint == read->txn && read->unrecorded != OP_NONE;
}

// Would a version of this value explain the read?
static inline bool told_fits (const struct told_read *read, uint32_t value) {
  return (read->value == value) != read->other || (read->or_absent && value == VALUE_ABSENT);
}

// Among `reads` and `writes` of the transaction told last; NULL: none.
const struct told_read *told_find_read (const struct told *, uint32_t op, uint32_t key);
const struct told_write *told_find_write (const struct told *, uint32_t key);

// Tells the transaction of an operation and finds a read in it.
const struct told_read *told_read_of (struct told *, uint32_t op, uint32_t key);

// What a transaction, any but aborted ones, writes to a key in the end; false: nothing, or there is
// no such key. What was told last is forgotten.
bool told_writer_of (struct told *, uint32_t key, uint32_t txn, struct told_writer *);

// Can the transaction, whose version has this value, be the source of the read?
static inline bool told_can_be_source (const struct told_read *read, uint32_t txn, uint32_t value) {
  return txn != read->txn && told_hint_allows (read, txn)
         && (read->list ? txn == read->writer : told_fits (read, value));
}

// sources.c. It is going to be asked about a read; of all such reads the sources are found at once,
// which forgets what was told last; and then those of one are appended, ascending by transaction
// and without the initial state.
void told_ask_sources (struct told *, const struct told_read *);
void told_find_sources (struct told *);
void told_sources (const struct told *, const struct told_read *, source_vec *);
void told_asked_free (struct asked *);

static inline bool told_takes_part (const struct told *a, uint32_t txn) {
  return txn < history_txns (a->h) && a->h->txn_status.data[txn] != TXN_ABORTED;
}
static inline bool told_committed (const struct told *a, uint32_t txn) {
  return txn < history_txns (a->h) && a->h->txn_status.data[txn] == TXN_COMMITTED;
}

// Hints say that one transaction's version of the key comes before another's.
bool told_hinted_order (const struct told *, uint32_t key, uint32_t first, uint32_t second);
// Notes that something was concluded from that, or from what hints say about a read, if they do.
void told_assume_order (struct told *, uint32_t key, uint32_t first, uint32_t second);
void told_assume_source (struct told *, const struct told_read *);

// Session order runs into a transaction of unknown outcome, never out of it; such a one has no end.
// Both took place.
bool told_session_order (const struct told *, uint32_t first, uint32_t second);
// Parts of one transaction, at every level.
bool told_program_order (const struct told *, uint32_t first, uint32_t second);
bool told_real_time (const struct told *, uint32_t first, uint32_t second, int64_t clock_skew);
bool told_has_times (const struct told *);
// The time from which on a transaction may begin that comes after this one; false: there is none.
bool told_ended (const struct told *, uint32_t txn, int64_t clock_skew, int64_t *limit);

// A read that holds a cursor, for cursor stability: any item read by a flagged operation; without
// flags, gets and lists.
bool told_holds_cursor (const struct told *, const struct told_read *);

// Of several unrecorded deletes, the first ones may have written nothing while a later one wrote.
// For cursor stability, that is not covered by all of them or none if cursors read the key both
// before the first and between it and the last. Of a write of the transaction told last.
bool told_run_divides_cursors (const struct told *, const struct told_write *);

// Can a delete or a cas have written? And what does the operation write?
bool told_may_write (const struct history *, uint32_t op);
uint32_t told_value_written (const struct history *, uint32_t op);

// effects_ranges.c. The keys whose presence or absence a range saw, by their ranks; false: its
// items are out of order or out of what it asked for.
struct span {
  uint32_t low, high; // [low, high)
};
struct span told_asked_for (const struct history *, const uint32_t *rank, const struct op_range *);
bool told_seen (const struct history *, const uint32_t *rank, uint32_t op, struct span *seen);
bool told_is_reverse (const struct history *, uint32_t op);
// The iterator may have been open when the later operation began.
bool told_is_open_at (const struct history *, uint32_t iterator, uint32_t later);

struct key_order *key_order_new (const struct told *);
void key_order_free (struct key_order *);
void told_add_range (struct told *, uint32_t txn, uint32_t op);
// A range of a transaction that is not aborted covered the key, which is always absent: of such a
// read of the initial state nothing is told.
bool told_found_nothing (const struct told *, uint32_t op, uint32_t key);
bool key_order_covers_list (const struct told *, const uint8_t *is_list);

// A read of one key from outside, as far as is known yet.
static inline struct told_read told_new_read (const struct told *a, uint32_t txn, uint32_t op, uint32_t key,
                                              uint32_t value, bool other) {
  return (struct told_read){ .txn = txn,
                             .op = op,
                             .key = key,
                             .value = value,
                             .other = other,
                             .writer = INITIAL,
                             .hint = hints_source (a->hints, op, key),
                             .unrecorded = OP_NONE,
                             .if_wrote = OUTCOME_EXTERNAL,
                             .if_not = OUTCOME_EXTERNAL };
}

// effects.c, for effects_ranges.c: `lenient`: own writes may be seen or not, whatever the policy.
void told_add_read (struct told *, struct told_read, bool lenient);

// effects_excuses.c
// A delete without a recorded result that a later read of its own transaction, which was told last,
// speaks against wrote nothing.
bool told_is_refuted (const struct told *, uint32_t delete);
struct excuses *told_excuses_new (struct told *);
void told_excuses_free (struct excuses *);
void told_excuse (struct told *); // takes what is excused out of what was told last

// effects_lists.c
// what the semantics leaves undefined; NULL: nothing
const char *told_undefined_list (const struct told *);
void appends_free (struct appends *);
static inline bool told_list_is_recorded (const struct history *h, uint32_t op) {
  return history_aux (h, op) != AUX_NONE || h->op_values.data[op] == VALUE_ABSENT;
}
void told_add_list (struct told *, uint32_t txn, uint32_t op);
// What the transaction appended to the key before the list was read, from the last one backwards,
// is what that ends with; how many that is.
bool told_ends_with_own (const struct history *, uint32_t txn, uint32_t op, const uint32_t *elements, uint32_t count,
                         uint32_t *own);
bool told_one_is_prefix (const struct told_list *, const struct told_list *);

#endif
