// What modules demand beyond the level: if all conditions hold, then so does at least one of the alternatives. No conditions: one of the alternatives holds.
// No alternatives: the conditions exclude each other.
//
// A module speaks of transactions of the history and reads of its ASG. Lowered for a level, demands speak of nodes, reads and installs of the level's ASG, and
// those that can say nothing there are gone.

#ifndef KRAIT_IR_DEMANDS_H
#define KRAIT_IR_DEMANDS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct ir_edge {
  uint32_t from, to;
};
typedef VEC (struct ir_edge) ir_edge_vec;

// The read reads from there. Before lowering a transaction, then an install; SOURCE_INITIAL both times.
struct demand_condition {
  uint32_t read, source;
};

struct demand_alternative {
  uint32_t first_edge, edges;
};

struct demand {
  uint32_t first_condition, conditions;
  uint32_t first_alternative, alternatives;
  uint32_t module;
  uint32_t number; // lowered: the one that it was made of
  bool known;      // lowered: its edges hold in any case
};

struct demands {
  VEC (struct demand) list;
  VEC (struct demand_condition) conditions;
  VEC (struct demand_alternative) alternatives;
  ir_edge_vec edges;
  VEC (const char *) modules; // their names; not owned
  uint32_t open;              // lowered: demands that are not known
};

struct demands *demands_new (void);
void demands_free (struct demands *);

// What is added until the next demand begins belongs to this one; edges to the alternative begun last.
void demands_begin (struct demands *, uint32_t module);
void demands_add_condition (struct demands *, struct demand_condition);
void demands_begin_alternative (struct demands *);
void demands_add_edge (struct demands *, struct ir_edge);
void demands_take_back (struct demands *); // the demand begun last

// Some demand has conditions. `demands` may be NULL.
bool demands_speak_of_reads (const struct demands *);

#endif
