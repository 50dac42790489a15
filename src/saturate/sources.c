// Reads with several candidates, and unknown transactions.
//
// A candidate w of a read r is dropped when it must come after r, or when another installer p of
// the key is known to come between: w before p, and p before r. Along a chain this leaves at most
// the last installer before r and those concurrent with r, so that the first look walks only these
// and never the whole range of equal values. One candidate left: a known edge. None left: a
// verdict.
//
// An unknown transaction joins the graph when a read of something in the graph has no other source.

#include "saturate/saturate.h"

#include "base/search.h"

// ---------------------------------------------------------------------------------- becoming known

static void add_late_reader (struct graph *g, uint32_t list, uint32_t read) {
  if (!g->late_head)
    g->late_head = mem_nones ((size_t) g->ir->installs + g->ir->keys);
  VEC_PUSH (g->late, (struct late_reader){ g->late_head[list], read });
  g->late_head[list] = (uint32_t) (g->late.count - 1);
}

// The same along the key's list of versions: from the window of the version read on, up to where
// everything follows a follower that was met.
static bool overtake_listed (struct saturation *s, uint32_t read, uint32_t writer) {
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = g->ir->read_key[read], point = graph_point (g, writer, rules->ww.to);
  uint32_t count, end;
  const struct version *list = s->sweeps > 1 ? versions_of_key (s, key, &count) : NULL;
  if (!list)
    return false;
  uint32_t i = 0, followers_from = 0;
  if (writer) {
    const uint32_t place = versions_place (s, ir_install_of (g->ir, key, writer));
    i = version_prefix (list, place);
    followers_from = version_suffix (list, place, count);
  }
  for (end = count; i < end; i++) {
    if (list[i].node == writer || !graph_installs (g, list[i].install)
        || (i < followers_from && !graph_reaches (g, point, graph_point (g, list[i].node, rules->ww.from))))
      continue;
    saturation_reader_before_write (s, read, list[i].node);
    const uint32_t suffix = version_suffix (list, i, count);
    end = suffix < end ? suffix : end;
  }
  return true;
}

// The first installer of this chain that is known to follow the point, or the end of the segment.
// One that may not be there can only be the last of its chain: it is what is left if nobody else
// follows.
static uint32_t first_follower (const struct graph *g, uint32_t segment, uint32_t point) {
  const uint32_t stop = g->segment_install[segment + 1];
  uint32_t first = g->segment_install[segment];
  LOWER_BOUND (first, stop, middle,
               graph_installs (g, middle)
                 && !graph_reaches (g, point, graph_point (g, g->ir->install_node[middle], g->ir->rules.ww.from)));
  return first;
}

// The rule "w before p gives r before p" once for every chain; whoever comes to follow w later
// looks at its readers itself.
static void overtake_followers (struct saturation *s, uint32_t read, uint32_t writer) {
  struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  if (graph_anti (g, read) != ANTI_EDGE || overtake_listed (s, read, writer))
    return;
  const uint32_t key = g->ir->read_key[read];
  const uint32_t point = graph_point (g, writer, rules->ww.to);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t stop = g->segment_install[segment + 1];
    uint32_t first = first_follower (g, segment, point);
    // its begin precedes its own commit
    first += first < stop && g->ir->install_node[first] == writer;
    if (first < stop && graph_installs (g, first))
      saturation_reader_before_write (s, read, g->ir->install_node[first]);
  }
}

static bool contradicts_initial (const struct saturation *s, uint32_t read) {
  const uint32_t fixed = s->init_fixed[s->graph->ir->read_key[read]];
  return fixed != INITIAL_OPEN && !ir_accepts (s->graph->ir, read, fixed);
}

// The read is one of the initial state, which has one value for all.
static void settle_initial (struct saturation *s, uint32_t read) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  const uint32_t key = ir->read_key[read];
  if (contradicts_initial (s, read))
    s->lost_read = read;
  if (ir_read_flags (ir, read) & READ_SEVERAL || s->init_fixed[key] != INITIAL_OPEN)
    return;
  s->init_fixed[key] = ir->read_value[read];
  if (!ir->read_flags)
    return;
  struct graph_readers others = graph_readers (g, key, SOURCE_INITIAL);
  for (uint32_t other; graph_next_reader (g, &others, &other);)
    if (contradicts_initial (s, other))
      s->lost_read = other;
}

