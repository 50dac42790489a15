// Saturation: everything that known edges decide about version orders and read sources, without
// enumerating pairs of writers.
//
// For a read r of x from w, and another installer p of x (levels whose rw edges count):
//   p before r  =>  p before w      (else w before p, hence r before p: a cycle)
//   w before p  =>  r before p      (the anti-dependency)
// Per chain only the last p before r, and the last w before p, need looking at; the rest follows
// along the chain. "Before" is reachability between the points that the level's edges use
// (ir/rules.h), which is what makes the same code right for levels with begin and commit points.
// See docs/algorithms.md.

#ifndef KRAIT_SATURATE_SATURATE_H
#define KRAIT_SATURATE_SATURATE_H

#include "base/budget.h"
#include "saturate/graph.h"

enum saturate_outcome {
  SATURATE_SETTLED,   // nothing more follows
  SATURATE_CYCLE,     // the known graph has a cycle
  SATURATE_NO_SOURCE, // a read lost its last candidate
  SATURATE_STOPPED,   // the budget is spent
};

// A read whose source is still open, and that may not be there. Candidates are installs, or
// SOURCE_INITIAL.
struct open_read {
  uint32_t read;
  uint32_t first, count; // in `candidates`
  bool listed;           // false: still the ASG's whole range
};

struct late_order {
  uint32_t next; // UINT32_MAX ends
  uint32_t order;
};

// Bits of `dirty`.
enum {
  ROW_GREW = 1, // its successors have not seen it
  ROW_NEW = 4,  // nobody has looked at it yet
  // it was merged from a row that this sweep had not computed yet: merge all predecessors again
  ROW_STALE = 2,
};

struct saturation {
  struct graph *graph;
  VEC (struct open_read) open;
  VEC (uint32_t) candidates;
  // per key: the initial value that is settled, or INITIAL_OPEN; belongs here because `init any`
  // settles late
  uint32_t *init_fixed;
  point_vec cycle;    // SATURATE_CYCLE
  uint32_t lost_read; // SATURATE_NO_SOURCE
  uint32_t sweeps;
  struct budget *budget;
  bool stopped; // the budget was spent during the first sweep
  bool all_rules;
  bool rw_edges;      // some anti-dependencies are edges
  bool version_rules; // what precedes a write matters
  uint32_t at;        // the point at hand
  bool crowded;       // open reads have so many candidates that they are not all listed (sources.c)
  bool look_again;    // readers must be looked at once more (sources.c)
  // first sweep: the point at hand turned out to follow one without a place
  bool must_wait;
  // per point: chains (modulo 64) whose entry grew since the rules looked at the row
  uint64_t *grown;
  struct versions *versions; // versions.c
  struct views *views;       // views.c; NULL until needed
  // per node: known version orders that wait for an unknown transaction; NULL: none do
  uint32_t *late_order_head;
  VEC (struct late_order) late_orders;
  struct row *old_row; // scratch
  // scratch
  uint8_t *dirty;   // per point
  uint8_t *changed; // per point: grew in this sweep
  VEC (uint32_t) maximal;
  VEC (uint32_t) found;
};

struct saturation *saturation_new (struct graph *);
void saturation_free (struct saturation *);
// Gives back what only further sweeps would need, and looking for open pairs: a good part of all
// memory. What was found stays.
void saturation_let_go (struct saturation *);

// `all_rules` false, for --no-saturation: only the anti-dependencies that known orders imply, which
// nobody adds later.
enum saturate_outcome saturate (struct saturation *, bool all_rules, struct budget *);

// result.c: what saturation makes of the IR: the same, with more known edges and fewer
// alternatives. It borrows from the one that was saturated, which must outlive it.
struct ir *saturated_ir (const struct saturation *);

// schedule.c: is there an order in which every open read has a candidate before it, whatever else
// it breaks? With `take` it is the graph's then.
bool schedule_sources (struct saturation *, bool take);

// Per read its entry in `open`, or UINT32_MAX; the caller frees it.
uint32_t *saturation_open_of (const struct saturation *);

// Inside of saturation:

// The rules for a read (p before r gives p before w), and for a write (w before p gives readers of
// w before p), by a search in each chain; for reads only in tracks that grew.
void saturation_rule_read (struct saturation *, uint32_t read, uint32_t reader, uint32_t writer, uint64_t grown);
void saturation_rule_write (struct saturation *, uint32_t p, uint32_t own_install);
// Their parts.
void saturation_write_before (struct saturation *, uint32_t read, uint32_t p,
                              uint32_t writer); // p comes before the reader
void saturation_add_maximal (struct saturation *, uint32_t install);
void saturation_follow_maximal (struct saturation *, uint32_t p, uint32_t key,
                                bool any); // p comes after those in `maximal`

