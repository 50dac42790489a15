// The table of isolation levels.
//
// A level says how each kind of dependency becomes an edge between points of transactions, what an
// anti-dependency means, and what a reader is taken to have seen; some choice of read sources and
// version orders must leave the graph acyclic and no anti-dependency contradicted. The machinery
// below (saturate, solve) is shared. See docs/adding-a-level.md.

#ifndef KRAIT_LEVELS_LEVELS_H
#define KRAIT_LEVELS_LEVELS_H

#include "ir/presence.h"
#include "ir/rules.h"

#include <stddef.h>

struct asg;
struct ir;

// What the anti-dependencies of single reads mean.
struct read_marks {
  uint8_t *anti; // per read: enum anti; what the rules say until it is changed
  // Per read: the presence under which they are edges, whatever else is said of them; NEVER until
  // it is changed. NULL: there are no unrecorded deletes.
  uint32_t *when;
  struct ir *ir; // whose presences they are
};
// That the unrecorded delete of this number wrote; that some unrecorded delete of the node did.
uint32_t mark_if_wrote (const struct read_marks *, uint32_t unrecorded);
uint32_t mark_if_writes (struct read_marks *, uint32_t node);

// What a level asks for beside its edges, and what is true of it.
struct level_traits {
  // or NULL; changes the entries of reads that differ
  void (*mark_reads) (const struct asg *, struct read_marks *);
  const char *(*remark) (const struct asg *); // or NULL; what the reader of a verdict should know, or NULL
  // Of the reads of a key the last one before it is written counts: not to have read from outside
  // is not always better.
  bool last_read_counts;
  // what a scan missed may be overwritten: such anti-dependencies mean nothing
  bool predicates_free;
  // a delete without a recorded result may be taken to have written: that is never worse
  bool deletes_write;
};

// The orders that a level may have among its edges, from the last point of a transaction to the
// first of another.
enum { ORDER_SESSIONS = 1, ORDER_TIMES = 2 };

// The forms of a level: as it is; strong-session-, with session order; strict-, with session order
// and real time.
enum level_form { FORM_PLAIN, FORM_SESSIONS, FORM_STRICT, LEVEL_FORMS };

// A level before its forms are made.
struct level_base {
  const char *name;
  const char *aliases[LEVEL_FORMS]; // separated by spaces; NULL: none
  const char
    *proscribes[LEVEL_FORMS]; // one line for `krait levels`; NULL: that of the plain form, and what the form adds
  struct rules rules;         // but so and rt
  struct level_traits traits;
  unsigned orders;            // that the plain form has, too
  bool has_form[LEVEL_FORMS]; // of the plain one it goes without saying
  // A level that implies this one, as base, and is cheaper to check or likely to hold; NULL: none.
  // Forms go with forms, and a plain one without orders with its own form with sessions.
  const char *stronger;
};

// A form of a level.
struct level {
  const char *name;
  const char *base;       // the name without its form
  const char *aliases;    // separated by spaces, or ""
  const char *proscribes; // one line for `krait levels`
  struct rules rules;
  struct level_traits traits;
  // a level that implies this one and is cheaper to check or likely to hold; or NULL
  const char *stronger;
};

// The levels in the order of `krait levels`, NULL at the end; one of them, NULL from their number
// on.
const struct level *const *all_levels (void);
const struct level *level_at (size_t index);

// By name or alias, case ignored; prefixes go with aliases too. NULL if there is none.
const struct level *level_find (const char *name);

// NULL, or what the machinery cannot deal with in a description.
const char *level_problem (const struct level *);

// It matters when in its transaction a read or a write took place (asg_options.events).
bool level_needs_events (const struct level *);

#endif
