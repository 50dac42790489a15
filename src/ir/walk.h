// The IR as the sentence that it stands for: points, known edges between them, superpositions of
// which exactly one alternative is so each, and implications. They are made out of the columns and
// the rules, and shown to a visitor one by one; nothing of them is kept. Each statement has a
// number, from 0 on, by which others can name it; it is that of its line in the expanded text,
// behind the points.
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
static inline uint32_t ir_node_point (const struct ir *ir, uint32_t node, unsigned which) {
  return node * ir->rules.points + which;
}
static inline uint32_t ir_slot_point (const struct ir *ir, uint32_t slot) {
  return ir_node_point (ir, ir->nodes, 0) + slot;
}
static inline uint32_t ir_event_point (const struct ir *ir, uint32_t read) {
  return ir_slot_point (ir, ir->slots) + read;
}
struct ir_point ir_point_at (const struct ir *, uint32_t number);

// -------------------------------------------------------------------------------------- statements

struct known_edge {
  uint32_t from, to; // points
  enum edge_kind kind;
  enum edge_role role;
  bool predicate;     // of what a scan did not find: pwr, prw
  const char *reason; // in words; NULL: the kind says it
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

enum statement_kind { STATES_EDGE, STATES_CHOICE, STATES_FALSE };

struct statement {
  enum statement_kind kind;
  // If all of them hold, there is the edge, or a contradiction. STATES_CHOICE: the alternatives, of
  // which exactly one holds if both presences do, and else none.
  const struct condition *conditions;
  uint32_t count;
  uint32_t presence[2];
  struct known_edge edge;
};

// An edge that is there, at most if a presence is; the other edges are implied.
static inline bool is_known_edge (const struct statement *s) {
  return s->kind == STATES_EDGE && (!s->count || (s->count == 1 && s->conditions->kind == IF_PRESENCE));
}

// Known edges first, then superpositions, then implications. False: no more of them, please.
typedef bool ir_visit_statement (void *context, uint64_t number, const struct statement *);
void ir_each_statement (const struct ir *, ir_visit_statement *, void *context);

// ----------------------------------------------------------------------------------------- sources

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
