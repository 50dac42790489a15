#include "saturate/graph.h"

#include "base/error.h"
#include "base/group.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

static void number_points (struct graph *g) {
  const struct ir *ir = g->ir;
  const bool timed = g->ir->slots > 0;
  g->shift = g->ir->rules.points - 1;
  g->first_slot = ir->nodes << g->shift;
  g->points = g->first_slot + g->ir->slots;
  g->chains = ir->chains + timed;
  g->chain_first_point = MEM_ARRAY (uint32_t, (size_t) g->chains + 1);
  for (uint32_t c = 0; c < ir->chains; c++)
    g->chain_first_point[c] = ir->chain_first[c] << g->shift;
  if (timed)
    g->chain_first_point[ir->chains] = g->first_slot;
  g->chain_first_point[g->chains] = g->points;
}

// Where neither version orders nor open reads ask who precedes whom, a few columns will do: the
// order is all that is wanted.
static bool rows_matter (const struct graph *g) {
  const struct rules *rules = &g->ir->rules;
  return rules->rw.used || rules->ww.from != rules->ww.to || (rules->wr.used && g->ir->choice_count);
}

static struct row_shape shape_of (const struct graph *g) {
  return (struct row_shape){ .points = g->points,
                             .chains = g->chains,
                             .chain_first_point = g->chain_first_point,
                             .initial = 1u << g->shift,
                             .has_slots = g->ir->slots > 0 };
}

// Clocks, or bit sets where these are smaller; clocks of as many chains as fit where both are too
// large.
static void choose_rows (struct graph *g, enum rows_kind asked) {
  enum { SMALL = 32 << 20, FEW = 4 };
  const struct row_shape shape = shape_of (g);
  const uint64_t clocks = (uint64_t) g->points * row_table_clock_stride (&shape, UINT32_MAX);
  const uint64_t bits = (uint64_t) g->points * row_table_bit_stride (&shape), most = mem_half_of_machine ();
  uint32_t columns = FEW;
  g->kind = asked;
  if (asked == ROWS_AUTO && !rows_matter (g) && clocks > SMALL)
    g->kind = ROWS_PARTIAL;
  else if (asked == ROWS_AUTO && clocks > most && bits > most) {
    g->kind = ROWS_PARTIAL;
    columns = (uint32_t) (most / g->points);
  } else if (asked == ROWS_AUTO)
    g->kind = clocks <= SMALL || clocks <= bits ? ROWS_CLOCKS : ROWS_BITS;
  g->tracks = g->kind == ROWS_BITS ? g->ir->nodes + g->ir->slots : g->chains;
  g->rows = row_table_new (&shape, g->kind, columns);
}

// How many reads ahead columns are asked for that are hit at random.
enum { AHEAD = 16 };

static void find_sources_of (struct graph *g, uint32_t first, uint32_t end) {
  const struct ir *ir = g->ir;
  for (uint32_t read = first; read < end; read++) {
    const uint32_t source = ir->read_source[read];
    if (read + AHEAD < ir->reads && ir->read_source[read + AHEAD] < SOURCE_MANY)
      __builtin_prefetch (&ir->install_node[ir->read_source[read + AHEAD]]);
    const bool known = ir->rules.wr.used && (source < SOURCE_MANY || source == SOURCE_INITIAL);
    g->read_writer[read] = known ? ir_writer_of (ir, source) : NODE_NONE;
  }
}

// Columns of many entries are filled by parts, as long as threads cost less than that.
struct filling {
  struct graph *g;
  uint32_t parts;
};

static struct filling filling (struct graph *g) {
  enum { FEW = 1 << 16 };
  const unsigned threads = g->ir->reads < FEW || !g->ir->threads ? 1 : g->ir->threads;
  return (struct filling){ g, threads };
}

static void find_part_of_sources (void *context, uint32_t part) {
  const struct filling *f = context;
  const uint32_t reads = f->g->ir->reads;
  find_sources_of (f->g, parallel_first (reads, f->parts, part), parallel_first (reads, f->parts, part + 1));
}

static void find_known_sources (struct graph *g) {
  struct filling f = filling (g);
  g->read_writer = MEM_ARRAY (uint32_t, g->ir->reads);
  parallel_run (f.parts, f.parts, find_part_of_sources, &f);
}

