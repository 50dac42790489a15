// The strategy for one IR: saturate, take the order that this leaves as a guess, search.
//
// Nothing is called `valid` here by itself. A witness is handed to whoever asked, who holds it
// against what the IR stands for.

#ifndef KRAIT_DECIDE_DECIDE_H
#define KRAIT_DECIDE_DECIDE_H

#include "ir/witness.h"
#include "verdict/verdict.h"

struct decision {
  enum verdict verdict;
  struct violation *violation; // VERDICT_INVALID; the caller's from then on
  char reason[256];            // VERDICT_UNKNOWN
  bool broken;                 // the reason is that two parts of the program disagree
  uint64_t superpositions_left;
  struct effort effort;
};

// Of the options, those about steps and limits count.
struct decision decide (const struct ir *, const struct check_options *, const struct witness_judge *);

// What saturation makes of the IR, which must outlive it; nothing is searched for.
struct ir *decide_saturated (const struct ir *, const struct check_options *);

#endif
