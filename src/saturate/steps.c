// An order close to that in which the transactions ran meets nearly all demands by itself: such a
// one is made of sessions and sources alone, then every demand is held against it, and those that
// it breaks become edges of the next one. Demands are not collected, but for those between
// neighbours in the order: as long as nobody moves far, the others stay met.

#include "saturate/steps.h"

#include "base/group.h"
#include "base/search.h"

#include <string.h>

enum {
  // Reads of a transaction that are compared with every install of those that it read from; where
  // there are more, they are looked up by their keys.
  FEW = 16,
  BUCKETS = 4096,
  // Places of the order between neighbours, at most. Two that stand further apart keep their order
  // if neither moves by half of that.
  NEAR = 4096,
};

// The places where a read's key has its installs.
struct span {
  uint32_t first, count;
};

// The version by p comes before the one that was read.
struct demanded {
  uint32_t p, read;
};

struct look {
  const struct ir *ir;
  struct graph *g;
  bool steps; // VIEW_STEPS: the session counts, and earlier reads are as good as later ones
  bool impossible;
  uint32_t broken; // demands in this round
  VEC (struct demanded) near;
  uint32_t *old_position; // when these were found; NULL: they were not, or not all
  uint32_t *install_key;  // per install; NULL until needed
  uint32_t *last_writer;  // with steps: per key, the last installer up to the node at hand
  // Of the few reads of the node at hand.
  struct span span[FEW];
  uint8_t touched[BUCKETS]; // some of them have installs of their key there
  unsigned shift;           // from an install to its bucket
  // Of many.
  uint32_t *key_node; // per key: the node that key_head speaks of
  uint32_t *key_head; // per key: its last read of that key
  uint32_t *next;     // per read: the one before of the same key
};

// ----------------------------------------------------------------------------------------- demands

static void hold (struct look *k, uint32_t p, uint32_t read) {
  struct graph *g = k->g;
  const uint32_t writer = g->read_writer[read];
  if (g->position[p] < g->position[writer])
    return;
  graph_link (g, p, writer, RULE_WRITE_BEFORE, read);
  k->broken++;
}

// The reader of `read` has a version by p in view: that comes before the one that was read.
static void demand (struct look *k, uint32_t p, uint32_t reader, uint32_t read) {
  const struct graph *g = k->g;
  const uint32_t writer = g->read_writer[read];
  if (p == writer || p == reader)
    return;
  k->impossible |= writer == 0 || writer == NODE_NONE;
  if (k->impossible || (g->position[writer] > g->position[p] && g->position[writer] - g->position[p] > NEAR))
    return;
  if (k->near.count < k->ir->reads)
    VEC_PUSH (k->near, (struct demanded){ p, read });
  hold (k, p, read);
}

// Reads that are one event do not see each other's sources as earlier.
static bool is_earlier (const struct look *k, uint32_t a, uint32_t b) {
  return k->steps || k->ir->read_op[a] < k->ir->read_op[b];
}

static void meet_few (struct look *k, uint32_t node, uint32_t read, uint32_t install) {
  const uint32_t first = k->ir->node_first_read[node], end = k->ir->node_first_read[node + 1];
  for (uint32_t r = first; r < end; r++)
    if (install - k->span[r - first].first < k->span[r - first].count && is_earlier (k, read, r))
      demand (k, k->g->read_writer[read], node, r);
}

static void meet_many (struct look *k, uint32_t node, uint32_t read, uint32_t install) {
  const uint32_t key = k->install_key[install];
  if (k->key_node[key] != node)
    return;
  for (uint32_t r = k->key_head[key]; r != READ_NONE; r = k->next[r])
    if (is_earlier (k, read, r))
      demand (k, k->g->read_writer[read], node, r);
}

