// What a history says, told for the verifier: per transaction what it read from outside and what it wrote.
//
// This is the verifier's own reading of docs/semantics.md, sections 1 and 2. It shares nothing with the checker but the history itself and the facts that its
// hints state, as they were read, so that an error in the one is not an error in the other. Nothing is chosen here: where a delete without a recorded result leaves it open what a read saw, both outcomes are told.
//
//   account.c         one transaction's operations in their order, own writes, deletes without a recorded result
//   account_ranges.c  which keys a scan or an iterator speaks of
//   account_lists.c   what lists say
//   account_excuses.c what is excused in an incomplete history

#ifndef KRAIT_CERTIFY_ACCOUNT_H
#define KRAIT_CERTIFY_ACCOUNT_H

#include "base/vec.h"
#include "hints/hints.h"
#include "history/history.h"

#include <stdbool.h>
#include <stdint.h>

#define INITIAL UINT32_MAX // in the place of a transaction: the initial state, T0

enum own_policy { POLICY_MUST, POLICY_EXTERNAL, POLICY_MAY, POLICIES };

// What becomes of a read: it saw an own write, as it may; it cannot be; it read what another transaction wrote.
enum outcome { OUTCOME_OWN, OUTCOME_BROKEN, OUTCOME_EXTERNAL };

struct account_read {
  uint32_t txn, op, key;
  uint32_t value; // VALUE_ABSENT too
  bool other;     // it saw anything but the value
  bool or_absent; // it saw the value, which is 0, or nothing: an inc takes either for 0
  bool predicate; // a scan that covered the key and did not return it
  bool list;      // it read from `writer` and from nobody else
  bool perhaps;   // by an open iterator: an own write explains it, but it may be external all the same
  uint32_t writer;
  uint32_t
    hint; // whom the history's hints name as the source: a transaction, perhaps the reader, HINT_INITIAL, or HINT_NONE
  // A delete of the same transaction without a recorded result, on which the outcome depends; OP_NONE: both are the same.
  uint32_t doubt;
  enum outcome if_wrote, if_not;
};

struct account_write {
  uint32_t txn, key, value;    // of the last write
  uint32_t first_op, last_op;  // of those that surely wrote; if there is none, of the one in doubt
  uint32_t doubt;              // the version is there only if this delete wrote; OP_NONE: it is there
  uint32_t doubt_before_first; // a delete without a recorded result before first_op; OP_NONE: none
  bool refuted;                // a read shows that the delete in doubt wrote nothing, unless `seen`
  bool seen;                   // a hint says that a read saw it
  uint32_t last_in_doubt; // of several deletes in doubt: the last one, all of them wrote or none; OP_NONE: one at most
};

// What one list read says, without the reader's own suffix.
struct account_list {
  uint32_t txn, op, key;
  uint32_t count;
  const uint32_t *elements;
  uint32_t first_writer,
    writers;       // in account.list_writers: transactions that are not aborted, in the order of their elements
  bool broken;     // a result that nothing explains; read-uncommitted does not mind
  bool impossible; // no order of appends gives it; counts at every level
};

struct excuses; // account_excuses.c
// Facts of hints that an argument rests on: whose version of a key comes first, or where a read read.
struct assumption {
  uint32_t op; // OP_NONE: the order of two versions
  uint32_t key, a, b;
};

struct key_order; // account_ranges.c
struct appends;   // account_lists.c

struct account {
  const struct history *h;
  const struct hints *hints; // of the history; or NULL
  const uint32_t *origin;    // of a history that a dialect made: per transaction the one that it is a part of; or NULL
  enum own_policy policy;
  bool some_read_locks;
  bool excusing;    // what nothing recorded explains is left out
  bool writes_only; // reads, lists and results are left out, as far as writes do not depend on them; a matter of speed

  // Of the transaction told last. Reads and writes of deletes in doubt are among them.
  VEC (struct account_read) reads;
  VEC (struct account_write) writes;
  VEC (struct account_list) lists;
  VEC (uint32_t) list_writers;
  VEC (uint32_t)
  malformed;             // scans and iterators whose items are out of range, out of order or repeated, and incs
                         // whose new value no value gives
  VEC (uint32_t) doubts; // deletes without a recorded result that may have written or not

  VEC (struct assumption) assumed; // noted by whoever concluded something from a hint; some more than once

  // Inside.
  uint32_t *init_value;         // per key; VALUE_UNRECORDED: any
  uint32_t *own_stamp, *own_at; // per key: 1 + the transaction that wrote it last, and where in `writes`
  struct key_order *order;      // NULL: no ranges
  struct appends *appends;      // NULL: no lists
  struct excuses *excuses;      // NULL: not `excusing`, or not known yet
  uint32_t *kept_elements;      // of lists, in the places of the history's items; NULL: not `excusing`
};

