// Holding a choice against a level. Each demand is checked by itself, in the plainest order: what
// took place and where, what the reads read, then every kind of edge between points. All of these
// are comparisons of positions; what they leave to check is what a reader has seen
// (witness_views.c, witness_paths.c). The version order of a key is not given, it is read off the
// positions.

#include "solve/witness_inside.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>

#define CLOCK_BYTES ((size_t) 512 << 20)
#define NONE UINT32_MAX

// ------------------------------------------------------------------------------ what is understood

static bool points_fine (const struct level *level, struct edge_points points) {
  return !points.used || (points.from < level->rules.points && points.to < level->rules.points);
}

static bool level_is_understood (struct check *c) {
  const struct level *level = c->level;
  const bool fine = (level->rules.points == 1 || level->rules.points == 2) && level->rules.ww.used
                    && points_fine (level, level->rules.so) && points_fine (level, level->rules.rt)
                    && points_fine (level, level->rules.ww) && points_fine (level, level->rules.wr)
                    && points_fine (level, level->rules.rw);
  if (!fine)
    return witness_wrong (c, "not supported: the points of the level");
  if (c->asg->unsupported)
    return witness_wrong (c, "not supported: an operation of the history");
  if (c->asg->unrecorded.count)
    return witness_wrong (c, "not supported: a delete in doubt");
  if (!level->rules.wr.used)
    return true;
  if (level->rules.points == 2 && level->rules.view != VIEW_PATHS)
    return witness_wrong (c, "not supported: a view of steps between two points");
  // Where program order counts, a read that was merged with an earlier one would be held to too
  // little.
  const bool ordered =
    level->rules.events || level->rules.view == VIEW_EARLIER_READS || (level->traits.mark_reads && c->asg->events);
  if (ordered && c->asg->reads != c->asg->external_reads)
    return witness_wrong (c, "not supported: reads are merged");
  if (level->rules.events && !c->asg->events)
    return witness_wrong (c, "not supported: the operations of reads are not known");
  return true;
}

// What each read's anti-dependencies mean.
static bool mark_reads (struct check *c) {
  const struct level *level = c->level;
  c->anti = MEM_ARRAY (uint8_t, c->asg->reads);
  if (c->asg->reads)
    memset (c->anti, level->rules.anti, c->asg->reads);
  if (level->traits.mark_reads)
    level->traits.mark_reads (c->asg, &(struct read_marks){ .anti = c->anti });
  bool edges = false, once = false;
  for (uint32_t read = 0; level->traits.predicates_free && c->asg->predicates && read < c->asg->reads; read++)
    if (c->asg->read_flags[read] & READ_PREDICATE)
      c->anti[read] = ANTI_NONE;
  for (uint32_t read = 0; read < c->asg->reads; read++) {
    edges |= c->anti[read] == ANTI_EDGE;
    once |= c->anti[read] == ANTI_FORBID;
  }
  if (edges && !level->rules.rw.used)
    return witness_wrong (c, "not supported: anti-dependencies without points");
  if (once && level->rules.points == 2)
    return witness_wrong (c, "not supported: paths between two points");
  return true;
}

// -------------------------------------------------------------------------- what took place, where

static bool took_place (struct check *c) {
  const struct asg *asg = c->asg;
  const struct history *h = asg->history;
  for (uint32_t node = 0; node < asg->nodes; node++)
    if (!c->w->in[node] && !asg->optional[node])
      return witness_wrong (c, "a committed transaction is left out");
  for (uint32_t t = 0; t < history_txns (h); t++)
    if (asg->txn_node[t] == NODE_NONE && h->txn_status.data[t] == TXN_COMMITTED)
      return witness_wrong (c, "a committed transaction is missing");
  return true;
}

static bool place_points (struct check *c) {
  const struct asg *asg = c->asg;
  const unsigned points = c->level->rules.points;
  const size_t all = (size_t) asg->nodes * points;
  if (all > NONE)
    return witness_wrong (c, "not supported: so many points");
  c->at = mem_nones (all);
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (!c->w->in[node])
      continue;
    for (unsigned which = 0; which < points; which++) {
      const uint32_t point = node * points + which, position = c->w->position[point];
      if (position >= all || c->at[position] != NONE)
        return witness_wrong (c, "two points in one place, or one outside the order");
      c->at[position] = point;
    }
    if (points == 2 && place (c, node, 0) > place (c, node, 1))
      return witness_wrong (c, "a commit before its begin");
  }
  return true;
}

static void list_installs (struct check *c) {
  const struct asg *asg = c->asg;
  c->version = MEM_ARRAY (struct version, asg->installs);
  c->key_end = MEM_ARRAY (uint32_t, asg->keys);
  for (uint32_t key = 0; key < asg->keys; key++) {
    c->key_end[key] = asg->key_first[key];
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++)
      c->version[i] = (struct version){ key, asg->install_value[i], asg->install_node[i], NONE, 0, 0 };
  }
}