// What `read` brings into view, which its transaction has not met before: along the installs of its
// source or along the reads, whichever is shorter.
static void look_at_source (struct look *k, uint32_t node, uint32_t read) {
  const struct ir *ir = k->ir;
  const uint32_t p = k->g->read_writer[read];
  const uint32_t first = ir->node_first_install[p], end = ir->node_first_install[p + 1];
  const uint32_t first_read = ir->node_first_read[node], end_read = ir->node_first_read[node + 1];
  if (end - first > 4 * (end_read - first_read)) {
    for (uint32_t r = first_read; r < end_read; r++)
      if (is_earlier (k, read, r) && ir_install_of (ir, ir->read_key[r], p) != INSTALL_NONE)
        demand (k, p, node, r);
  } else if (end_read - first_read <= FEW)
    for (uint32_t i = first; i < end; i++) {
      const uint32_t install = ir->node_installs[i];
      if (k->touched[install >> k->shift] & (install != ir->read_source[read]))
        meet_few (k, node, read, install);
    }
  else
    for (uint32_t i = first; i < end; i++)
      meet_many (k, node, read, ir->node_installs[i]);
}

// ----------------------------------------------------------------------------------- a transaction

static void touch (struct look *k, const struct span *span, int touched) {
  const uint32_t bucket = span->first >> k->shift;
  if (span->count)
    memset (k->touched + bucket, touched, ((span->first + span->count - 1) >> k->shift) - bucket + 1);
}

static void note_few (struct look *k, uint32_t node) {
  const struct ir *ir = k->ir;
  const uint32_t first = ir->node_first_read[node], end = ir->node_first_read[node + 1];
  for (uint32_t r = first; r < end; r++) {
    const uint32_t *of_key = &ir->key_first[ir->read_key[r]];
    k->span[r - first] = (struct span){ of_key[0], of_key[1] - of_key[0] };
    touch (k, &k->span[r - first], 1);
  }
}

static void forget_few (struct look *k, uint32_t node) {
  const uint32_t reads = k->ir->node_first_read[node + 1] - k->ir->node_first_read[node];
  for (uint32_t r = 0; r < reads; r++)
    touch (k, &k->span[r], 0);
}

static void note_many (struct look *k, uint32_t node) {
  const struct ir *ir = k->ir;
  if (!k->key_node) {
    k->key_node = MEM_ZARRAY (uint32_t, ir->keys);
    k->key_head = MEM_ARRAY (uint32_t, ir->keys);
    k->next = MEM_ARRAY (uint32_t, ir->reads);
  }
  if (!k->install_key)
    k->install_key = groups_of_places (ir->key_first, ir->keys);
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
    const uint32_t key = ir->read_key[read];
    k->next[read] = k->key_node[key] == node ? k->key_head[key] : READ_NONE;
    k->key_node[key] = node;
    k->key_head[key] = read;
  }
}

// The first read from a transaction makes it visible.
static bool is_first_from (const struct look *k, uint32_t first, uint32_t read) {
  const uint32_t *writer = k->g->read_writer;
  for (uint32_t r = first; r < read && read - first < FEW; r++)
    if (writer[r] == writer[read])
      return false;
  return true;
}

static void look_at_reads (struct look *k, uint32_t node) {
  const struct ir *ir = k->ir;
  const uint32_t first = ir->node_first_read[node], end = ir->node_first_read[node + 1];
  const bool few = end - first <= FEW;
  if (few)
    note_few (k, node);
  else
    note_many (k, node);
  for (uint32_t read = first; read < end; read++) {
    const uint32_t writer = k->g->read_writer[read];
    k->impossible |= writer == NODE_NONE;
    if (writer - 1 < NODE_NONE - 1 && is_first_from (k, first, read))
      look_at_source (k, node, read);
  }
  if (few)
    forget_few (k, node);
}

// The last installer of each key in the session so far: earlier ones follow along the session.
static void look_at_session (struct look *k, uint32_t node) {
  const struct ir *ir = k->ir;
  const uint32_t begin = ir->chain_first[ir->node_chain[node]];
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
    const uint32_t p = k->last_writer[ir->read_key[read]];
    if (p >= begin)
      demand (k, p, node, read);
  }
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++)
    k->last_writer[k->install_key[ir->node_installs[i]]] = node;
}

