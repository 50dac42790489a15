// Anti-dependencies that no path may lead back from (ANTI_FORBID): if r read a version of x, and p
// installed a later one, no path leads from p to r. Paths run over session order, given edges, real
// time, reads, the version order unless the level hides it, and anti-dependencies that are edges.
// All of these run forward in the order of positions, hence only a p that stands before r is in
// doubt. Which p to look at:
//
//  - the version order is visible: the next version only. It reaches all later ones, so if any
//    reaches r, the next one does. If the next one is r's own, all others stand behind r.
//  - it is hidden: every later version that stands before r.
//
// What r has seen is known in one of two ways.
//
//  - Search: backward from r, no further than to the first p in doubt. Cheap as long as a p in
//    doubt is not far away.
//  - Clocks: per transaction a row that says, per chain, the last node of the chain that leads
//    there. Rows are filled in the order of positions, from the first p in doubt to the last r.
//    What ended before a begin is a row as well: these rows include one another, so each adds a few
//    transactions to the one before it, and is filled when somebody asks for it; by then all its
//    transactions have been passed. If memory does not suffice for all chains, a part of them has
//    its turn after the other.
//
// Searches come first; when they have come through as many transactions as clocks would, clocks
// take over, unless there are too many chains.
//
// A transaction takes in what leads to it piece by piece. At levels with events this happens in
// program order, and a read is checked when what came in by its operation or before has been taken
// in, and no more; at others everything is taken in first.

#include "ir/witness_inside.h"

#include "base/group.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>

enum { MOST_TURNS = 8 }; // of clocks for parts of the chains

struct event {
  uint32_t op; // sorted by
  uint32_t install;
};

struct paths {
  struct check *c;
  uint32_t low, high; // positions of the first later version in doubt, and of the last reader

  // Readers of a version whose anti-dependencies are edges; NULL if there are none. Entry installs
  // + key stands for T0's version of the key.
  uint32_t *reader_first;
  uint32_t *reader_node;

  // Chains: consecutive nodes, each with an edge to the next.
  uint32_t *chain; // per node
  uint32_t *chain_first;
  uint32_t chains;

  // Clocks of the chains turn .. turn + width - 1: the last node that leads here, 0 for none. NULL
  // when searching.
  uint32_t *rows; // by position
  uint32_t *slot_rows;
  uint32_t *row; // of the transaction at hand
  uint32_t turn, width;
  uint32_t *slot; // per node: what ended before it began; 0: nothing
  uint32_t *slot_end;
  uint32_t slots, slots_filled;

  // Search.
  uint32_t *mark; // per node: the search that came here
  uint32_t searches;
  uint64_t patience;    // transactions that may still be come through
  uint32_t ended_taken; // entries of check.ended that were looked at
  VEC (uint32_t) queue; // came here, not taken in yet
  VEC (struct event) events;
};

// ---------------------------------------------------------------------------------------- in doubt

static uint32_t position_of (const struct paths *p, uint32_t node) {
  return p->c->w->position[node]; // one point each
}

// Is the next version after the one read before the reader?
static bool read_in_doubt (const struct paths *p, uint32_t node, uint32_t read) {
  const uint32_t next = p->c->read_next[read];
  return p->c->anti[read] == ANTI_FORBID && next && position_of (p, next) < position_of (p, node);
}

// Leaves ANTI_FORBID only to reads that are in doubt. Where the first position is that matters to
// the node's, or UINT32_MAX.
static uint32_t sort_out_reads (const struct paths *p, uint32_t node) {
  const struct check *c = p->c;
  uint32_t low = UINT32_MAX;
  for (uint32_t read = c->ir->node_first_read[node]; read < c->ir->node_first_read[node + 1]; read++)
    if (read_in_doubt (p, node, read)) {
      const uint32_t position = position_of (p, c->read_next[read]);
      low = position < low ? position : low;
    } else if (c->anti[read] == ANTI_FORBID)
      c->anti[read] = ANTI_NONE;
  return low;
}