// One block more than there are, and the last group for it.
static uint32_t *find_groups_of_blocks (const uint32_t *first, uint32_t groups, uint32_t block_size) {
  const uint32_t blocks = groups ? (first[groups] + block_size - 1) / block_size : 0;
  uint32_t *group_of = MEM_ARRAY (uint32_t, (size_t) blocks + 1), group = 0;
  for (uint32_t block = 0; block < blocks; block++) {
    while (first[group + 1] <= block * block_size)
      group++;
    group_of[block] = group;
  }
  group_of[blocks] = groups ? groups - 1 : 0;
  return group_of;
}

static bool surely_installs (const struct ir *ir, uint32_t key, uint32_t node) {
  const uint32_t install = ir_install_of (ir, key, node);
  return install != INSTALL_NONE && !ir_is_delete (ir, install);
}

// A transaction that reads a key and installs it: whatever follows the version that it read must
// follow its own one too, else it would lead back to the reader. That makes the anti-dependency as
// good as an edge, where version orders are part of what a reader sees.
static void mark_updates (struct graph *g) {
  const struct ir *ir = g->ir;
  for (uint32_t node = 1; node < ir->nodes; node++) {
    if (ir->node_first_install[node] == ir->node_first_install[node + 1])
      continue;
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
      if (ir_read_presence (ir, read) == ALWAYS && g->read_anti[read] == ANTI_FORBID
          && surely_installs (ir, ir->read_key[read], node))
        g->read_anti[read] = ANTI_EDGE;
  }
}

static void mark_reads (struct graph *g) {
  const struct ir *ir = g->ir;
  const bool updates = ir->rules.anti == ANTI_FORBID && !ir->rules.ww_hidden && !ir->rules.events;
  g->has_forbidding = ir->rules.anti == ANTI_FORBID;
  if (!ir->read_anti && !updates)
    return;
  g->read_anti = MEM_ARRAY (uint8_t, ir->reads);
  if (ir->reads && ir->read_anti)
    memcpy (g->read_anti, ir->read_anti, ir->reads);
  else
    memset (g->read_anti, ir->rules.anti, ir->reads);
  if (updates)
    mark_updates (g);
  g->has_forbidding = false;
  for (uint32_t read = 0; read < ir->reads; read++)
    g->has_forbidding |= g->read_anti[read] == ANTI_FORBID;
}

// What may not be there is in no list of writers, and what depends on it is not known.
static void mark_presences (struct graph *g) {
  const struct ir *ir = g->ir;
  g->presence = MEM_ZARRAY (uint8_t, ir->presence_count);
  g->presence[0] = PRESENCE_HOLDS;
  g->active = MEM_ARRAY (uint8_t, ir->nodes);
  for (uint32_t node = 0; node < ir->nodes; node++)
    g->active[node] = ir_node_presence (ir, node) == ALWAYS;
  if (!ir->install_presence)
    return;
  g->install_missing = MEM_ARRAY (uint8_t, ir->installs);
  for (uint32_t i = 0; i < ir->installs; i++)
    g->install_missing[i] = ir->install_presence[i] != ALWAYS;
  g->read_when = MEM_COPY (ir->read_when, ir->reads);
}

static void index_installs (struct graph *g) {
  const struct ir *ir = g->ir;
  g->block_key = find_groups_of_blocks (ir->key_first, ir->keys, INSTALLS_PER_BLOCK);
  VEC (uint32_t) tracks = VEC_EMPTY;
  VEC (uint32_t) firsts = VEC_EMPTY;
  g->key_first_segment = MEM_ARRAY (uint32_t, (size_t) ir->keys + 1);
  for (uint32_t key = 0; key < ir->keys; key++) {
    g->key_first_segment[key] = (uint32_t) tracks.count;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++) {
      const uint32_t track = graph_track (g, graph_point (g, ir->install_node[i], 0));
      const bool unrecorded = ir_is_delete (ir, i);
      if (track != last || unrecorded) {
        last = unrecorded ? UINT32_MAX : track;
        VEC_PUSH (tracks, track);
        VEC_PUSH (firsts, i);
      }
    }
  }
  g->key_first_segment[ir->keys] = (uint32_t) tracks.count;
  VEC_PUSH (firsts, ir->installs);
  g->segment_track = tracks.data;
  g->segment_install = firsts.data;
}

