// Statements of the sentence that an IR stands for, as far as somebody wants them, and the clauses
// that items of a refutation make of them.
//
// Variables are conditions: an entry of presences; of two versions that are there in any case, that
// the lower one comes first; and every other alternative of a superposition by itself.

#ifndef KRAIT_VERIFY_IR_SENTENCE_H
#define KRAIT_VERIFY_IR_SENTENCE_H

#include "ir/walk.h"
#include "verify/clauses.h"

struct stated {
  uint32_t number;
  uint8_t kind, role; // enum statement_kind, enum edge_role
  uint32_t from, to;
  uint32_t first, count; // conditions; of a choice the two presences come first
};

struct sentence {
  const struct ir *ir;
  VEC (struct stated) list; // by number
  condition_vec conditions;
};

// Those that `wants` says yes to, or NULL: these are more than `most`.
typedef bool sentence_filter (void *context, uint64_t number, const struct statement *);
struct sentence *sentence_new (const struct ir *, sentence_filter *wants, void *context, size_t most);
struct sentence *sentence_of (const struct ir *, const struct certificate *); // that its items name
void sentence_free (struct sentence *);

// For items about what it says.
struct clauses *sentence_clauses (const struct sentence *);
int32_t sentence_literal (const struct sentence *, struct clauses *, struct condition);

#endif
