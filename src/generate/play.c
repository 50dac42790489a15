#include "generate/play.h"

#include <string.h>

struct workload_options play_options (const struct workload *workload, struct workload_options asked) {
  if (!asked.keys)
    asked.keys = workload->keys;
  if (!asked.operations)
    asked.operations = workload->operations;
  if (asked.reads < 0)
    asked.reads = workload->reads;
  if (asked.repetition < 0)
    asked.repetition = workload->repetition;
  if (!asked.values)
    asked.values = FEW_VALUES;
  return asked;
}

void play_ground_init (struct play_ground *ground, const struct workload *workload,
                       const struct workload_options *options, enum distribution distribution) {
  *ground = (struct play_ground){ .workload = workload, .options = options };
  ground->shared = MEM_ZARRAY (uint64_t, SCRIPT_SHARED);
  draw_init (&ground->keys, distribution, options->keys);
}

void play_ground_free (struct play_ground *ground) {
  mem_free (ground->shared);
}

void play_init (struct play *play, struct play_ground *ground, uint64_t seed, uint64_t session) {
  *play = (struct play){ .random = random_fork (seed, session) };
  play->script.random = &play->random;
  play->script.options = ground->options;
  play->script.keys = &ground->keys;
  play->script.session = session;
  play->script.memory = play->memory;
  play->script.shared = ground->shared;
}

void play_free (struct play *play) {
  VEC_FREE (play->script.requests);
  mem_free (play->replies);
}

void play_write (struct play *play, const struct play_ground *ground) {
  if (!play->script.requests.count)
    workload_write (ground->workload, &play->script);
}

void play_rewind (struct play *play) {
  if (play->reply_space < play->script.requests.count) {
    play->reply_space = play->script.requests.count;
    MEM_RESIZE (play->replies, play->reply_space);
  }
  memset (play->replies, 0, play->reply_space * sizeof *play->replies);
  play->next = 0;
}

void play_drop (struct play *play) {
  play->script.requests.count = 0;
}

static bool is_wanted (const struct play *play, const struct request *request) {
  if (request->when_from == FROM_NONE)
    return true;
  const struct cell *reply = &play->replies[request->when_from - 1];
  switch (request->when) {
  case WHEN_PRESENT: return reply->present;
  case WHEN_ABSENT: return !reply->present;
  case WHEN_AT_LEAST: break;
  }
  return (reply->present ? reply->value : request->absent) >= request->least;
}

const struct request *play_next (struct play *play) {
  for (; play->next < play->script.requests.count; play->next++) {
    const struct request *request = &play->script.requests.data[play->next];
    if (is_wanted (play, request))
      return request;
    *play_reply (play) = (struct cell){ 0 };
  }
  return NULL;
}

static uint64_t offset_from (const struct play *play, const struct request *request, uint32_t from) {
  return from != FROM_NONE && play->replies[from - 1].present ? play->replies[from - 1].value << request->shift : 0;
}

uint64_t play_key (const struct play *play, const struct request *request) {
  return request->key + offset_from (play, request, request->key_from);
}

uint64_t play_high (const struct play *play, const struct request *request) {
  return request->high + offset_from (play, request, request->high_from);
}

uint64_t play_value (struct play *play, struct play_ground *ground, const struct request *request) {
  switch (request->value_kind) {
  case VALUE_FRESH:
    if (ground->options->repetition > 0 && random_chance (&play->random, ground->options->repetition))
      return 1 + random_below (&play->random, ground->options->values);
    break;
  case VALUE_UNIQUE: break;
  case VALUE_GIVEN: return request->value;
  case VALUE_PLUS: {
    const struct cell *read = &play->replies[request->value_from - 1];
    return (read->present ? read->value : request->absent) + request->value;
  }
  }
  return ground->options->values + 1 + atomic_fetch_add_explicit (&ground->values, 1, memory_order_relaxed);
}
