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

enum variable_kind {
  NAME_IN,
  NAME_WROTE,
  NAME_SOURCE,
  NAME_BEFORE,
  NAME_ALTERNATIVE,
  NAME_CONDITION, // of a .kir file: its two numbers, and its kind
};

struct variable_name {
  enum variable_kind kind;
  uint32_t a, b,
    // IN: transaction. WROTE: operation. SOURCE: operation, key, source. BEFORE: key, the lower
    // transaction, the other
    c;
};

#define LITERAL_TRUE INT32_MAX
#define LITERAL_FALSE (-INT32_MAX)

#define NOT_IN_LIST UINT32_MAX // of a place among the writers of a list

// What an item says, for the clause at hand; false with a complaint.
struct clauses;
typedef bool item_says (struct clauses *, const struct certificate *, const struct cert_item *, struct complaint *);

struct clauses {
  item_says *says;
  const void *sentence; // of something else than a history: what it knows
  struct told *told;
  struct claim_level level;
  int64_t clock_skew;

  struct hash_set known;
  VEC (struct variable_name) names; // from 1 on
  VEC (int32_t) literals;
  VEC (uint32_t) first; // of each clause; one more entry at the end
  bool satisfied;       // the clause at hand holds whatever is chosen
};

struct clauses *clauses_new (struct told *, struct claim_level, int64_t clock_skew);
// For the items of a certificate, none of which is added yet.
struct clauses *clauses_new_for (struct told *, struct claim_level, const struct certificate *);
// Of something else than a history: literals are literal_named.
struct clauses *clauses_new_of (item_says *, const void *sentence);
// As if no item had been added yet.
void clauses_clear (struct clauses *);
void clauses_free (struct clauses *);

static inline uint32_t clauses_count (const struct clauses *clauses) {
  return (uint32_t) clauses->first.count - 1;
}

static inline bool clause_is_empty (const struct clauses *clauses, uint32_t clause) {
  return clauses->first.data[clause] == clauses->first.data[clause + 1];
}

// Adds the clause of an item; false with a complaint: the history does not say that, or it says
// nothing.
bool clauses_add (struct clauses *, const struct certificate *, const struct cert_item *, struct complaint *);

// Do the certificate's items, added one after the other, lead to a contradiction by its proof?
bool clauses_refute (struct clauses *, const struct certificate *, struct complaint *);

int32_t literal_named (struct clauses *, struct variable_name);
// Literals of choices; LITERAL_TRUE or LITERAL_FALSE where there is no choice.
int32_t literal_in (struct clauses *, uint32_t txn);
int32_t literal_wrote (struct clauses *, uint32_t op); // OP_NONE: true
int32_t literal_source (struct clauses *, uint32_t op, uint32_t key, uint32_t source);
// its edges hold
int32_t literal_alternative (struct clauses *, uint32_t constraint, uint32_t alternative);
int32_t literal_before (struct clauses *, uint32_t key, uint32_t first, uint32_t second);

// For the clause at hand.
void clause_push (struct clauses *, int32_t literal);
// Unless the transaction took place and installed a version of the key; false: it writes none.
bool clause_unless_version (struct clauses *, uint32_t key, uint32_t txn);

bool initial_can_be_source (const struct told *, const struct told_read *);
// INITIAL too
bool is_possible_source (const struct clauses *, const struct told_read *, uint32_t source);

// A list read, with its writers in told.list_writers; NULL: there is none. Valid until something
// else is told.
const struct told_list *list_of (struct told *, uint32_t op);
uint32_t place_in_list (const struct told *, const struct told_list *, uint32_t txn); // or NOT_IN_LIST

// lemma.c: that the steps of a lemma cannot all hold.
bool clauses_add_lemma (struct clauses *, const struct certificate *, const struct cert_item *, struct complaint *);

#endif
