// The brute-force checker: the meaning of every isolation level, written down a second time and as
// plainly as possible.
//
// For a tiny history it goes through everything that the semantics leaves open: which deletes
// without a recorded result wrote, which unknown transactions took place, the initial value of each
// key, what each read read from, the order of each key's versions. Each way to settle all of that
// is a world; a world gives edges, and a level holds if some world has none of the cycles that the
// level proscribes. Nothing here is shared with the checker proper.
//
//   operations.c  what one operation read
//   lists.c       what list reads say
//   excuses.c     which reads are excused in an incomplete history
//   infer.c       the own-write policy that the history leads to
//   story.c       what the history says: installed versions, external reads, session order and real
//     time
//   brute.c       the enumeration of worlds
//   judge.c       what each level proscribes in one world
//   replay.c      some levels once more, by replaying transactions in every order

#ifndef KRAIT_BRUTE_BRUTE_H
#define KRAIT_BRUTE_BRUTE_H

#include <stdbool.h>
#include <stdint.h>

struct history;

enum brute_own_writes { BRUTE_OWN_MUST, BRUTE_OWN_EXTERNAL, BRUTE_OWN_MAY, BRUTE_OWN_INFER };

// Facts that restrict the worlds: nodes are transactions of the history, from 1 on; 0 is the
// initial state.
enum { BRUTE_HINT_ORDERS = 16, BRUTE_HINT_SOURCES = 64, BRUTE_HINT_NODES = 16 };

struct brute_hints {
  unsigned orders;
  struct {
    unsigned key, count, node[BRUTE_HINT_NODES];
  } order[BRUTE_HINT_ORDERS]; // versions of a key, oldest first; those that are there
  unsigned sources;
  struct {
    unsigned reader, operation, key; // the operation by its position in its transaction
    unsigned source;                 // the reader itself: an own write
  } source[BRUTE_HINT_SOURCES];
};

// A world in which a level holds, as facts: all version orders and sources of it.
struct brute_capture {
  unsigned level;
  bool found;
  struct brute_hints world;
};

// What a module demands besides: if all conditions hold, then so does one of the alternatives, with
// all its edges. Transactions are those of the history; an edge at one that did not take place says
// nothing.
enum { CONSTRAINT_CONDITIONS = 3, CONSTRAINT_ALTERNATIVES = 3, CONSTRAINT_EDGES = 2 };

struct brute_condition {
  uint32_t reader, operation, key; // which read
  uint32_t writer;                 // UINT32_MAX: the initial state
};

struct brute_alternative {
  unsigned edges;
  struct {
    uint32_t from, to;
  } edge[CONSTRAINT_EDGES];
};

struct brute_constraint {
  unsigned conditions, alternatives;
  struct brute_condition condition[CONSTRAINT_CONDITIONS];
  struct brute_alternative alternative[CONSTRAINT_ALTERNATIVES];
};

struct world;
struct brute_excuses;

struct brute_options {
  bool as_if_complete; // nothing is excused, whatever the history says
  // inside: what is excused in an incomplete history; NULL: not known yet
  const struct brute_excuses *excuses;
  enum brute_own_writes own_writes;
  int64_t clock_skew;   // not negative
  uint64_t most_worlds; // beyond it: too_big
  const struct brute_constraint *constraints;
  unsigned constraint_count;
  bool (*accepts) (const struct world *,
                   // worlds that it does not accept do not count; NULL: all do
                   const void *context);
  const void *context;
  const struct brute_hints *hints; // or NULL
  struct brute_capture *capture;   // or NULL
};

void brute_options_default (struct brute_options *);

enum brute_verdict {
  BRUTE_FAILS,
  BRUTE_HOLDS,
  BRUTE_UNDEFINED, // the level needs times, and the history has none; or nothing is committed
};

enum { BRUTE_MOST_LEVELS = 48 };

struct brute_verdicts {
  // false: the semantics gives no verdict, because of lists or of a cas without a result
  bool supported;
  bool too_big; // too many transactions, keys, reads or worlds
  uint64_t worlds;
  enum brute_verdict of[BRUTE_MOST_LEVELS];
};

// Levels are numbered from 0; names are those of the command line.
unsigned brute_levels (void);
const char *brute_level_name (unsigned level);
int brute_level_find (const char *name); // -1 if there is none; no aliases
// False for the read-uncommitted family, which rejects next to nothing, so that a test cannot ask
// for many rejections.
bool brute_level_rejects (unsigned level);

// Judges every level. False if the verdicts are not there: not supported, or too big.
bool brute_judge (const struct history *, const struct brute_options *, struct brute_verdicts *);

// Some levels by another definition, the one of a store that carries out transactions.
// Serializable: there is an order of the transactions in which carrying them out one after the
// other gives every recorded read. Snapshot isolation and prefix consistency: the same for an order
// of begins and commits, where a transaction reads the state at its begin and writes at its commit.
// Session order and real time must be respected as far as the level asks.
unsigned replay_levels (void);
const char *replay_level_name (unsigned level);

// False if the history is too big for this level, or is not supported.
bool brute_replay (const struct history *, const struct brute_options *, unsigned level, enum brute_verdict *);

#endif
