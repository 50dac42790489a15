// Random histories with hints: some facts are those of a world in which a level holds, so that it
// still must; the others are drawn at random from what the history does not contradict.

#ifndef KRAIT_BRUTE_HINTED_H
#define KRAIT_BRUTE_HINTED_H

#include "judge.h"
#include "prng.h"
#include "random_history.h"

struct hinted {
  struct history *h;
  struct brute_options options;
  struct brute_hints hints;
  bool stamped; // the orders are told as commit timestamps
  bool true_to_world;
  bool infer; // the policy was drawn as `infer`; `options` say `may`
  unsigned true_level;
  int64_t stamp[BRUTE_HINT_NODES];
  struct prng prng;
};

// False: the history is not told by the brute force's story; there are no hints then.
bool hinted_draw (struct hinted *, uint64_t seed, uint64_t index, const struct random_mixture *);
// The same history with other hints, for each number above 0.
bool hinted_draw_other (struct hinted *, uint64_t seed, uint64_t index, const struct random_mixture *, uint64_t other);

#endif
