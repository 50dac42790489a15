// A script as it is played, against the embedded store or a real database: which request is next,
// and what it asks for, given the replies so far.

#ifndef KRAIT_GENERATE_PLAY_H
#define KRAIT_GENERATE_PLAY_H

#include "generate/workload.h"

#include <stdatomic.h>

// What a read returns.
struct cell {
  bool present;
  uint64_t value;
};

struct play {
  struct script script;
  struct random random;
  uint64_t memory[8]; // of the session
  uint64_t next;      // request
  struct cell *replies;
  size_t reply_space;
};

// What all sessions of a run share.
struct play_ground {
  const struct workload *workload;
  const struct workload_options *options;
  struct draw keys;
  uint64_t *shared; // of all scripts
  atomic_uint_fast64_t values;
};

enum { FEW_VALUES = 8 }; // that repetition draws from unless asked otherwise; the unique ones are above

void play_ground_init (struct play_ground *, const struct workload *, const struct workload_options *,
                       enum distribution);
void play_ground_free (struct play_ground *);

// Zeroes stand for what the workload is known for (workload.h).
struct workload_options play_options (const struct workload *, struct workload_options asked);

void play_init (struct play *, struct play_ground *, uint64_t seed, uint64_t session);
void play_free (struct play *);

// A new script, unless the last one is to be tried again. Not by two threads at a time: scripts
// share memory.
void play_write (struct play *, const struct play_ground *);
void play_rewind (struct play *); // to the first request, without replies
void play_drop (struct play *);   // the script: the next play_write writes another one

// The request at hand, or NULL at the end of the script; the reply to it goes to play_reply.
const struct request *play_next (struct play *);
static inline struct cell *play_reply (struct play *play) {
  return &play->replies[play->next];
}
uint64_t play_key (const struct play *, const struct request *);
uint64_t play_high (const struct play *, const struct request *);
// What a put or append writes; another one each time where the request wants a fresh value.
uint64_t play_value (struct play *, struct play_ground *, const struct request *);

#endif
