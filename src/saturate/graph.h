// The known graph, with a row of known predecessors for every point.
//
// A point is a transaction (one point per transaction), or its begin or commit (two points), or a
// time slot; points of one chain are consecutive numbers. Rows are clocks: for each chain the last
// point known to come before, so that `u reaches v` is one comparison, and memory is points x
// chains instead of points x points. Chains are totally ordered, hence what holds for a point of a
// chain holds for everything earlier in it. Of what rows are made says row_table.h.
//
// Edges into a point come from four places: the chain, the sources of known reads, real time, and
// `extra` edges with their reason (those that saturation derives, those that the IR gives).

#ifndef KRAIT_SATURATE_GRAPH_H
#define KRAIT_SATURATE_GRAPH_H

#include "base/search.h"
#include "ir/ir.h"
#include "saturate/row_table.h"

#define POINT_NONE UINT32_MAX

// Why an extra edge holds.
enum rule {
  RULE_GIVEN,        // the IR says so
  RULE_SESSION,      // session order into an unknown transaction that was proved to be in
  RULE_WRITE_BEFORE, // p -> w: p comes before r, and r read the key from w
  RULE_READ_BEFORE,  // r -> p: r read the key from w, and w comes before p
  RULE_ORDER,        // w -> p, both install the key, and the other order would close a cycle
  RULE_KNOWN_ORDER,  // w -> p, both install the key, and a list or a hint gives their order away
};

struct extra_edge {
  uint32_t next; // of the same target; UINT32_MAX ends
  uint32_t from;
  // the read that the rules speak of; the key for RULE_ORDER and RULE_KNOWN_ORDER; the IR's edge
  // for RULE_GIVEN
  uint32_t read;
  enum rule rule;
};

struct late_reader { // a reader whose source became known only during saturation
  uint32_t next, read;
};

struct graph {
  const struct ir *ir;
  unsigned shift;      // points per transaction = 1 << shift
  uint32_t points;     // all, time slots included
  uint32_t first_slot; // the time slots are the last chain
  uint32_t chains;     // time slots included
  enum rows_kind kind;
  uint32_t tracks;             // what rows can be asked for: chains, or transactions and slots
  uint32_t *chain_first_point; // one more entry at the end
  struct row_table *rows;
  uint8_t *active;        // per node: known to be part of the history
  uint32_t *read_writer;  // per read: the node of its known source, or NODE_NONE
  uint32_t *block_reader; // per so many reads (READS_PER_BLOCK): the reader of the first one
  uint8_t *read_anti;     // per read: enum anti; NULL: the same for all, as the rules say
  // per read: the presence under which its anti-dependencies are edges all the same; NULL: none
  uint32_t *read_when;
  bool has_forbidding;      // some anti-dependency is an ANTI_FORBID
  uint8_t *presence;        // per presence of the IR: enum presence_state
  uint8_t *install_missing; // per install: it is not known to be there; NULL: all are

  uint32_t *slot_feeders_first, *slot_feeders; // nodes that end in a slot

  uint32_t *extra_head; // per point
  VEC (struct extra_edge) extra;

  VEC (uint32_t) preds; // scratch of graph_preds

  uint32_t *order;    // points, topologically
  uint32_t *position; // per point; POINT_NONE: not in the graph
  uint32_t ordered;   // points in `order`
  bool order_broken;  // an edge was added that `order` does not respect

  // Per key its installs cut into chains, per install its known readers.
  uint32_t *block_key;         // per so many installs (INSTALLS_PER_BLOCK): the key of the first one
  uint32_t *key_first_segment; // one more entry at the end
  uint32_t *segment_track;
  // first install; the next segment's, or the end of all installs, closes it
  uint32_t *segment_install;
  // Those of a version: graph_readers. Per install, then per key for T0; one more entry at the end.
  uint32_t *reader_first;
  uint32_t *readers;   // reads
  uint32_t *late_head; // NULL until needed
  VEC (struct late_reader) late;
};

// Who made a read, and which key an install is of. Columns would say the same, and be hit at
// random: these are small enough to stay near.
enum { READS_PER_BLOCK = 8, INSTALLS_PER_BLOCK = 8 };

