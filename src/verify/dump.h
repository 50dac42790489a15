// A certificate as text.

#ifndef KRAIT_VERIFY_DUMP_H
#define KRAIT_VERIFY_DUMP_H

#include "verify/clauses.h"

#include <stdio.h>

// For the history that it belongs to; numbers that are not there are shown as question marks.
void certificate_dump (const struct certificate *, struct told *, FILE *);

// What the verdict takes for granted besides the history, a line each; after it was verified with
// what is told here.
void certificate_put_assumptions (const struct certificate *, struct told *, FILE *);

// The items of a refutation as the clauses that are made of them, and its proof.
struct output;
struct argument {
  struct output *out;
  const struct certificate *c;
  struct clauses *clauses; // without items
  const char *const *item_names;
  void (*put_variable) (const void *context, const struct variable_name *);
  void (*put_steps) (const void *context, const struct cert_item *); // or NULL
  const void *context;
};
void dump_argument (const struct argument *);

// What was collected in memory.
void dump_pour (struct output *, FILE *);

#endif