static void index_readers (struct graph *g) {
  const struct ir *ir = g->ir;
  struct grouping by_version = { .groups = (size_t) ir->installs + ir->keys };
  while (grouping_pass (&by_version))
    for (uint32_t node = 1; node < ir->nodes; node++) {
      if (!g->active[node])
        continue;
      for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
        if (read + AHEAD < ir->reads && ir->read_source[read + AHEAD] < SOURCE_MANY)
          __builtin_prefetch (&by_version.first[ir->read_source[read + AHEAD] + 1]);
        if (g->read_writer[read] != NODE_NONE)
          group_put (&by_version, graph_reader_list (g, ir->read_key[read], ir->read_source[read]), read);
      }
    }
  g->reader_first = by_version.first;
  g->readers = by_version.items;
}

static void index_slots (struct graph *g) {
  const struct ir *ir = g->ir;
  if (!ir->slots)
    return;
  struct grouping by_slot = { .groups = ir->slots };
  while (grouping_pass (&by_slot))
    for (uint32_t node = 0; node < g->ir->nodes; node++)
      if (ir->time_after[node] != SLOT_NONE)
        group_put (&by_slot, ir->time_after[node], node);
  g->slot_feeders_first = by_slot.first;
  g->slot_feeders = by_slot.items;
}

void graph_empty_row (const struct graph *g, struct row *row, uint32_t point) {
  const struct row_shape shape = shape_of (g);
  row_table_clear (g->rows, &shape, row, point);
}

uint32_t graph_track_first (const struct graph *g, uint32_t track) {
  return track < g->ir->nodes ? track << g->shift : track - g->ir->nodes + g->first_slot;
}

int32_t graph_bits_last (const struct graph *g, const struct row *row, uint32_t track) {
  const uint32_t first = graph_track_first (g, track);
  if (g->shift && track < g->ir->nodes && row_bit (row, first + 1))
    return (int32_t) first + 1;
  return row_bit (row, first) ? (int32_t) first : -1;
}

// What an earlier saturation has derived; those at transactions that may not be there follow again
// when these turn out to be.
static void add_derived (struct graph *g) {
  const struct ir *ir = g->ir;
  for (size_t i = 0; i < ir->derived.count; i++) {
    const struct derived_edge *edge = &ir->derived.data[i];
    const struct edge_points points = derived_points (&ir->rules, edge->kind);
    const enum rule rule = edge->kind == EDGE_SO     ? RULE_SESSION
                           : edge->kind == EDGE_RW   ? RULE_READ_BEFORE
                           : edge->read != READ_NONE ? RULE_WRITE_BEFORE
                                                     : RULE_ORDER;
    if (ir_node_presence (ir, edge->from) == ALWAYS && ir_node_presence (ir, edge->to) == ALWAYS)
      graph_add_extra (g, graph_point (g, edge->from, points.from), graph_point (g, edge->to, points.to), rule,
                       edge->read != READ_NONE ? edge->read : edge->key);
  }
}

static void init_order (struct graph *g) {
  g->extra_head = mem_nones (g->points);
  g->order = MEM_ARRAY (uint32_t, g->points);
  g->position = mem_nones (g->points);
  g->order_broken = true;
}

struct graph *graph_new_for_order (const struct ir *ir) {
  struct graph *g = mem_zalloc (sizeof *g);
  g->ir = ir;
  number_points (g);
  mark_presences (g);
  find_known_sources (g);
  index_slots (g);
  init_order (g);
  return g;
}

// Indexes do not need each other.
static void fill (void *context, uint32_t part) {
  struct graph *g = context;
  if (part == 0)
    index_readers (g);
  else {
    index_installs (g);
    index_slots (g);
    g->block_reader = find_groups_of_blocks (g->ir->node_first_read, g->ir->nodes, READS_PER_BLOCK);
  }
}

struct graph *graph_new (const struct ir *ir, enum rows_kind asked) {
  struct graph *g = mem_zalloc (sizeof *g);
  g->ir = ir;
  number_points (g);
  choose_rows (g, asked);
  mark_presences (g);
  find_known_sources (g);
  mark_reads (g);
  parallel_run (filling (g).parts, 2, fill, g);
  init_order (g);
  for (uint32_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    graph_add_extra (g, graph_point (g, edge.from, g->shift), graph_point (g, edge.to, 0), RULE_GIVEN, i);
  }
  add_derived (g);
  return g;
}

