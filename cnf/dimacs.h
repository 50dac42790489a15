// Formulas as files: DIMACS, for every SAT solver, and GNF (cnf/gnf.h). Comments before the formula
// say how it came about and what its variables mean.

#ifndef KRAIT_CNF_DIMACS_H
#define KRAIT_CNF_DIMACS_H

#include "cnf/acyclicity.h"
#include "cnf/gnf.h"

#include "base/error.h"

struct input;
struct kir_names;
struct output;

// Makes the formula of a problem, whichever file it is for.
struct formula_kind {
  const struct acyclicity *acyclicity; // NULL: GNF
};
// The graphs are the caller's to free; nothing is in them but for GNF.
void formula_make (const struct problem *, struct formula_kind, struct formula *, struct gnf *);

struct dimacs {
  const struct problem *problem;
  const struct ir *ir;
  const struct kir_names *names; // or NULL
  struct formula_kind kind;
  const char *options; // words of a command line that make it again, separated by spaces
  const char *remarks; // further comments, each with a line end behind it
};

// False after setting the error, without a name: the formula is too large.
bool dimacs_write (const struct dimacs *, struct output *, struct error *);

// ----------------------------------------------------------------------------------------- reading

struct dimacs_reader;

// Reads up to the formula; NULL after setting the error. The input must outlive the reader.
struct dimacs_reader *dimacs_open (struct input *, struct error *);
void dimacs_close (struct dimacs_reader *);
const char *dimacs_options (const struct dimacs_reader *); // or NULL: none are told of
uint64_t dimacs_variables (const struct dimacs_reader *);
uint64_t dimacs_clauses (const struct dimacs_reader *);

// The next literal, or 0 that ends a clause. False behind the last clause, or after setting the
// error.
bool dimacs_next (struct dimacs_reader *, int32_t *literal, struct error *);

#endif