// The read's source is known from now on; the reader is in the graph, and its source is or is about
// to be.
static void settle_source (struct saturation *s, uint32_t read, uint32_t source) {
  struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = g->ir->read_key[read];
  const uint32_t writer = ir_writer_of (g->ir, source);
  g->read_writer[read] = writer;
  if (source == SOURCE_INITIAL)
    settle_initial (s, read);
  add_late_reader (g, graph_reader_list (g, key, source), read);
  const uint32_t from = graph_point (g, writer, rules->wr.from);
  const uint32_t to = graph_point (g, graph_reader (g, read), rules->wr.to);
  if (!g->order_broken && g->position[from] >= g->position[to])
    g->order_broken = true;
  s->dirty[to] |= ROW_GREW | ROW_STALE;
  s->grown[to] = UINT64_MAX; // the rules have not seen this read yet
  overtake_followers (s, read, writer);
}

// Whoever is known to follow the delete's transaction, and installs the key, follows its version.
static void precede_followers (struct saturation *s, uint32_t install) {
  struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  const uint32_t key = graph_key (g, install), node = g->ir->install_node[install];
  const uint32_t begin = graph_point (g, node, rules->ww.to), commit = graph_point (g, node, rules->ww.from);
  for (uint32_t segment = g->key_first_segment[key]; segment < g->key_first_segment[key + 1]; segment++) {
    const uint32_t first = first_follower (g, segment, begin);
    if (first == g->segment_install[segment + 1] || first == install || !graph_installs (g, first))
      continue;
    const uint32_t to = graph_point (g, g->ir->install_node[first], rules->ww.to);
    if (!graph_reaches (g, commit, to))
      saturation_add_edge (s, commit, to, RULE_ORDER, key);
  }
}

// Anti-dependencies that wait for this presence: they are edges from now on.
static void settle_when (struct saturation *s, uint32_t presence) {
  struct graph *g = s->graph;
  const uint32_t node = g->ir->presences[presence_entry (presence)].node;
  for (uint32_t read = g->ir->node_first_read[node]; g->read_when && read < g->ir->node_first_read[node + 1]; read++) {
    if (g->read_when[read] != presence)
      continue;
    g->read_when[read] = NEVER;
    g->read_anti[read] = ANTI_EDGE;
    if (!g->active[node] || g->read_writer[read] == NODE_NONE)
      continue;
    overtake_followers (s, read, g->read_writer[read]);
    const uint32_t point = graph_point (g, node, g->ir->rules.rw.from);
    s->dirty[point] |= ROW_GREW;
    s->grown[point] = UINT64_MAX;
  }
}

// Some delete of the transaction wrote.
static void settle_writes (struct saturation *s, uint32_t node) {
  const uint32_t entry = ir_writes (s->graph->ir, node);
  if (!entry || s->graph->presence[entry] != PRESENCE_OPEN)
    return;
  s->graph->presence[entry] = PRESENCE_HOLDS;
  settle_when (s, if_so (entry));
}

// Known version orders that wait for the node, or for a delete of its.
static void add_late_orders (struct saturation *s, uint32_t node) {
  const struct graph *g = s->graph;
  const struct edge_points ww = g->ir->rules.ww;
  for (uint32_t i = s->late_order_head ? s->late_order_head[node] : UINT32_MAX; i != UINT32_MAX;
       i = s->late_orders.data[i].next) {
    const struct known_order *order = &g->ir->orders[s->late_orders.data[i].order];
    const uint32_t first = g->ir->install_node[order->before], second = g->ir->install_node[order->after];
    if (graph_order_holds (g, order))
      saturation_add_edge (s, graph_point (g, first, ww.from), graph_point (g, second, ww.to), RULE_KNOWN_ORDER,
                           graph_key (g, order->before));
  }
}

// The delete wrote: its version joins the others of the key, and everybody looks again.
static void settle_wrote (struct saturation *s, uint32_t entry) {
  struct graph *g = s->graph;
  const struct presence *presence = &g->ir->presences[entry];
  settle_when (s, if_so (entry));
  settle_writes (s, presence->node);
  if (presence->install == INSTALL_NONE)
    return;
  g->install_missing[presence->install] = !g->active[presence->node];
  versions_join (s, presence->install);
  if (!s->sweeps)
    return;
  add_late_orders (s, presence->node);
  if (s->version_rules) {
    saturation_rule_write (s, presence->node, presence->install);
    precede_followers (s, presence->install);
  }
  s->look_again = true;
}

