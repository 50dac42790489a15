// A certificate: what a verdict rests on, for somebody who trusts neither the checker nor its
// solver. docs/certificates.md has the file format.
//
// For `valid` it holds the choices: which transactions of unknown outcome took place, which deletes
// without a recorded result wrote, one order of all transactions (or of their begins and commits),
// and the source of each read that does not read the last version before it. Version orders are the
// order.
//
// For `invalid` it holds a refutation. Each item is a clause that every explanation of the history
// would have to meet: that a read has a source, what a list says, or a lemma, that certain choices
// cannot go together because their edges close a pattern that the level proscribes. The steps are
// an LRAT proof that no explanation can meet all of them.
//
// Of a .kir file it holds the same about what that says; src/verify_ir knows what it means.

#ifndef KRAIT_VERIFY_CERTIFICATE_H
#define KRAIT_VERIFY_CERTIFICATE_H

#include "verify/effects.h"

struct named_source {
  uint32_t op, key; // sorted by
  uint32_t source;  // INITIAL: the initial state
};

// What modules demand besides: if all conditions hold, then so does one of the alternatives, with
// all its edges between transactions that took place. The verifier cannot know the modules, and
// says what it takes for granted.
struct cert_condition {
  uint32_t op, key, source; // the read took place and read from there
};

struct cert_edge {
  uint32_t from, to;
};

struct cert_alternative {
  uint32_t first_edge, edges;
};

struct cert_constraint {
  uint32_t first_condition, conditions;
  uint32_t first_alternative, alternatives;
  uint32_t chosen; // valid: the alternative that holds; 0 where the conditions do not
};

struct cert_constraints {
  VEC (struct cert_constraint) list;
  VEC (struct cert_condition) conditions;
  VEC (struct cert_alternative) alternatives;
  VEC (struct cert_edge) edges;
};

typedef VEC (uint32_t) cert_numbers;

enum item_kind {
  // op, key, wrote: the read has a source, or it cannot be, if the unrecorded delete wrote or did
  // not
  ITEM_READ,
  ITEM_ONE_SOURCE,   // op, key, a, b: not both of them
  ITEM_SOURCE_IN,    // op, key, a: the source took place
  ITEM_SOURCE_WROTE, // op, key, a: the source's delete wrote
  ITEM_READER_IN,    // op, key, a: the reader took place
  // op, key, a: a read whose outcome depends on a delete has a source only if it is external
  ITEM_READER_EXTERNAL,
  ITEM_INITIAL,     // op, key, other_op: two reads of the key need different initial values
  ITEM_LIST_ORDER,  // op, a, b: a list has a's elements before b's
  ITEM_LIST_IN,     // op, a: whose elements are read took place
  ITEM_LIST_ABSENT, // op, a: who is not in a list comes behind its last element
  ITEM_LISTS_CLASH, // op, other_op: two lists of which neither is a prefix of the other
  ITEM_BROKEN,      // op: a result that cannot be
  ITEM_HINT_ORDER,  // key, a, b: hints say that a's version comes before b's
  ITEM_CONSTRAINT,  // constraint: not all of its conditions, or one of its alternatives
  ITEM_LEMMA,       // edges, and assumed deletes
  ITEM_KINDS
};

// Of a .kir file: what a statement says (ir/walk.h), by its number, as a clause.
enum ir_item_kind {
  IR_ITEM_CHOICE,   // statement: one of its alternatives
  IR_ITEM_NOT_BOTH, // statement, two of its alternatives
  IR_ITEM_ONLY_IF,  // statement, one of its alternatives, 0 or 1: that presence
  IR_ITEM_FALSE,    // statement: not all of its conditions
  IR_ITEM_WALK,     // statements, edges that close a walk: not all of their conditions
  IR_ITEM_KINDS
};

