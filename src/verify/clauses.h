// The choices of a history as a problem of logic, one clause at a time. A certificate of `invalid`
// names clauses; the verifier makes each of them again from the history by itself, so that nothing
// but the history decides what it says.
//
// Variables: a transaction of unknown outcome took place; a delete without a recorded result wrote;
// a read read from a transaction (which means that there was such a read, and such a version); one
// transaction's version of a key comes before another's. They are numbered as they come up.

#ifndef KRAIT_VERIFY_CLAUSES_H
#define KRAIT_VERIFY_CLAUSES_H

#include "base/hash.h"
#include "verify/claim.h"
#include "verify/verify.h"

enum variable_kind { NAME_IN, NAME_WROTE, NAME_SOURCE, NAME_BEFORE, NAME_ALTERNATIVE };

struct variable_name {
  enum variable_kind kind;
  uint32_t a, b,
    // IN: transaction. WROTE: operation. SOURCE: operation, key, source. BEFORE: key, the lower
    // transaction, the other
    c;
};

struct writer {
  uint32_t txn, value, unrecorded;
};

#define LITERAL_TRUE INT32_MAX
#define LITERAL_FALSE (-INT32_MAX)

#define NOT_IN_LIST UINT32_MAX // of a place among the writers of a list

struct clauses {
  struct told *told;
  struct claim_level level;
  int64_t clock_skew;

  // Who can have installed a version of each key.
  uint32_t *key_first; // one more entry at the end
  struct writer *writers;
  bool borrowed; // these belong to other clauses

  struct hash_set known;
  VEC (struct variable_name) names; // from 1 on
  VEC (int32_t) literals;
  VEC (uint32_t) first; // of each clause; one more entry at the end
  bool satisfied;       // the clause at hand holds whatever is chosen
};

struct clauses *clauses_new (struct told *, struct claim_level, int64_t clock_skew);
// Without any, about the same as others, which must outlive them.
struct clauses *clauses_new_like (const struct clauses *);
void clauses_free (struct clauses *);

static inline uint32_t clauses_count (const struct clauses *clauses) {
  return (uint32_t) clauses->first.count - 1;
}

// Adds the clause of an item; false with a complaint: the history does not say that, or it says
// nothing.
bool clauses_add (struct clauses *, const struct certificate *, const struct cert_item *, struct complaint *);

// Literals of choices; LITERAL_TRUE or LITERAL_FALSE where there is no choice.
int32_t literal_in (struct clauses *, uint32_t txn);
int32_t literal_wrote (struct clauses *, uint32_t op); // OP_NONE: true
int32_t literal_source (struct clauses *, uint32_t op, uint32_t key, uint32_t source);
// its edges hold
int32_t literal_alternative (struct clauses *, uint32_t constraint, uint32_t alternative);
int32_t literal_before (struct clauses *, uint32_t key, uint32_t first, uint32_t second);

// For the clause at hand.
void clause_push (struct clauses *, int32_t literal);

// Can the writer be the source of the read?
static inline bool can_be_source (const struct told_read *read, const struct writer *writer) {
  return writer->txn != read->txn && told_hint_allows (read, writer->txn)
         && (read->list ? writer->txn == read->writer : told_fits (read, writer->value));
}
bool initial_can_be_source (const struct told *, const struct told_read *);
// INITIAL too
bool is_possible_source (const struct clauses *, const struct told_read *, uint32_t source);

// The transaction's entry among the writers of the key; NULL: it installs none.
const struct writer *writer_of (const struct clauses *, uint32_t key, uint32_t txn);

// A list read, with its writers in told.list_writers; NULL: there is none. Valid until something
// else is told.
const struct told_list *list_of (struct told *, uint32_t op);

// lemma.c: that the steps of a lemma cannot all hold.
bool clauses_add_lemma (struct clauses *, const struct certificate *, const struct cert_item *, struct complaint *);

#endif
