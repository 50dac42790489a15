// The first sweep over a key's versions.
//
// In the first sweep every entry of every row is new, and a search in each chain for each operation
// would touch the whole of a key's installs. But the sweep runs in topological order, so that
// whatever can precede the current transaction has been seen already, and most of it long ago. Per
// key the versions are kept in the order in which the sweep met them; each knows a `prefix`: all
// versions before that place are known to precede it. From the end of the list back to the prefix
// of a predecessor there are only the few that are concurrent.
//
// Turned around, prefixes say where the known followers of a version begin. Between the two lies
// its window: whatever later sweeps can still learn about the version's order, and whatever stays
// open in the end, is there.

#include "saturate/saturate.h"

#include <string.h>

struct versions {
  struct version *list; // of a key: from its first install on
  uint32_t *count;      // per key
  uint32_t *place;      // per install: in its key's list, or UINT32_MAX
  uint8_t *incomplete;  // per key: an install is missing from the list
  uint32_t most_steps;  // a look at more than this many is left to the search by chains
};

struct versions *versions_new (const struct graph *g) {
  const struct ir *ir = g->ir;
  struct versions *v = mem_zalloc (sizeof *v);
  v->list = MEM_ARRAY (struct version, ir->installs);
  v->count = MEM_ZARRAY (uint32_t, ir->keys);
  v->place = mem_nones (ir->installs);
  v->incomplete = MEM_ZARRAY (uint8_t, ir->keys);
  v->most_steps = (g->chains < 64 ? g->chains : 64) + 8;
  return v;
}

void versions_free (struct versions *v) {
  if (!v)
    return;
  MEM_FREE_ALL (v->list, v->count, v->place, v->incomplete, v);
}

static struct version *list_of (const struct saturation *s, uint32_t key) {
  return s->versions->list + s->graph->ir->key_first[key];
}

// One that is too far says less than there is to say.
static uint16_t distance (uint32_t places) {
  return places < VERSION_FAR ? (uint16_t) places : VERSION_FAR;
}

static uint32_t append (struct saturation *s, uint32_t install) {
  struct versions *v = s->versions;
  if (v->place[install] != UINT32_MAX)
    return v->place[install];
  const uint32_t key = graph_key (s->graph, install), node = s->graph->ir->install_node[install];
  const uint32_t place = v->count[key]++;
  list_of (s, key)[place] =
    (struct version){ install, node, graph_track (s->graph, graph_point (s->graph, node, 0)), distance (place), 1 };
  return v->place[install] = place;
}

void versions_append (struct saturation *s, uint32_t node) {
  const struct ir *ir = s->graph->ir;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++)
    append (s, ir->node_installs[i]);
}

// Each operation needs its version's place, and then the list around it, both far apart in memory.
// Transactions of one chain come up at a distance, so that the next but one can be asked for its
// places and the next one for its lists.
static void prefetch_places (const struct saturation *s, uint32_t node) {
  const struct ir *ir = s->graph->ir;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    if (ir->read_source[read] < SOURCE_MANY)
      __builtin_prefetch (&s->versions->place[ir->read_source[read]]);
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    __builtin_prefetch (&s->versions->place[ir->node_installs[i]]);
    __builtin_prefetch (&s->graph->block_key[ir->node_installs[i] / INSTALLS_PER_BLOCK]);
  }
}

static void prefetch_lists (const struct saturation *s, uint32_t node) {
  const struct ir *ir = s->graph->ir;
  const struct versions *v = s->versions;
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    if (ir->read_source[read] < SOURCE_MANY && v->place[ir->read_source[read]] != UINT32_MAX)
      __builtin_prefetch (&list_of (s, ir->read_key[read])[v->place[ir->read_source[read]]]);
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t key = graph_key (s->graph, ir->node_installs[i]);
    const uint32_t place = s->sweeps == 1 ? v->count[key] : v->place[ir->node_installs[i]];
    __builtin_prefetch (&list_of (s, key)[place == UINT32_MAX ? 0 : place]);
  }
}

