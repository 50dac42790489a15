// The intermediate representation: what a level makes of a history, ready for saturation and search.
//
// It holds known edges (chains, real-time slots, single-source reads, explicit ones), superpositions (reads with several sources, the
// open version order of each key's installers, unknown outcomes) and, implicitly, the implications: wr(w,r,x) and ww(w,p,x) give rw(r,p,x).
// The version-order superpositions are never written out pair by pair: they are the installer lists. Columns belong to the ASG (or to the
// .kir file) that the IR was lowered from.

#ifndef KRAIT_IR_IR_H
#define KRAIT_IR_IR_H

#include "asg/asg.h"
#include "base/error.h"
#include "base/vec.h"
#include "ir/demands.h"
#include "levels/levels.h"

#include <stdbool.h>
#include <stdint.h>

enum edge_kind { EDGE_SO, EDGE_RT, EDGE_WW, EDGE_WR, EDGE_RW, EDGE_GIVEN, EDGE_KINDS };

const char *edge_kind_name (enum edge_kind);

#define SLOT_NONE UINT32_MAX

struct ir {
  const struct level *level;
  struct asg *asg; // nodes, chains, write history, read lineage; not owned unless owns_asg
  bool owns_asg;
  struct history *history; // owned: what a .kir file says, as a history; else NULL

  bool chains_are_sessions; // consecutive nodes of a chain are in session order; else in the order of a known read

  // Real time: `slots` time points in order. A node hangs off time_before (SLOT_NONE: nothing ended before it) and feeds time_after.
  uint32_t slots;
  uint32_t *time_before, *time_after; // per node; NULL when the level has no real time
  int64_t clock_skew;

  // Per node, when it probably ran: by commit timestamps that hints tell, by recorded times, or else by how far its session had come. Only a hint: it breaks ties.
  uint32_t *hint;

  ir_edge_vec edges;            // known edges from elsewhere (a .kir file, a dialect, a module)
  bool edges_are_program_order; // they lead from part to part of what was one transaction; those of modules do not
  VEC (uint32_t) edge_module;   // of the last so many edges, which modules demand in any case: the module
  struct demands *demands;      // of modules, lowered; owned; NULL: none
};

// Lowers the ASG for a level. The IR refers to the ASG, which must outlive it.
struct ir *ir_lower (struct asg *, const struct level *, int64_t clock_skew);
void ir_free (struct ir *);

// Takes over what modules demand (demands_lower, for the same ASG; may be NULL). What is known of it joins the edges.
void ir_demand (struct ir *, struct demands *);

// The name of the module that demands the edge; NULL: another reason.
const char *ir_edge_module (const struct ir *, uint32_t edge);
// Some demands are left to be met.
static inline bool ir_has_open_demands (const struct ir *ir) {
  return ir->demands && ir->demands->open;
}

// The IR's own invariants: indexes, orders, sources. False with a text in `why`.
bool ir_validate (const struct ir *, const char **why);

// How many superpositions the history has before anything is decided: writer pairs of a key, and reads with several sources.
uint64_t ir_superpositions (const struct ir *);

#endif
