// Inside of the guess: transactions that are being placed.

#ifndef KRAIT_SATURATE_PLACING_INSIDE_H
#define KRAIT_SATURATE_PLACING_INSIDE_H

#include "saturate/placing.h"

#define NO_PLACE UINT32_MAX

// A read of the transaction at hand, with the candidates that have a place, in their order.
struct placing_read {
  uint32_t read, key;
  uint32_t first, count; // in `sources`: place << 32 | node
  uint32_t chosen;       // among them
};

struct placing {
  struct saturation *s;
  struct graph *g;
  const struct ir *ir;
  const struct rules *rules;
  uint32_t *open_of;             // per read: its entry of s->open, or UINT32_MAX
  uint32_t *next_first, *next;   // successors of each point
  uint32_t *waits_first, *waits; // per install: nodes with a read that may be from it
  uint32_t *before;              // per point: how many come before it
  uint64_t work, most_work;
  // One attempt.
  uint32_t *missing; // per point: those of them that have no place
  uint32_t *place;   // per point, from 1 on; T0 has 0; NO_PLACE
  uint32_t *newest;  // per key: the node of the last version, or 0
  uint32_t *init;    // per key: the initial value, as far as it is settled
  uint32_t *read_writer;
  uint32_t *order, placed;
  uint32_t left; // of those that must be placed
  uint32_t *priority;
  uint8_t *waits_for_source;   // per node
  VEC (uint32_t) ready, spare; // heaps of points: those that must be placed, and unknown ones
  // Paths: per point and key the place of the last version in view, itself included. NULL: nobody
  // asks what paths lead from.
  uint32_t *rows;
  // The transaction at hand.
  uint32_t *row; // per key
  VEC (struct placing_read) reads;
  VEC (uint64_t) sources;
  VEC (uint64_t) installs; // by their last write
};

// Is the read there, if its transaction is?
bool placing_has_read (const struct placing *, uint32_t read);

// placing_views.c: can the node read what it did if it gets the next place? The sources are those
// chosen among c->reads then.
bool placing_choose_sources (struct placing *, uint32_t node);

// Must the read be of the last version so far?
bool placing_wants_newest (const struct placing *, uint32_t read);

// placing_beam.c: many orders side by side, the best so far of which are kept. On success it is
// c->order, with c->read_writer.
bool placing_by_beam (struct placing *, uint32_t width);

static inline uint32_t placing_source_node (const struct placing *c, const struct placing_read *read, uint32_t i) {
  return (uint32_t) c->sources.data[read->first + i];
}
static inline uint32_t placing_source_place (const struct placing *c, const struct placing_read *read, uint32_t i) {
  return (uint32_t) (c->sources.data[read->first + i] >> 32);
}

static inline uint32_t *placing_row (const struct placing *c, uint32_t point) {
  return c->rows + (size_t) point * c->ir->keys;
}
// Merges what is in view of a point.
void placing_merge (const struct placing *, uint32_t *row, uint32_t point);

// It has its place: what it read is settled, and it has a view, which is that of others now.
void placing_settle_reads (struct placing *, uint32_t *read_writer);
void placing_take_view (struct placing *, uint32_t *row);
// Points that are known to precede this one, in c->g->preds.
uint32_t placing_known_before (struct placing *, uint32_t point);
bool placing_must (const struct placing *, uint32_t point); // be placed

#endif