static void link_versions (struct check *c) {
  for (uint32_t key = 0; key < c->asg->keys; key++)
    for (uint32_t v = c->asg->key_first[key] + 1; v < c->key_end[key]; v++) {
      struct version *a = &c->version[c->versions[v - 1]], *b = &c->version[c->versions[v]];
      a->after = b->node;
      b->before = a->node;
    }
}

// Walking the positions and giving each install to its key leaves every key's installs in version
// order.
static void order_versions (struct check *c) {
  const struct asg *asg = c->asg;
  const unsigned points = c->level->rules.points;
  list_installs (c);
  c->versions = MEM_ARRAY (uint32_t, asg->installs);
  for (size_t position = 0; position < (size_t) asg->nodes * points; position++) {
    const uint32_t point = c->at[position];
    if (point == NONE || point % points != c->level->rules.ww.from)
      continue;
    const uint32_t node = point / points;
    for (uint32_t k = asg->node_first_install[node]; k < asg->node_first_install[node + 1]; k++) {
      struct version *version = &c->version[asg->node_installs[k]];
      version->rank = c->key_end[version->key]++;
      c->versions[version->rank] = asg->node_installs[k];
    }
  }
  link_versions (c);
}

// ----------------------------------------------------------------------------------------- sources

// The initial values that are open, as the readers so far have settled them. NULL if there are
// none.
static uint32_t *open_values (const struct asg *asg) {
  uint32_t *settled = NULL;
  for (uint32_t key = 0; key < asg->keys && !settled; key++)
    if (asg->init_value[key] == VALUE_UNRECORDED)
      settled = MEM_ARRAY (uint32_t, asg->keys);
  for (uint32_t key = 0; settled && key < asg->keys; key++)
    settled[key] = VALUE_UNRECORDED;
  return settled;
}

// Reads that several values explain settle nothing; they are looked at when all others have been.
static bool initial_is (const struct asg *asg, uint32_t *settled, uint32_t read) {
  const uint32_t key = asg->read_key[read];
  if (asg->init_value[key] != VALUE_UNRECORDED)
    return asg_accepts (asg, read, asg->init_value[key]);
  if (asg_read_flags (asg, read) & READ_SEVERAL)
    return true;
  if (settled[key] == VALUE_UNRECORDED)
    settled[key] = asg->read_value[read];
  return settled[key] == asg->read_value[read];
}

static bool excluded_values_fit (struct check *c, const uint32_t *settled) {
  const struct asg *asg = c->asg;
  for (uint32_t node = 1; settled && asg->read_flags && node < asg->nodes; node++)
    for (uint32_t read = asg->node_first_read[node]; c->w->in[node] && read < asg->node_first_read[node + 1]; read++)
      if ((asg->read_flags[read] & READ_SEVERAL) && c->w->read_source[read] == SOURCE_INITIAL
          && settled[asg->read_key[read]] != VALUE_UNRECORDED && !asg_accepts (asg, read, settled[asg->read_key[read]]))
        return witness_wrong (c, "a read of the initial state, which has another value");
  return true;
}

static bool initial_fits (struct check *c, uint32_t read, uint32_t *settled) {
  const struct asg *asg = c->asg;
  const uint32_t key = asg->read_key[read], first = asg->key_first[key];
  c->read_from[read] = 0;
  c->read_next[read] = first < c->key_end[key] ? version_node (c, first) : 0;
  return initial_is (asg, settled, read) || witness_wrong (c, "a read of the initial state, which has another value");
}

static bool source_fits (struct check *c, uint32_t node, uint32_t read, uint32_t *settled) {
  const struct asg *asg = c->asg;
  const uint32_t source = c->w->read_source[read];
  if (asg->hints && !source_is_many (asg->read_source[read]) && asg->read_source[read] != source)
    return witness_wrong (c, "the source of a read is not the one that a hint names");
  if (source == SOURCE_INITIAL)
    return initial_fits (c, read, settled);
  if (source >= asg->installs || c->version[source].key != asg->read_key[read])
    return witness_wrong (c, "the source of a read does not write its key");
  const struct version *version = &c->version[source];
  if (!asg_accepts (asg, read, version->value) || version->node == node || !c->w->in[version->node])
    return witness_wrong (c, "the source of a read wrote another value, is the reader, or is left out");
  c->read_from[read] = version->node;
  c->read_next[read] = version->after;
  return place (c, version->node, c->level->rules.wr.from) < place (c, node, c->level->rules.wr.to)
         || witness_wrong (c, "a read before its source");
}