void versions_prefetch (const struct saturation *s, uint32_t node) {
  if (node + 2 < s->graph->ir->nodes)
    prefetch_places (s, node + 2);
  if (node + 1 < s->graph->ir->nodes)
    prefetch_lists (s, node + 1);
}

// Unrecorded deletes have places in the lists like other versions, and prefixes that say which
// transactions precede theirs. But nothing follows from them, and nothing is concluded through
// them: where there are two points, "begins before the other commits" carries over only between
// versions that are there.
static bool is_there (const struct graph *g, const struct version *version) {
  return graph_installs (g, version->install);
}

static bool precedes (const struct graph *g, const struct version *version, unsigned which, const struct row *row) {
  return row_last (g, row, version->track) >= (int32_t) graph_point (g, version->node, which);
}

bool versions_rule_read (struct saturation *s, uint32_t read, uint32_t reader, uint32_t writer) {
  const struct graph *g = s->graph;
  const uint32_t key = g->ir->read_key[read], source = g->ir->read_source[read];
  const uint32_t place = source < SOURCE_MANY ? s->versions->place[source] : UINT32_MAX;
  const uint32_t count = s->versions->count[key];
  struct version *list = list_of (s, key);
  if (place == UINT32_MAX || count - version_prefix (list, place) > s->versions->most_steps)
    return false;
  const unsigned which = g->ir->rules.rw.to;
  const struct row *row = graph_before (g, graph_point (g, reader, g->ir->rules.rw.from));
  // The prefix stays as it is: the writer has yet to look at what comes to precede it here.
  for (uint32_t i = version_prefix (list, place); i < count; i++)
    if (i != place && precedes (g, &list[i], which, row) && is_there (g, &list[i]))
      saturation_write_before (s, read, list[i].node, writer);
  return true;
}

bool versions_rule_write (struct saturation *s, uint32_t p, uint32_t own_install) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = graph_key (g, own_install);
  const uint32_t place = append (s, own_install);
  struct version *list = list_of (s, key);
  const struct row *row = graph_before (g, graph_point (g, p, rules->ww.from));
  const uint32_t own_track = list[place].track;
  uint32_t stop = 0, first_open = place, steps = 0;
  s->maximal.count = 0;
  for (uint32_t i = s->versions->count[key]; i-- > stop;) {
    if (i == place)
      continue;
    if (++steps > s->versions->most_steps)
      return false;
    if (!precedes (g, &list[i], rules->ww.to, row) && !(list[i].track == own_track && list[i].node < p)) {
      if (i < first_open)
        first_open = i;
      continue;
    }
    if (!is_there (g, &list[i]))
      continue;
    saturation_add_maximal (s, list[i].install);
    if (version_prefix (list, i) > stop)
      stop = version_prefix (list, i);
  }
  list[place].back = distance (place - first_open);
  if (is_there (g, &list[place]))
    saturation_follow_maximal (s, p, key, s->maximal.count != 0);
  return true;
}

void versions_exclude (struct saturation *s, uint32_t install) {
  if (s->sweeps)
    s->versions->incomplete[graph_key (s->graph, install)] = 1;
}

void versions_join (struct saturation *s, uint32_t install) {
  if (s->versions->place[install] == UINT32_MAX)
    versions_exclude (s, install);
}

void versions_settle (struct saturation *s) {
  const struct ir *ir = s->graph->ir;
  VEC (uint32_t) last = VEC_EMPTY; // last[k]: the last version whose prefix is k
  for (uint32_t key = 0; key < ir->keys; key++) {
    struct version *list = list_of (s, key);
    const uint32_t count = s->versions->count[key];
    last.count = 0;
    for (uint32_t k = 0; k < count; k++)
      VEC_PUSH (last, k);
    for (uint32_t k = 0; k < count; k++)
      if (last.data[version_prefix (list, k)] < k)
        last.data[version_prefix (list, k)] = k;
    uint32_t open = 0; // the last version with a prefix not above k: not known to follow version k
    for (uint32_t k = 0; k < count; k++) {
      if (last.data[k] > open)
        open = last.data[k];
      list[k].ahead = distance (open + 1 - k);
    }
  }
  VEC_FREE (last);
}

