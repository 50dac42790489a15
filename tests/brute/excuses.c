// A read is excused if no other transaction that is not aborted can have installed what it saw, in
// whatever way deletes without a recorded result are settled, and the initial state does not have
// it either. Such a delete can be settled in a way that its own transaction refutes; that way does
// not count. Whether a transaction of unknown outcome took place plays no part. A read that did not
// tell the value may have seen one that nobody recorded wrote; one of 0 or absent, too, if nobody
// recorded wrote one of the two.

#include "excuses.h"

#include <string.h>

enum { VERSIONS = 4 * STORY_NODES * STORY_KEYS };

struct collected {
  struct story story; // at hand
  unsigned versions;
  struct {
    unsigned node, key;
    uint32_t value;
  } version[VERSIONS];
  unsigned reads;
  struct story_read read[STORY_READS];
  unsigned present[STORY_READS]; // in so many stories
  bool own[STORY_READS];         // in some story it may have seen an own write
  unsigned told[STORY_NODES];    // so many stories of a transaction count
  unsigned misses
    [STORY_NODES]; // of own writes, in the stories that miss the fewest: others are refuted by the transaction itself
};

static bool same_read (const struct story_read *a, const struct story_read *b) {
  return a->reader == b->reader && a->operation == b->operation && a->key == b->key;
}

static bool collect_read (struct collected *c, const struct story_read *read) {
  unsigned i = 0;
  while (i < c->reads && !same_read (&c->read[i], read))
    i++;
  if (i == STORY_READS)
    return false;
  if (i == c->reads)
    c->read[c->reads++] = *read;
  c->read[i].may_be_own &= read->may_be_own; // an own delete that wrote nothing explains nothing
  c->own[i] |= read->may_be_own;
  c->present[i]++;
  return true;
}

static bool collect_version (struct collected *c, unsigned node, unsigned key, uint32_t value) {
  for (unsigned i = 0; i < c->versions; i++)
    if (c->version[i].node == node && c->version[i].key == key && c->version[i].value == value)
      return true;
  if (c->versions == VERSIONS)
    return false;
  c->version[c->versions].node = node;
  c->version[c->versions].key = key;
  c->version[c->versions++].value = value;
  return true;
}

static bool counts (const struct collected *c, unsigned node) {
  return c->story.txns[node].own_misses == c->misses[node];
}

static bool collect (struct collected *c) {
  const struct story *story = &c->story;
  bool fine = true;
  for (unsigned node = 1; node < story->nodes; node++) {
    if (!counts (c, node))
      continue;
    c->told[node]++;
    for (unsigned key = 0; key < story->keys; key++)
      if (story->txns[node].versions[key].installed)
        fine = fine && collect_version (c, node, key, story->txns[node].versions[key].value);
  }
  for (unsigned r = 0; r < story->reads; r++)
    if (counts (c, story->read[r].reader))
      fine = fine && collect_read (c, &story->read[r]);
  return fine;
}

static bool tell_all (struct collected *c, const struct history *h, const struct brute_options *options) {
  struct brute_verdicts ignored;
  if (!story_tell (&c->story, h, options, 0, &ignored))
    return false;
  const uint32_t stories = (uint32_t) 1 << c->story.open_deletes;
  for (int collecting = 0; collecting < 2; collecting++)
    for (uint32_t did_nothing = 0; did_nothing < stories; did_nothing++) {
      if (!story_tell (&c->story, h, options, did_nothing, &ignored))
        return false;
      for (unsigned node = 1; node < c->story.nodes && !collecting; node++)
        if (!did_nothing || c->story.txns[node].own_misses < c->misses[node])
          c->misses[node] = c->story.txns[node].own_misses;
      if (collecting && !collect (c))
        return false;
    }
  return true;
}

static bool is_written (const struct collected *c, const struct story_read *read, uint32_t value) {
  for (unsigned i = 0; i < c->versions; i++)
    if (c->version[i].node != read->reader && c->version[i].key == read->key && c->version[i].value == value)
      return true;
  return !c->story.any_initial && c->story.initial[read->key] == value;
}

static bool is_explained (const struct collected *c, const struct story_read *read) {
  if (read->expects == EXPECTS_WRITER || read->may_be_own)
    return true;
  for (unsigned i = 0; i < c->versions; i++)
    if (c->version[i].node != read->reader && c->version[i].key == read->key
        && expectation_met (read->expects, read->value, c->version[i].value))
      return true;
  return false;
}

// Of the initial value, where it is open: does this read ask for one, so that nobody else may ask
// for another?
static bool asks (const struct collected *c, unsigned r, unsigned key) {
  const struct story_read *read = &c->read[r];
  return read->key == key && read->expects == EXPECTS_VALUE && !is_explained (c, read) && !c->own[r]
         && c->present[r] == c->told[read->reader];
}

static bool clash (const struct collected *c, unsigned key) {
  for (unsigned r = 0; r < c->reads; r++)
    for (unsigned other = 0; other < c->reads && asks (c, r, key); other++)
      if (asks (c, other, key) && c->read[other].value != c->read[r].value)
        return true;
  return false;
}

static bool is_excused (const struct collected *c, unsigned r) {
  const struct story_read *read = &c->read[r];
  if (read->expects == EXPECTS_LIVE || read->expects == EXPECTS_OTHER)
    return true;
  if (read->expects == EXPECTS_ZERO && !(is_written (c, read, read->value) && is_written (c, read, VALUE_ABSENT)))
    return true;
  if (is_explained (c, read))
    return false;
  if (c->story.any_initial)
    return asks (c, r, read->key) && clash (c, read->key);
  return !expectation_met (read->expects, read->value, c->story.initial[read->key]);
}

bool brute_find_excuses (struct brute_excuses *excuses, const struct history *h, const struct brute_options *options) {
  static struct collected c;
  memset (&c, 0, sizeof c);
  excuses->count = 0;
  if (!tell_all (&c, h, options))
    return false;
  for (unsigned r = 0; r < c.reads; r++)
    if (is_excused (&c, r)) {
      excuses->read[excuses->count].reader = c.read[r].reader;
      excuses->read[excuses->count].operation = c.read[r].operation;
      excuses->read[excuses->count++].key = c.read[r].key;
    }
  return true;
}

static bool has (const struct brute_excuses *excuses, const struct story_read *read) {
  for (unsigned i = 0; i < excuses->count; i++)
    if (excuses->read[i].reader == read->reader && excuses->read[i].operation == read->operation
        && excuses->read[i].key == read->key)
      return true;
  return false;
}

void brute_apply_excuses (const struct brute_excuses *excuses, struct story *story) {
  unsigned kept = 0;
  for (unsigned r = 0; r < story->reads; r++)
    if (!has (excuses, &story->read[r]))
      story->read[kept++] = story->read[r];
  story->reads = kept;
}
