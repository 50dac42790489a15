// Incomplete histories: which reads are excused because nothing that is recorded explains them
// (docs/semantics.md).

#ifndef KRAIT_BRUTE_EXCUSES_H
#define KRAIT_BRUTE_EXCUSES_H

#include "story.h"

struct brute_excuses {
  unsigned count;
  struct {
    unsigned reader, operation, key;
  } read[STORY_READS];
};

// Looks at every story that the history can tell. False: it cannot be told.
bool brute_find_excuses (struct brute_excuses *, const struct history *, const struct brute_options *);

// Takes the excused reads out of a story.
void brute_apply_excuses (const struct brute_excuses *, struct story *);

#endif
