// States are kept side by side, those after as many moves in a layer, and no state twice. A layer
// that gets too wide loses those that look worst. Where the whole layer is lost, the search goes
// back some way and comes again with wider layers; it gets narrow again behind the place of
// trouble.

#include "saturate/runs.h"

#include "base/hash.h"
#include "base/sort.h"
#include "saturate/run_state.h"

#include <string.h>

#define NO_LINK UINT32_MAX
// Of a move: the transaction begins and commits at once.
#define WHOLE 0x80000000u

enum {
  BASE_WIDTH = 8, // of a layer; four times as wide with each try
  MOST_TRIES = 3, // at one place, and one more with every eight rounds
  MOST_ROUNDS = 32,
  BACK = 16,            // levels, for the first time; four times as many with each try
  EVERY = 32,           // levels from one that is kept to the next
  MOST_KEPT = 1 << 10,  // states of such a level
  MOST_WORDS = 1 << 25, // of a layer's states
  MOST_LINKS = 1 << 25,
};

// How a state came about: by a move, which is a chain, after those of another link.
struct link {
  uint32_t before, move;
};

struct place_in_layer {
  int64_t cost;
  uint32_t state;
};

struct layer {
  uint32_t *words;
  struct link *links; // of the layer at hand: `before` is the link of the state itself
  uint64_t *hashes;
  struct place_in_layer *ranking;
  uint32_t count, capacity;
  uint32_t *table; // states by hash
  uint32_t table_mask;
};

// A layer to go back to.
struct kept_layer {
  uint32_t *words, *links;
  uint32_t count, level;
  size_t links_before;
  bool cut;
};

struct runs {
  const struct plan *plan;
  const struct runs_limits *limits;
  const struct state_taste *taste;
  uint32_t round;
  uint32_t words; // of a state
  uint64_t work;
  struct layer now, next[2]; // a whole transaction leads to the second, as its two points would
  VEC (struct link) links;   // of the states that were kept
  VEC (struct kept_layer) kept;
  uint32_t level;
  uint32_t farthest, tries; // where it got lost, and how often there
  bool found, stopped;
  bool cut; // states were left out on the way to this layer
};

// ------------------------------------------------------------------------------------------ layers

static uint32_t *state_of (const struct runs *r, const struct layer *layer, uint32_t i) {
  return layer->words + (size_t) i * r->words;
}

static void reserve (const struct runs *r, struct layer *layer, uint32_t count) {
  if (layer->capacity >= count)
    return;
  layer->capacity = layer->capacity * 2 > count ? layer->capacity * 2 : count;
  MEM_RESIZE (layer->words, (size_t) layer->capacity * r->words);
  MEM_RESIZE (layer->links, layer->capacity);
  MEM_RESIZE (layer->hashes, layer->capacity);
  MEM_RESIZE (layer->ranking, layer->capacity);
}

static void layer_free (struct layer *layer) {
  MEM_FREE_ALL (layer->words, layer->links, layer->hashes, layer->ranking, layer->table);
}

static void clear (struct layer *layer) {
  layer->count = 0;
  if (layer->table)
    memset (layer->table, 0xff, ((size_t) layer->table_mask + 1) * sizeof *layer->table);
}

static void grow_table (struct layer *layer) {
  const uint32_t size = layer->table ? (layer->table_mask + 1) * 2 : 256;
  mem_free (layer->table);
  layer->table = mem_nones (size);
  layer->table_mask = size - 1;
  for (uint32_t i = 0; i < layer->count; i++) {
    uint32_t slot = (uint32_t) layer->hashes[i] & layer->table_mask;
    while (layer->table[slot] != UINT32_MAX)
      slot = (slot + 1) & layer->table_mask;
    layer->table[slot] = i;
  }
}

static uint64_t hash_state (const struct runs *r, const uint32_t *state) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < r->words; i++)
    hash = scramble_u64 (hash + state[i] + 1);
  return hash;
}

// Of the state behind the last one of the layer: is it there already?
static bool is_known (const struct runs *r, struct layer *layer, uint64_t hash) {
  if (2 * (uint64_t) layer->count >= layer->table_mask)
    grow_table (layer);
  const uint32_t *state = state_of (r, layer, layer->count);
  uint32_t slot = (uint32_t) hash & layer->table_mask;
  for (; layer->table[slot] != UINT32_MAX; slot = (slot + 1) & layer->table_mask)
    if (layer->hashes[layer->table[slot]] == hash
        && !memcmp (state_of (r, layer, layer->table[slot]), state, r->words * sizeof *state))
      return true;
  layer->table[slot] = layer->count;
  return false;
}

// ------------------------------------------------------------------------------------------- moves