// Columns that are hit at random are asked for some transactions ahead, each when what leads to it
// has arrived.
static void prefetch (const struct look *k, uint32_t node) {
  enum { FAR = 6, NEXT = 3 };
  const struct ir *ir = k->ir;
  const uint32_t *writer = k->g->read_writer;
  if (node + FAR >= ir->nodes)
    return;
  for (uint32_t read = ir->node_first_read[node + FAR]; read < ir->node_first_read[node + FAR + 1]; read++)
    if (writer[read] != NODE_NONE) {
      __builtin_prefetch (&ir->node_first_install[writer[read]]);
      __builtin_prefetch (&k->g->position[writer[read]]);
    }
  for (uint32_t read = ir->node_first_read[node + NEXT]; read < ir->node_first_read[node + NEXT + 1]; read++)
    if (writer[read] != NODE_NONE)
      __builtin_prefetch (&ir->node_installs[ir->node_first_install[writer[read]]]);
  for (uint32_t i = ir->node_first_install[node + FAR]; k->steps && i < ir->node_first_install[node + FAR + 1]; i++)
    __builtin_prefetch (&k->install_key[ir->node_installs[i]]);
}

// --------------------------------------------------------------------------------------- all of it

// Nothing is open, nothing may be missing, and there is no other source of edges.
static bool is_plain (const struct ir *ir) {
  return ir->rules.view != VIEW_PATHS && ir->rules.wr.used && ir->rules.rw.used && ir->rules.ww_hidden
         && !ir->rules.rt.used && ir->chains_are_sessions && ir->rules.points == 1 && !ir->choice_count && !ir->deletes
         && !ir_has_unknown (ir) && !ir->read_presence && !ir->order_count && !ir->edges.count && !ir->derived.count
         && !ir->constraints;
}

static void look_open (struct look *k, const struct ir *ir) {
  *k = (struct look){ .ir = ir, .g = graph_new_for_order (ir), .steps = ir->rules.view == VIEW_STEPS };
  while (ir->installs >> k->shift >= BUCKETS)
    k->shift++;
  if (!k->steps)
    return;
  k->install_key = groups_of_places (ir->key_first, ir->keys);
  k->last_writer = MEM_ARRAY (uint32_t, ir->keys);
}

static void look_close (struct look *k) {
  MEM_FREE_ALL (k->near.data, k->old_position, k->install_key, k->last_writer, k->key_node, k->key_head, k->next);
}

static bool somebody_moved_far (const struct look *k) {
  bool far = !k->old_position;
  for (uint32_t node = 0; node < k->ir->nodes && !far; node++) {
    const uint32_t now = k->g->position[node], then = k->old_position[node];
    far = (now > then ? now - then : then - now) > NEAR / 2;
  }
  return far;
}

// False: the budget is spent, or some demand cannot be met.
static bool find_demands (struct look *k, struct budget *budget) {
  const struct ir *ir = k->ir;
  k->near.count = 0;
  if (k->steps)
    memset (k->last_writer, 0, ir->keys * sizeof *k->last_writer);
  for (uint32_t node = 1; node < ir->nodes && !k->impossible; node++) {
    if ((node & 1023) == 0 && budget_spent (budget))
      return false;
    prefetch (k, node);
    look_at_reads (k, node);
    if (k->steps)
      look_at_session (k, node);
  }
  mem_free (k->old_position);
  // with many neighbours not all were kept
  k->old_position = k->near.count < ir->reads ? MEM_COPY (k->g->position, ir->nodes) : NULL;
  return !k->impossible;
}

// All demands once; those that the order breaks are edges from now on.
static bool meet_demands (struct look *k, struct budget *budget) {
  k->broken = 0;
  if (somebody_moved_far (k))
    return find_demands (k, budget);
  for (size_t i = 0; i < k->near.count; i++)
    hold (k, k->near.data[i].p, k->near.data[i].read);
  return true;
}

struct graph *steps_in_order (const struct ir *ir, struct budget *budget) {
  enum { ROUNDS = 6 };
  struct look k;
  point_vec cycle = VEC_EMPTY;
  bool found = false;
  if (!is_plain (ir))
    return NULL;
  look_open (&k, ir);
  for (int round = 0; round < ROUNDS && !found; round++) {
    // where so many are broken saturation does better
    if (!graph_sort (k.g, &cycle) || !meet_demands (&k, budget) || k.g->extra.count > ir->reads)
      break;
    found = !k.broken;
  }
  VEC_FREE (cycle);
  look_close (&k);
  if (found)
    return k.g;
  graph_free (k.g);
  return NULL;
}