void graph_free (struct graph *g) {
  if (!g)
    return;
  row_table_free (g->rows);
  MEM_FREE_ALL (g->chain_first_point, g->active, g->read_writer, g->block_reader, g->read_anti, g->read_when,
                g->presence, g->install_missing, g->slot_feeders_first, g->slot_feeders, g->extra_head, g->extra.data,
                g->preds.data, g->order, g->position, g->block_key, g->key_first_segment, g->segment_track,
                g->segment_install, g->reader_first, g->readers, g->late_head, g->late.data, g);
}

// ------------------------------------------------------------------------------------------- edges

static bool has_chain_pred (const struct graph *g, uint32_t v) {
  return v > g->chain_first_point[graph_chain (g, v)];
}

static void push_slot_preds (struct graph *g, uint32_t v) {
  const unsigned from = g->ir->rules.rt.from;
  const uint32_t slot = v - g->first_slot;
  for (uint32_t i = g->slot_feeders_first[slot]; i < g->slot_feeders_first[slot + 1]; i++)
    if (g->active[g->slot_feeders[i]])
      VEC_PUSH (g->preds, graph_point (g, g->slot_feeders[i], from));
}

static void push_node_preds (struct graph *g, uint32_t v) {
  const struct rules *rules = &g->ir->rules;
  const uint32_t node = graph_node (g, v);
  const unsigned which = v & ((1u << g->shift) - 1);
  if (rules->wr.used && which == rules->wr.to) {
    const uint32_t end = g->ir->node_first_read[node + 1];
    VEC_RESERVE (g->preds, g->preds.count + (end - g->ir->node_first_read[node]));
    for (uint32_t read = g->ir->node_first_read[node]; read < end; read++) {
      const uint32_t writer = g->read_writer[read];
      // neither T0, which comes before everything anyway, nor NODE_NONE
      if (writer - 1 < NODE_NONE - 1)
        g->preds.data[g->preds.count++] = graph_point (g, writer, rules->wr.from);
    }
  }
  if (g->ir->time_before && which == rules->rt.to && g->ir->time_before[node] != SLOT_NONE)
    VEC_PUSH (g->preds, g->first_slot + g->ir->time_before[node]);
}

static uint32_t preds (struct graph *g, uint32_t v, uint32_t limit, bool in_view) {
  g->preds.count = 0;
  if (has_chain_pred (g, v))
    VEC_PUSH (g->preds, v - 1);
  if (graph_is_slot (g, v))
    push_slot_preds (g, v);
  else
    push_node_preds (g, v);
  for (uint32_t i = g->extra_head[v]; i != UINT32_MAX; i = g->extra.data[i].next)
    if (i < limit && !(in_view && graph_is_hidden (g, g->extra.data[i].rule)))
      VEC_PUSH (g->preds, g->extra.data[i].from);
  return (uint32_t) g->preds.count;
}

uint32_t graph_preds (struct graph *g, uint32_t v) {
  return preds (g, v, UINT32_MAX, false);
}

uint32_t graph_preds_in_view (struct graph *g, uint32_t v, uint32_t limit) {
  return preds (g, v, limit, true);
}

bool graph_merge_row (const struct graph *g, struct row *row, uint32_t from) {
  const bool grown = row_table_merge (g->rows, row, graph_before (g, from));
  return row_table_merge_point (g->rows, row, graph_chain (g, from), from) || grown;
}

uint64_t graph_row_difference (const struct graph *g, const struct row *a, const struct row *b) {
  const uint64_t bits = row_table_difference (g->rows, a, b);
  // of bit sets a track is a point, or two
  return bits && g->kind == ROWS_BITS && g->shift ? UINT64_MAX : bits;
}

// Rows of all but the longest chains cannot tell that an edge is there already, nor do rows tell of
// hidden ones. A second one does no harm, so that a long list is not searched to its end.
static bool has_extra (const struct graph *g, uint32_t from, uint32_t to) {
  unsigned steps = 0;
  for (uint32_t i = g->extra_head[to]; i != UINT32_MAX && steps < 64; i = g->extra.data[i].next, steps++)
    if (g->extra.data[i].from == from)
      return true;
  return false;
}