static bool is_move (const struct runs *r, uint32_t *state, uint32_t chain) {
  return state_can_run (r->plan, state, chain) && !state_starves (r->plan, state, chain);
}

static void run_one (struct runs *r, uint32_t *state, uint32_t chain, point_vec *order) {
  if (order)
    VEC_PUSH (*order, state[chain]);
  state_run (r->plan, state, chain);
  r->work += state_run_free (r->plan, state, order);
}

// False: the transaction cannot commit at once.
static bool carry_out (struct runs *r, uint32_t *state, uint32_t move, point_vec *order) {
  run_one (r, state, move & ~WHOLE, order);
  if (!(move & WHOLE))
    return true;
  if (!is_move (r, state, move & ~WHOLE))
    return false;
  run_one (r, state, move & ~WHOLE, order);
  return true;
}

static void try_move (struct runs *r, uint32_t from, uint32_t move) {
  struct layer *to = &r->next[(move & WHOLE) != 0];
  reserve (r, to, to->count + 1);
  const uint32_t number = to->count;
  uint32_t *state = state_of (r, to, number);
  memcpy (state, state_of (r, &r->now, from), r->words * sizeof *state);
  r->work += r->words;
  if (!carry_out (r, state, move, NULL))
    return;
  const uint64_t hash = hash_state (r, state);
  if (is_known (r, to, hash))
    return;
  to->count++;
  to->hashes[number] = hash;
  to->ranking[number] = (struct place_in_layer){ state_cost (r->plan, state, r->taste), number };
  to->links[number] = (struct link){ r->now.links[from].before, move };
  r->work += r->plan->chains;
  r->found = state_is_complete (r->plan, state);
  if (r->found)
    VEC_PUSH (r->links, to->links[number]);
}

static void expand (struct runs *r, uint32_t from) {
  const struct graph *g = r->plan->g;
  r->work += r->plan->chains;
  for (uint32_t c = 1; c < r->plan->chains && !r->found; c++) {
    uint32_t *state = state_of (r, &r->now, from);
    if (!is_move (r, state, c))
      continue;
    if (g->shift && !graph_is_slot (g, state[c]) && !(state[c] & 1))
      try_move (r, from, c | WHOLE);
    if (!r->found)
      try_move (r, from, c);
  }
}

static int by_cost (const void *a, const void *b) {
  const struct place_in_layer *x = a, *y = b;
  return x->cost != y->cost ? COMPARE (x->cost, y->cost) : COMPARE (x->state, y->state);
}

// The best of the next layer become the one at hand.
static void take_next (struct runs *r, uint32_t width) {
  struct layer *next = &r->next[0], *now = &r->now;
  const uint32_t count = next->count < width ? next->count : width;
  if (count < next->count) {
    r->cut = true;
    SORT (next->ranking, next->count, by_cost);
  }
  reserve (r, now, count);
  now->count = count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = next->ranking[i].state;
    memcpy (state_of (r, now, i), state_of (r, next, from), r->words * sizeof *now->words);
    now->links[i].before = (uint32_t) r->links.count;
    VEC_PUSH (r->links, next->links[from]);
  }
  const struct layer emptied = *next;
  r->next[0] = r->next[1];
  r->next[1] = emptied;
  clear (&r->next[1]);
}

// -------------------------------------------------------------------------------------- going back

static void keep_layer (struct runs *r) {
  const uint32_t count = r->now.count < MOST_KEPT ? r->now.count : MOST_KEPT;
  struct kept_layer kept = { .words = MEM_COPY (r->now.words, (size_t) count * r->words),
                             .links = MEM_ARRAY (uint32_t, count),
                             .count = count,
                             .level = r->level,
                             .links_before = r->links.count,
                             .cut = r->cut || count < r->now.count || r->next[0].count };
  for (uint32_t i = 0; i < kept.count; i++)
    kept.links[i] = r->now.links[i].before;
  VEC_PUSH (r->kept, kept);
}

static const struct kept_layer *last_kept (const struct runs *r) {
  return r->kept.count ? &r->kept.data[r->kept.count - 1] : NULL;
}

static void drop_last_kept (struct runs *r) {
  const struct kept_layer *last = &r->kept.data[--r->kept.count];
  MEM_FREE_ALL (last->words, last->links);
}

// To the last layer that was kept at least so many levels ago, or the first.
static void go_back (struct runs *r, uint32_t levels) {
  while (r->kept.count > 1 && last_kept (r)->level + levels > r->level)
    drop_last_kept (r);
  const struct kept_layer *kept = last_kept (r);
  reserve (r, &r->now, kept->count);
  memcpy (r->now.words, kept->words, (size_t) kept->count * r->words * sizeof *kept->words);
  for (uint32_t i = 0; i < kept->count; i++)
    r->now.links[i].before = kept->links[i];
  r->now.count = kept->count;
  r->level = kept->level;
  r->links.count = kept->links_before;
  r->cut = kept->cut;
  clear (&r->next[0]);
  clear (&r->next[1]);
}

