// What a certificate may claim: the isolation levels, as the verifier understands them
// (docs/semantics.md, section 5).

#ifndef KRAIT_VERIFY_CLAIM_H
#define KRAIT_VERIFY_CLAIM_H

#include <stdbool.h>

enum family {
  FAMILY_READ_UNCOMMITTED,
  FAMILY_READ_COMMITTED,
  FAMILY_CURSOR_STABILITY,
  FAMILY_MONOTONIC_VIEW,
  FAMILY_CONSISTENT_VIEW, // and forward consistent view, parallel snapshot isolation
  FAMILY_REPEATABLE_READ,
  FAMILY_SNAPSHOT_ISOLATION,
  FAMILY_SERIALIZABLE,
  FAMILY_UPDATE_SERIALIZABLE,
  FAMILY_PREFIX_CONSISTENCY,
  FAMILY_CAUSAL,
  FAMILY_READ_ATOMIC,
  FAMILY_READ_COMMITTED_AXIOMATIC,
};

struct claim_level {
  enum family family;
  bool so, rt; // session order and real time count
};

struct claim_row {
  const char *name;
  struct claim_level level;
  bool takes_prefixes;
};

// One that is in no table, for tests of made-up levels; or NULL.
extern const struct claim_row *claim_row_besides;

// By full name; there are no aliases here. False: no such level.
bool claim_level_find (const char *name, struct claim_level *);

// Reads say something at all.
static inline bool claim_reads_count (struct claim_level level) {
  return level.family != FAMILY_READ_UNCOMMITTED;
}

// The axiomatic levels ask for a total order, and for no version orders.
static inline bool claim_is_axiomatic (struct claim_level level) {
  return level.family >= FAMILY_CAUSAL;
}

#endif
