// What a SAT solver answers, as solvers of the competitions print it ("s SATISFIABLE", "v 1 -2 0")
// or as MiniSat writes it ("SAT", "1 -2 0").

#ifndef KRAIT_CNF_REPLY_H
#define KRAIT_CNF_REPLY_H

#include "base/error.h"
#include "cnf/dimacs.h"

enum reply_answer { REPLY_MODEL, REPLY_NO_MODEL, REPLY_UNKNOWN };

struct reply {
  enum reply_answer answer;
  uint32_t variables;
  int8_t *values; // per variable, from 1 on: +1, -1, 0 where nothing is said; REPLY_MODEL
};

// Of a formula with so many variables. False after setting the error.
bool reply_read (struct reply *, struct input *, uint32_t variables, struct error *);
void reply_free (struct reply *);

// Is every clause of the problem's formula satisfied? Else the error says which one is not, after
// the name.
bool reply_satisfies (const struct reply *, const struct problem *, struct formula_kind, const char *name,
                      struct error *);

#endif
