// Choices of a model that are open (small_model.h), each with its alternatives as cases.

#ifndef KRAIT_EXPLAIN_CHOICES_H
#define KRAIT_EXPLAIN_CHOICES_H

#include "explain/cases.h"

// What a model has decided, to come back to.
struct model_state {
  uint8_t *in, *unrecorded;
  uint32_t *source;
  struct model_pair *pairs;
};

struct model_state model_save (const struct small_model *);
void model_go_back (struct small_model *, const struct model_state *);
void model_state_free (struct model_state *);

typedef VEC (struct one_case) case_vec;

struct open_choice {
  uint32_t first, count; // alternatives; those that end in a circle at once come first
  uint32_t open;         // how many do not
  uint32_t edges;        // of the circles of those that do
  uint32_t kind_rank;    // lower: more likely to lead on
};

struct choices {
  VEC (struct open_choice) list; // the most promising first
  case_vec alternatives;
};

// Adds to `found`. `here` is the state of the model, which is the same afterwards.
void choices_find (struct small_model *, const struct model_state *here, uint64_t most_work, struct choices *found);
void choices_free (struct choices *);

struct one_case case_without_assumption (void);
void case_assume (struct small_model *, const struct one_case *);
uint32_t case_orphan (const struct small_model *); // a read that nothing can explain, or READ_NONE

#endif
