// Many orders side by side, where some reads must be of the last version. Each order is made longer
// by one transaction at a time, in several ways; of all that comes of it, the most promising are
// kept: those after which many transactions can have the next place, and that have placed many of
// those that find theirs hard to get. Orders in which the same transactions are placed and the same
// versions are the last count as one, and those after which somebody will never find a source are
// dropped.

#include "saturate/placing_inside.h"

#include "base/sort.h"

#include <string.h>

enum { WAYS = 6 };                  // in which an order is made longer
enum { SHUT, OPEN, NOT_LOOKED_AT }; // can the next transaction of a chain have the next place?
enum { HARD = 4, CAN_BE_NEXT = 2 }; // an order's promise: what counts as much as one placed
enum { UNKNOWN_LAST = 1u << 20 };   // of ways, those by unknown transactions come behind others

struct order {
  uint32_t last;         // of `links`
  uint32_t placed, must; // transactions, and those of them that must be placed
  uint32_t hard;         // reads that must be of the last version
  uint64_t hash;         // of who is placed, and who wrote last
  uint32_t promise;
  bool dead;                // somebody will never find a source
  uint32_t *place, *newest; // per node, per key
  uint32_t *next;           // per chain
  uint8_t *open;            // per chain
};

// A transaction in an order, after others.
struct link {
  uint32_t before; // 0: none
  uint32_t node, first_source;
};

struct way {
  uint32_t chain, weight;
};

struct beam {
  struct placing *c;
  uint32_t width, chains;
  VEC (struct link) links;
  VEC (uint32_t) sources;        // of the reads of a link, one after the other
  uint32_t *preds_first, *preds; // per node
  uint64_t *touches, *installs;  // per node: keys, modulo 64
  uint32_t *hard;                // per node: reads that must be of the last version
  uint32_t *read_writer;         // scratch
  VEC (struct way) ways;         // scratch
  VEC (struct order) now, then;
  uint64_t random;
};