void graph_link (struct graph *g, uint32_t from, uint32_t to, enum rule rule, uint32_t read) {
  // A point without a place will find one behind `from`.
  if (g->position[to] != POINT_NONE && (g->position[from] == POINT_NONE || g->position[from] >= g->position[to]))
    g->order_broken = true;
  VEC_PUSH (g->extra, (struct extra_edge){ g->extra_head[to], from, read, rule });
  g->extra_head[to] = (uint32_t) (g->extra.count - 1);
}

bool graph_add_extra (struct graph *g, uint32_t from, uint32_t to, enum rule rule, uint32_t read) {
  const bool hidden = graph_is_hidden (g, rule);
  const bool known = graph_reaches (g, from, to) || ((hidden || g->kind == ROWS_PARTIAL) && has_extra (g, from, to));
  // Rows of points that have their place know only of others that have: nobody would look again at
  // what came into view too early.
  const bool too_early = g->position[to] != POINT_NONE && g->position[from] == POINT_NONE;
  const bool grew = !hidden && !too_early && graph_merge_row (g, graph_before (g, to), from);
  if ((known && !grew && rule != RULE_GIVEN) || (too_early && has_extra (g, from, to)))
    return false;
  graph_link (g, from, to, rule, read);
  return true;
}

enum edge_kind rule_kind (enum rule rule) {
  static const enum edge_kind kinds[] = {
    [RULE_GIVEN] = EDGE_GIVEN,    [RULE_SESSION] = EDGE_SO, [RULE_WRITE_BEFORE] = EDGE_WW,
    [RULE_READ_BEFORE] = EDGE_RW, [RULE_ORDER] = EDGE_WW,   [RULE_KNOWN_ORDER] = EDGE_WW,
  };
  return kinds[rule];
}

static struct edge_reason known_reason (enum edge_kind kind, uint32_t key, uint32_t read) {
  return (struct edge_reason){ kind, RULE_GIVEN, UINT32_MAX, key, read };
}

struct edge_reason graph_reason (const struct graph *g, uint32_t from, uint32_t to) {
  const struct ir *ir = g->ir;
  const uint32_t source = graph_node (g, from), target = graph_node (g, to);
  if (graph_is_slot (g, from) || graph_is_slot (g, to))
    return known_reason (EDGE_RT, KEY_NONE, READ_NONE);
  if (source == target || (ir->chains_are_sessions && has_chain_pred (g, to) && from + 1 == to))
    return known_reason (EDGE_SO, KEY_NONE, READ_NONE);
  for (uint32_t read = ir->node_first_read[target]; read < ir->node_first_read[target + 1]; read++)
    if (g->read_writer[read] == source && to == graph_point (g, target, ir->rules.wr.to))
      return known_reason (EDGE_WR, ir->read_key[read], read);
  for (uint32_t i = g->extra_head[to]; i != UINT32_MAX; i = g->extra.data[i].next) {
    const uint32_t about = g->extra.data[i].rule == RULE_GIVEN ? KEY_NONE : g->extra.data[i].read;
    const bool of_read = rule_names_read (g->extra.data[i].rule);
    if (g->extra.data[i].from == from)
      return (struct edge_reason){ rule_kind (g->extra.data[i].rule), g->extra.data[i].rule, i,
                                   of_read ? ir->read_key[about] : about, of_read ? about : READ_NONE };
  }
  return known_reason (EDGE_GIVEN, KEY_NONE, READ_NONE);
}

void graph_check_rows (struct graph *g) {
  struct row_table *claimed = g->rows;
  const struct row_shape shape = shape_of (g);
  g->rows = row_table_new (&shape, g->kind, claimed->tracked);
  for (uint32_t k = 0; k < g->ordered; k++) {
    const uint32_t v = g->order[k], count = graph_preds_in_view (g, v, UINT32_MAX);
    for (uint32_t i = 0; i < count; i++)
      graph_merge_row (g, graph_before (g, v), g->preds.data[i]);
    if (!row_table_agrees (g->rows, claimed, v))
      misuse (__func__, "a row differs from what the edges say");
  }
  row_table_free (g->rows);
  g->rows = claimed;
}
