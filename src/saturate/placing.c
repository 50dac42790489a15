#include "saturate/placing_inside.h"

#include "base/group.h"
#include "base/heap.h"

#include <string.h>

// Entries of all rows; attempts; work for each entry of the input, and what any input may take.
enum { MOST_ROWS = 1 << 24, ATTEMPTS = 16, PATIENCE = 100, LITTLE = 10000000, MUCH = 100000000, WIDEST = 64 };

static bool shows_paths (const struct graph *g) {
  return g->ir->rules.rw.used && g->ir->rules.view == VIEW_PATHS && g->has_forbidding;
}

static bool wants_last_versions (const struct graph *g) {
  return g->ir->rules.rw.used && g->ir->rules.view == VIEW_PATHS && !g->has_forbidding;
}

bool placing_is_possible (const struct saturation *s) {
  const struct graph *g = s->graph;
  return !g->shift && g->ir->rules.wr.used && (!shows_paths (g) || (uint64_t) g->points * g->ir->keys <= MOST_ROWS);
}

// ------------------------------------------------------------------------------ what precedes what

// Of a point that is in the order if its transaction is.
uint32_t placing_known_before (struct placing *c, uint32_t point) {
  uint32_t count = graph_preds (c->g, point);
  const struct ir *ir = c->ir;
  if (!graph_is_slot (c->g, point) && !c->g->active[point] && ir->rules.so.used && ir->so_before
      && ir->so_before[point] != NODE_NONE) {
    VEC_PUSH (c->g->preds, ir->so_before[point]);
    count++;
  }
  return count;
}

static void index_successors (struct placing *c) {
  struct grouping by_start = { .groups = c->g->points };
  c->before = MEM_ZARRAY (uint32_t, c->g->points);
  while (grouping_pass (&by_start))
    for (uint32_t point = 1; point < c->g->points; point++) {
      const uint32_t count = c->before[point] = placing_known_before (c, point);
      for (uint32_t k = 0; k < count; k++) {
        c->before[point] -= !c->g->preds.data[k]; // T0 has its place
        group_put (&by_start, c->g->preds.data[k], point);
      }
    }
  c->next_first = by_start.first;
  c->next = by_start.items;
}

static void index_waiting (struct placing *c) {
  struct grouping by_install = { .groups = c->ir->installs };
  while (grouping_pass (&by_install))
    for (uint32_t i = 0; i < c->s->open.count; i++)
      for (uint32_t k = 0; k < c->s->open.data[i].count; k++) {
        const uint32_t source = c->s->candidates.data[c->s->open.data[i].first + k];
        if (source < SOURCE_MANY)
          group_put (&by_install, source, graph_reader (c->g, c->s->open.data[i].read));
      }
  c->waits_first = by_install.first;
  c->waits = by_install.items;
}

// ------------------------------------------------------------------------------------- one attempt

static bool comes_first (const struct placing *c, uint32_t a, uint32_t b) {
  return c->priority[a] != c->priority[b] ? c->priority[a] < c->priority[b] : a < b;
}

bool placing_must (const struct placing *c, uint32_t point) {
  return graph_is_slot (c->g, point) || c->g->active[point];
}

static void make_ready (struct placing *c, uint32_t point) {
  if (placing_must (c, point))
    HEAP_PUSH (c->ready, point, comes_first, c);
  else
    HEAP_PUSH (c->spare, point, comes_first, c);
}

static uint32_t next_random (uint64_t *state) {
  *state = *state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (*state >> 33);
}

// The order that saturation arrived at, shaken a little more with each attempt. Unknown
// transactions that are not in have none, and go by the order of their chain.
static void set_priorities (struct placing *c, uint32_t attempt) {
  uint64_t state = attempt;
  const uint32_t reach = attempt ? (c->g->points >> (attempt < 8 ? 8 - attempt : 1)) + 2 : 1;
  for (uint32_t point = 0; point < c->g->points; point++) {
    const uint32_t position = c->g->position[point];
    c->priority[point] = (position == POINT_NONE ? 0 : position) + next_random (&state) % reach;
  }
}