// A delete wrote, and that is known from now on. That one wrote nothing never is.
static void settle_presence (struct saturation *s, uint32_t presence) {
  struct graph *g = s->graph;
  const uint32_t entry = presence_entry (presence);
  RELIES_ON (presence_wanted (presence));
  if (g->presence[entry] != PRESENCE_OPEN)
    return;
  g->presence[entry] = PRESENCE_HOLDS;
  settle_wrote (s, entry);
}

static void settle_install (struct saturation *s, uint32_t install) {
  if (ir_is_delete (s->graph->ir, install))
    settle_presence (s, s->graph->ir->install_presence[install]);
}

static void activate (struct saturation *s, uint32_t node) {
  struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  g->active[node] = 1;
  g->presence[presence_entry (ir_node_presence (ir, node))] = PRESENCE_HOLDS;
  g->order_broken = true;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t install = ir->node_installs[i];
    g->install_missing[install] = graph_presence (g, ir->install_presence[install]) != PRESENCE_HOLDS;
    versions_exclude (s, install);
  }
  for (unsigned which = 0; which < 1u << g->shift; which++)
    s->dirty[graph_point (g, node, which)] |= ROW_NEW | ROW_STALE;
  if (g->ir->rules.so.used && ir->so_before && ir->so_before[node] != NODE_NONE)
    saturation_add_edge (s, graph_point (g, ir->so_before[node], g->ir->rules.so.from),
                         graph_point (g, node, g->ir->rules.so.to), RULE_SESSION, UINT32_MAX);
  add_late_orders (s, node);
}

// The node is in, and so are the sources of its known reads, and theirs: in a loop, because that
// chain may be as long as the history.
static void include (struct saturation *s, uint32_t node) {
  struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  VEC (uint32_t) waiting = VEC_EMPTY;
  VEC_PUSH (waiting, node);
  while (waiting.count) {
    const uint32_t next = waiting.data[--waiting.count];
    if (g->active[next])
      continue;
    activate (s, next);
    for (size_t i = 0; i < ir->implied_count; i++)
      if (ir->implied[i].reader == next)
        VEC_PUSH (waiting, ir->implied[i].other);
    for (uint32_t read = ir->node_first_read[next]; read < ir->node_first_read[next + 1]; read++)
      if (g->read_writer[read] != NODE_NONE) {
        VEC_PUSH (waiting, g->read_writer[read]);
        if (ir->read_source[read] < SOURCE_MANY)
          settle_install (s, ir->read_source[read]);
        settle_source (s, read, ir->read_source[read]);
      }
  }
  VEC_FREE (waiting);
}

static void make_known (struct saturation *s, uint32_t read, uint32_t source) {
  const struct ir *ir = s->graph->ir;
  if (source != SOURCE_INITIAL) {
    include (s, ir->install_node[source]);
    settle_install (s, source);
  }
  settle_source (s, read, source);
}

// Reads of an open initial value that are known from the beginning.
static void settle_known_initials (struct saturation *s) {
  const struct graph *g = s->graph;
  for (uint32_t key = 0; key < g->ir->keys; key++) {
    struct graph_readers readers = graph_readers (g, key, SOURCE_INITIAL);
    for (uint32_t read; g->ir->init_value[key] == INITIAL_OPEN && graph_next_reader (g, &readers, &read);)
      if (g->active[graph_reader (g, read)])
        settle_initial (s, read);
  }
}

void saturation_include_forced (struct saturation *s) {
  struct graph *g = s->graph;
  settle_known_initials (s);
  if (g->ir->presence_count == 1)
    return;
  for (size_t i = 0; i < g->ir->holds.count; i++) {
    const uint32_t known = g->ir->holds.data[i], entry = presence_entry (known);
    include (s, g->ir->presences[entry].node); // whose delete wrote took place, too
    if (g->ir->presences[entry].kind != PRESENCE_IN)
      settle_presence (s, known);
  }
  for (uint32_t i = 0; i < g->ir->installs; i++)
    if (!graph_installs (g, i) && g->reader_first[i] < g->reader_first[i + 1]) {
      include (s, g->ir->install_node[i]);
      settle_install (s, i);
    }
}

static void wait_for (struct saturation *s, uint32_t node, uint32_t order) {
  if (!s->late_order_head)
    s->late_order_head = mem_nones (s->graph->ir->nodes);
  VEC_PUSH (s->late_orders, (struct late_order){ s->late_order_head[node], order });
  s->late_order_head[node] = (uint32_t) s->late_orders.count - 1;
}

