// Inside of encoding: what its files share.

#ifndef KRAIT_CNF_ENCODER_H
#define KRAIT_CNF_ENCODER_H

#include "cnf/problem.h"
#include "saturate/pairs.h"

// What an encoding is made of. The saturation must outlive the problem.
struct to_encode {
  struct saturation *saturation;
  const open_pair_vec *pairs;
  // per point, its place in the guessed order, which gives the phases; NULL: no phases
  const uint32_t *rank;
  struct budget *budget;
  bool *too_large; // or NULL; filled in: there would be more than MOST_GUARDED_EDGES
};

// Where each of many reads has many candidates, edges are as many as reads times candidates times
// writers. A search among more of them than this ends nowhere, and they would take all memory.
enum { MOST_GUARDED_EDGES = 1 << 24, MOST_LITERALS = 1 << 27 };

// A read that has the install as an open candidate, or has read it if its transaction is in.
struct possible_reader {
  uint32_t next; // of the same install; UINT32_MAX ends
  uint32_t read;
  int32_t variable;
};

struct encoder {
  const struct to_encode *input;
  struct problem *problem;
  const struct saturation *s;
  const struct graph *g;
  const struct ir *ir;
  const struct rules *rules;
  uint32_t *rank; // per node; NULL: no phases
  struct budget *budget;
  bool too_large;
  int32_t *presence_variable; // per presence; 0: it is known
  int32_t *true_variable;     // per node: stands for what is known of its reads; NULL until needed
  uint32_t *source_head;      // per install: who may have read it; NULL if nothing is open
  VEC (struct possible_reader) possible_readers;
  // known version orders that wait for an unknown transaction, sorted
  VEC (struct known_order) forced_orders;
  // per entry of s->open: the variable of its first candidate
  int32_t *open_variable;
};

// An encoding begins, says what sources and unknown outcomes are (unless it does so in a way of its
// own), says what orders are, says what else there is, and ends: NULL when the budget is spent, or
// the problem too large.
void encoder_begin (struct encoder *, const struct to_encode *);
void encoder_sources (struct encoder *);
void encoder_others (struct encoder *);
struct problem *encoder_end (struct encoder *);

// The budget is spent, or the problem too large: loops end.
bool encoder_stops (struct encoder *);

int32_t encoder_variable (struct encoder *, enum variable_kind, uint32_t a, uint32_t b, bool phase);
// One that says nothing by itself.
int32_t encoder_helper (struct encoder *);
void encoder_clause2 (struct encoder *, int32_t a, int32_t b);
// Ends the clause at hand, which holds unless all of these do; zeros ignored.
void encoder_end_clause (struct encoder *, const int32_t *literals, unsigned count);

// The literal that says that a presence holds, a node is in, an install is there; 0 if that is
// known.
int32_t encoder_presence_literal (const struct encoder *, uint32_t presence);
int32_t encoder_in_literal (const struct encoder *, uint32_t node);
int32_t encoder_install_literal (const struct encoder *, uint32_t install);

// A literal that always holds, for what is known about a transaction.
int32_t encoder_true_literal (struct encoder *, uint32_t node);

bool encoder_is_known_edge (const struct encoder *, uint32_t from, uint32_t to);

// Literals that must all be true, zeros ignored.
struct guards {
  int32_t literal[MOST_GUARDS];
};

// Edges between points of the graph (or events).
void encoder_edge (struct encoder *, uint32_t from, uint32_t to, enum edge_kind, uint32_t key, struct guards);
void encoder_edge_with_role (struct encoder *, uint32_t from, uint32_t to, enum edge_kind, enum edge_role, uint32_t key,
                             struct guards);

// views.c: events are numbered behind the graph's points, one per read. The event that a read
// belongs to; and the first one at or behind an operation, or UINT32_MAX.
uint32_t encoder_event_of (const struct encoder *, uint32_t read);
uint32_t encoder_event_from (const struct encoder *, uint32_t node, uint32_t op);
void encoder_known_arrivals (struct encoder *, ir_edge_vec *); // known edges into events
void encoder_unknown_arrival (struct encoder *, uint32_t from, uint32_t node, enum edge_kind, int32_t in);
// What comes in at the reads behind the write of a version, from who wrote another one.
void encoder_version_arrival (struct encoder *, uint32_t from_install, uint32_t install, struct guards);

// A writer that a read has, or may have, read from; the literal says so, 0: that is known.
struct step {
  uint32_t writer;
  int32_t literal;
};
typedef VEC (struct step) step_vec;
void encoder_sources_of (const struct encoder *, uint32_t read, const uint32_t *open_of, step_vec *sources);

// deletes.c: what deletes without a recorded result mean if they wrote.
void encoder_deletes (struct encoder *);

// The guessed order has the node `a` before the node `b`.
bool encoder_earlier (const struct encoder *, uint32_t a, uint32_t b);

// Everybody who read the version, or SOURCE_INITIAL, comes before the install `p` of the
// same key, if `order` holds (0: in any case). Who may have read T0's comes by its own choice.
void encoder_readers_before (struct encoder *, uint32_t source, uint32_t p, int32_t order);

// What it means for one key if `order` holds, which says that the install `p` comes before `q`.
// Then its parts that are not about readers: the edge, and that orders which lists and hints give
// away are kept.
void encoder_order (struct encoder *, uint32_t p, uint32_t q, int32_t order);
void encoder_order_edge (struct encoder *, uint32_t p, uint32_t q, int32_t order);
void encoder_force_order (struct encoder *, uint32_t before, uint32_t after, int32_t order);

// Somebody but this node surely read the version: what comes behind the readers comes behind it.
bool encoder_is_read (const struct encoder *, uint32_t install, uint32_t but);

// initial.c: one initial value per key for all.
void encoder_initial_values (struct encoder *);

// views.c: levels whose readers see by steps.
void encoder_steps (struct encoder *);

// demands.c: what modules demand.
void encoder_constraints (struct encoder *);

// paths.c: local points, their order and the known graph between them.
void encoder_paths (struct encoder *, struct graph *, const uint32_t *rank);

#endif
