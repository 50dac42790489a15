// All choices of a certificate, put in place: who took place, where, and which versions there are.

#include "verify/valid.h"

#include "base/group.h"
#include "base/search.h"

#include <string.h>

// --------------------------------------------------------------------------------------- the order

static bool take_part (struct world *w) {
  const struct history *h = w->told->h;
  w->txns = history_txns (h);
  w->in = MEM_ZARRAY (uint8_t, w->txns);
  for (uint32_t txn = 0; txn < w->txns; txn++)
    w->in[txn] = told_committed (w->told, txn);
  for (size_t i = 0; i < w->c->took_place.count; i++) {
    const uint32_t txn = w->c->took_place.data[i];
    if (txn >= w->txns || h->txn_status.data[txn] != TXN_UNKNOWN)
      return complain (w->complaint, "transaction %u is said to have taken place, but its outcome is known", txn);
    w->in[txn] = 1;
  }
  for (uint32_t txn = 0; txn < w->txns; txn++)
    w->placed += w->in[txn];
  return true;
}

static bool place_once (struct world *w) {
  const uint32_t *order = w->c->order.data;
  w->rank = w->begin = w->commit = mem_nones (w->txns);
  w->by_commit = order;
  for (uint32_t i = 0; i < w->placed; i++) {
    if (order[i] >= w->txns || !w->in[order[i]] || w->rank[order[i]] != NOT_PLACED)
      return complain (w->complaint, "place %u of the order does not fit", i);
    w->rank[order[i]] = i;
  }
  return true;
}

static bool place_twice (struct world *w) {
  const struct certificate *c = w->c;
  uint32_t *by_commit = MEM_ARRAY (uint32_t, w->placed), commits = 0;
  w->by_commit = by_commit;
  w->begin = mem_nones (w->txns);
  w->commit = mem_nones (w->txns);
  w->rank = MEM_ARRAY (uint32_t, w->txns);
  for (uint32_t i = 0; i < c->order.count; i++) {
    const uint32_t point = c->order.data[i], txn = point / 2;
    uint32_t *place = txn < w->txns ? &(point % 2 ? w->commit : w->begin)[txn] : NULL;
    if (!place || !w->in[txn] || *place != NOT_PLACED || (point % 2 && w->begin[txn] == NOT_PLACED))
      return complain (w->complaint, "place %u of the order does not fit", i);
    *place = i;
    if (point % 2 == 0)
      continue;
    w->rank[txn] = commits;
    by_commit[commits++] = txn;
  }
  return true;
}

static bool place_points (struct world *w) {
  const struct certificate *c = w->c;
  if (c->order.count != (size_t) w->placed * c->points)
    return complain (w->complaint, "the order has %zu points, not those of the %u transactions that took place",
                     c->order.count, w->placed);
  return c->points == 1 ? place_once (w) : place_twice (w);
}

static bool settle_deletes (struct world *w) {
  const size_t ops = history_ops (w->told->h);
  if (!w->c->wrote.count)
    return true;
  w->wrote = MEM_ZARRAY (uint8_t, ops / 8 + 1);
  for (size_t i = 0; i < w->c->wrote.count; i++) {
    if (w->c->wrote.data[i] >= ops)
      return complain (w->complaint, "an operation wrote that is not there");
    w->wrote[w->c->wrote.data[i] / 8] |= (uint8_t) (1u << w->c->wrote.data[i] % 8);
  }
  return true;
}

static uint32_t deletes_that_wrote (const struct world *w) {
  uint32_t count = 0;
  for (size_t i = 0; i < w->told->unrecorded.count; i++)
    count += world_wrote (w, w->told->unrecorded.data[i]);
  return count;
}

// ---------------------------------------------------------------------------------------- versions

bool world_wrote_no_more_than (const struct world *w, size_t wrote) {
  return wrote == w->c->wrote.count || complain (w->complaint, "an operation wrote that is no unrecorded delete");
}

// As many as there can be: a transaction may write a key more than once, and a delete nothing.
static void count_versions (struct world *w) {
  const struct history *h = w->told->h;
  for (uint32_t txn = 0; txn < w->txns; txn++)
    for (uint32_t op = h->txn_first_op.data[txn]; w->in[txn] && op < h->txn_first_op.data[txn + 1]; op++)
      if (told_may_write (h, op))
        group_count (w->key_first, h->op_keys.data[op]);
}

bool world_writes (const struct world *w) {
  for (size_t i = 0; i < w->told->writes.count; i++)
    if (world_installed (w, &w->told->writes.data[i]))
      return true;
  return false;
}

// Takes out the places that nobody filled.
static void close_gaps (struct world *w, uint32_t keys) {
  uint32_t count = 0;
  for (uint32_t key = 0; key < keys; key++) {
    const uint32_t found = w->key_first[key + 1] - w->room[key];
    memmove (w->versions + count, w->versions + w->room[key], found * sizeof *w->versions);
    w->key_first[key] = count;
    count += found;
  }
  w->key_first[keys] = count;
  mem_free (w->room);
  w->room = NULL;
}

static void install (struct world *w, uint32_t txn) {
  const struct told *a = w->told;
  for (size_t k = 0; k < a->writes.count; k++) {
    const struct told_write *write = &a->writes.data[k];
    if (!world_installed (w, write))
      continue;
    if (w->values)
      w->values[write->key] = write->value;
    else
      w->versions[group_next (w->key_first, write->key)] = (struct version){ w->commit[txn], write->value };
  }
}