// The group that a place belongs to, from those of the first places of its block and of the next.
static inline uint32_t graph_group_in_block (const uint32_t *first, const uint32_t *block, uint32_t place) {
  enum { FEW = 4 };
  uint32_t group = block[0];
  for (unsigned step = 0; step < FEW; step++, group++)
    if (first[group + 1] > place)
      return group;
  return upper_bound_u32 (first, group, block[1] + 1, place) - 1;
}

static inline uint32_t graph_reader (const struct graph *g, uint32_t read) {
  return graph_group_in_block (g->ir->node_first_read, &g->block_reader[read / READS_PER_BLOCK], read);
}
static inline uint32_t graph_key (const struct graph *g, uint32_t install) {
  return graph_group_in_block (g->ir->key_first, &g->block_key[install / INSTALLS_PER_BLOCK], install);
}

enum presence_state { PRESENCE_OPEN, PRESENCE_HOLDS, PRESENCE_FAILS };

// Nothing is computed yet; all certain transactions are active. Tests ask for a kind of rows;
// everybody else leaves it to size.
struct graph *graph_new (const struct ir *, enum rows_kind);
// For whoever wants an order and no more: there are no rows, no columns of installs and readers,
// and no edges yet but chains, sources and time slots.
struct graph *graph_new_for_order (const struct ir *);
void graph_free (struct graph *);

static inline uint32_t graph_point (const struct graph *g, uint32_t node, unsigned which) {
  return (node << g->shift) + which;
}
static inline uint32_t graph_node (const struct graph *g, uint32_t point) {
  return point >> g->shift;
}
static inline bool graph_is_slot (const struct graph *g, uint32_t point) {
  return point >= g->first_slot;
}
static inline uint32_t graph_chain (const struct graph *g, uint32_t point) {
  return point >= g->first_slot ? g->chains - 1 : g->ir->node_chain[point >> g->shift];
}
static inline struct row *graph_before (const struct graph *g, uint32_t point) {
  return row_table_at (g->rows, point);
}

// What a point is looked up under in rows.
static inline uint32_t graph_track (const struct graph *g, uint32_t point) {
  if (g->kind != ROWS_BITS)
    return graph_chain (g, point);
  return point >= g->first_slot ? point - g->first_slot + g->ir->nodes : point >> g->shift;
}

// its first point; ROWS_BITS only
uint32_t graph_track_first (const struct graph *, uint32_t track);
int32_t graph_bits_last (const struct graph *, const struct row *, uint32_t track);

// The last point of the track that the row knows. None: something below the track's first point.
static inline int32_t row_last (const struct graph *g, const struct row *row, uint32_t track) {
  return g->kind == ROWS_BITS ? graph_bits_last (g, row, track) : row_clock (g->rows, row, track);
}
static inline bool graph_reaches (const struct graph *g, uint32_t u, uint32_t v) {
  const struct row *row = graph_before (g, v);
  if (g->kind == ROWS_BITS)
    return row_bit (row, u);
  const uint32_t chain = graph_chain (g, u);
  return row_clock (g->rows, row, chain) >= (int32_t) u
         || (g->kind == ROWS_PARTIAL && chain == graph_chain (g, v) && u < v);
}

// What an anti-dependency of this read means, as far as that is known.
static inline enum anti graph_anti (const struct graph *g, uint32_t read) {
  return g->read_anti ? (enum anti) g->read_anti[read] : g->ir->rules.anti;
}
// Can it mean anything?
static inline bool graph_anti_matters (const struct graph *g, uint32_t read) {
  return graph_anti (g, read) != ANTI_NONE || (g->read_when && g->read_when[read] != NEVER);
}

// What is known of a presence.
static inline enum presence_state graph_presence (const struct graph *g, uint32_t presence) {
  const enum presence_state state = (enum presence_state) g->presence[presence_entry (presence)];
  return state == PRESENCE_OPEN || presence_wanted (presence) ? state
         : state == PRESENCE_HOLDS                            ? PRESENCE_FAILS
                                                              : PRESENCE_HOLDS;
}