static bool anything_in_doubt (struct paths *p) {
  p->low = UINT32_MAX;
  p->high = 0;
  for (uint32_t node = 1; node < p->c->ir->nodes; node++) {
    const uint32_t low = p->c->w->in[node] ? sort_out_reads (p, node) : UINT32_MAX;
    if (low == UINT32_MAX)
      continue;
    p->low = low < p->low ? low : p->low;
    p->high = position_of (p, node) > p->high ? position_of (p, node) : p->high;
  }
  return p->low != UINT32_MAX;
}

// ------------------------------------------------------------------------------------------- edges

// The certain transaction before it in its session; 0: none, or the rules have no session order.
static uint32_t session_before (const struct ir *ir, uint32_t node) {
  const uint32_t before = ir->rules.so.used ? ir_session_before (ir, node) : NODE_NONE;
  return before == NODE_NONE ? 0 : before;
}

static uint32_t version_read (const struct check *c, uint32_t read) {
  const uint32_t source = c->read_source[read];
  return source == SOURCE_INITIAL ? c->ir->installs + c->ir->read_key[read] : source;
}

static bool is_edge (const struct check *c, uint32_t node, uint32_t read) {
  return c->w->in[node] && c->anti[read] == ANTI_EDGE;
}

static void list_readers (struct paths *p) {
  const struct check *c = p->c;
  const struct ir *ir = c->ir;
  struct grouping by_version = { .groups = (size_t) ir->installs + ir->keys };
  while (grouping_pass (&by_version))
    for (uint32_t node = 1; node < ir->nodes; node++)
      for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
        if (is_edge (c, node, read))
          group_put (&by_version, version_read (c, read), node);
  if (by_version.first[by_version.groups]) {
    p->reader_first = by_version.first;
    p->reader_node = by_version.items;
  } else { // nobody looks for readers then
    mem_free (by_version.first);
    mem_free (by_version.items);
  }
}

// ------------------------------------------------------------------------------------------ chains

static bool leads_to_next (const struct paths *p, uint32_t node) {
  const struct check *c = p->c;
  const struct ir *ir = c->ir;
  if (!node || ir->node_chain[node] != ir->node_chain[node + 1] || !c->w->in[node] || !c->w->in[node + 1])
    return false;
  if (session_before (ir, node + 1) == node)
    return true;
  for (uint32_t read = ir->node_first_read[node + 1]; read < ir->node_first_read[node + 2]; read++)
    if (c->read_from[read] == node)
      return true;
  return false;
}

// The chains of the IR, cut wherever its rules and these sources have no edge from a node to the
// next.
static void cut_chains (struct paths *p) {
  const struct ir *ir = p->c->ir;
  p->chain = MEM_ARRAY (uint32_t, ir->nodes);
  p->chain_first = MEM_ARRAY (uint32_t, ir->nodes);
  for (uint32_t node = 0; node < ir->nodes; node++) {
    if (!node || !leads_to_next (p, node - 1))
      p->chain_first[p->chains++] = node;
    p->chain[node] = p->chains - 1;
  }
}

// What ended before a begin, as far as it differs from one begin to another.
static void number_slots (struct paths *p) {
  const struct check *c = p->c;
  p->slot = MEM_ZARRAY (uint32_t, c->ir->nodes);
  // first: 1 where a slot ends, then its number
  p->slot_end = MEM_ZARRAY (uint32_t, (size_t) c->ended_count + 1);
  for (uint32_t node = 1; node < c->ir->nodes; node++)
    p->slot_end[c->ended_before[node]] = 1;
  p->slot_end[0] = 0;
  for (uint32_t before = 1; before <= c->ended_count; before++)
    p->slot_end[before] = p->slot_end[before] ? ++p->slots : 0;
  for (uint32_t node = 1; node < c->ir->nodes; node++)
    p->slot[node] = p->slot_end[c->ended_before[node]];
  for (uint32_t before = 1; before <= c->ended_count; before++) // its number is not above its place
    if (p->slot_end[before])
      p->slot_end[p->slot_end[before]] = before;
}