static uint64_t mix (uint64_t x) {
  x = (x ^ x >> 33) * UINT64_C (0xff51afd7ed558ccd);
  x = (x ^ x >> 33) * UINT64_C (0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}

// ---------------------------------------------------------------------------------------- an order

static size_t order_bytes (const struct beam *b) {
  const struct ir *ir = b->c->ir;
  return ((size_t) ir->nodes + ir->keys + b->chains) * sizeof (uint32_t) + b->chains;
}

static void lay_out (const struct beam *b, struct order *o, uint32_t *memory) {
  o->place = memory;
  o->newest = o->place + b->c->ir->nodes;
  o->next = o->newest + b->c->ir->keys;
  o->open = (uint8_t *) (o->next + b->chains);
}

static struct order copy_order (const struct beam *b, const struct order *from) {
  struct order o = *from;
  uint32_t *memory = mem_alloc (order_bytes (b));
  memcpy (memory, from->place, order_bytes (b));
  lay_out (b, &o, memory);
  b->c->work += order_bytes (b) / 64;
  return o;
}

static struct order empty_order (const struct beam *b) {
  const struct ir *ir = b->c->ir;
  struct order o = { .last = 0 };
  lay_out (b, &o, mem_zalloc (order_bytes (b)));
  for (uint32_t node = 1; node < ir->nodes; node++)
    o.place[node] = NO_PLACE;
  for (uint32_t chain = 0; chain < b->chains; chain++) {
    o.next[chain] = ir->chain_first[chain];
    o.next[chain] += !o.next[chain]; // T0 has its place
    o.open[chain] = NOT_LOOKED_AT;
  }
  return o;
}

// The next transaction of a chain, or NODE_NONE.
static uint32_t head (const struct beam *b, const struct order *o, uint32_t chain) {
  const uint32_t node = o->next[chain];
  return node < b->c->ir->chain_first[chain + 1] ? node : NODE_NONE;
}

// -------------------------------------------------------------------------------- who can be next

// Nobody is left who ended before it began.
static bool times_allow (const struct beam *b, const struct order *o, uint32_t node) {
  const struct ir *ir = b->c->ir;
  if (!ir->time_before || ir->time_before[node] == SLOT_NONE)
    return true;
  for (uint32_t chain = 0; chain < b->chains; chain++) {
    const uint32_t other = head (b, o, chain);
    if (other != NODE_NONE && other != node && b->c->g->active[other] && ir_ended_before (ir, other, node))
      return false;
  }
  return true;
}

static bool preds_are_placed (const struct beam *b, const struct order *o, uint32_t node) {
  for (uint32_t i = b->preds_first[node]; i < b->preds_first[node + 1]; i++)
    if (o->place[b->preds[i]] == NO_PLACE)
      return false;
  return times_allow (b, o, node);
}

static bool may_come (const struct beam *b, const struct order *o, uint32_t read) {
  const struct placing *c = b->c;
  const uint32_t open = c->open_of ? c->open_of[read] : UINT32_MAX, writer = c->g->read_writer[read];
  if (writer != NODE_NONE)
    return o->place[writer] == NO_PLACE;
  for (uint32_t i = 0; open != UINT32_MAX && i < c->s->open.data[open].count; i++)
    if (o->place[ir_writer_of (c->ir, c->s->candidates.data[c->s->open.data[open].first + i])] == NO_PLACE)
      return true;
  return false;
}

// It cannot have the next place; can it have one later? That takes another source.
static bool has_hope (const struct beam *b, const struct order *o, uint32_t node) {
  for (uint32_t read = b->c->ir->node_first_read[node]; read < b->c->ir->node_first_read[node + 1]; read++)
    if (placing_has_read (b->c, read) && may_come (b, o, read))
      return true;
  return false;
}

static bool choose_sources (const struct beam *b, const struct order *o, uint32_t node) {
  b->c->place = o->place;
  b->c->newest = o->newest;
  return placing_choose_sources (b->c, node);
}

// Can the chain's next transaction have the next place?
static bool is_open (const struct beam *b, struct order *o, uint32_t chain) {
  const uint32_t node = head (b, o, chain);
  if (node == NODE_NONE)
    return false;
  if (o->open[chain] != NOT_LOOKED_AT)
    return o->open[chain] == OPEN;
  if (!preds_are_placed (b, o, node))
    return false; // and it is looked at again
  b->c->work += 4;
  o->open[chain] = choose_sources (b, o, node) ? OPEN : SHUT;
  o->dead |= o->open[chain] == SHUT && b->c->g->active[node] && !has_hope (b, o, node);
  return o->open[chain] == OPEN;
}

// Would it give a source to somebody who cannot be next?
static bool is_wanted (const struct beam *b, struct order *o, uint32_t node) {
  const struct placing *c = b->c;
  for (uint32_t i = c->ir->node_first_install[node]; i < c->ir->node_first_install[node + 1]; i++) {
    const uint32_t install = c->ir->node_installs[i];
    for (uint32_t k = c->waits_first[install]; k < c->waits_first[install + 1]; k++) {
      const uint32_t reader = c->waits[k], chain = c->ir->node_chain[reader];
      if (head (b, o, chain) == reader && !is_open (b, o, chain))
        return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------------------------------ longer

static uint32_t add_link (struct beam *b, const struct order *o, uint32_t node) {
  const struct ir *ir = b->c->ir;
  VEC_PUSH (b->links, (struct link){ o->last, node, (uint32_t) b->sources.count });
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    b->read_writer[read] = NODE_NONE;
  placing_settle_reads (b->c, b->read_writer);
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++)
    VEC_PUSH (b->sources, b->read_writer[read]);
  return (uint32_t) b->links.count - 1;
}

// Whoever reads or writes a key that the node installs is looked at again.
static void forget_looks (const struct beam *b, struct order *o, uint32_t node, uint32_t own) {
  for (uint32_t chain = 0; chain < b->chains; chain++) {
    const uint32_t other = head (b, o, chain);
    if (chain == own || (other != NODE_NONE && (b->touches[other] & b->installs[node])))
      o->open[chain] = NOT_LOOKED_AT;
  }
}

static void install_all (const struct beam *b, struct order *o, uint32_t node) {
  const struct ir *ir = b->c->ir;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t key = graph_key (b->c->g, ir->node_installs[i]);
    const uint64_t label = (uint64_t) (key + 1) << 32;
    o->hash += mix (label | node) - mix (label | o->newest[key]);
    o->newest[key] = node;
  }
}

// The order with the chain's next transaction at its end. It could have it when it was looked at;
// but an initial value that was open then may have been settled by another order since.
static struct order longer (struct beam *b, const struct order *from, uint32_t chain) {
  struct order o = copy_order (b, from);
  const uint32_t node = head (b, from, chain);
  o.dead = !choose_sources (b, from, node); // once more, for the sources
  if (o.dead)
    return o;
  o.last = add_link (b, from, node);
  o.place[node] = ++o.placed;
  o.must += b->c->g->active[node];
  o.hard += b->hard[node];
  o.hash += mix (node);
  install_all (b, &o, node);
  o.next[chain]++;
  forget_looks (b, &o, node, chain);
  return o;
}

static void judge (struct beam *b, struct order *o) {
  uint32_t open = 0;
  for (uint32_t chain = 0; chain < b->chains; chain++) {
    const uint32_t node = head (b, o, chain);
    open += node != NODE_NONE && b->c->g->active[node] && is_open (b, o, chain);
  }
  o->promise = CAN_BE_NEXT * HARD * o->must + HARD * open + CAN_BE_NEXT * o->hard;
}

static int by_weight (const void *a, const void *b) {
  const struct way *x = a, *y = b;
  return COMPARE (y->weight, x->weight);
}

static void list_ways (struct beam *b, struct order *o, bool unknown) {
  for (uint32_t chain = 0; chain < b->chains; chain++) {
    const uint32_t node = head (b, o, chain);
    if (node == NODE_NONE || b->c->g->active[node] == unknown || !is_open (b, o, chain)
        || (unknown && !is_wanted (b, o, node)))
      continue;
    b->random = mix (b->random + 1);
    const uint32_t weight = (unknown ? 0 : UNKNOWN_LAST) + 256 * b->hard[node] + (uint32_t) (b->random & 255);
    VEC_PUSH (b->ways, (struct way){ chain, weight });
  }
}

// The chains that go on: those that must, the hardest first; unknown ones where few must.
static void find_ways (struct beam *b, struct order *o) {
  b->ways.count = 0;
  list_ways (b, o, false);
  if (b->ways.count < WAYS / 2)
    list_ways (b, o, true);
  VEC_SORT (b->ways, by_weight);
  if (b->ways.count > WAYS)
    b->ways.count = WAYS;
}

static bool is_there_already (const struct beam *b, uint64_t hash) {
  for (size_t i = 0; i < b->then.count; i++)
    if (b->then.data[i].hash == hash)
      return true;
  return false;
}

static void make_longer (struct beam *b, struct order *o) {
  find_ways (b, o);
  for (size_t k = 0; k < b->ways.count; k++) {
    struct order next = longer (b, o, b->ways.data[k].chain);
    if (!next.dead)
      judge (b, &next);
    if (next.dead || is_there_already (b, next.hash))
      mem_free (next.place);
    else
      VEC_PUSH (b->then, next);
  }
}

static int by_promise (const void *a, const void *b) {
  const struct order *x = a, *y = b;
  return x->promise != y->promise ? COMPARE (y->promise, x->promise) : COMPARE (x->last, y->last);
}

// One more transaction for each order. False: none can have one.
static bool go_on (struct beam *b) {
  for (size_t i = 0; i < b->now.count; i++)
    make_longer (b, &b->now.data[i]);
  for (size_t i = 0; i < b->now.count; i++)
    mem_free (b->now.data[i].place);
  b->now.count = 0;
  VEC_SORT (b->then, by_promise);
  for (size_t i = 0; i < b->then.count; i++)
    if (i < b->width)
      VEC_PUSH (b->now, b->then.data[i]);
    else
      mem_free (b->then.data[i].place);
  b->then.count = 0;
  return b->now.count;
}

// ----------------------------------------------------------------------------------- begin and end

static void look_at_keys (struct beam *b, uint32_t node) {
  const struct placing *c = b->c;
  const struct ir *ir = c->ir;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++)
    b->installs[node] |= UINT64_C (1) << (graph_key (c->g, ir->node_installs[i]) & 63);
  b->touches[node] = b->installs[node];
  for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
    b->touches[node] |= UINT64_C (1) << (ir->read_key[read] & 63);
    b->hard[node] += placing_wants_newest (c, read);
  }
}