// Sources are all over the place; fetching them in advance is a matter of speed only.
static void prefetch_source (const struct check *c, uint32_t read) {
  enum { AHEAD = 16 };
  if (read + AHEAD < c->asg->reads && c->w->read_source[read + AHEAD] < c->asg->installs)
    __builtin_prefetch (&c->version[c->w->read_source[read + AHEAD]]);
}

static bool keeps_reads (struct check *c) {
  const struct asg *asg = c->asg;
  if (asg->faults.count)
    return witness_wrong (c, "a read that nothing explains");
  uint32_t *settled = open_values (asg);
  c->read_from = MEM_ARRAY (uint32_t, asg->reads);
  c->read_next = MEM_ARRAY (uint32_t, asg->reads);
  bool fine = true;
  for (uint32_t node = 1; fine && node < asg->nodes; node++) {
    if (!c->w->in[node])
      continue;
    for (uint32_t read = asg->node_first_read[node]; fine && read < asg->node_first_read[node + 1]; read++) {
      prefetch_source (c, read);
      fine = source_fits (c, node, read, settled);
    }
    fine = fine && !witness_spent (c);
  }
  fine = fine && excluded_values_fit (c, settled);
  mem_free (settled);
  return fine;
}

// ------------------------------------------------------------------------------------------- edges

// Session order runs from committed transactions to whatever follows in the session, hence the
// latest of them decides.
static bool keeps_sessions (struct check *c) {
  const struct asg *asg = c->asg;
  const struct history *h = asg->history;
  const struct edge_points so = c->level->rules.so;
  for (uint32_t s = 0; s < history_sessions (h); s++) {
    int64_t latest = -1;
    for (uint32_t t = h->session_first.data[s]; t < h->session_first.data[s + 1]; t++) {
      const uint32_t node = asg->txn_node[t];
      if (node == NODE_NONE || !c->w->in[node])
        continue;
      if (latest >= place (c, node, so.to))
        return witness_wrong (c, "the order breaks session order");
      if (h->txn_status.data[t] == TXN_COMMITTED && place (c, node, so.from) > latest)
        latest = place (c, node, so.from);
    }
  }
  return !witness_spent (c);
}

// From the last point of the one to the first of the other.
static bool keeps_given_edges (struct check *c) {
  const struct witness *w = c->w;
  if (!w->edge_count)
    return true;
  for (size_t i = 0; i < w->edge_count; i++) {
    const struct ir_edge edge = w->edges[i];
    if (!w->in[edge.from] || !w->in[edge.to]
        || place (c, edge.from, c->level->rules.points - 1) >= place (c, edge.to, 0))
      return witness_wrong (c, "the order breaks a given edge");
  }
  struct grouping by_target = { .groups = c->asg->nodes };
  while (grouping_pass (&by_target))
    for (size_t i = 0; i < w->edge_count; i++)
      group_put (&by_target, w->edges[i].to, w->edges[i].from);
  c->edge_first = by_target.first;
  c->edge_from = by_target.items;
  return !witness_spent (c);
}

static void collect_ends (struct check *c) {
  const struct asg *asg = c->asg;
  c->ended = MEM_ARRAY (struct ended, asg->nodes);
  for (uint32_t node = 1; node < asg->nodes; node++) {
    const int64_t end = history_end_time (asg->history, asg->node_txn[node]);
    int64_t limit;
    if (c->w->in[node] && is_committed (asg, node) && end != TIME_NONE_END
        && !__builtin_add_overflow (end, c->w->clock_skew, &limit))
      c->ended[c->ended_count++] = (struct ended){ limit, node };
  }
  SORT (c->ended, c->ended_count, by_i64);
  c->ended_most = MEM_ARRAY (uint32_t, c->ended_count);
  uint32_t most = 0;
  for (uint32_t i = 0; i < c->ended_count; i++) {
    const uint32_t position = (uint32_t) place (c, c->ended[i].node, c->level->rules.rt.from);
    most = position > most ? position : most;
    c->ended_most[i] = most;
  }
}

static uint32_t count_ended_before (const struct check *c, int64_t begin) {
  uint32_t first = 0;
  LOWER_BOUND (first, c->ended_count, middle, c->ended[middle].limit < begin);
  return first;
}

static bool keeps_real_time (struct check *c) {
  const struct asg *asg = c->asg;
  collect_ends (c);
  c->ended_before = MEM_ZARRAY (uint32_t, asg->nodes);
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (!c->w->in[node])
      continue;
    const uint32_t before = count_ended_before (c, history_begin_time (asg->history, asg->node_txn[node]));
    if (before && c->ended_most[before - 1] >= place (c, node, c->level->rules.rt.to))
      return witness_wrong (c, "the order breaks real time");
    c->ended_before[node] = before;
    if (witness_spent (c))
      return false;
  }
  return true;
}

