// A refutation in the making: items, the clauses that they stand for, and a solver that knows them.
// Those of histories and of .kir files grow alike: whatever is wrong with the choices that the
// solver makes is added, until it runs out of them.

#ifndef KRAIT_CERTIFY_REFUTATION_H
#define KRAIT_CERTIFY_REFUTATION_H

#include "verify/clauses.h"

struct budget;

struct refutation {
  struct certificate *c;
  struct clauses *clauses;
  struct sat *sat;
  uint32_t handed_over; // clauses that the solver knows
  int32_t highest;      // of their variables
  bool empty;           // some item says by itself that there is no choice
};

void refutation_open (struct refutation *, struct certificate *, struct clauses *);
// With the certificate, unless it is taken out.
void refutation_close (struct refutation *);

// Adds the clause of the certificate's item; false: there is none, or it holds anyway.
bool refutation_add (struct refutation *, size_t item);
// Hands the clauses over that are new.
void refutation_tell (struct refutation *);
// There is no choice: keeps the items that show it, with the proof. False: none was found within
// the budget.
bool refutation_prove (struct refutation *, struct budget *);

#endif
