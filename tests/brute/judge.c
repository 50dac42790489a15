// What each level proscribes, over the edges of one world. D is ww and wr (with pwr), A is rw and
// prw; `extra` holds the session order and the real-time order as far as the level has them, by
// definition or by its prefix.

#include "judge.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

static struct relation dependencies (const struct world *w, const struct relation *extra) {
  const struct relation d = relation_union (w->ww, &w->wr);
  return relation_union (d, extra);
}

static struct relation anti_dependencies (const struct world *w) {
  return relation_union (w->rw, &w->prw);
}

static bool is_external (unsigned source) {
  return source < STORY_NODES;
}

// Position of a node in the version order of a key.
static unsigned version_position (const struct world *w, unsigned key, unsigned node) {
  unsigned position = 0;
  while (w->order[key][position] != node)
    position++;
  return position;
}

void judge_add_edges (struct world *w) {
  w->ww = w->rw = w->prw = relation_none ();
  for (unsigned key = 0; key < w->story->keys; key++)
    for (unsigned i = 0; i < w->versions[key]; i++)
      for (unsigned j = i + 1; j < w->versions[key]; j++)
        relation_add (&w->ww, w->order[key][i], w->order[key][j]);
  for (unsigned r = 0; r < w->story->reads; r++) {
    if (!is_external (w->source[r]))
      continue;
    const struct story_read *read = &w->story->read[r];
    for (unsigned i = version_position (w, read->key, w->source[r]) + 1; i < w->versions[read->key]; i++)
      if (w->order[read->key][i] != read->reader)
        relation_add (read->predicate ? &w->prw : &w->rw, read->reader, w->order[read->key][i]);
  }
}

// PL-1: no cycle of ww.
static bool read_uncommitted (const struct world *w, const struct relation *extra) {
  const struct relation edges = relation_union (w->ww, extra);
  return relation_acyclic (&edges);
}

// PL-2: no cycle of D (G1c).
static bool read_committed (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra);
  return relation_acyclic (&d);
}

// The last external read of the key before the reader's first write of it that counts for cursor
// stability, or `reads`.
static unsigned cursor_read (const struct world *w, unsigned reader, unsigned key) {
  const struct story *story = w->story;
  unsigned last = story->reads;
  for (unsigned r = 0; r < story->reads; r++)
    if (story->read[r].reader == reader && story->read[r].key == key && story->read[r].guards_a_cursor
        && is_external (w->source[r]) && story->read[r].event < story->txns[reader].versions[key].first_event)
      last = r; // reads are in program order
  return last;
}

// PL-CS: PL-2, and nobody writes between what a transaction read and what it wrote instead.
static bool cursor_stability (const struct world *w, const struct relation *extra) {
  if (!read_committed (w, extra))
    return false;
  for (unsigned key = 0; key < w->story->keys; key++)
    for (unsigned i = 1; i < w->versions[key]; i++) {
      const unsigned read = cursor_read (w, w->order[key][i], key);
      if (read < w->story->reads && w->source[read] != w->order[key][i - 1])
        return false;
    }
  return true;
}

// The D edges with transaction `split` replaced by its events: node STORY_NODES + e is event e.
// Program order runs between them, a read's edge arrives at its event, edges of a version start and
// end at the last write of its key.
static struct relation unfolded (const struct world *w, const struct relation *extra, unsigned split) {
  const struct story *story = w->story;
  const unsigned events = story->txns[split].events ? story->txns[split].events : 1;
  const unsigned first = STORY_NODES, last = STORY_NODES + events - 1;
  struct relation graph = relation_none ();
  for (unsigned e = first; e < last; e++)
    relation_add (&graph, e, e + 1);
  for (unsigned i = 0; i < story->nodes; i++)
    for (unsigned j = 0; j < story->nodes; j++)
      if (relation_has (extra, i, j))
        relation_add (&graph, i == split ? last : i, j == split ? first : j);
  for (unsigned key = 0; key < story->keys; key++) {
    const unsigned writes = STORY_NODES + story->txns[split].versions[key].last_event;
    for (unsigned i = 0; i < w->versions[key]; i++)
      for (unsigned j = i + 1; j < w->versions[key]; j++) {
        const unsigned from = w->order[key][i], to = w->order[key][j];
        relation_add (&graph, from == split ? writes : from, to == split ? writes : to);
      }
  }
  for (unsigned r = 0; r < story->reads; r++) {
    const unsigned from = w->source[r], to = story->read[r].reader;
    if (!is_external (from))
      continue;
    const unsigned writes = STORY_NODES + story->txns[split].versions[story->read[r].key].last_event;
    relation_add (&graph, from == split ? writes : from, to == split ? STORY_NODES + story->read[r].event : to);
  }
  return graph;
}