bool versions_window (const struct saturation *s, uint32_t key, uint32_t install, struct window *window) {
  const struct versions *v = s->versions;
  const uint32_t place = v->place[install];
  if (place == UINT32_MAX || v->incomplete[key])
    return false;
  const struct version *list = list_of (s, key);
  // In the first sweep whatever can precede has been met, and is in the list; suffixes are not
  // known yet.
  const uint32_t count = v->count[key];
  *window = (struct window){ list, version_prefix (list, place),
                             s->sweeps == 1 ? count : version_suffix (list, place, count), place };
  return window->end - window->first <= v->most_steps;
}

const struct version *versions_of_key (const struct saturation *s, uint32_t key, uint32_t *count) {
  const struct versions *v = s->versions;
  const struct ir *ir = s->graph->ir;
  *count = v->count[key];
  return v->incomplete[key] || *count != ir->key_first[key + 1] - ir->key_first[key] ? NULL : list_of (s, key);
}

uint32_t versions_place (const struct saturation *s, uint32_t install) {
  return s->versions->place[install];
}

// Versions that newly precede the reader.
bool versions_rule_read_again (struct saturation *s, uint32_t read, uint32_t reader, uint32_t writer, uint64_t grown) {
  const struct graph *g = s->graph;
  const uint32_t key = g->ir->read_key[read];
  uint32_t source = g->ir->read_source[read];
  if (source >= SOURCE_MANY) // it became known late
    source = ir_install_of (g->ir, key, writer);
  struct window w;
  if (!versions_window (s, key, source, &w))
    return false;
  // A known follower of the version read that comes to precede the reader is a contradiction. Where
  // anti-dependencies are edges it shows by itself.
  if (graph_anti (g, read) == ANTI_FORBID)
    w.end = s->versions->count[key];
  if (w.end - w.first > s->versions->most_steps)
    return false;
  const struct row *row = graph_before (g, graph_point (g, reader, g->ir->rules.rw.from));
  for (uint32_t i = w.first; i < w.end; i++)
    if (i != w.place && (grown >> (w.list[i].track & 63) & 1) && precedes (g, &w.list[i], g->ir->rules.rw.to, row)
        && is_there (g, &w.list[i]))
      saturation_write_before (s, read, w.list[i].node, writer);
  return true;
}

// Versions that newly precede p. Those that did before have been dealt with, and so have readers of
// T0.
bool versions_rule_write_again (struct saturation *s, uint32_t p, uint32_t own_install, uint64_t grown) {
  const struct graph *g = s->graph;
  const unsigned which = g->ir->rules.ww.to;
  struct window w;
  const uint32_t key = graph_key (g, own_install);
  if (!versions_window (s, key, own_install, &w))
    return false;
  const uint32_t point = graph_point (g, p, g->ir->rules.ww.from);
  const struct row *row = graph_before (g, point);
  struct version *own = &list_of (s, key)[w.place];
  s->maximal.count = 0;
  for (uint32_t i = w.first; i < w.end; i++)
    if (i != w.place && precedes (g, &w.list[i], which, row)) {
      if ((grown >> (w.list[i].track & 63) & 1) && is_there (g, &w.list[i]))
        saturation_add_maximal (s, w.list[i].install);
      // Another key of this transaction may have made its row grow just now; such entries are for
      // the next round.
      const bool dealt_with = !(s->grown[point] >> (w.list[i].track & 63) & 1);
      if (i < w.place && dealt_with && own->back != VERSION_FAR && i == version_prefix (w.list, w.place))
        own->back--;
    }
  saturation_follow_maximal (s, p, key, true);
  return true;
}