void saturation_add_known_orders (struct saturation *s) {
  struct graph *g = s->graph;
  const struct edge_points ww = g->ir->rules.ww;
  for (uint32_t i = 0; i < g->ir->order_count; i++) {
    const struct known_order *order = &g->ir->orders[i];
    if (order->by_absence && !g->ir->rules.wr.used)
      continue;
    const uint32_t first = g->ir->install_node[order->before], second = g->ir->install_node[order->after];
    if (graph_order_holds (g, order))
      graph_add_extra (g, graph_point (g, first, ww.from), graph_point (g, second, ww.to), RULE_KNOWN_ORDER,
                       graph_key (g, order->before));
    if (!graph_installs (g, order->before))
      wait_for (s, first, i);
    if (!graph_installs (g, order->after))
      wait_for (s, second, i);
    if (!g->active[order->reader])
      wait_for (s, order->reader, i);
  }
}

// -------------------------------------------------------------------------------------- candidates

struct filter {
  struct saturation *s;
  uint32_t read, reader, key;
  uint32_t reader_point; // where the wr edge would arrive
};

// For each segment of the key the last installer before the reader, or UINT32_MAX.
static uint32_t *lasts_before_reader (const struct filter *f, bool *any) {
  const struct graph *g = f->s->graph;
  const struct rules *rules = &g->ir->rules;
  // Where a path into the reader does not mean that it must have seen the version, nothing is known
  // to be before the read.
  const bool seen = graph_anti (g, f->read) != ANTI_NONE && rules->view == VIEW_PATHS && !rules->events;
  const uint32_t first = g->key_first_segment[f->key], count = g->key_first_segment[f->key + 1] - first;
  const struct row *row = graph_before (g, graph_point (g, f->reader, seen ? rules->rw.from : rules->wr.to));
  uint32_t *lasts = MEM_ARRAY (uint32_t, count);
  *any = false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t begin = g->segment_install[first + i];
    uint32_t install = seen ? last_of_segment (g, first + i, row, rules->rw.to) : UINT32_MAX;
    if (install != UINT32_MAX && g->ir->install_node[install] == f->reader)
      install = install > begin ? install - 1 : UINT32_MAX;
    lasts[i] = install;
    *any |= install != UINT32_MAX;
  }
  return lasts;
}

static bool must_follow_reader (const struct filter *f, uint32_t writer) {
  const struct graph *g = f->s->graph;
  return g->active[writer] && graph_reaches (g, f->reader_point, graph_point (g, writer, g->ir->rules.wr.from));
}

// One of these installs of its key, some of which are UINT32_MAX, is known to follow it.
static bool is_overwritten_by (const struct graph *g, uint32_t install, const uint32_t *others, size_t count) {
  const struct rules *rules = &g->ir->rules;
  const uint32_t point = graph_point (g, g->ir->install_node[install], rules->ww.to);
  for (size_t i = 0; i < count; i++)
    if (others[i] != UINT32_MAX && others[i] != install
        && graph_reaches (g, point, graph_point (g, g->ir->install_node[others[i]], rules->ww.from)))
      return true;
  return false;
}

static bool is_overwritten (const struct filter *f, uint32_t install, const uint32_t *lasts) {
  const struct graph *g = f->s->graph;
  return is_overwritten_by (g, install, lasts, g->key_first_segment[f->key + 1] - g->key_first_segment[f->key]);
}

static bool initial_possible (const struct filter *f, bool any_before) {
  return !any_before && !contradicts_initial (f->s, f->read);
}

// The first look: per chain, from the last installer before the reader on, until installers must
// follow the reader.
static void list_candidates (struct filter *f, struct open_read *open, const uint32_t *lasts, bool any_before) {
  struct saturation *s = f->s;
  const struct graph *g = s->graph;
  const uint32_t choice = g->ir->read_source[f->read] & ~SOURCE_MANY;
  open->first = (uint32_t) s->candidates.count;
  open->listed = true;
  if (g->ir->choices[choice].initial && initial_possible (f, any_before))
    VEC_PUSH (s->candidates, SOURCE_INITIAL);
  const uint32_t first = g->key_first_segment[f->key], count = g->key_first_segment[f->key + 1] - first;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t install = lasts[i] != UINT32_MAX ? lasts[i] : g->segment_install[first + i];
         install < g->segment_install[first + i + 1]; install++) {
      const uint32_t writer = g->ir->install_node[install];
      if (must_follow_reader (f, writer))
        break;
      if (ir_accepts (g->ir, f->read, g->ir->install_value[install]) && writer != f->reader
          && !is_overwritten (f, install, lasts))
        VEC_PUSH (s->candidates, install);
    }
  open->count = (uint32_t) s->candidates.count - open->first;
}