// What lists and hints say about the order of versions.
static bool keeps_known_orders (struct check *c) {
  for (size_t i = 0; i < c->asg->orders.count; i++) {
    const struct version *before = &c->version[c->asg->orders.data[i].before];
    const struct version *after = &c->version[c->asg->orders.data[i].after];
    if ((c->asg->orders.data[i].by_absence && !c->level->rules.wr.used) || !c->w->in[c->asg->orders.data[i].reader])
      continue;
    if (c->w->in[before->node] && c->w->in[after->node] && before->rank >= after->rank)
      return witness_wrong (c, "the version order is not the one that a list or a hint gives away");
  }
  for (size_t i = 0; c->level->rules.wr.used && i < c->asg->forced.count; i++)
    if (!c->w->in[c->asg->forced.data[i]])
      return witness_wrong (c, "a transaction is left out whose element a list holds");
  for (size_t i = 0; i < c->asg->implied.count; i++)
    if (c->w->in[c->asg->implied.data[i].reader] && !c->w->in[c->asg->implied.data[i].other])
      return witness_wrong (c, "a transaction is left out whose element a list holds");
  return true;
}

// Neighbours are enough: versions are sorted by the point that ww starts from, so that an earlier
// one starts before its successor does.
static bool keeps_versions (struct check *c) {
  const struct edge_points ww = c->level->rules.ww;
  if (ww.from == ww.to)
    return true;
  for (uint32_t key = 0; key < c->asg->keys; key++) {
    for (uint32_t v = c->asg->key_first[key]; v + 1 < c->key_end[key]; v++)
      if (place (c, version_node (c, v), ww.from) >= place (c, version_node (c, v + 1), ww.to))
        return witness_wrong (c, "two versions of a key overlap");
    if (witness_spent (c))
      return false;
  }
  return true;
}

// Does an edge to the next version lie before an edge to any later one? It does if rw ends at the
// point by which versions are sorted, and also if it ends between the points of ww: next.rw_to <=
// next.ww_from < later.ww_to <= later.rw_to.
static bool next_version_decides (const struct level *level) {
  return level->rules.rw.to == level->rules.ww.from
         || (level->rules.rw.to <= level->rules.ww.from && level->rules.ww.to <= level->rules.rw.to);
}

static bool comes_before_later_versions (struct check *c, uint32_t node, uint32_t read) {
  const struct edge_points rw = c->level->rules.rw;
  const bool one = next_version_decides (c->level);
  const uint32_t next = c->read_next[read];
  if (one && next != node)
    return !next || place (c, node, rw.from) < place (c, next, rw.to);
  const uint32_t end = c->key_end[c->asg->read_key[read]];
  for (uint32_t v = later_versions (c, read); v < end; v++) {
    if (version_node (c, v) == node)
      continue;
    if (place (c, node, rw.from) >= place (c, version_node (c, v), rw.to))
      return false;
    if (one)
      return true;
  }
  return true;
}

static bool keeps_anti_dependencies (struct check *c) {
  const struct asg *asg = c->asg;
  for (uint32_t node = 1; node < asg->nodes; node++) {
    if (!c->w->in[node])
      continue;
    for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
      if (c->anti[read] == ANTI_EDGE && !comes_before_later_versions (c, node, read))
        return witness_wrong (c, "a read behind a later version than the one it read");
    if (witness_spent (c))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------- together

static bool reads_hold (struct check *c) {
  return keeps_reads (c) && mark_reads (c) && keeps_anti_dependencies (c) && witness_views (c) && witness_paths (c);
}

static bool level_holds (struct check *c) {
  if (!level_is_understood (c) || !took_place (c) || !place_points (c))
    return false;
  order_versions (c);
  return (!c->level->rules.so.used || keeps_sessions (c)) && (!c->level->rules.rt.used || keeps_real_time (c))
         && keeps_given_edges (c) && keeps_known_orders (c) && keeps_versions (c)
         && (!c->level->rules.wr.used || reads_hold (c));
}

enum witness_answer witness_check_within (const struct witness *w, struct witness_limits limits, const char **why) {
  struct check c = { .w = w, .asg = w->asg, .level = w->level, .limits = limits };
  const bool holds = level_holds (&c);
  mem_free (c.at);
  mem_free (c.anti);
  mem_free (c.version);
  mem_free (c.versions);
  mem_free (c.key_end);
  mem_free (c.read_from);
  mem_free (c.read_next);
  mem_free (c.edge_first);
  mem_free (c.edge_from);
  mem_free (c.ended);
  mem_free (c.ended_most);
  mem_free (c.ended_before);
  if (!holds)
    *why = c.why;
  return holds ? WITNESS_HOLDS : c.stopped ? WITNESS_STOPPED : WITNESS_FAILS;
}

enum witness_answer witness_check (const struct witness *w, const char **why) {
  return witness_check_within (w, (struct witness_limits){ CLOCK_BYTES, w->asg->nodes }, why);
}
