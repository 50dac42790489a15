// What a history says, once it is settled which deletes without a recorded result wrote, and before
// any other choice is made.
//
// Node 0 is T0, the initial state; node i is transaction i - 1 of the history. A transaction is
// reduced to the versions that it installs and to its external reads; reads of own writes are
// settled here as far as the policy settles them. A delete installs VALUE_ABSENT. Aborted
// transactions say nothing; only lists.c looks at what they appended.

#ifndef KRAIT_BRUTE_STORY_H
#define KRAIT_BRUTE_STORY_H

#include "brute.h"
#include "history/history.h"
#include "operations.h"
#include "relation.h"

enum {
  STORY_NODES = 16,
  STORY_KEYS = OPERATION_KEYS,
  STORY_EVENTS = 16,
  STORY_READS = 128,
  STORY_LISTS = 32,
  STORY_ELEMENTS = 32,
  STORY_OPEN_DELETES = 8
};

struct story_read {
  unsigned reader;    // node
  unsigned operation; // its position in its transaction
  // the same, but an operation that reads and writes is two events; the reads of a scan are one
  unsigned event;
  unsigned key;
  enum expectation expects;
  uint32_t value;       // or VALUE_ABSENT; EXPECTS_WRITER: a node
  bool predicate;       // of absent, by a scan or an iterator
  bool may_be_own;      // it may have seen the reader's own write instead
  bool guards_a_cursor; // counts for cursor-stability
};

struct story_version {
  bool installed;
  uint32_t value; // the last one written; VALUE_NONE: a list
  unsigned first_event, last_event;
};

struct story_txn {
  enum txn_status status;
  unsigned events;
  bool breaks_reads;       // a result that no choice explains; read-uncommitted does not mind
  unsigned own_misses;     // so many reads did not see the own write that they must see
  bool breaks_every_level; // a list that cannot be
  struct story_version versions[STORY_KEYS];
};

// A list read, without the reader's own suffix.
struct story_list {
  unsigned reader, key;
  unsigned count;
  const uint32_t *elements;
  // in an incomplete history: the elements, without those that are excused
  uint32_t kept[STORY_ELEMENTS];
  unsigned writers;
  unsigned writer[STORY_NODES]; // nodes that are not aborted, in the order of their elements
};

struct story {
  unsigned nodes, keys, reads, lists;
  // without a recorded result, and not settled by what the transaction did before
  unsigned open_deletes;
  struct story_txn txns[STORY_NODES];
  struct story_read read[STORY_READS];
  struct story_list list[STORY_LISTS];
  bool excusing; // the history is incomplete
  bool any_initial;
  uint32_t initial[STORY_KEYS]; // unless any_initial
  bool has_times;
  struct relation session_order, real_time; // between transactions that are not aborted
};

// Bit i of `did_nothing`: the i-th open delete read absent and wrote nothing; else it wrote. False,
// with `supported` or `too_big` set accordingly, if the story cannot be told.
bool story_tell (struct story *, const struct history *, const struct brute_options *, uint32_t did_nothing,
                 struct brute_verdicts *);

// `infer` replaced by the policy that the history's committed reads, and hints on them, lead to
// (infer.c).
enum brute_own_writes story_own_writes (const struct history *, const struct brute_options *);

// The value that a key starts with unless the history says `any`.
uint32_t story_initial_value (const struct history *, uint32_t key);

// Must transaction `first` come before `second`? Transactions of the history; neither is aborted.
bool story_in_session_order (const struct history *, uint32_t first, uint32_t second);
bool story_in_real_time (const struct history *, uint32_t first, uint32_t second, int64_t clock_skew);

// Does any transaction that is not aborted have a time? True too if there is none that could.
bool story_has_times (const struct history *);

// Is there anything to check?
bool story_has_committed (const struct history *);

#endif