static uint32_t *slot_row (const struct paths *p, uint32_t slot) {
  return p->slot_rows + (size_t) slot * p->width;
}

// --------------------------------------------------------------------------------------- taking in

static void merge (uint32_t *restrict row, const uint32_t *restrict other, uint32_t width) {
  for (uint32_t i = 0; i < width; i++)
    row[i] = row[i] > other[i] ? row[i] : other[i];
}

// Has p been taken in, with everything that leads to it?
static bool has_taken (const struct paths *p, uint32_t node) {
  if (!p->rows)
    return p->mark[node] == p->searches;
  const uint32_t chain = p->chain[node] - p->turn; // huge if it is before
  return chain < p->width && p->row[chain] >= node;
}

static void take (struct paths *p, uint32_t node) {
  if (!node || position_of (p, node) < p->low || has_taken (p, node))
    return;
  if (p->rows) {
    merge (p->row, p->rows + (size_t) (position_of (p, node) - p->low) * p->width, p->width);
    return;
  }
  p->mark[node] = p->searches;
  VEC_PUSH (p->queue, node);
}

// Session order, and edges given from outside.
static void take_session (struct paths *p, uint32_t node) {
  const struct check *c = p->c;
  take (p, session_before (c->ir, node));
  if (c->edge_first)
    for (uint32_t i = c->edge_first[node]; i < c->edge_first[node + 1]; i++)
      take (p, c->edge_from[i]);
}

// Each slot holds the one before it.
static void fill_slots (struct paths *p, uint32_t wanted) {
  for (; p->slots_filled < wanted; p->slots_filled++) {
    uint32_t *outer = p->row;
    p->row = slot_row (p, p->slots_filled + 1);
    memcpy (p->row, slot_row (p, p->slots_filled), p->width * sizeof *p->row);
    for (uint32_t i = p->slot_end[p->slots_filled]; i < p->slot_end[p->slots_filled + 1]; i++)
      take (p, p->c->ended[i].node);
    p->row = outer;
  }
}

// Whatever ended before this one began; when searching, as far as nobody in this search asked
// before.
static void take_ended (struct paths *p, uint32_t node) {
  const struct check *c = p->c;
  if (!c->ir->rules.rt.used)
    return;
  if (p->rows) {
    fill_slots (p, p->slot[node]);
    merge (p->row, slot_row (p, p->slot[node]), p->width);
    return;
  }
  const uint32_t before = c->ended_before[node];
  for (uint32_t i = before; i > p->ended_taken && c->ended_most[i - 1] >= p->low; i--)
    take (p, c->ended[i - 1].node);
  p->ended_taken = before > p->ended_taken ? before : p->ended_taken;
}

// Those whose anti-dependencies end at the node because they read this version.
static void take_readers (struct paths *p, uint32_t node, uint32_t version) {
  for (uint32_t i = p->reader_first[version]; i < p->reader_first[version + 1]; i++)
    if (p->reader_node[i] != node)
      take (p, p->reader_node[i]);
}

// What leads to a write: the version before it and its readers; if versions do not lead to one
// another, the readers of all versions before it.
static void take_overwritten (struct paths *p, uint32_t node, uint32_t install) {
  const struct check *c = p->c;
  const struct version *version = &c->version[install];
  const uint32_t first = c->ir->key_first[version->key];
  if (!has_install (c, install))
    return;
  const bool hidden = c->ir->rules.ww_hidden;
  if (!hidden)
    take (p, version->before);
  if (!p->reader_first)
    return;
  for (uint32_t v = version->rank; v > first; v--) {
    take_readers (p, node, c->versions[v - 1]);
    if (!hidden)
      return;
  }
  take_readers (p, node, c->ir->installs + version->key);
}