static void index_nodes (struct beam *b) {
  struct placing *c = b->c;
  const uint32_t nodes = c->ir->nodes;
  VEC (uint32_t) preds = VEC_EMPTY;
  b->preds_first = MEM_ARRAY (uint32_t, nodes + 1);
  b->touches = MEM_ZARRAY (uint64_t, nodes);
  b->installs = MEM_ZARRAY (uint64_t, nodes);
  b->hard = MEM_ZARRAY (uint32_t, nodes);
  for (uint32_t node = 0; node < nodes; node++) {
    b->preds_first[node] = (uint32_t) preds.count;
    const uint32_t count = node ? placing_known_before (c, node) : 0;
    for (uint32_t i = 0; i < count; i++)
      if (!graph_is_slot (c->g, c->g->preds.data[i]))
        VEC_PUSH (preds, c->g->preds.data[i]);
    look_at_keys (b, node);
  }
  b->preds_first[nodes] = (uint32_t) preds.count;
  b->preds = preds.data;
}

static void take_order (const struct beam *b, const struct order *o) {
  struct placing *c = b->c;
  memcpy (c->read_writer, c->g->read_writer, c->ir->reads * sizeof *c->read_writer);
  c->order[0] = 0;
  c->placed = 1 + o->placed;
  uint32_t at = c->placed;
  for (uint32_t link = o->last; link; link = b->links.data[link].before) {
    const struct link *l = &b->links.data[link];
    const uint32_t first = c->ir->node_first_read[l->node], end = c->ir->node_first_read[l->node + 1];
    c->order[--at] = l->node;
    for (uint32_t read = first; read < end; read++)
      c->read_writer[read] = b->sources.data[l->first_source + read - first];
  }
}

