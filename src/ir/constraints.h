// What modules demand beyond the level: if all conditions hold, then so does at least one of the
// alternatives. No conditions: one of the alternatives holds. No alternatives: the conditions
// exclude each other.
//
// A module speaks of transactions of the history and reads of its ASG. Lowered for a level, demands
// speak of nodes, reads and installs of the level's ASG, and those that can say nothing there are
// gone.

#ifndef KRAIT_IR_CONSTRAINTS_H
#define KRAIT_IR_CONSTRAINTS_H

#include "base/vec.h"

#include <stdbool.h>

struct ir_edge {
  uint32_t from, to;
};
typedef VEC (struct ir_edge) ir_edge_vec;

// The read reads from there. Before lowering a transaction, then an install; SOURCE_INITIAL both
// times.
struct constraint_condition {
  uint32_t read, source;
};

struct constraint_alternative {
  uint32_t first_edge, edges;
};

struct constraint {
  uint32_t first_condition, conditions;
  uint32_t first_alternative, alternatives;
  uint32_t module;
  uint32_t number; // lowered: the one that it was made of
  bool known;      // lowered: its edges hold in any case
};

struct constraints {
  VEC (struct constraint) list;
  VEC (struct constraint_condition) conditions;
  VEC (struct constraint_alternative) alternatives;
  ir_edge_vec edges;
  VEC (const char *) modules; // their names; not owned
  uint32_t open;              // lowered: constraints that are not known
};

struct constraints *constraints_new (void);
struct constraints *constraints_copy (const struct constraints *); // NULL stays NULL
void constraints_free (struct constraints *);

// What is added until the next demand begins belongs to this one; edges to the alternative begun
// last.
void constraints_begin (struct constraints *, uint32_t module);
void constraints_add_condition (struct constraints *, struct constraint_condition);
void constraints_begin_alternative (struct constraints *);
void constraints_add_edge (struct constraints *, struct ir_edge);
void constraints_take_back (struct constraints *); // the constraint begun last

// Some demand has conditions. `demands` may be NULL.
bool constraints_speak_of_reads (const struct constraints *);

#endif
