// A problem as clauses alone: ways to say that its edges close no cycle. One file each;
// acyclicity.def lists them. docs/encodings.md tells what they cost.

#ifndef KRAIT_CNF_ACYCLICITY_H
#define KRAIT_CNF_ACYCLICITY_H

#include "cnf/arcs.h"

struct acyclicity {
  const char *name;
  const char *summary;
  // Of one component. The literals of arcs imply the helper variables that this makes; nothing
  // implies the literals of arcs.
  void (*state) (struct formula *, const struct arc_component *);
};

extern const struct acyclicity acyclicities[]; // ended by a NULL name; the first is the default

const struct acyclicity *acyclicity_find (const char *name); // NULL: there is none of this name

// The problem's clauses, and then what else must hold. Variables of the problem keep their numbers.
void acyclicity_compile (const struct problem *, const struct acyclicity *, struct formula *);

// The first part of that, for those who say the second in another way.
void formula_of_clauses (const struct problem *, struct formula *);

#define ACYCLICITY(name, summary) void state_##name (struct formula *, const struct arc_component *);
#include "cnf/acyclicity.def"
#undef ACYCLICITY

// forbid.c: no path leads back along an edge that forbids, if its literal holds. A transitive
// closure from the ends of such edges.
void state_forbids (struct formula *, const struct arc_component *);

#endif
