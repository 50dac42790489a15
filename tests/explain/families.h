// Sizes of cores and times to find them, per family of histories.

#ifndef KRAIT_TESTS_EXPLAIN_FAMILIES_H
#define KRAIT_TESTS_EXPLAIN_FAMILIES_H

#include "base/vec.h"

#include <stdint.h>
#include <stdio.h>

struct family {
  char name[64];
  VEC (uint32_t) txns; // of each core
  VEC (uint32_t) ops;
  double check, find; // the longest check of the whole, and the longest search for a core
};

typedef VEC (struct family) family_vec;

void families_add (family_vec *, const char *name, uint32_t txns, uint32_t ops, double check, double find);
void families_print (const family_vec *, FILE *); // as a table of docs/explain.md; sorts the sizes
void families_free (family_vec *);

#endif
