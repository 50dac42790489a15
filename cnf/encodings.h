// The encodings: ways to turn what saturation left open into a problem. One file each;
// encodings.def lists them.

#ifndef KRAIT_CNF_ENCODINGS_H
#define KRAIT_CNF_ENCODINGS_H

#include "cnf/problem.h"
#include "saturate/pairs.h"

// What an encoding is made of. The saturation must outlive the problem.
struct to_encode {
  struct saturation *saturation;
  const open_pair_vec *pairs;
  // per point, its place in the guessed order, which gives the phases; NULL: no phases
  const uint32_t *rank;
  struct budget *budget;
};

struct encoding {
  const char *name;
  const char *summary;
  // NULL, or why the construction says nothing about this IR: there is no verdict by it then.
  const char *(*refuses) (const struct ir *);
  struct problem *(*encode) (const struct to_encode *); // NULL when the budget is spent
};

extern const struct encoding encodings[]; // ended by a NULL name; the first is the default

const struct encoding *encoding_find (const char *name); // NULL: there is none of this name

// Ranges of the table.
const char *refuses_nothing (const struct ir *);

#define ENCODING(name, refuses, summary) struct problem *encode_##name (const struct to_encode *);
#include "cnf/encodings.def"
#undef ENCODING

#endif