enum step_kind {
  STEP_SESSION,   // from, to
  STEP_REAL_TIME, // from, to
  STEP_PROGRAM,   // from, to: parts of one transaction, which a dialect made
  STEP_FIRST,     // to: from the initial state, which is no field of its own
  STEP_READ,      // wr: op, key; from
  STEP_VERSION,   // ww: key; from, to
  STEP_OVERWRITE, // rw: op, key, via: the version read; to: who overwrote it
  STEP_LIST,      // op; from, to: a list shows their order
  // op, key; to: the source of the read; from: an installer that the reader sees, by the path that
  // follows
  STEP_VISIBLE,
  STEP_CONSTRAINT, // constraint, alternative; from, to: an edge of it
  STEP_HINT,       // key; from, to: hints say that the one's version comes before the other's
  STEP_KINDS
};

// An edge of a lemma. `from` and `to` are transactions, whatever the kind leaves to be derived.
struct cert_step {
  uint8_t kind;
  uint32_t from, to, op, key, via;
  uint32_t constraint, alternative;
  uint32_t path; // STEP_VISIBLE: how many of the following steps are its path
};

struct cert_item {
  uint8_t kind;
  bool wrote;
  uint32_t op, other_op, key, constraint;
  uint32_t a, b; // transactions, or INITIAL
  uint32_t first_step, steps;
  uint32_t first_assumed, assumed; // of a .kir file, whatever the kind: its numbers
};

struct cert_clause {
  uint32_t first_literal, literals;
  uint32_t first_hint, hints; // clauses by number: items from 1 on, then the clauses of the proof
};

struct certificate {
  bool valid; // what is claimed
  // Of a .kir file: transactions are numbers of lines (`txns` counts T0, which is INITIAL where
  // that may stand), operations are reads, and constraints have nothing but the alternative that
  // was chosen, from 1 on; 0: any. The rest of the claim is missing.
  bool of_ir;
  uint64_t checksum; // of its text
  char level[64];
  enum own_policy policy;
  int64_t clock_skew;
  bool trust_commit_ts;     // the commit timestamps of hints are facts
  char dialect[32];         // or empty
  uint32_t txns, ops, keys; // of the history, or of the one that the dialect makes of it
  struct cert_constraints constraints;

  // valid
  unsigned points;         // per transaction: 1, or 2 for begin and commit
  cert_numbers order;      // transaction * points + which
  cert_numbers took_place; // transactions of unknown outcome, ascending
  // deletes without a recorded result that wrote, ascending; of a .kir file by their place among
  // these
  cert_numbers wrote;
  VEC (struct named_source) sources; // by operation and key, ascending

  // invalid
  VEC (struct cert_item) items;
  VEC (struct cert_step) steps;
  cert_numbers assumed; // unrecorded deletes: operation * 2, + 1 if it wrote
  VEC (struct cert_clause) clauses;
  VEC (int32_t) literals;
  cert_numbers hints;
};

// What is claimed besides the verdict itself.
struct claim {
  const char *level;
  enum own_policy policy;
  int64_t clock_skew;
  bool trust_commit_ts;
  const char *dialect; // or NULL
};
struct certificate *certificate_new (const struct claim *, const struct history *);
void certificate_free (struct certificate *);

void cert_constraints_free (struct cert_constraints *);
void cert_constraints_add (struct cert_constraints *, const struct cert_constraints *from,
                           uint32_t number); // a copy of one of them

// Bytes of the file, appended.
typedef VEC (uint8_t) byte_vec;
void certificate_write (const struct certificate *, byte_vec *);

// How long a certificate for the history can be. A verdict of `valid` never takes more; a
// refutation that does is not written, and none is read.
size_t certificate_most_bytes (const struct history *);
bool certificate_has_magic (const void *bytes, size_t length);

// NULL with the place (a byte offset) and what was found there in `error`.
struct certificate *certificate_read (const uint8_t *bytes, size_t length, const char *name, struct error *);

const char *own_policy_name (enum own_policy);

#endif
