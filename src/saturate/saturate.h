// Saturation: everything that known edges decide about version orders and read sources, without enumerating pairs of writers.
//
// For a read r of x from w, and another installer p of x (levels whose rw edges count):
//   p before r  =>  p before w      (else w before p, hence r before p: a cycle)
//   w before p  =>  r before p      (the anti-dependency)
// Per chain only the last p before r, and the last w before p, need looking at; the rest follows along the chain. "Before" is
// reachability between the points that the level's edges use (levels.h), which is what makes the same code right for levels with begin
// and commit points. See docs/algorithms.md.

#ifndef KRAIT_SATURATE_SATURATE_H
#define KRAIT_SATURATE_SATURATE_H

#include "base/budget.h"
#include "saturate/graph.h"

enum saturate_outcome {
  SATURATE_SETTLED,  // nothing more follows
  SATURATE_CYCLE,    // the known graph has a cycle
  SATURATE_NO_SOURCE, // a read lost its last candidate
  SATURATE_STOPPED,  // the budget is spent
};

// A read whose source is still open. Candidates are installs, or SOURCE_INITIAL.
struct open_read {
  uint32_t read;
  uint32_t first, count; // in `candidates`
  bool listed;           // false: still the ASG's whole range
};

struct saturation {
  struct graph *graph;
  VEC (struct open_read) open;
  VEC (uint32_t) candidates;
  uint32_t *init_fixed; // per key: the initial value that is settled, or VALUE_UNRECORDED; belongs here because `init any` settles late
  point_vec cycle;      // SATURATE_CYCLE
  uint32_t lost_read;   // SATURATE_NO_SOURCE
  uint32_t sweeps;
  bool all_rules;
  // scratch
  uint8_t *dirty;       // per point: its row grew since its successors saw it
  uint8_t *changed;     // per point: grew in this sweep
  VEC (uint32_t) maximal;
};

struct saturation *saturation_new (struct graph *);
void saturation_free (struct saturation *);

// `all_rules` false, for --no-saturation: only the anti-dependencies that known orders imply, which nobody adds later.
enum saturate_outcome saturate (struct saturation *, bool all_rules, struct budget *);

// Inside of saturation:

// Adds the edge, and marks what must be looked at again because of it.
void saturation_add_edge (struct saturation *, uint32_t from, uint32_t to, enum rule, uint32_t read);

// The reader comes before p, which installs a later version of what it read.
void saturation_reader_before_write (struct saturation *, uint32_t read, uint32_t p);

// Unknown transactions that some certain read needs are in (sources.c).
void saturation_include_forced (struct saturation *);

// Drops candidates that cannot be; settles reads with one left.
enum saturate_outcome saturation_settle_open (struct saturation *);

// The last install of a segment whose point (which + node) is not above `bound`, or UINT32_MAX.
uint32_t last_install_not_above (const struct graph *, uint32_t first, uint32_t end, int32_t bound, unsigned which);

#endif
