// What a history says about itself besides operations and results: who knows the inside of a
// database may add which versions it holds (docs/hints.md).
//
//   versionOrder  of a key: transactions that installed it, oldest first      a fact
//   version       of a read: the transaction whose version it returned        a fact
//   versionSet    of a scan or an iterator: the same for some of its keys     a fact
//   commitTs      of a transaction                                            breaks ties; a fact
//     if the user trusts it
//   uniqueValues  no two transactions write one value to one key              a promise, which is
//     checked
//
// Histories keep hints as text. Here they are read, and compared with the history: one that does
// not fit is bad input. What only a level could say against a hint is left to the verdict.

#ifndef KRAIT_HINTS_HINTS_H
#define KRAIT_HINTS_HINTS_H

#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct history;

// The source of a read, where it is no transaction.
#define HINT_NONE UINT32_MAX          // nothing is said about it
#define HINT_INITIAL (UINT32_MAX - 1) // the initial state

// Which hints a verdict rests on.
enum {
  FACT_VERSION_ORDER = 1,
  FACT_VERSION = 2,
  FACT_VERSION_SET = 4,
  FACT_COMMIT_TS = 8,
};
enum { FACT_KINDS = 4 };
extern const char *const fact_names[FACT_KINDS]; // of bit 0, 1, …

struct version_order {
  uint32_t key;
  uint32_t first, count; // in order_txns
};

struct source_hint {
  uint32_t op, key; // sorted by
  uint32_t source;  // a transaction, perhaps the reader itself, or HINT_INITIAL
};

struct hints {
  VEC (struct version_order) orders;
  VEC (uint32_t) order_txns;
  VEC (struct source_hint) sources; // sorted by operation and key
  // per operation its first entry of `sources`, one more at the end; NULL: there are none
  uint32_t *op_first;
  int64_t *commit_ts; // per transaction; NULL: nobody has one
  uint8_t *has_commit_ts;
  bool trust_commit_ts;
  bool unique_values;
  char *warnings; // lines; or NULL
};

struct hints_options {
  bool trust_commit_ts;
  // For a history that a dialect made: per transaction the one that it is a part of. The original
  // was compared with its hints; what does not fit the parts is left out. NULL: no such history.
  const uint32_t *origin;
};

// `hints` becomes NULL if the history has none. False, with the place in the error: malformed, or
// contradicted by the history.
bool hints_read (const struct history *, const struct hints_options *, struct hints **hints, struct error *);
void hints_free (struct hints *);

uint32_t hints_find_source (const struct hints *, uint32_t op, uint32_t key);

// The source of a read of the key by the operation. `hints` may be NULL.
static inline uint32_t hints_source (const struct hints *hints, uint32_t op, uint32_t key) {
  return hints && hints->op_first && hints->op_first[op] < hints->op_first[op + 1] ? hints_find_source (hints, op, key)
                                                                                   : HINT_NONE;
}

#endif
