// Who comes before a transaction, by edges between transactions that all lead forward in the order
// of commits. One sweep down that order finds them: when a transaction's turn comes, everything
// that it could lead to has had its own.

#include "verify/valid.h"

#include "base/budget.h"

static void mark (struct world *w, uint32_t txn) {
  if (txn != INITIAL)
    w->mark[txn] = w->stamp;
}

void world_unmark (struct world *w) {
  if (!w->mark)
    w->mark = MEM_ZARRAY (uint32_t, w->txns);
  w->stamp++;
}

// The version before the transaction's own one.
static void mark_version_before (struct world *w, uint32_t key, uint32_t txn) {
  const uint32_t at = world_version_of (w, key, txn);
  if (at != VERSION_NONE && at > w->key_first[key])
    mark (w, world_writer (w, at - 1));
}

// From whom the transaction read; false: that was not noted.
static bool mark_seen (struct world *w, uint32_t txn, uint32_t last_op, bool hide_versions) {
  if (!w->seen_first || last_op != OP_NONE || !hide_versions)
    return false;
  const uint32_t turn = w->rank[txn];
  for (uint32_t i = w->seen_first[turn]; i < w->seen_first[turn + 1]; i++)
    mark (w, w->seen.data[i]);
  return true;
}

static void mark_sources_and_versions (struct world *w, uint32_t txn, uint32_t last_op, bool hide_versions) {
  struct told *a = w->told;
  told_add (a, txn);
  for (size_t i = 0; i < a->reads.count; i++) {
    struct placed_read placed;
    const struct told_read *read = &a->reads.data[i];
    if (read->op <= last_op && world_outcome (w, read) == OUTCOME_EXTERNAL
        && world_place_read (w, read, world_named (w, read), &placed))
      mark (w, placed.source);
  }
  for (size_t i = 0; i < a->writes.count && !hide_versions; i++)
    if (world_installed (w, &a->writes.data[i]) && a->writes.data[i].last_op < last_op)
      mark_version_before (w, a->writes.data[i].key, txn);
}

// Everything that has an edge to the transaction, to operations up to `last_op`. One that reads and
// writes reads first.
static void mark_before (struct world *w, uint32_t txn, uint32_t last_op, bool hide_versions) {
  const struct told *a = w->told;
  if (!mark_seen (w, txn, last_op, hide_versions))
    mark_sources_and_versions (w, txn, last_op, hide_versions);
  if (txn && told_program_order (a, txn - 1, txn))
    mark (w, txn - 1);
  for (uint32_t i = w->given_first ? w->given_first[txn] : 0; w->given_first && i < w->given_first[txn + 1]; i++)
    mark (w, w->given_from[i]);
  if (!w->level->so)
    return;
  const uint32_t first = a->h->session_first.data[a->h->txn_sessions.data[txn]];
  for (uint32_t other = txn; other-- > first;)
    if (told_committed (a, other)) {
      mark (w, other);
      return;
    }
}

// An anti-dependency leads from the transaction to somebody marked.
static bool overwritten_by_marked (struct world *w, uint32_t txn) {
  struct told *a = w->told;
  bool found = false;
  told_add (a, txn);
  if (!world_writes (w))
    return false;
  for (size_t i = 0; !found && i < a->reads.count; i++) {
    struct placed_read placed;
    const struct told_read *read = &a->reads.data[i];
    if (world_outcome (w, read) != OUTCOME_EXTERNAL || !world_place_read (w, read, world_named (w, read), &placed))
      continue;
    const uint32_t next = next_writer (w, &placed);
    found = next != INITIAL && world_marked (w, next);
  }
  return found;
}

void world_look_back (struct world *w, const struct look_back *how) {
  const struct told *a = w->told;
  int64_t latest_begin = history_begin_time (a->h, how->target);
  world_unmark (w);
  mark_before (w, how->target, how->before, how->hide_versions);
  for (uint32_t i = w->rank[how->target]; i-- > how->lowest && !budget_spent (w->budget);) {
    const uint32_t txn = w->by_commit[i];
    int64_t ended;
    const bool in_time = w->level->rt && told_ended (a, txn, w->c->clock_skew, &ended) && ended < latest_begin;
    if (!world_marked (w, txn) && !in_time && !(how->with_anti && overwritten_by_marked (w, txn)))
      continue;
    mark (w, txn);
    mark_before (w, txn, OP_NONE, how->hide_versions);
    if (history_begin_time (a->h, txn) > latest_begin)
      latest_begin = history_begin_time (a->h, txn);
  }
}