// False: nothing was left out, or it was tried often enough.
static bool try_again (struct runs *r) {
  if (!r->cut)
    return false;
  if (r->level > r->farthest + EVERY)
    r->tries = 0;
  if (r->level > r->farthest)
    r->farthest = r->level;
  if (++r->tries > MOST_TRIES + r->round / 8)
    return false;
  go_back (r, BACK << 2 * r->tries);
  return true;
}

// ------------------------------------------------------------------------------------------ search

static uint32_t width (const struct runs *r) {
  const uint32_t base = r->limits->width ? r->limits->width : BASE_WIDTH;
  return r->level > r->farthest ? base : base << 2 * r->tries;
}

static void step (struct runs *r) {
  if (r->level % EVERY == 0 && (!last_kept (r) || last_kept (r)->level < r->level))
    keep_layer (r);
  for (uint32_t i = 0; i < r->now.count && !r->found && !r->stopped; i++) {
    r->stopped =
      budget_spent (r->limits->budget) || (r->limits->work && r->work > r->limits->work) || r->links.count > MOST_LINKS;
    if (((uint64_t) r->next[0].count + r->next[1].count) * r->words < MOST_WORDS)
      expand (r, i);
    else
      r->cut = true;
  }
  if (!r->found && !r->stopped)
    take_next (r, width (r));
  r->level++;
}

static void start (struct runs *r) {
  reserve (r, &r->now, 1);
  state_start (r->plan, r->now.words);
  r->now.links[0].before = NO_LINK;
  r->now.count = 1;
}

static void start_over (struct runs *r) {
  while (r->kept.count)
    drop_last_kept (r);
  clear (&r->next[0]);
  clear (&r->next[1]);
  r->links.count = 0;
  r->level = r->farthest = r->tries = 0;
  r->cut = false;
  start (r);
  state_run_free (r->plan, r->now.words, NULL);
  r->found = state_is_complete (r->plan, r->now.words);
}

// What one taste gets stuck with another one may not.
static void search (struct runs *r) {
  static const struct state_taste tastes[] = {
    { 100, 100, 300 }, { 50, 100, 300 }, { 100, 100, 0 },   { 50, 100, 1000 },
    { 25, 100, 300 },  { 75, 100, 100 }, { 150, 100, 300 }, { 30, 100, 0 },
  };
  for (r->round = 0; r->round < MOST_ROUNDS; r->round++) {
    r->taste = &tastes[r->round % (sizeof tastes / sizeof *tastes)];
    start_over (r);
    while (!r->found && !r->stopped && (r->now.count || r->next[0].count || try_again (r)))
      step (r);
    if (r->found || r->stopped || !r->cut)
      return;
  }
}

// The same moves again, and what could be run without any.
static void tell_order (struct runs *r, point_vec *order) {
  VEC (uint32_t) moves = VEC_EMPTY;
  for (uint32_t link = (uint32_t) r->links.count - 1; link != NO_LINK; link = r->links.data[link].before)
    VEC_PUSH (moves, r->links.data[link].move);
  start (r);
  uint32_t *state = r->now.words;
  state_run_free (r->plan, state, order);
  while (moves.count)
    carry_out (r, state, moves.data[--moves.count], order);
  VEC_FREE (moves);
}

static enum runs_outcome outcome_of (const struct runs *r) {
  if (r->found)
    return RUNS_FOUND;
  if (r->stopped)
    return budget_check (r->limits->budget) == BUDGET_LEFT ? RUNS_GAVE_UP : RUNS_STOPPED;
  return r->cut || !r->plan->complete ? RUNS_GAVE_UP : RUNS_NONE;
}

enum runs_outcome runs_search (const struct saturation *s, const struct runs_limits *limits, point_vec *order) {
  struct plan *plan = plan_new (s);
  if (!plan)
    return RUNS_GAVE_UP;
  struct runs r = { .plan = plan, .limits = limits, .words = state_words (plan) };
  search (&r);
  order->count = 0;
  if (r.found)
    tell_order (&r, order);
  const enum runs_outcome outcome = outcome_of (&r);
  while (r.kept.count)
    drop_last_kept (&r);
  layer_free (&r.now);
  layer_free (&r.next[0]);
  layer_free (&r.next[1]);
  MEM_FREE_ALL (r.links.data, r.kept.data);
  plan_free (plan);
  return outcome;
}
