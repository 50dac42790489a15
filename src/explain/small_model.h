// A small history at a level, with some of what it leaves open decided: whom each read reads from,
// and which of two writers came first. What is decided gives edges, and a circle of these that the
// level forbids refutes the decisions.
//
// This is the semantics itself, without the shortcuts of saturation and search, and quadratic: it
// is for cores, and makes edges that need no derivation, so that people can follow.

#ifndef KRAIT_EXPLAIN_SMALL_MODEL_H
#define KRAIT_EXPLAIN_SMALL_MODEL_H

#include "explain/violation.h"
#include "verdict/verdict.h"

#define SOURCE_OPEN (UINT32_MAX - 3) // no candidate was chosen yet

// Two transactions that install a common key.
struct model_pair {
  uint32_t a, b; // nodes
  enum pair_state { PAIR_OPEN, PAIR_A_FIRST, PAIR_B_FIRST } state;
  enum why why;            // once it is decided
  struct circle_edge edge; // WHY_EDGE: it leads from the first to the second anyway
};

// What is decided of a delete without a recorded result.
enum unrecorded_state { UNRECORDED_OPEN, UNRECORDED_WROTE, UNRECORDED_WROTE_NOTHING };

struct small_model {
  const struct history *history;
  struct asg *asg;
  const struct level *level;
  int64_t clock_skew;
  // What is decided, in one block, so that it is saved and put back at once.
  void *decided;
  size_t decided_bytes;
  struct model_pair *pairs;
  uint32_t *source;    // per read: an install, SOURCE_INITIAL, SOURCE_NONE or SOURCE_OPEN
  uint8_t *in;         // per node: it took place. Unknown ones only once somebody reads from them
  uint8_t *unrecorded; // per unrecorded delete: enum unrecorded_state

  uint8_t *anti; // per read: enum anti
  size_t pair_count;
  uint32_t *pair_of; // nodes × nodes: 1 + a pair, or 0
  circle_edge_vec edges;
  circle_edge_vec fixed; // session order and real time
  uint64_t work;         // done so far, in edges looked at
};

// NULL: too large, or the history holds what is not dealt with here (several open initial values of
// a key, for example).
struct small_model *model_new (const struct history *, const struct check_options *);
void model_free (struct small_model *);

// A version was read: its transaction took place, and so did those that it surely read from, and an
// unrecorded delete that made it.
void model_take_from (struct small_model *, uint32_t install);

// Where edges of a kind begin and end at the level.
struct edge_points model_points (const struct small_model *, enum edge_kind);

// Which of two that install a common key came first, and why; NULL: they install none.
struct model_pair *model_pair_of (const struct small_model *, uint32_t, uint32_t);
void model_decide_pair (struct model_pair *, uint32_t first, enum why);

// All edges that follow from what is decided.
void model_make_edges (struct small_model *);

// The installs that an open read can have read from, and SOURCE_INITIAL.
typedef VEC (uint32_t) source_vec;
void model_candidates (const struct small_model *, uint32_t read, source_vec *);

// The node has a version of the key, as far as is decided.
bool model_installs_key (const struct small_model *, uint32_t key, uint32_t node);

// A key that both transactions of an open pair install; KEY_NONE: none, as far as is decided.
uint32_t model_pair_key (const struct small_model *, const struct model_pair *);

// A read that took place, as far as is decided.
bool model_reads (const struct small_model *, uint32_t read, uint32_t *reader);

// Decides pairs that an edge between the two decides by itself. Uses the edges, and makes them
// again.
void model_decide_plain_pairs (struct small_model *);

// The shortest circle of edges that the level forbids; false: none. Uses the edges. A ww with a
// read is an rw whose reader replaced what it had read.
bool model_find_circle (struct small_model *, circle_edge_vec *circle);

// For the circle's name.
struct circle_facts model_circle_facts (const struct small_model *, const struct circle_edge *, size_t count);

// What a model has decided, to come back to; to be freed.
void *model_save (const struct small_model *);
void model_go_back (struct small_model *, const void *saved);

// One way to decide what is open.
struct alternative {
  enum case_kind kind;
  uint32_t key;
  uint32_t first, then;  // CASE_ORDER: nodes that write the key in this order
  uint32_t read, source; // CASE_SOURCE: the read reads from an install, or SOURCE_INITIAL
  uint32_t unrecorded;   // CASE_DELETE: the unrecorded delete …
  bool wrote;            // … found something, and wrote
};

typedef VEC (struct alternative) alternative_vec;

struct open_choice {
  uint32_t first, count; // alternatives; those that end in a circle at once come first
  uint32_t open;         // how many do not
  uint32_t edges;        // of the circles of those that do
  uint32_t kind_rank;    // lower: more likely to lead on
};

struct choices {
  VEC (struct open_choice) list; // the most promising first
  alternative_vec alternatives;
};

// Adds to `found`. `here` is the state of the model, which is the same afterwards.
void choices_find (struct small_model *, const void *here, uint64_t most_work, struct choices *found);
void choices_free (struct choices *);

void model_assume (struct small_model *, const struct alternative *);
uint32_t model_orphan (const struct small_model *); // a read that nothing can explain, or READ_NONE

#endif
