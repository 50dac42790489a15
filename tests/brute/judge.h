// One world, and what each level says about it.

#ifndef KRAIT_BRUTE_JUDGE_H
#define KRAIT_BRUTE_JUDGE_H

#include "story.h"

enum { READ_OWN = STORY_NODES, READ_IGNORED }; // besides nodes: what a read may have read from

// Every choice made. Edges are between nodes of `in`.
struct world {
  const struct story *story;
  node_set in;                             // the transactions that took place, and T0
  unsigned source[STORY_READS];            // the node that each read read from
  unsigned order[STORY_KEYS][STORY_NODES]; // the installers of each key, T0 first
  unsigned versions[STORY_KEYS];
  struct relation so, rt;
  struct relation wr; // item and predicate reads alike
  struct relation ww, rw, prw;
  // what modules demand in this world: like session order, but nobody sees it by one step
  struct relation given;
  struct relation list_order; // what lists tell about ww; part of ww once that is filled
};

// When enough of the world is chosen for a level to be judged.
enum judge_stage {
  JUDGE_WITHOUT_READS, // the version orders, with all reads ignored
  JUDGE_READS,         // the sources of reads; version orders do not matter
  JUDGE_ALL,
};

uint64_t judge_levels_of (enum judge_stage); // bit i: level i
uint64_t judge_levels_that_need_times (void);

// Fills rw, prw and ww from the orders and the sources.
void judge_add_edges (struct world *);

// The session order and the real-time order, as far as all of these levels have them.
struct relation judge_common_edges (const struct world *, uint64_t levels);

bool judge_level (const struct world *, unsigned level);

#endif