bool world_tell (struct world *w, world_look *look, void *context, size_t *wrote) {
  struct told *a = w->told;
  bool fine = true;
  *wrote = 0;
  for (uint32_t i = 0; i < w->placed && fine; i++) {
    const uint32_t txn = w->by_commit[i];
    a->writes_only = !look || (!w->in_turn && world_has_named (w, txn));
    told_add (a, txn);
    fine = a->writes_only || look (w, txn, context);
    install (w, txn);
    *wrote += deletes_that_wrote (w);
  }
  a->writes_only = false;
  return fine;
}

bool world_order_versions (struct world *w, world_look *look, void *context) {
  const uint32_t keys = history_keys (w->told->h);
  size_t wrote;
  w->key_first = groups_new (keys);
  count_versions (w);
  w->versions = MEM_ARRAY (struct version, groups_sum (w->key_first, keys));
  w->room = MEM_ARRAY (uint32_t, keys);
  memcpy (w->room, w->key_first + 1, keys * sizeof *w->room);
  const bool fine = world_tell (w, look, context, &wrote);
  close_gaps (w, keys);
  return fine && world_wrote_no_more_than (w, wrote);
}

// Sources are sorted by operation, hence those of a transaction stand together.
static void find_sources (struct world *w) {
  const struct certificate *c = w->c;
  uint32_t at = 0;
  if (!c->sources.count)
    return;
  w->source_first = MEM_ARRAY (uint32_t, w->txns + 1);
  for (uint32_t txn = 0; txn < w->txns; txn++) {
    w->source_first[txn] = at;
    while (at < c->sources.count && c->sources.data[at].op < w->told->h->txn_first_op.data[txn + 1])
      at++;
  }
  w->source_first[w->txns] = at;
}

bool world_make (struct world *w, struct told *told, const struct certificate *c, const struct claim_level *level,
                 struct complaint *complaint) {
  *w = (struct world){ .told = told, .c = c, .level = level, .complaint = complaint };
  if (!take_part (w) || !place_points (w) || !settle_deletes (w))
    return false;
  find_sources (w);
  return true;
}

void world_free (struct world *w) {
  mem_free (w->in);
  if (w->begin != w->rank) {
    MEM_FREE_ALL (w->begin, w->commit, (uint32_t *) w->by_commit);
  }
  MEM_FREE_ALL (w->rank, w->wrote, w->source_first, w->key_first, w->versions, w->room, w->values, w->seen.data,
                w->seen_first, w->mark, w->given_first, w->given_from, w->given.data);
}

// ------------------------------------------------------------------------------------------- reads

static bool is_named_before (const struct named_source *named, const struct told_read *read) {
  return named->op < read->op || (named->op == read->op && named->key < read->key);
}

const struct named_source *world_named (const struct world *w, const struct told_read *read) {
  if (!w->source_first)
    return NULL;
  const struct named_source *sources = w->c->sources.data;
  const uint32_t end = w->source_first[read->txn + 1];
  uint32_t low = w->source_first[read->txn];
  LOWER_BOUND (low, end, middle, is_named_before (&sources[middle], read));
  return low < end && sources[low].op == read->op && sources[low].key == read->key ? &sources[low] : NULL;
}

// Of the versions that are in their places.
static uint32_t first_version (const struct world *w, uint32_t key) {
  return w->room ? w->room[key] : w->key_first[key];
}

// The first version of the key that was committed at this place or later.
static uint32_t first_version_from (const struct world *w, uint32_t key, uint32_t place) {
  uint32_t low = first_version (w, key);
  LOWER_BOUND (low, w->key_first[key + 1], middle, w->versions[middle].place < place);
  return low;
}

uint32_t world_version_of (const struct world *w, uint32_t key, uint32_t txn) {
  const uint32_t at = first_version_from (w, key, w->commit[txn]);
  return at < w->key_first[key + 1] && w->versions[at].place == w->commit[txn] ? at : VERSION_NONE;
}

// A read of the version before `placed->at`, of a key whose first one stands at `first`.
static bool explains (const struct world *w, const struct told_read *read, uint32_t first, struct placed_read *placed) {
  if (placed->at > first)
    placed->source = world_writer (w, placed->at - 1);
  if (!told_hint_allows (read, placed->source))
    return false;
  if (read->list)
    return placed->source == read->writer;
  if (placed->source != INITIAL)
    return told_fits (read, w->versions[placed->at - 1].value);
  const uint32_t initial = w->told->init_value[read->key];
  return initial == VALUE_UNRECORDED || told_fits (read, initial);
}

bool world_place_last (const struct world *w, const struct told_read *read, struct placed_read *placed) {
  const uint32_t end = w->key_first[read->key + 1];
  *placed = (struct placed_read){ .read = *read, .source = INITIAL, .at = end, .end = end };
  return explains (w, read, first_version (w, read->key), placed);
}

bool world_place_read (const struct world *w, const struct told_read *read, const struct named_source *named,
                       struct placed_read *placed) {
  const uint32_t key = read->key, first = first_version (w, key);
  *placed = (struct placed_read){ .read = *read, .source = INITIAL, .at = first, .end = w->key_first[key + 1] };
  if (!named)
    placed->at = first_version_from (w, key, w->begin[read->txn]);
  else if (named->source != INITIAL) {
    if (named->source >= w->txns || !w->in[named->source] || named->source == read->txn)
      return false;
    placed->at = first_version_from (w, key, w->commit[named->source]) + 1;
    if (placed->at > placed->end || world_writer (w, placed->at - 1) != named->source)
      return false;
  }
  return explains (w, read, first, placed);
}
