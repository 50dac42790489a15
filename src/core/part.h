// The explanation of a violation: the smallest part of the history that is invalid by itself, why
// no order explains it, what that is called, and which levels the part breaks and keeps.

#ifndef KRAIT_CORE_PART_H
#define KRAIT_CORE_PART_H

#include "verdict/verdict.h"

struct part_limits {
  bool skip;       // no part is looked for: that would not be shown to anybody
  bool bounded;    // by work, so that explaining is little besides checking; else by time
  double deadline; // of clock_seconds (), which may have passed; 0: none
  uint64_t memory;
  const atomic_int *stop;
};

// Looks for the part of a history that is invalid, as was found, under these options, whose policy
// for own writes is not OWN_INFER. The same violation in terms of that part; NULL: none was found,
// because the limits were reached.
struct violation *explain_part (const struct judge *, const struct history *, const struct violation *found,
                                const struct check_options *, const struct part_limits *);

// What is wrong with a core, which the violation owns then, without a look at other levels.
struct violation *explain_core (const struct judge *, const struct history *whole, struct history *core,
                                const struct check_options *);

#endif