// Where a reader's view is less than all paths into it: the same rule for what it has in view
// (views.c).
void saturation_rule_steps (struct saturation *, uint32_t node);
void saturation_rule_events (struct saturation *, uint32_t node);
void views_forget (struct saturation *); // what was dealt with
void views_free (struct views *);

// The first sweep's way of doing the same, over the versions seen so far (versions.c). False: too
// much to look at, use the rules above.
struct versions *versions_new (const struct graph *);
void versions_free (struct versions *);
// its installs, when its first point comes up
void versions_append (struct saturation *, uint32_t node);
bool versions_rule_read (struct saturation *, uint32_t read, uint32_t reader, uint32_t writer);
bool versions_rule_write (struct saturation *, uint32_t p, uint32_t own_install);
// What the rules at the nodes behind this one will need; a matter of speed only.
void versions_prefetch (const struct saturation *, uint32_t node);
// Later looks, only for tracks that grew.
bool versions_rule_read_again (struct saturation *, uint32_t read, uint32_t reader, uint32_t writer, uint64_t grown);
bool versions_rule_write_again (struct saturation *, uint32_t p, uint32_t own_install, uint64_t grown);
// Between sweeps: where the known followers of each version begin.
void versions_settle (struct saturation *);
// An install that joins after the first sweep is in no list.
void versions_exclude (struct saturation *, uint32_t install);
// An unrecorded delete turned out to have written.
void versions_join (struct saturation *, uint32_t install);

// The versions whose order with a given one may be open, itself among them. False: too many, or not
// known.
struct window {
  const struct version *list;
  uint32_t first, end, place;
};
struct version {
  uint32_t install, node, track;
  uint16_t back, ahead; // to its prefix and to its suffix; VERSION_FAR: to the end of the list
};
#ifdef KRAIT_DEBUG_CHECKS
#define VERSION_FAR 3 // so that small histories meet it
#else
#define VERSION_FAR UINT16_MAX
#endif
// Versions 0 .. prefix-1 of the list precede this one, and the rule for writes has dealt with them.
static inline uint32_t version_prefix (const struct version *list, uint32_t place) {
  return list[place].back == VERSION_FAR ? 0 : place - list[place].back;
}
// Versions from here on follow it; only after versions_settle.
static inline uint32_t version_suffix (const struct version *list, uint32_t place, uint32_t count) {
  return list[place].ahead == VERSION_FAR ? count : place + list[place].ahead;
}
bool versions_window (const struct saturation *, uint32_t key, uint32_t install, struct window *);
// All versions of a key, unrecorded deletes among them, in the order in which the first sweep met
// them. NULL: some are missing. After versions_settle.
const struct version *versions_of_key (const struct saturation *, uint32_t key, uint32_t *count);
uint32_t versions_place (const struct saturation *, uint32_t install);

// Adds the edge, and marks what must be looked at again because of it.
void saturation_add_edge (struct saturation *, uint32_t from, uint32_t to, enum rule, uint32_t read);

// The reader comes before p, which installs a later version of what it read.
void saturation_reader_before_write (struct saturation *, uint32_t read, uint32_t p);

// Unknown transactions that some certain read needs are in, and so are unrecorded deletes
// (sources.c).
void saturation_include_forced (struct saturation *);
void saturation_add_known_orders (struct saturation *);

// Is the read known to be there, if its transaction is?
static inline bool saturation_is_read (const struct saturation *s, const struct open_read *open) {
  return graph_presence (s->graph, ir_read_presence (s->graph->ir, open->read)) == PRESENCE_HOLDS;
}

// agree.c: reads of one key in a transaction that has one view of it share their candidates. True:
// some have fewer now.
bool saturation_agree (struct saturation *);
bool saturation_reads_agree (const struct graph *, uint32_t one, uint32_t other); // must these two?

// Drops candidates that cannot be; settles reads with one left.
enum saturate_outcome saturation_settle_open (struct saturation *);

// The last install of a segment whose point (which + node) is not above `bound`, or UINT32_MAX.
uint32_t last_install_not_above (const struct graph *, uint32_t first, uint32_t end, int32_t bound, unsigned which);
// In a segment: the last install whose point a row knows. UINT32_MAX: it knows none, or nobody is
// known to be there.
static inline uint32_t last_of_segment (const struct graph *g, uint32_t segment, const struct row *row,
                                        unsigned which) {
  return graph_segment_out (g, segment)
           ? UINT32_MAX
           : last_install_not_above (g, g->segment_install[segment], g->segment_install[segment + 1],
                                     row_last (g, row, g->segment_track[segment]), which);
}

#endif