// The order that is complete, or NULL.
static const struct order *complete_order (const struct beam *b, uint32_t must) {
  for (size_t i = 0; i < b->now.count; i++)
    if (b->now.data[i].must == must)
      return &b->now.data[i];
  return NULL;
}

bool placing_by_beam (struct placing *c, uint32_t width) {
  const struct ir *ir = c->ir;
  struct beam b = { .c = c, .width = width, .chains = ir->chains };
  uint32_t *const place = c->place, *const newest = c->newest, must = 0;
  for (uint32_t node = 1; node < ir->nodes; node++)
    must += c->g->active[node];
  memcpy (c->init, c->s->init_fixed, ir->keys * sizeof *c->init);
  index_nodes (&b);
  b.read_writer = MEM_ARRAY (uint32_t, ir->reads);
  VEC_PUSH (b.links, (struct link){ 0 });
  VEC_PUSH (b.now, empty_order (&b));
  const struct order *done = NULL;
  for (bool going = true; going && !done; going = going && c->work < c->most_work && !budget_spent (c->s->budget)) {
    done = complete_order (&b, must);
    going = done || go_on (&b);
  }
  if (done)
    take_order (&b, done);
  for (size_t i = 0; i < b.now.count; i++)
    mem_free (b.now.data[i].place);
  c->place = place;
  c->newest = newest;
  MEM_FREE_ALL (b.links.data, b.sources.data, b.preds_first, b.preds, b.touches, b.installs, b.hard, b.read_writer,
                b.ways.data, b.now.data, b.then.data);
  return done;
}
