// The IR as the sentence that it stands for: points, known edges between them, superpositions of
// which exactly one alternative is so each, and implications. They are made out of the columns and
// the rules, and shown to a visitor one by one; nothing of them is kept.
//
// An IR is satisfiable if some choice of alternatives leaves no implication broken and no cycle of
// edges of role ROLE_PATH and ROLE_ORDER, and if no path of edges of ROLE_PATH leads back along an
// edge of ROLE_FORBID.

#ifndef KRAIT_IR_WALK_H
#define KRAIT_IR_WALK_H

#include "ir/ir.h"

// ------------------------------------------------------------------------------------------ points

enum point_kind {
  POINT_TXN,   // of a transaction
  POINT_SLOT,  // in time
  POINT_EVENT, // a read: what came in by it or before
};

struct ir_point {
  enum point_kind kind;
  uint32_t owner; // node; POINT_SLOT: the slot
  unsigned which; // POINT_TXN: 0 and 1
  uint32_t read;  // POINT_EVENT
  uint32_t presence;
};

// Points of nodes (rules.points each), then slots, then events, if the rules ask for these.
uint32_t ir_points (const struct ir *);
struct ir_point ir_point_at (const struct ir *, uint32_t number);

// ----------------------------------------------------------------------------- edges, implications

struct known_edge {
  uint32_t from, to; // points
  enum edge_kind kind;
  enum edge_role role;
  bool predicate;     // of what a scan did not find: pwr, prw
  const char *reason; // in words; NULL: the kind says it
  uint32_t presence;
};

enum condition_kind {
  IF_PRESENCE,    // the presence `a`
  IF_SOURCE,      // read `a` reads from `b`: an install, or SOURCE_INITIAL
  IF_ORDER,       // install `a` comes before install `b`
  IF_INITIAL,     // key `a` has the initial value `b`; INITIAL_OPEN: one that nobody read
  IF_ALTERNATIVE, // constraint `a` of modules, alternative `b`
};

struct condition {
  enum condition_kind kind;
  uint32_t a, b;
};
typedef VEC (struct condition) condition_vec;

struct implication {
  const struct condition *conditions; // all of them
  uint32_t count;
  bool impossible; // they exclude each other; else they give the edge
  struct known_edge edge;
};

typedef void ir_visit_edge (void *context, const struct known_edge *);
void ir_each_edge (const struct ir *, ir_visit_edge *, void *context);

typedef void ir_visit_implication (void *context, const struct implication *);
void ir_each_implication (const struct ir *, ir_visit_implication *, void *context);

// ---------------------------------------------------------------------------------- superpositions

struct superposition {
  // there is nothing to choose, and nothing is chosen, unless both hold
  uint32_t presence[2];
  const struct condition *alternatives;
  uint32_t count;
};

typedef void ir_visit_superposition (void *context, const struct superposition *);
void ir_each_superposition (const struct ir *, ir_visit_superposition *, void *context);

// The sources that a read may have: installs, or SOURCE_INITIAL.
struct ir_sources {
  const struct ir *ir;
  uint32_t reader, read;
  bool initial, listed, ranged;
  uint32_t at, end;
};
struct ir_sources ir_sources_of (const struct ir *, uint32_t reader, uint32_t read);
bool ir_next_source (struct ir_sources *, uint32_t *source);

#endif