// Is the install known to be there? Not while its transaction, or a delete, may have done nothing.
static inline bool graph_installs (const struct graph *g, uint32_t install) {
  return !g->install_missing || !g->install_missing[install];
}
// Are both versions of a known order there, and what says so?
static inline bool graph_order_holds (const struct graph *g, const struct known_order *order) {
  return graph_installs (g, order->before) && graph_installs (g, order->after) && g->active[order->reader];
}
// An install that may not be there is the last of its segment, and one of a delete the only one.
static inline bool graph_segment_out (const struct graph *g, uint32_t segment) {
  return !graph_installs (g, g->segment_install[segment]);
}

// The reads that are known to have read a version: an install, or SOURCE_INITIAL of the key.
struct graph_readers {
  uint32_t at, end, late;
};
static inline uint32_t graph_reader_list (const struct graph *g, uint32_t key, uint32_t source) {
  return source == SOURCE_INITIAL ? g->ir->installs + key : source;
}
static inline struct graph_readers graph_readers (const struct graph *g, uint32_t key, uint32_t source) {
  const uint32_t list = graph_reader_list (g, key, source);
  return (struct graph_readers){ g->reader_first[list], g->reader_first[list + 1],
                                 g->late_head ? g->late_head[list] : UINT32_MAX };
}
static inline bool graph_next_reader (const struct graph *g, struct graph_readers *r, uint32_t *read) {
  if (r->at < r->end) {
    *read = g->readers[r->at++];
    return true;
  }
  if (r->late == UINT32_MAX)
    return false;
  *read = g->late.data[r->late].read;
  r->late = g->late.data[r->late].next;
  return true;
}

static inline bool rule_names_read (enum rule rule) {
  return rule == RULE_WRITE_BEFORE || rule == RULE_READ_BEFORE;
}
enum edge_kind rule_kind (enum rule);

// An edge that orders transactions without being part of what they see: rows know nothing of it.
static inline bool graph_is_hidden (const struct graph *g, enum rule rule) {
  return g->ir->rules.ww_hidden && (rule == RULE_WRITE_BEFORE || rule == RULE_ORDER || rule == RULE_KNOWN_ORDER);
}

// The points with an edge into `point`, in g->preds; returns how many. A point may stand there more
// than once.
uint32_t graph_preds (struct graph *, uint32_t point);
// The same without hidden edges, and without extra edges from number `limit` on (UINT32_MAX: with
// all): what rows are made of.
uint32_t graph_preds_in_view (struct graph *, uint32_t point, uint32_t limit);

// A topological order of all active points. False if there is a cycle, which `cycle` then holds,
// each point having an edge to the next.
typedef VEC (uint32_t) point_vec;
bool graph_sort (struct graph *, point_vec *cycle);

// The same, calling `arrive` for each point when everything known to come before it has its place,
// before it gets its own. What `arrive` learns may be new edges, also into the point itself: then
// the point waits for their sources, and arrives again.
typedef void (*graph_arrive) (void *context, uint32_t point);
bool graph_sort_with (struct graph *, graph_arrive, void *context, point_vec *cycle);

// Adds an edge with its reason; merges the source's clock into the target's row, but not further,
// unless the edge is hidden or comes before its source has a place: then the target's row is to be
// merged again later. False if it was known already.
bool graph_add_extra (struct graph *, uint32_t from, uint32_t to, enum rule, uint32_t read);

// The same without a look at rows, or whether the edge is known.
void graph_link (struct graph *, uint32_t from, uint32_t to, enum rule, uint32_t read);

// Merges the row of `from`, and `from` itself, into `row`; true if the row grew.
bool graph_merge_row (const struct graph *, struct row *, uint32_t from);

// A row that knows nothing but T0.
void graph_empty_row (const struct graph *, struct row *, uint32_t point);
// The chains, modulo 64, of which two rows know different things.
uint64_t graph_row_difference (const struct graph *, const struct row *, const struct row *);

// Debug builds: derives every row again from the edges, and aborts if one differs.
void graph_check_rows (struct graph *);

// What kind of edge leads from one point to a direct successor, and which read or key it speaks of.
struct edge_reason {
  enum edge_kind kind;
  enum rule rule; // for extra edges
  uint32_t extra; // the extra edge, or UINT32_MAX
  uint32_t key;   // UINT32_MAX: none
  uint32_t read;  // UINT32_MAX: none
};
struct edge_reason graph_reason (const struct graph *, uint32_t from, uint32_t to);

#endif