static void take_all (struct paths *p, uint32_t node) {
  const struct ir *ir = p->c->ir;
  take_session (p, node);
  take_ended (p, node);
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    take (p, p->c->read_from[read]);
  for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++)
    take_overwritten (p, node, ir->node_installs[k]);
}

// When searching: whatever leads to what was taken in. False: no budget left, or no patience.
static bool follow (struct paths *p) {
  while (p->queue.count) {
    if (!p->patience--)
      return false;
    take_all (p, p->queue.data[--p->queue.count]);
    if (witness_spent (p->c))
      return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------ checks

// Where, from `first` on, those versions of a key begin that stand at `position` or behind it.
static uint32_t versions_before (const struct paths *p, uint32_t first, uint32_t end, uint32_t position) {
  LOWER_BOUND (first, end, middle, position_of (p, version_node (p->c, middle)) < position);
  return first;
}

// The last installer of the key in a chain, not behind `bound`; 0 if there is none.
static uint32_t last_installer (const struct paths *p, uint32_t key, uint32_t chain, uint32_t bound) {
  const struct ir *ir = p->c->ir;
  const uint32_t first = ir->key_first[key];
  uint32_t behind = upper_bound_u32 (ir->install_node, first, ir->key_first[key + 1], bound);
  while (behind > first && ir->install_node[behind - 1] >= p->chain_first[chain])
    if (has_install (p->c, --behind))
      return ir->install_node[behind];
  return 0;
}

// Positions grow along a chain, so that the last installer in a chain that was taken in is the
// latest one.
static bool any_chain_has_later (const struct paths *p, uint32_t read) {
  const struct check *c = p->c;
  const int64_t source = place (c, c->read_from[read], 0);
  for (uint32_t i = 0; i < p->width; i++) {
    const uint32_t bound = p->row[i], found = bound ? last_installer (p, c->ir->read_key[read], p->turn + i, bound) : 0;
    if (found && place (c, found, 0) > source)
      return true;
  }
  return false;
}

static bool misses_something (const struct paths *p, uint32_t node, uint32_t read) {
  const struct check *c = p->c;
  if (!c->ir->rules.ww_hidden)
    return has_taken (p, c->read_next[read]);
  const uint32_t first = later_versions (c, read),
                 end = versions_before (p, first, c->key_end[c->ir->read_key[read]], position_of (p, node));
  if (p->rows && (end - first) / 4 > p->width)
    return any_chain_has_later (p, read);
  for (uint32_t v = first; v < end; v++)
    if (has_taken (p, version_node (c, v)))
      return true;
  return false;
}

static bool reads_hold (struct paths *p, uint32_t node, uint32_t first, uint32_t end) {
  if (!follow (p))
    return false;
  for (uint32_t read = first; read < end; read++)
    if (p->c->anti[read] == ANTI_FORBID && misses_something (p, node, read))
      return witness_wrong (p->c, "a read misses a later version that leads to it");
  return true;
}

// The node's installs by the operations that wrote them last.
static void order_events (struct paths *p, uint32_t node) {
  const struct ir *ir = p->c->ir;
  p->events.count = 0;
  for (uint32_t k = ir->node_first_install[node]; k < ir->node_first_install[node + 1]; k++) {
    const uint32_t install = ir->node_installs[k];
    VEC_PUSH (p->events, (struct event){ ir->install_last_op[install], install });
  }
  VEC_SORT (p->events, by_u32);
}

// Session order and real time lead to the first event, a read's source to the read, what is
// overwritten to the last write.
static bool take_events (struct paths *p, uint32_t node) {
  const struct ir *ir = p->c->ir;
  const uint32_t end = ir->node_first_read[node + 1];
  size_t write = 0;
  order_events (p, node);
  take_session (p, node);
  take_ended (p, node);
  for (uint32_t read = ir->node_first_read[node]; read < end;) {
    const uint32_t first = read, op = ir->read_op[read];
    for (; write < p->events.count && p->events.data[write].op < op; write++)
      take_overwritten (p, node, p->events.data[write].install);
    for (; read < end && ir->read_op[read] == op; read++)
      take (p, p->c->read_from[read]);
    if (!reads_hold (p, node, first, read))
      return false;
  }
  for (; write < p->events.count; write++)
    take_overwritten (p, node, p->events.data[write].install);
  return true;
}

static bool node_holds (struct paths *p, uint32_t node) {
  const struct ir *ir = p->c->ir;
  if (ir->rules.events)
    return take_events (p, node);
  take_all (p, node);
  return reads_hold (p, node, ir->node_first_read[node], ir->node_first_read[node + 1]);
}

// ---------------------------------------------------------------------------------------- two ways

static bool clocks_of_a_turn (struct paths *p) {
  struct check *c = p->c;
  const size_t rows = (size_t) (p->high - p->low) + 1;
  p->rows = MEM_ZARRAY (uint32_t, rows * p->width);
  p->slot_rows = MEM_ZARRAY (uint32_t, ((size_t) p->slots + 1) * p->width);
  p->slots_filled = 0;
  bool fine = true;
  for (uint32_t position = p->low; fine && position <= p->high; position++) {
    const uint32_t node = c->at[position];
    if (node == UINT32_MAX)
      continue;
    p->row = p->rows + (size_t) (position - p->low) * p->width;
    fine = node_holds (p, node) && !witness_spent (c);
    if (p->chain[node] - p->turn < p->width)
      p->row[p->chain[node] - p->turn] = node;
  }
  mem_free (p->rows);
  mem_free (p->slot_rows);
  p->rows = p->slot_rows = NULL;
  return fine;
}

static bool by_clocks (struct paths *p, uint32_t width) {
  for (p->turn = 0; p->turn < p->chains; p->turn += width) {
    p->width = width < p->chains - p->turn ? width : p->chains - p->turn;
    if (!clocks_of_a_turn (p))
      return false;
  }
  return true;
}

// False with neither a reason nor a stop: no patience left.
static bool by_search (struct paths *p) {
  struct check *c = p->c;
  const uint32_t low = p->low;
  bool fine = true;
  p->mark = MEM_ZARRAY (uint32_t, c->ir->nodes);
  for (uint32_t node = 1; fine && node < c->ir->nodes; node++) {
    p->low = c->w->in[node] ? sort_out_reads (p, node) : UINT32_MAX;
    if (p->low == UINT32_MAX)
      continue;
    p->searches++;
    p->ended_taken = 0;
    p->queue.count = 0; // what came in after the last read of another search
    fine = node_holds (p, node);
  }
  p->low = low;
  p->queue.count = 0;
  return fine;
}

// How many chains fit into the memory for clocks; 0: too few for all to have their turn.
static uint32_t clock_width (struct paths *p) {
  if (p->c->ir->rules.rt.used)
    number_slots (p);
  const size_t rows = (size_t) (p->high - p->low) + 2 + p->slots;
  const size_t width = p->c->limits.clock_bytes / sizeof (uint32_t) / rows;
  return width * MOST_TURNS < p->chains ? 0 : width < p->chains ? (uint32_t) width : p->chains;
}

static bool paths_hold (struct paths *p) {
  struct check *c = p->c;
  list_readers (p);
  cut_chains (p);
  const uint32_t width = clock_width (p);
  p->patience = width ? c->limits.patience : UINT64_MAX;
  if (p->patience && (by_search (p) || c->why))
    return !c->why;
  return by_clocks (p, width);
}

bool ir_witness_paths (struct check *c) {
  struct paths p = { .c = c };
  if (c->ir->rules.points != 1 || !anything_in_doubt (&p))
    return true;
  const bool fine = paths_hold (&p);
  mem_free (p.reader_first);
  mem_free (p.reader_node);
  mem_free (p.chain);
  mem_free (p.chain_first);
  mem_free (p.slot);
  mem_free (p.slot_end);
  mem_free (p.mark);
  VEC_FREE (p.queue);
  VEC_FREE (p.events);
  return fine;
}