static void begin_attempt (struct placing *c, uint32_t attempt) {
  const struct graph *g = c->g;
  memcpy (c->missing, c->before, g->points * sizeof *c->missing);
  memcpy (c->init, c->s->init_fixed, c->ir->keys * sizeof *c->init);
  memcpy (c->read_writer, g->read_writer, c->ir->reads * sizeof *c->read_writer);
  for (uint32_t point = 0; point < g->points; point++)
    c->place[point] = NO_PLACE;
  memset (c->newest, 0, c->ir->keys * sizeof *c->newest);
  memset (c->waits_for_source, 0, c->ir->nodes);
  if (c->rows)
    memset (c->rows, 0, (size_t) g->points * c->ir->keys * sizeof *c->rows);
  set_priorities (c, attempt);
  c->place[0] = 0;
  c->order[0] = 0;
  c->placed = 1;
  c->left = g->ordered - 1;
  c->ready.count = c->spare.count = 0;
  for (uint32_t point = 1; point < g->points; point++)
    if (!c->missing[point])
      make_ready (c, point);
}

void placing_settle_reads (struct placing *c, uint32_t *read_writer) {
  for (size_t i = 0; i < c->reads.count; i++) {
    const struct placing_read *of = &c->reads.data[i];
    const uint32_t source = placing_source_node (c, of, of->chosen);
    read_writer[of->read] = source;
    if (!source && c->init[of->key] == INITIAL_OPEN)
      c->init[of->key] = c->ir->read_value[of->read];
  }
}

static void wake_readers (struct placing *c, uint32_t install) {
  for (uint32_t i = c->waits_first[install]; i < c->waits_first[install + 1]; i++)
    if (c->waits_for_source[c->waits[i]]) {
      c->waits_for_source[c->waits[i]] = 0;
      make_ready (c, c->waits[i]);
    }
}

void placing_take_view (struct placing *c, uint32_t *row) {
  memcpy (row, c->row, c->ir->keys * sizeof *row);
  for (size_t i = 0; i < c->reads.count; i++)
    placing_merge (c, row, placing_source_node (c, &c->reads.data[i], c->reads.data[i].chosen));
  c->work += c->ir->keys * (c->reads.count + 1);
}

static void install_all (struct placing *c, uint32_t node) {
  for (uint32_t i = c->ir->node_first_install[node]; i < c->ir->node_first_install[node + 1]; i++) {
    const uint32_t install = c->ir->node_installs[i], key = graph_key (c->g, install);
    c->newest[key] = node;
    if (c->rows)
      c->rows[(size_t) node * c->ir->keys + key] = c->place[node];
  }
  for (uint32_t i = c->ir->node_first_install[node]; i < c->ir->node_first_install[node + 1]; i++)
    wake_readers (c, c->ir->node_installs[i]);
}

static void place_slot (struct placing *c, uint32_t slot) {
  uint32_t *row = c->rows ? c->rows + (size_t) slot * c->ir->keys : NULL;
  const uint32_t count = row ? graph_preds_in_view (c->g, slot, UINT32_MAX) : 0;
  for (uint32_t i = 0; i < count; i++)
    placing_merge (c, row, c->g->preds.data[i]);
}

static void place_point (struct placing *c, uint32_t point) {
  c->place[point] = c->placed;
  c->order[c->placed++] = point;
  c->left -= placing_must (c, point);
  if (graph_is_slot (c->g, point))
    place_slot (c, point);
  else {
    placing_settle_reads (c, c->read_writer);
    if (c->rows)
      placing_take_view (c, placing_row (c, point));
    install_all (c, point);
  }
  for (uint32_t i = c->next_first[point]; i < c->next_first[point + 1]; i++)
    if (!--c->missing[c->next[i]])
      make_ready (c, c->next[i]);
}

static bool can_be_placed (struct placing *c, uint32_t point) {
  c->work++;
  if (graph_is_slot (c->g, point) || placing_choose_sources (c, point))
    return true;
  c->waits_for_source[point] = 1;
  return false;
}

// Would a transaction that must be placed have one more source?
static bool is_wanted (const struct placing *c, uint32_t node) {
  for (uint32_t i = c->ir->node_first_install[node]; i < c->ir->node_first_install[node + 1]; i++) {
    const uint32_t install = c->ir->node_installs[i];
    for (uint32_t k = c->waits_first[install]; k < c->waits_first[install + 1]; k++)
      if (c->waits_for_source[c->waits[k]])
        return true;
  }
  return false;
}

