// Inside of the strategy: one decision under way.

#ifndef KRAIT_DECIDE_DECIDING_H
#define KRAIT_DECIDE_DECIDING_H

#include "cnf/problem.h"
#include "decide/decide.h"
#include "saturate/guess.h"
#include "saturate/overbooked.h"
#include "saturate/pairs.h"

struct deciding {
  const struct ir *ir;
  const struct check_options *options;
  const struct witness_judge *judge;
  struct decision *decision;
  struct graph *graph;
  struct saturation *saturation;
  open_pair_vec pairs;
  uint32_t *rank;
  uint8_t *wrote;   // per unrecorded delete: it wrote, in the witness at hand; NULL: there are none
  uint32_t *chosen; // per constraint of modules: the alternative of the witness at hand; NULL: any
  struct problem *problem;
  overbooked_vec overbooked_reads; // open reads that are too many for what they can have read
  overbooked_vec overbooked_nodes; // and who has to do with them
  double mark;                     // start of the phase that is being timed
};

void deciding_phase_done (struct deciding *, double *seconds);
void deciding_progress (const struct deciding *, const char *phase);
void deciding_stop (struct deciding *); // the budget is spent, or the search was too long
void deciding_refuse (struct deciding *, const char *encoding, const char *why); // out of its range
// There is more to search than memory should hold. Only a run can help then.
void deciding_leave_open (struct deciding *, const char *what, uint64_t most);
void deciding_break (struct deciding *, const char *what);

// Where any order that keeps to what is known is a witness: the graph, in such an order; else NULL.
struct graph *decide_unread (const struct ir *);

// accept.c: the order of the graph, or a serial order of nodes, as a witness. `surely`: everything
// is decided, so that it is an error if it is none.
bool accept_run (struct deciding *, const point_vec *points); // in the order in which they were run
bool accept_sorted (struct deciding *, bool surely);
bool accept_serial (struct deciding *, const node_vec *order, bool surely);
// The model's choices become edges of the graph, whose order is the witness.
void accept_model (struct deciding *, const int8_t *values);
// What is known of unrecorded deletes; the others wrote nothing until somebody says otherwise.
void accept_known_deletes (struct deciding *);

// sources.c: open reads read from the last candidate before them in the order. False: one has none.
bool guess_sources (struct deciding *);
void forget_sources (struct deciding *); // all are open again
// An order that is made together with the sources, as a witness (saturate/placing.h).
bool accept_placing (struct deciding *);

// runs.c: is there a run that is a witness? Before saturation only where that would take long.
bool decided_by_early_run (struct deciding *);
bool decided_by_run (struct deciding *);
// The same without bounds of its own, where nothing else is left.
bool decided_by_long_run (struct deciding *);

// search.c
void search (struct deciding *);

#endif
