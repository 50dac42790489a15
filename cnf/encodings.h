// The encodings: ways to turn what saturation left open into a problem. One file each;
// encodings.def lists them.

#ifndef KRAIT_CNF_ENCODINGS_H
#define KRAIT_CNF_ENCODINGS_H

#include <stdbool.h>

struct ir;
struct problem;
struct to_encode; // cnf/encoder.h

struct encoding {
  const char *name;
  const char *summary;
  // NULL, or why the construction says nothing about this IR: there is no verdict by it then.
  const char *(*refuses) (const struct ir *);
  struct problem *(*encode) (const struct to_encode *); // NULL: encoder_end says when
};

extern const struct encoding encodings[]; // ended by a NULL name; the first is the default

const struct encoding *encoding_find (const char *name); // NULL: there is none of this name

// Ranges of the table.
const char *refuses_nothing (const struct ir *);
const char *refuses_all_but_one_point (const struct ir *);  // serializability and its like
const char *refuses_all_but_two_points (const struct ir *); // snapshot isolation and its like

// Every dependency is an edge between transactions, or between their begins and commits.
bool every_dependency_is_an_edge (const struct ir *);

#define ENCODING(name, refuses, summary) struct problem *encode_##name (const struct to_encode *);
#include "cnf/encodings.def"
#undef ENCODING

#endif