// PL-2L: PL-2, and no anti-dependency of a read event that leads back to the event or to an earlier
// one.
static bool monotonic_view (const struct world *w, const struct relation *extra) {
  if (!read_committed (w, extra))
    return false;
  for (unsigned split = 1; split < w->story->nodes; split++) {
    if (!(w->in & node_bit (split)))
      continue;
    const struct relation edges = unfolded (w, extra, split), paths = relation_paths (edges);
    for (unsigned r = 0; r < w->story->reads; r++) {
      const struct story_read *read = &w->story->read[r];
      if (read->reader != split || !is_external (w->source[r]))
        continue;
      for (unsigned i = version_position (w, read->key, w->source[r]) + 1; i < w->versions[read->key]; i++)
        if (w->order[read->key][i] != split && relation_has (&paths, w->order[read->key][i], STORY_NODES + read->event))
          return false;
    }
  }
  return true;
}

// PL-2+, and with other extras PL-FCV and PSI: D+ ; A? is irreflexive.
static bool consistent_view (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra), a = anti_dependencies (w), paths = relation_paths (d),
                        single = relation_then (&paths, &a);
  return relation_irreflexive (&paths) && relation_irreflexive (&single);
}

// PL-2.99: no cycle of D and item anti-dependencies; those of predicate reads are left out
// altogether.
static bool repeatable_read (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra), edges = relation_union (d, &w->rw);
  return relation_acyclic (&edges);
}

// PL-3: no cycle of D and A.
static bool serializable (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra), a = anti_dependencies (w), edges = relation_union (d, &a);
  return relation_acyclic (&edges);
}

// PL-SI: no cycle without two adjacent A, that is, no cycle of D ; A?.
static bool snapshot_isolation (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra), a = anti_dependencies (w), with_a = relation_then (&d, &a),
                        edges = relation_union (d, &with_a);
  return relation_acyclic (&edges);
}

static bool is_update (const struct world *w, unsigned node) {
  for (unsigned key = 0; key < w->story->keys; key++)
    if (!node || w->story->txns[node].versions[key].installed)
      return true;
  return false;
}

// PL-3U: no cycle of D and A among the update transactions and any one other. What only reads is
// left by A alone, unless modules demand that it comes before something: that counts for all of
// them at once.
static bool update_serializable (const struct world *w, const struct relation *extra) {
  const struct relation d = dependencies (w, extra), a = anti_dependencies (w);
  for (unsigned reader = 0; reader < w->story->nodes; reader++) {
    if (!(w->in & node_bit (reader)))
      continue;
    struct relation edges = d;
    for (unsigned from = 0; from < w->story->nodes; from++)
      for (unsigned to = 0; to < w->story->nodes; to++)
        if (relation_has (&a, from, to) && (from == reader || is_update (w, from)))
          relation_add (&edges, from, to);
    if (!relation_acyclic (&edges))
      return false;
  }
  return true;
}

// No cycle of ((so ∪ wr) ; A?) ∪ ww.
static bool prefix_consistency (const struct world *w, const struct relation *extra) {
  const struct relation visible = relation_union (w->wr, extra), a = anti_dependencies (w),
                        with_a = relation_then (&visible, &a);
  struct relation edges = relation_union (visible, &with_a);
  edges = relation_union (edges, &w->ww);
  return relation_acyclic (&edges);
}

static bool installs (const struct world *w, unsigned node, unsigned key) {
  return w->in & node_bit (node) && (!node || w->story->txns[node].versions[key].installed);
}

// What Biswas and Enea's total order must contain before visibility is looked at: T0 first, so and
// wr.
static struct relation commit_order_base (const struct world *w, const struct relation *extra) {
  struct relation base = relation_union (w->wr, extra);
  for (unsigned node = 1; node < w->story->nodes; node++)
    if (w->in & node_bit (node))
      relation_add (&base, 0, node);
  return base;
}

// The same with the known ww, those of lists, and with what modules demand.
static struct relation with_known_ww (const struct world *w, const struct relation *base) {
  const struct relation known = relation_union (w->list_order, &w->given);
  return relation_union (*base, &known);
}

// Adds t1 -> t2 for each read of a key from t2 by a transaction to which another installer t1 of
// the key is visible.
static bool has_commit_order (const struct world *w, struct relation order, const struct relation *visible) {
  for (unsigned r = 0; r < w->story->reads; r++) {
    const struct story_read *read = &w->story->read[r];
    if (!is_external (w->source[r]))
      continue;
    for (unsigned t1 = 0; t1 < w->story->nodes; t1++)
      if (t1 != w->source[r] && t1 != read->reader && installs (w, t1, read->key)
          && relation_has (visible, t1, read->reader))
        relation_add (&order, t1, w->source[r]);
  }
  return relation_acyclic (&order);
}

static bool causal (const struct world *w, const struct relation *extra) {
  const struct relation base = commit_order_base (w, extra), visible = relation_paths (base);
  return has_commit_order (w, with_known_ww (w, &base), &visible);
}

static bool read_atomic (const struct world *w, const struct relation *extra) {
  const struct relation base = commit_order_base (w, extra);
  return has_commit_order (w, with_known_ww (w, &base), &base);
}

