// The table of isolation levels.
//
// A level says how each kind of dependency becomes an edge between points of transactions, what an anti-dependency means, and what a
// reader is taken to have seen; some choice of read sources and version orders must leave the graph acyclic and no anti-dependency contradicted.
// The machinery below (saturate, solve) is shared. See docs/adding-a-level.md.

#ifndef KRAIT_LEVELS_LEVELS_H
#define KRAIT_LEVELS_LEVELS_H

#include "ir/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct asg;

struct level {
  const char *name;
  const char *aliases;    // separated by spaces, or ""
  const char *proscribes; // one line for `krait levels`
  struct rules rules;
  void (*mark_reads) (const struct asg *,
                      uint8_t *anti); // or NULL; changes the entries (enum anti) of reads that differ
  void (*mark_when) (const struct asg *,
                     uint32_t *when); // or NULL; the same where it depends on a delete in doubt, see below
  bool
    last_read_counts; // of the reads of a key the last one before it is written: not to have read from outside is not always better
  const char *(*remark) (const struct asg *); // or NULL; what the reader of a verdict should know, or NULL
  bool predicates_free; // what a scan missed may be overwritten: such anti-dependencies mean nothing
  bool deletes_write;   // a delete in doubt may be taken to have written: that is never worse at this level
  const char *stronger; // a level that implies this one and is cheaper to check or likely to hold; or NULL
};

// When the anti-dependencies of a read are edges, whatever else is said of them: if the delete in doubt of that number
// wrote, or if it did not, or if any delete in doubt of the reader wrote.
#define WHEN_NEVER UINT32_MAX
#define WHEN_READER_WRITES (UINT32_MAX - 1)
static inline uint32_t when_wrote (uint32_t doubt, bool wrote) {
  return doubt << 1 | wrote;
}

extern const struct level *const levels[]; // NULL at the end

// By name or alias, case ignored; the prefixes strong-session- and strict- go with aliases too. NULL if there is none.
const struct level *level_find (const char *name);

// Every read of this ASG is an edge with all of its consequences between single points, and no delete is in doubt: a serial order is what the level asks for,
// and its history can be replayed in it.
bool level_is_serial (const struct level *, const struct asg *);

// NULL, or what the machinery cannot deal with in a description.
const char *level_problem (const struct level *);

// It matters when in its transaction a read or a write took place (asg_options.events).
bool level_needs_events (const struct level *);

#endif
