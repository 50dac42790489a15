// A guess at what is open: each read reads from the last candidate before it in the order at hand.

#include "decide/deciding.h"
#include "saturate/placing.h"

static uint32_t place_of (const struct graph *g, uint32_t node, unsigned which) {
  return g->position[graph_point (g, node, which)];
}

// The last certain version of the key before the reader in the order, or SOURCE_INITIAL.
static uint32_t last_version_before (const struct graph *g, uint32_t key, uint32_t reader) {
  const struct ir *ir = g->ir;
  const uint32_t limit = place_of (g, reader, ir->rules.wr.to);
  uint32_t best = SOURCE_INITIAL, best_place = 0;
  for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++) {
    if (!graph_installs (g, i) || ir->install_node[i] == reader)
      continue;
    const uint32_t place = place_of (g, ir->install_node[i], ir->rules.wr.from);
    if (place < limit && (best == SOURCE_INITIAL || place > best_place)) {
      best = i;
      best_place = place;
    }
  }
  return best;
}

// An unrecorded delete wrote unless the key was absent when its transaction looked.
static void guess_deletes (struct deciding *d) {
  const struct graph *g = d->graph;
  accept_known_deletes (d);
  for (uint32_t i = 0; i < d->ir->deletes; i++) {
    const struct presence *presence = &d->ir->presences[d->ir->first_delete + i];
    if (g->presence[d->ir->first_delete + i] != PRESENCE_OPEN || !g->active[presence->node])
      continue;
    const uint32_t key = presence->key, last = last_version_before (g, key, presence->node);
    const uint32_t value = last == SOURCE_INITIAL ? d->saturation->init_fixed[key] : d->ir->install_value[last];
    d->wrote[i] = value != ABSENT;
  }
}

static bool can_be_source (const struct deciding *d, uint32_t source) {
  if (source >= SOURCE_MANY)
    return source == SOURCE_INITIAL;
  const uint32_t entry = presence_entry (ir_install_presence (d->ir, source));
  return d->graph->active[d->ir->install_node[source]]
         && (entry < d->ir->first_delete || d->wrote[entry - d->ir->first_delete]);
}

// The node, or NODE_NONE.
static uint32_t last_candidate_before (const struct deciding *d, const struct open_read *open, uint32_t reader) {
  const struct graph *g = d->graph;
  const struct rules *rules = &d->ir->rules;
  uint32_t best = NODE_NONE;
  for (uint32_t c = 0; c < open->count && g->active[reader]; c++) {
    const uint32_t source = d->saturation->candidates.data[open->first + c];
    if (!can_be_source (d, source))
      continue;
    const uint32_t writer = ir_writer_of (d->ir, source);
    const uint32_t place = place_of (g, writer, rules->wr.from);
    if (place < place_of (g, reader, rules->wr.to) && (best == NODE_NONE || place > place_of (g, best, rules->wr.from)))
      best = writer;
  }
  return best;
}

bool guess_sources (struct deciding *d) {
  struct graph *g = d->graph;
  guess_deletes (d);
  for (size_t i = 0; i < d->saturation->open.count; i++) {
    const struct open_read *open = &d->saturation->open.data[i];
    const uint32_t reader = graph_reader (g, open->read), presence = ir_read_presence (d->ir, open->read);
    if (presence != ALWAYS && d->wrote[presence_entry (presence) - d->ir->first_delete])
      continue;
    g->read_writer[open->read] = last_candidate_before (d, open, reader);
    if (g->read_writer[open->read] == NODE_NONE && g->active[reader])
      return false;
  }
  return true;
}

void forget_sources (struct deciding *d) {
  for (size_t i = 0; i < d->saturation->open.count; i++)
    d->graph->read_writer[d->saturation->open.data[i].read] = NODE_NONE;
}

static void swap_placed (struct graph *g, struct placed *placed) {
  const struct placed old = { g->active, g->read_writer, g->order, g->ordered, g->position };
  g->active = placed->in;
  g->read_writer = placed->read_writer;
  g->order = placed->order;
  g->ordered = placed->ordered;
  g->position = placed->position;
  *placed = old;
}

// Deletes that may have written are taken to have done so.
static void guess_all_wrote (struct deciding *d) {
  accept_known_deletes (d);
  for (uint32_t i = 0; i < d->ir->deletes; i++) {
    const uint32_t entry = d->ir->first_delete + i;
    if (d->graph->presence[entry] == PRESENCE_OPEN)
      d->wrote[i] = d->graph->active[d->ir->presences[entry].node];
  }
}

bool accept_placing (struct deciding *d) {
  struct placed placed;
  if (!placing_is_possible (d->saturation) || !place_transactions (d->saturation, &placed))
    return false;
  swap_placed (d->graph, &placed);
  guess_all_wrote (d);
  const bool accepted = accept_sorted (d, false);
  swap_placed (d->graph, &placed);
  accept_known_deletes (d);
  placed_free (&placed);
  return accepted;
}