static void filter_candidates (struct filter *f, struct open_read *open, const uint32_t *lasts, bool any_before) {
  struct saturation *s = f->s;
  uint32_t kept = 0;
  uint32_t *list = s->candidates.data + open->first;
  for (uint32_t i = 0; i < open->count; i++)
    if (list[i] == SOURCE_INITIAL
          ? initial_possible (f, any_before)
          : !must_follow_reader (f, s->graph->ir->install_node[list[i]]) && !is_overwritten (f, list[i], lasts))
      list[kept++] = list[i];
  open->count = kept;
}

// -------------------------------------------------------------- candidates by the list of versions

// Where the reader would stand among the versions of the key, roughly: the list is about as old as
// the order.
static uint32_t place_of_reader (const struct filter *f, const struct version *list, uint32_t count) {
  const struct graph *g = f->s->graph;
  const uint32_t position = g->position[f->reader_point];
  uint32_t low = 0;
  LOWER_BOUND (low, count, middle, g->position[graph_point (g, list[middle].node, g->ir->rules.wr.from)] < position);
  return low;
}

// One version: does it precede the reader, follow it, or neither? It is kept in `found` if it may
// be the source, in `s->maximal` if it precedes.
enum standing { STANDS_BEFORE, STANDS_BEHIND, STANDS_BESIDE };

static enum standing look_at_version (struct filter *f, const struct version *version, const struct row *row) {
  struct saturation *s = f->s;
  const struct graph *g = s->graph;
  if (version->node == f->reader)
    return STANDS_BESIDE;
  const bool there = graph_installs (g, version->install);
  const bool before =
    there && row_last (g, row, version->track) >= (int32_t) graph_point (g, version->node, g->ir->rules.rw.to);
  if (before)
    VEC_PUSH (s->maximal, version->install);
  else if (must_follow_reader (f, version->node))
    return there ? STANDS_BEHIND : STANDS_BESIDE;
  if (ir_accepts (g->ir, f->read, g->ir->install_value[version->install]))
    VEC_PUSH (s->found, version->install);
  return before ? STANDS_BEFORE : STANDS_BESIDE;
}

// Backwards from the reader's place to the prefix of a version that precedes it: what is older was
// overwritten by that one. Forwards to what follows a version that must follow the reader. In
// between are those that are concurrent, and these are few.
static void scan_versions (struct filter *f, const struct version *list, uint32_t count) {
  const struct graph *g = f->s->graph;
  const struct row *row = graph_before (g, graph_point (g, f->reader, g->ir->rules.rw.from));
  const uint32_t place = place_of_reader (f, list, count);
  uint32_t first = 0, end = count;
  f->s->maximal.count = f->s->found.count = 0;
  for (uint32_t i = place; i-- > first;) {
    const enum standing standing = look_at_version (f, &list[i], row);
    if (standing == STANDS_BEFORE && version_prefix (list, i) > first)
      first = version_prefix (list, i);
    if (standing == STANDS_BEHIND && version_suffix (list, i, count) < end)
      end = version_suffix (list, i, count);
  }
  for (uint32_t i = place; i < end; i++) {
    const enum standing standing = look_at_version (f, &list[i], row);
    if (standing == STANDS_BEHIND && version_suffix (list, i, count) < end)
      end = version_suffix (list, i, count);
  }
}

static bool contains (const uint32_t *list, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == wanted)
      return true;
  return false;
}

// Of the candidates so far, those that this look found as well; what an earlier look has ruled out
// stays out.
static void keep_found (struct saturation *s, struct open_read *open) {
  uint32_t *list = s->candidates.data + open->first, kept = 0;
  for (uint32_t i = 0; i < open->count; i++)
    if (contains (s->found.data, s->found.count, list[i]))
      list[kept++] = list[i];
  open->count = kept;
}

