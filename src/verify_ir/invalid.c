// `invalid`: every item is a clause that each choice has to meet, and the proof derives the empty
// clause from them. Of the sentence only the statements are kept that items name.

#include "base/sort.h"
#include "verify_ir/sentence.h"
#include "verify_ir/verify_ir.h"

// Numbers of statements, ascending, of which those below `at` have come up.
struct named {
  VEC (uint32_t) numbers;
  size_t at;
};

static void name_statements (struct named *named, const struct certificate *c) {
  for (size_t i = 0; i < c->items.count; i++) {
    const struct cert_item *item = &c->items.data[i];
    const uint32_t statements = item->kind == IR_ITEM_WALK ? item->assumed : item->assumed != 0;
    for (uint32_t k = 0; k < statements; k++)
      VEC_PUSH (named->numbers, c->assumed.data[item->first_assumed + k]);
  }
  VEC_SORT (named->numbers, by_u32);
}

static bool is_named (void *context, uint64_t number, const struct statement *s) {
  struct named *named = context;
  (void) s;
  while (named->at < named->numbers.count && named->numbers.data[named->at] < number)
    named->at++;
  return named->at < named->numbers.count && named->numbers.data[named->at] == number;
}

struct sentence *sentence_of (const struct ir *ir, const struct certificate *c) {
  struct named named = { 0 };
  name_statements (&named, c);
  struct sentence *sentence = sentence_new (ir, is_named, &named, named.numbers.count);
  VEC_FREE (named.numbers);
  return sentence;
}

bool ir_verify_invalid (const struct ir *ir, const struct certificate *c, struct complaint *complaint) {
  struct sentence *sentence = sentence_of (ir, c);
  struct clauses *clauses = sentence_clauses (sentence);
  const bool fine = clauses_refute (clauses, c, complaint);
  clauses_free (clauses);
  sentence_free (sentence);
  return fine;
}