// NULL, with the reason in `problem`, for what the semantics leaves undefined. `excusing`: an incomplete history is read as one; else as if it were complete, as
// one must be to be valid.
struct account *account_new (const struct history *, enum own_policy, const struct hints *, bool excusing,
                             const char **problem);
void account_free (struct account *);

// Tells one transaction, which is not aborted.
void account_tell (struct account *, uint32_t txn);

// May the read have read from this transaction, or INITIAL, as far as hints go?
static inline bool account_hint_allows (const struct account_read *read, uint32_t source) {
  return read->hint == HINT_NONE || read->hint == (source == INITIAL ? HINT_INITIAL : source);
}

// A hint says that the read saw an own delete without a recorded result. That this wrote counts at every level, whatever reads do there.
static inline bool account_shows_delete (const struct account_read *read) {
  return read->hint == read->txn && read->doubt != OP_NONE;
}

// Would a version of this value explain the read?
static inline bool account_fits (const struct account_read *read, uint32_t value) {
  return (read->value == value) != read->other || (read->or_absent && value == VALUE_ABSENT);
}

// Among `reads` and `writes` of the transaction told last; NULL: none.
const struct account_read *account_find_read (const struct account *, uint32_t op, uint32_t key);
const struct account_write *account_find_write (const struct account *, uint32_t key);

// Tells the transaction of an operation and finds a read in it.
const struct account_read *account_read_of (struct account *, uint32_t op, uint32_t key);

static inline bool account_takes_part (const struct account *a, uint32_t txn) {
  return txn < history_txns (a->h) && a->h->txn_status.data[txn] != TXN_ABORTED;
}
static inline bool account_committed (const struct account *a, uint32_t txn) {
  return txn < history_txns (a->h) && a->h->txn_status.data[txn] == TXN_COMMITTED;
}

// Hints say that one transaction's version of the key comes before another's.
bool account_hinted_order (const struct account *, uint32_t key, uint32_t first, uint32_t second);
// Notes that something was concluded from that, or from what hints say about a read, if they do.
void account_assume_order (struct account *, uint32_t key, uint32_t first, uint32_t second);
void account_assume_source (struct account *, const struct account_read *);

// Session order runs into a transaction of unknown outcome, never out of it; such a one has no end. Both took place.
bool account_session_order (const struct account *, uint32_t first, uint32_t second);
// Parts of one transaction, at every level.
bool account_program_order (const struct account *, uint32_t first, uint32_t second);
bool account_real_time (const struct account *, uint32_t first, uint32_t second, int64_t clock_skew);
bool account_has_times (const struct account *);
// The time from which on a transaction may begin that comes after this one; false: there is none.
bool account_ended (const struct account *, uint32_t txn, int64_t clock_skew, int64_t *limit);

// A read that holds a cursor, for cursor stability: any item read by a flagged operation; without flags, gets and lists.
bool account_holds_cursor (const struct account *, const struct account_read *);

// Of several deletes in doubt, the first ones may have written nothing while a later one wrote. For cursor stability, that is not covered by all of them or
// none if cursors read the key both before the first and between it and the last. Of a write of the transaction told last.
bool account_run_divides_cursors (const struct account *, const struct account_write *);

// Can a delete or a cas have written? And what does the operation write?
bool account_may_write (const struct history *, uint32_t op);
uint32_t account_value_written (const struct history *, uint32_t op);

// account_ranges.c
struct key_order *key_order_new (const struct account *);
void key_order_free (struct key_order *);
void account_tell_range (struct account *, uint32_t txn, uint32_t op);
// A range of a transaction that is not aborted covered the key, which is always absent: of such a read of the initial state nothing is told.
bool account_found_nothing (const struct account *, uint32_t op, uint32_t key);
bool key_order_covers_list (const struct account *, const uint8_t *is_list);

// account.c, for account_ranges.c: a read of one key. `lenient`: own writes may be seen or not, whatever the policy.
void account_tell_read (struct account *, struct account_read, bool lenient);

// account_excuses.c
struct excuses *account_excuses_new (struct account *);
void account_excuses_free (struct excuses *);
void account_excuse (struct account *); // takes what is excused out of what was told last

// account_lists.c
struct appends *appends_new (const struct account *, const char **problem);
void appends_free (struct appends *);
void account_tell_list (struct account *, uint32_t txn, uint32_t op);
bool account_one_is_prefix (const struct account_list *, const struct account_list *);

#endif