// False: the list does not hold all versions, or versions that precede the reader need not have
// been seen.
static bool look_along_versions (struct filter *f, struct open_read *open) {
  struct saturation *s = f->s;
  const struct graph *g = s->graph;
  const struct rules *rules = &g->ir->rules;
  uint32_t count;
  const bool seen = graph_anti (g, f->read) != ANTI_NONE && rules->view == VIEW_PATHS && !rules->events;
  const struct version *list =
    seen && g->position[f->reader_point] != POINT_NONE ? versions_of_key (s, f->key, &count) : NULL;
  if (!list)
    return false;
  scan_versions (f, list, count);
  const uint32_t choice = g->ir->read_source[f->read] & ~SOURCE_MANY;
  size_t kept = 0;
  for (size_t i = 0; i < s->found.count; i++)
    if (!is_overwritten_by (g, s->found.data[i], s->maximal.data, s->maximal.count))
      s->found.data[kept++] = s->found.data[i];
  s->found.count = kept;
  if (g->ir->choices[choice].initial && initial_possible (f, s->maximal.count != 0))
    VEC_PUSH (s->found, SOURCE_INITIAL);
  if (!open->listed) { // later looks find fewer, and use the same place
    open->first = (uint32_t) s->candidates.count;
    open->listed = true;
    for (size_t i = 0; i < s->found.count; i++)
      VEC_PUSH (s->candidates, s->found.data[i]);
    open->count = (uint32_t) s->found.count;
  } else
    keep_found (s, open);
  return true;
}

static void look_at (struct saturation *s, struct open_read *open) {
  const struct graph *g = s->graph;
  struct filter f = { .s = s, .read = open->read, .reader = graph_reader (g, open->read) };
  f.key = g->ir->read_key[open->read];
  f.reader_point = graph_point (g, f.reader, g->ir->rules.wr.to);
  if (look_along_versions (&f, open))
    return;
  bool any_before;
  uint32_t *lasts = lasts_before_reader (&f, &any_before);
  if (open->listed)
    filter_candidates (&f, open, lasts, any_before);
  else
    list_candidates (&f, open, lasts, any_before);
  mem_free (lasts);
}

// A delete turned out to have written: whoever has it in view may have been looked at already.
static void look_again_at_everything (struct saturation *s) {
  const struct graph *g = s->graph;
  s->look_again = false;
  views_forget (s);
  for (uint32_t node = 1; node < g->ir->nodes; node++)
    if (g->active[node]) {
      const uint32_t point = graph_point (g, node, g->ir->rules.rw.from);
      s->dirty[point] |= ROW_GREW;
      s->grown[point] = UINT64_MAX;
    }
}

// What candidates may take beyond what is small is linear in the reads.
static bool is_too_crowded (struct saturation *s, const struct open_read *open) {
  s->crowded = s->crowded || s->candidates.count > (1u << 22) + 64 * (uint64_t) s->graph->ir->reads;
  return s->crowded && !open->listed;
}

static enum saturate_outcome look_at_open (struct saturation *s) {
  const struct graph *g = s->graph;
  size_t kept = 0;
  enum saturate_outcome outcome = SATURATE_SETTLED;
  for (size_t i = 0; i < s->open.count; i++) {
    struct open_read open = s->open.data[i];
    const bool in = g->active[graph_reader (g, open.read)];
    const uint32_t presence = ir_read_presence (g->ir, open.read);
    if (graph_presence (g, presence) == PRESENCE_FAILS) // there was no such read
      continue;
    if (outcome == SATURATE_SETTLED && budget_spent (s->budget))
      outcome = SATURATE_STOPPED;
    if (is_too_crowded (s, &open)) {
      s->open.data[kept++] = open;
      continue;
    }
    if (outcome == SATURATE_SETTLED)
      look_at (s, &open);
    const bool surely = in && graph_presence (g, presence) == PRESENCE_HOLDS;
    if (outcome == SATURATE_SETTLED && surely && open.count == 0) {
      s->lost_read = open.read;
      outcome = SATURATE_NO_SOURCE;
    }
    if (outcome == SATURATE_SETTLED && in && !surely && open.count == 0)
      settle_presence (s, presence ^ 1);
    else if (outcome == SATURATE_SETTLED && surely && open.count == 1)
      make_known (s, open.read, s->candidates.data[open.first]);
    else
      s->open.data[kept++] = open;
  }
  s->open.count = kept;
  if (s->look_again)
    look_again_at_everything (s);
  if (outcome == SATURATE_SETTLED && s->lost_read != UINT32_MAX)
    outcome = SATURATE_NO_SOURCE;
  return outcome;
}

enum saturate_outcome saturation_settle_open (struct saturation *s) {
  enum saturate_outcome outcome = look_at_open (s);
  while (outcome == SATURATE_SETTLED && saturation_agree (s))
    outcome = look_at_open (s);
  return outcome;
}