// An unknown transaction, where nobody else can have the next place; first one that somebody waits
// for. False: there is none.
static bool place_spare (struct placing *c) {
  VEC (uint32_t) later = VEC_EMPTY;
  bool found = false;
  while (!found && c->spare.count) {
    const uint32_t point = c->spare.data[0];
    HEAP_POP (c->spare, comes_first, c);
    if (!is_wanted (c, point)) {
      VEC_PUSH (later, point);
      continue;
    }
    found = can_be_placed (c, point);
    if (found)
      place_point (c, point);
  }
  for (size_t i = 0; i < later.count; i++)
    HEAP_PUSH (c->spare, later.data[i], comes_first, c);
  c->work += later.count;
  VEC_FREE (later);
  return found;
}

static bool attempt (struct placing *c, uint32_t number) {
  begin_attempt (c, number);
  while (c->left && c->work < c->most_work && !budget_spent (c->s->budget)) {
    if (!c->ready.count && !place_spare (c))
      return false;
    if (!c->ready.count)
      continue;
    const uint32_t point = c->ready.data[0];
    HEAP_POP (c->ready, comes_first, c);
    if (can_be_placed (c, point))
      place_point (c, point);
  }
  return !c->left;
}

// ------------------------------------------------------------------------------------------ public

static void take_result (struct placing *c, struct placed *placed) {
  placed->in = MEM_ZARRAY (uint8_t, c->ir->nodes);
  placed->position = mem_nones (c->g->points);
  for (uint32_t i = 0; i < c->placed; i++) {
    placed->position[c->order[i]] = i;
    if (!graph_is_slot (c->g, c->order[i]))
      placed->in[c->order[i]] = 1;
  }
  placed->read_writer = c->read_writer;
  placed->order = c->order;
  placed->ordered = c->placed;
  c->read_writer = c->order = NULL;
}

static void placing_open (struct placing *c, struct saturation *s) {
  struct graph *g = s->graph;
  *c = (struct placing){ .s = s, .g = g, .ir = g->ir, .rules = &g->ir->rules };
  c->open_of = s->open.count ? saturation_open_of (s) : NULL;
  index_successors (c);
  index_waiting (c);
  c->missing = MEM_ARRAY (uint32_t, g->points);
  c->place = MEM_ARRAY (uint32_t, g->points);
  c->newest = MEM_ARRAY (uint32_t, c->ir->keys);
  c->init = MEM_ARRAY (uint32_t, c->ir->keys);
  c->read_writer = MEM_ARRAY (uint32_t, c->ir->reads);
  c->order = MEM_ARRAY (uint32_t, g->points);
  c->priority = MEM_ARRAY (uint32_t, g->points);
  c->waits_for_source = MEM_ARRAY (uint8_t, c->ir->nodes);
  c->row = MEM_ZARRAY (uint32_t, c->ir->keys);
  if (shows_paths (g))
    c->rows = MEM_ARRAY (uint32_t, (size_t) g->points * c->ir->keys);
}

static void placing_close (struct placing *c) {
  MEM_FREE_ALL (c->open_of, c->next_first, c->next, c->waits_first, c->waits, c->before, c->missing, c->place,
                c->newest, c->init, c->read_writer, c->order, c->priority, c->waits_for_source, c->ready.data,
                c->spare.data, c->rows, c->row, c->reads.data, c->sources.data, c->installs.data);
}

// The first attempts, and others as long as few transactions are left over.
static bool try_again (struct placing *c, uint64_t patience) {
  bool close = true, fine = false;
  for (uint32_t number = 0; !fine && (number < 3 || (close && number < ATTEMPTS)); number++) {
    c->most_work = c->work + patience;
    fine = attempt (c, number);
    close = c->left <= c->g->ordered / 16 && (number < 3 || c->work < LITTLE);
  }
  return fine;
}

// Where some reads must be of the last version, many orders side by side.
static bool try_beams (struct placing *c, uint64_t patience) {
  bool fine = false;
  for (uint32_t width = 4; width <= WIDEST && wants_last_versions (c->g) && !fine; width *= 4) {
    c->most_work = c->work + patience;
    fine = placing_by_beam (c, width);
  }
  return fine;
}

bool place_transactions (struct saturation *s, struct placed *placed) {
  struct placing c;
  placing_open (&c, s);
  const uint64_t entries = s->candidates.count + c.g->points + c.ir->reads + c.ir->installs;
  const bool fine = try_again (&c, PATIENCE * entries + LITTLE) || try_beams (&c, PATIENCE * entries + MUCH);
  if (fine)
    take_result (&c, placed);
  placing_close (&c);
  return fine;
}

void placed_free (struct placed *placed) {
  MEM_FREE_ALL (placed->in, placed->read_writer, placed->order, placed->position);
}
