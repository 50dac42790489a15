// What a history says, before any choice is made.
//
// Node 0 is T0, the initial state; node i is transaction i - 1 of the history. A transaction is reduced to the versions
// that it installs and to its external reads; reads of own writes are settled here as far as the policy settles them.
//
// Only get and put are told so far. A delete would install VALUE_ABSENT; a scan would give several reads with one
// event; cas a read and a version; an outcome that was not recorded would give several stories.

#ifndef KRAIT_BRUTE_STORY_H
#define KRAIT_BRUTE_STORY_H

#include "brute.h"
#include "history/history.h"
#include "relation.h"

enum { STORY_NODES = 16, STORY_KEYS = 8, STORY_EVENTS = 16, STORY_READS = 64 };

struct story_read {
  unsigned reader; // node
  unsigned event;  // position of the operation in its transaction
  unsigned key;
  uint32_t value;       // or VALUE_ABSENT
  bool may_be_own;      // it may have seen the reader's own write instead
  bool guards_a_cursor; // counts for cursor-stability
};

struct story_version {
  bool installed;
  uint32_t value; // the last one written
  unsigned first_event, last_event;
};

struct story_txn {
  enum txn_status status;
  unsigned events;
  bool breaks_own_writes; // a read after an own write that the policy does not allow
  struct story_version versions[STORY_KEYS];
};

struct story {
  unsigned nodes, keys, reads;
  struct story_txn txns[STORY_NODES];
  struct story_read read[STORY_READS];
  bool any_initial;
  uint32_t initial[STORY_KEYS]; // unless any_initial
  bool has_times;
  struct relation session_order, real_time; // between transactions that are not aborted
};

// False, with `supported` or `too_big` set accordingly, if it cannot be told.
bool story_tell (struct story *, const struct history *, const struct brute_options *, struct brute_verdicts *);

// `infer` replaced by the policy that the history's committed reads lead to.
enum brute_own_writes story_own_writes (const struct history *, enum brute_own_writes asked);

// The value that a key starts with unless the history says `any`.
uint32_t story_initial_value (const struct history *, uint32_t key);

// Must transaction `first` come before `second`? Transactions of the history; neither is aborted.
bool story_in_session_order (const struct history *, uint32_t first, uint32_t second);
bool story_in_real_time (const struct history *, uint32_t first, uint32_t second, int64_t clock_skew);

// Does any transaction that is not aborted have a time? True too if there is none that could.
bool story_has_times (const struct history *);

#endif