// Visible to a read is what earlier reads of its transaction read from.
static bool read_committed_axiomatic (const struct world *w, const struct relation *extra) {
  const struct relation base = commit_order_base (w, extra);
  struct relation order = with_known_ww (w, &base);
  for (unsigned later = 0; later < w->story->reads; later++)
    for (unsigned earlier = 0; earlier < w->story->reads; earlier++) {
      const struct story_read *a = &w->story->read[earlier], *b = &w->story->read[later];
      const unsigned t1 = w->source[earlier], t2 = w->source[later];
      if (a->reader == b->reader && a->event < b->event && is_external (t1) && is_external (t2) && t1 != t2
          && installs (w, t1, b->key))
        relation_add (&order, t1, t2);
    }
  return relation_acyclic (&order);
}

enum prefix { PLAIN, STRONG_SESSION, STRICT, PREFIXES };

static const char *const prefix_names[PREFIXES] = { "", "strong-session-", "strict-" };

struct family {
  const char *name;
  enum judge_stage stage;
  bool takes_prefixes, has_so, has_rt;
  bool (*holds) (const struct world *, const struct relation *extra);
};

static const struct family families[] = {
  { "read-uncommitted", JUDGE_WITHOUT_READS, true, false, false, read_uncommitted },
  { "read-committed", JUDGE_ALL, true, false, false, read_committed },
  { "cursor-stability", JUDGE_ALL, true, false, false, cursor_stability },
  { "monotonic-view", JUDGE_ALL, true, false, false, monotonic_view },
  { "consistent-view", JUDGE_ALL, true, false, false, consistent_view },
  { "forward-consistent-view", JUDGE_ALL, true, false, true, consistent_view },
  { "repeatable-read", JUDGE_ALL, true, false, false, repeatable_read },
  { "snapshot-isolation", JUDGE_ALL, true, false, false, snapshot_isolation },
  { "serializable", JUDGE_ALL, true, false, false, serializable },
  { "update-serializable", JUDGE_ALL, false, false, false, update_serializable },
  { "parallel-snapshot-isolation", JUDGE_ALL, true, true, false, consistent_view },
  { "prefix-consistency", JUDGE_ALL, true, true, false, prefix_consistency },
  { "causal", JUDGE_READS, true, true, false, causal },
  { "read-atomic", JUDGE_READS, true, true, false, read_atomic },
  { "read-committed-axiomatic", JUDGE_READS, true, true, false, read_committed_axiomatic },
};

enum { FAMILIES = sizeof families / sizeof *families };

struct level_row {
  const struct family *family;
  bool so, rt;
  char name[56];
};

// One row per family and prefix, made on first use.
static struct level_row rows[BRUTE_MOST_LEVELS];
static unsigned row_count;

static void make_rows (void) {
  if (row_count)
    return;
  for (unsigned f = 0; f < FAMILIES; f++)
    for (unsigned p = PLAIN; p < (families[f].takes_prefixes ? PREFIXES : STRONG_SESSION); p++) {
      if (row_count == BRUTE_MOST_LEVELS)
        misuse (__func__, "more levels than BRUTE_MOST_LEVELS");
      struct level_row *row = &rows[row_count++];
      row->family = &families[f];
      row->so = p >= STRONG_SESSION || families[f].has_so;
      row->rt = p == STRICT || families[f].has_rt;
      snprintf (row->name, sizeof row->name, "%s%s", prefix_names[p], families[f].name);
    }
}

unsigned brute_levels (void) {
  make_rows ();
  return row_count;
}

const char *brute_level_name (unsigned level) {
  make_rows ();
  return rows[level].name;
}

int brute_level_find (const char *name) {
  for (unsigned level = 0; level < brute_levels (); level++)
    if (!strcmp (rows[level].name, name))
      return (int) level;
  return -1;
}

bool brute_level_rejects (unsigned level) {
  make_rows ();
  return rows[level].family->stage != JUDGE_WITHOUT_READS;
}

uint64_t judge_levels_of (enum judge_stage stage) {
  uint64_t found = 0;
  for (unsigned level = 0; level < brute_levels (); level++)
    if (rows[level].family->stage == stage)
      found |= (uint64_t) 1 << level;
  return found;
}

uint64_t judge_levels_that_need_times (void) {
  uint64_t found = 0;
  for (unsigned level = 0; level < brute_levels (); level++)
    if (rows[level].rt)
      found |= (uint64_t) 1 << level;
  return found;
}

static struct relation extra_edges (const struct world *w, bool so, bool rt) {
  struct relation extra = relation_none ();
  if (so)
    extra = relation_union (extra, &w->so);
  if (rt)
    extra = relation_union (extra, &w->rt);
  return extra;
}

struct relation judge_common_edges (const struct world *w, uint64_t levels) {
  bool so = true, rt = true;
  for (uint64_t left = levels; left; left &= left - 1) {
    so &= rows[__builtin_ctzll (left)].so;
    rt &= rows[__builtin_ctzll (left)].rt;
  }
  return extra_edges (w, so, rt);
}

bool judge_level (const struct world *w, unsigned level) {
  struct relation extra = extra_edges (w, rows[level].so, rows[level].rt);
  if (rows[level].family->holds != read_atomic)
    extra = relation_union (extra, &w->given);
  return rows[level].family->holds (w, &extra);
}
