// What a level proscribes in one world of a few transactions: all edges are written down, and short
// cycles are looked for, as the level has them.

#include "certify/prove.h"

#include "base/group.h"

#include <string.h>

typedef VEC (uint32_t) index_vec;

// A step between two places. PLACE_INITIAL is the place behind the last one.
struct local_step {
  struct cert_step step;
  uint32_t from, to;
  bool anti, predicate;
  index_vec path; // STEP_VISIBLE: local steps
};

#define STEP_INSIDE UINT32_MAX // from the begin of a transaction to its commit
#define STEP_NONE UINT32_MAX
#define POINT_NONE UINT32_MAX

struct finder {
  const struct part *part;
  const struct chosen *chosen;
  struct certificate *c;
  struct claim_level level;
  uint32_t places; // with the initial state
  VEC (struct local_step) steps;
  unsigned points; // per place
  // Adjacency over points: the steps that a search may take.
  uint32_t *first, *out; // out: step, or STEP_INSIDE
  // Of one search.
  uint32_t *came_by; // per point: the step that led there
  uint32_t *came_from;
  uint32_t *queue;
  uint8_t *covered; // per place: some lemma of this world speaks of it
  uint32_t lemmas;
};

enum { MOST_LEMMAS = 64 };

static uint32_t txn_at (const struct finder *f, uint32_t place) {
  return place == f->part->count ? INITIAL : f->part->txn[place];
}

static uint32_t place_of (const struct finder *f, uint32_t place) {
  return place == PLACE_INITIAL ? f->part->count : place;
}

static struct local_step *add_step (struct finder *f, enum step_kind kind, uint32_t from, uint32_t to) {
  const struct local_step step = {
    .step = { .kind = (uint8_t) kind, .from = txn_at (f, from), .to = txn_at (f, to), .via = INITIAL },
    .from = from,
    .to = to
  };
  VEC_PUSH (f->steps, step);
  return &f->steps.data[f->steps.count - 1];
}

// ------------------------------------------------------------------------------------------- edges

static void add_orders (struct finder *f) {
  const struct told *a = f->part->clauses->told;
  for (uint32_t to = 0; to < f->part->count; to++) {
    bool in_session = f->level.so;
    for (uint32_t from = f->part->count; from-- > 0 && f->chosen->in[to];) {
      if (from == to || !f->chosen->in[from])
        continue;
      if (in_session && told_session_order (a, f->part->txn[from], f->part->txn[to])) {
        add_step (f, STEP_SESSION, from, to);
        // elsewhere the nearest one stands for those before it
        in_session = f->level.family == FAMILY_READ_ATOMIC;
      }
      if (told_program_order (a, f->part->txn[from], f->part->txn[to]))
        add_step (f, STEP_PROGRAM, from, to);
      if (f->level.rt && told_real_time (a, f->part->txn[from], f->part->txn[to], f->part->clauses->clock_skew))
        add_step (f, STEP_REAL_TIME, from, to);
    }
  }
}

static void add_constraints (struct finder *f) {
  const struct cert_constraints *constraints = &f->c->constraints;
  for (uint32_t i = 0; i < constraints->list.count; i++)
    for (uint32_t k = 0; k < constraints->list.data[i].alternatives; k++) {
      const struct cert_alternative *alternative =
        &constraints->alternatives.data[constraints->list.data[i].first_alternative + k];
      if (!chosen_takes (f->chosen, i, k))
        continue;
      for (uint32_t e = alternative->first_edge; e < alternative->first_edge + alternative->edges; e++) {
        const uint32_t from = part_place (f->part, constraints->edges.data[e].from),
                       to = part_place (f->part, constraints->edges.data[e].to);
        if (from == PLACE_NONE || to == PLACE_NONE || !f->chosen->in[from] || !f->chosen->in[to])
          continue;
        struct local_step *step = add_step (f, STEP_CONSTRAINT, from, to);
        step->step.constraint = i;
        step->step.alternative = k;
      }
    }
}

static void add_reads (struct finder *f) {
  for (size_t i = 0; i < f->part->reads.count; i++) {
    const struct part_read *read = &f->part->reads.data[i];
    if (f->chosen->source[i] == PLACE_NONE || !f->chosen->in[read->reader])
      continue;
    struct local_step *step = add_step (f, STEP_READ, place_of (f, f->chosen->source[i]), read->reader);
    step->step.op = read->read.op;
    step->step.key = read->read.key;
  }
}

// Installers of the key, in the part, whose versions are there.
static void installers (const struct finder *f, uint32_t key, index_vec *found) {
  uint32_t first, end;
  found->count = 0;
  part_writers (f->part, key, &first, &end);
  for (uint32_t i = first; i < end; i++)
    if (f->chosen->wrote[i])
      VEC_PUSH (*found, f->part->writers.data[i].writer);
}

static void add_versions (struct finder *f) {
  index_vec found = VEC_EMPTY;
  for (size_t i = 0; i < f->part->writers.count; i++) {
    const uint32_t key = f->part->writers.data[i].key;
    if (i && f->part->writers.data[i - 1].key == key)
      continue;
    installers (f, key, &found);
    for (size_t x = 0; x < found.count; x++)
      for (size_t y = 0; y < found.count; y++)
        if (x != y && chosen_before (f->chosen, key, found.data[x], found.data[y]))
          add_step (f, STEP_VERSION, found.data[x], found.data[y])->step.key = key;
  }
  VEC_FREE (found);
}

static void add_overwrites (struct finder *f) {
  index_vec found = VEC_EMPTY;
  for (size_t i = 0; i < f->part->reads.count; i++) {
    const struct part_read *read = &f->part->reads.data[i];
    const uint32_t source = f->chosen->source[i];
    if (source == PLACE_NONE || !f->chosen->in[read->reader])
      continue;
    installers (f, read->read.key, &found);
    for (size_t k = 0; k < found.count; k++) {
      const uint32_t by = found.data[k];
      if (by == read->reader || by == source
          || (source != PLACE_INITIAL && !chosen_before (f->chosen, read->read.key, source, by)))
        continue;
      struct local_step *step = add_step (f, STEP_OVERWRITE, read->reader, by);
      step->step.op = read->read.op;
      step->step.key = read->read.key;
      step->step.via = txn_at (f, place_of (f, source));
      step->anti = true;
      step->predicate = read->read.predicate;
    }
  }
  VEC_FREE (found);
}

// ---------------------------------------------------------------------------- the axiomatic levels

// Orders that a list shows.
static void add_list (struct finder *f, const struct part_list *list) {
  const uint32_t *inside = list->inside.data, last = inside[list->inside.count - 1];
  uint32_t first, end;
  for (size_t i = 0; i < list->inside.count; i++)
    for (size_t k = i + 1; k < list->inside.count; k++)
      if (f->chosen->in[inside[i]] && f->chosen->in[inside[k]])
        add_step (f, STEP_LIST, inside[i], inside[k])->step.op = list->op;
  if (!list->last_is_inside || !f->chosen->in[last])
    return;
  part_writers (f->part, list->key, &first, &end);
  for (uint32_t i = first; i < end; i++) {
    const uint32_t other = f->part->writers.data[i].writer;
    bool listed = !f->chosen->in[other];
    for (size_t k = 0; k < list->inside.count; k++)
      listed |= inside[k] == other;
    if (!listed)
      add_step (f, STEP_LIST, last, other)->step.op = list->op;
  }
}

// How each place leads to `reader`, by session order, real time and reads: the step to take from
// it, or STEP_NONE.
static void find_visible (const struct finder *f, uint32_t reader, uint32_t base, uint32_t *by) {
  memset (by, 0xff, f->places * sizeof *by);
  bool grown = true;
  uint8_t *reached = MEM_ZARRAY (uint8_t, f->places);
  reached[reader] = 1;
  while (grown) {
    grown = false;
    for (uint32_t i = 0; i < base; i++) {
      const struct local_step *step = &f->steps.data[i];
      const bool one_step = f->level.family == FAMILY_READ_ATOMIC;
      if (reached[step->from] || !reached[step->to]
          || (one_step
              && (step->to != reader || step->step.kind == STEP_PROGRAM || step->step.kind == STEP_CONSTRAINT)))
        continue;
      reached[step->from] = 1;
      by[step->from] = i;
      grown = true;
    }
  }
  mem_free (reached);
}

static void add_visible_step (struct finder *f, const struct part_read *read, uint32_t from, uint32_t source,
                              const index_vec *path) {
  struct local_step *step = add_step (f, STEP_VISIBLE, from, source);
  step->step.op = read->read.op;
  step->step.key = read->read.key;
  step->step.path = (uint32_t) path->count;
  for (size_t i = 0; i < path->count; i++)
    VEC_PUSH (step->path, path->data[i]);
}

// Read committed, by axioms: an earlier read of the transaction that read from the place.
static bool earlier_read (const struct finder *f, const struct part_read *read, uint32_t from, uint32_t base,
                          index_vec *path) {
  for (uint32_t i = 0; i < base; i++) {
    const struct local_step *step = &f->steps.data[i];
    if (step->step.kind == STEP_READ && step->to == read->reader && step->from == from
        && step->step.op < read->read.op) {
      VEC_PUSH (*path, i);
      return true;
    }
  }
  return false;
}

// Installers of what was read that the reader sees come before the source. `base` steps are session
// order, real time and reads.
static void add_visible (struct finder *f, uint32_t base) {
  uint32_t *by = MEM_ARRAY (uint32_t, f->places);
  index_vec found = VEC_EMPTY, path = VEC_EMPTY;
  for (size_t i = 0; i < f->part->reads.count; i++) {
    const struct part_read *read = &f->part->reads.data[i];
    if (f->chosen->source[i] == PLACE_NONE || !f->chosen->in[read->reader])
      continue;
    const uint32_t source = place_of (f, f->chosen->source[i]);
    installers (f, read->read.key, &found);
    find_visible (f, read->reader, base, by);
    for (size_t k = 0; k < found.count; k++) {
      const uint32_t from = found.data[k];
      bool seen = false;
      path.count = 0;
      if (from == source || from == read->reader)
        continue;
      if (f->level.family == FAMILY_READ_COMMITTED_AXIOMATIC)
        seen = earlier_read (f, read, from, base, &path);
      else
        for (uint32_t at = from; by[at] != STEP_NONE; at = f->steps.data[by[at]].to) {
          VEC_PUSH (path, by[at]);
          seen = true;
        }
      if (seen)
        add_visible_step (f, read, from, source, &path);
    }
  }
  MEM_FREE_ALL (found.data, path.data, by);
}

// Orders of versions that hints tell.
static void add_hinted (struct finder *f) {
  const struct told *a = f->part->clauses->told;
  const struct part_writer *writers = f->part->writers.data;
  for (size_t i = 0; a->hints && i < f->part->writers.count; i++)
    for (size_t k = 0; k < f->part->writers.count; k++)
      if (i != k && writers[i].key == writers[k].key && f->chosen->wrote[i] && f->chosen->wrote[k]
          && told_hinted_order (a, writers[i].key, f->part->txn[writers[i].writer], f->part->txn[writers[k].writer]))
        add_step (f, STEP_HINT, writers[i].writer, writers[k].writer)->step.key = writers[i].key;
}

static void add_axiomatic (struct finder *f) {
  const uint32_t base = (uint32_t) f->steps.count;
  add_visible (f, base);
  for (size_t i = 0; i < f->part->lists.count; i++) {
    const struct part_list *list = &f->part->lists.data[i];
    if (f->chosen->in[list->reader] && list->inside.count)
      add_list (f, list);
  }
  add_hinted (f);
  for (uint32_t place = 0; place < f->part->count; place++)
    if (f->chosen->in[place])
      add_step (f, STEP_FIRST, f->part->count, place);
}

// --------------------------------------------------------------------------------------- searching

static unsigned point_of_start (const struct finder *f, const struct local_step *step) {
  return f->points == 2 && !step->anti; // commit
}

static unsigned point_of_end (const struct finder *f, const struct local_step *step) {
  return f->points == 2
         && (step->anti || (step->step.kind == STEP_VERSION && f->level.family == FAMILY_PREFIX_CONSISTENCY));
}

// The steps that a cycle of the level may have, or a way back of an anti-dependency.
static bool may_have (const struct finder *f, const struct local_step *step) {
  switch (f->level.family) {
  case FAMILY_SNAPSHOT_ISOLATION:
  case FAMILY_SERIALIZABLE:
  case FAMILY_PREFIX_CONSISTENCY: return true;
  case FAMILY_REPEATABLE_READ: return !step->anti || !step->predicate;
  case FAMILY_UPDATE_SERIALIZABLE: return !step->anti || f->chosen->surely[step->from];
  default: return !step->anti;
  }
}

static void connect (struct finder *f) {
  struct grouping by_start = { .groups = (size_t) f->places * f->points };
  while (grouping_pass (&by_start)) {
    for (uint32_t i = (uint32_t) f->steps.count; i-- > 0;) {
      const struct local_step *step = &f->steps.data[i];
      if (may_have (f, step))
        group_put (&by_start, step->from * f->points + point_of_start (f, step), i);
    }
    for (uint32_t place = 0; f->points == 2 && place < f->places; place++)
      group_put (&by_start, (size_t) place * 2, STEP_INSIDE);
  }
  f->first = by_start.first;
  f->out = by_start.items;
}

// Monotonic view: the step arrives at the reader before the read whose anti-dependency it is, or at
// it.
static bool arrives_in_time (const struct finder *f, const struct local_step *step, const struct local_step *anti) {
  struct told *a = f->part->clauses->told;
  if (f->level.family != FAMILY_MONOTONIC_VIEW)
    return true;
  if (step->step.kind == STEP_READ)
    return step->step.op <= anti->step.op;
  if (step->step.kind != STEP_VERSION)
    return true;
  told_add (a, step->step.to);
  const struct told_write *write = told_find_write (a, step->step.key);
  return write && write->last_op < anti->step.op;
}

// A shortest path from `start` to the goal, its steps in `path`; false: none. It may come back to
// where it starts. `anti`: the way back that it is to be of; or NULL.
static bool find_path (struct finder *f, uint32_t start, uint32_t goal, const struct local_step *anti,
                       index_vec *path) {
  const uint32_t all = f->places * f->points;
  uint32_t head = 0, tail = 0;
  memset (f->came_from, 0xff, all * sizeof *f->came_from);
  f->queue[tail++] = start;
  while (head < tail) {
    const uint32_t at = f->queue[head++];
    for (uint32_t i = f->first[at]; i < f->first[at + 1]; i++) {
      const uint32_t step = f->out[i];
      const uint32_t next =
        step == STEP_INSIDE ? at + 1 : f->steps.data[step].to * f->points + point_of_end (f, &f->steps.data[step]);
      if (next == goal) {
        if (anti && !arrives_in_time (f, &f->steps.data[step], anti))
          continue;
        path->count = 0;
        if (step != STEP_INSIDE)
          VEC_PUSH (*path, step);
        for (uint32_t back = at; back != start; back = f->came_from[back])
          if (f->came_by[back] != STEP_INSIDE)
            VEC_PUSH (*path, f->came_by[back]);
        for (size_t x = 0, y = path->count; x + 1 < y; x++, y--) { // it was found backwards
          const uint32_t swapped = path->data[x];
          path->data[x] = path->data[y - 1];
          path->data[y - 1] = swapped;
        }
        return true;
      }
      if (next == start || f->came_from[next] != POINT_NONE)
        continue;
      f->came_from[next] = at;
      f->came_by[next] = step;
      f->queue[tail++] = next;
    }
  }
  return false;
}

// ------------------------------------------------------------------------------------------ lemmas

static void push_step (struct finder *f, uint32_t step) {
  VEC_PUSH (f->c->steps, f->steps.data[step].step);
  const index_vec *path = &f->steps.data[step].path;
  for (size_t i = 0; i < path->count; i++)
    VEC_PUSH (f->c->steps, f->steps.data[path->data[i]].step);
}

// Update serializability: that a transaction on the way writes, although all it has are deletes
// without a recorded result.
static void assume_updates (struct finder *f, const index_vec *path) {
  struct told *a = f->part->clauses->told;
  for (size_t i = 0; i < path->count; i++) {
    const struct local_step *step = &f->steps.data[path->data[i]];
    if (!f->chosen->surely[step->from])
      continue;
    told_add (a, step->step.from);
    uint32_t unrecorded = OP_NONE;
    for (size_t k = 0; k < a->writes.count; k++) {
      if (a->writes.data[k].unrecorded == OP_NONE) {
        unrecorded = OP_NONE;
        break;
      }
      if (chosen_delete_wrote (f->chosen, a->writes.data[k].unrecorded))
        unrecorded = a->writes.data[k].unrecorded;
    }
    if (unrecorded != OP_NONE)
      VEC_PUSH (f->c->assumed, unrecorded * 2 + 1);
  }
}

static void assume (struct finder *f, uint32_t delete) {
  if (delete != OP_NONE)
    VEC_PUSH (f->c->assumed, delete *2 + chosen_delete_wrote (f->chosen, delete));
}

static struct cert_item begin_lemma (const struct finder *f) {
  return (struct cert_item){ .kind = ITEM_LEMMA,
                             .first_step = (uint32_t) f->c->steps.count,
                             .first_assumed = (uint32_t) f->c->assumed.count };
}

static void end_lemma (struct finder *f, struct cert_item item) {
  item.steps = (uint32_t) f->c->steps.count - item.first_step;
  item.assumed = (uint32_t) f->c->assumed.count - item.first_assumed;
  VEC_PUSH (f->c->items, item);
  f->lemmas++;
}

static void add_lemma (struct finder *f, const index_vec *path) {
  struct cert_item item = begin_lemma (f);
  if (f->level.family == FAMILY_UPDATE_SERIALIZABLE)
    assume_updates (f, path);
  for (size_t i = 0; i < path->count; i++) {
    push_step (f, path->data[i]);
    f->covered[f->steps.data[path->data[i]].from] = 1;
  }
  end_lemma (f, item);
}

// ------------------------------------------------------------------------------------ lost updates

// Cursor stability: the last read of the key that holds a cursor before its transaction writes it.
static uint32_t cursor_read (const struct finder *f, uint32_t place, uint32_t key, uint32_t first_write) {
  uint32_t last = READ_NONE;
  for (uint32_t i = 0; i < f->part->reads.count; i++) {
    const struct part_read *read = &f->part->reads.data[i];
    if (read->reader == place && read->read.key == key && read->read.op <= first_write
        && f->chosen->source[i] != PLACE_NONE && told_holds_cursor (f->part->clauses->told, &read->read)
        && (last == READ_NONE || f->part->reads.data[last].read.op < read->read.op))
      last = i;
  }
  return last;
}

// An anti-dependency of the read to somebody whose version comes before the reader's own one.
static void find_lost_update (struct finder *f, uint32_t place, const struct told_write *write) {
  const uint32_t before = write->unrecorded_before_first;
  const bool wrote = before != OP_NONE && chosen_delete_wrote (f->chosen, before);
  const uint32_t first = wrote ? before : write->first_op, key = write->key;
  const uint32_t last = cursor_read (f, place, key, first);
  for (uint32_t i = 0; last != READ_NONE && i < f->steps.count; i++) {
    const struct local_step *anti = &f->steps.data[i];
    if (!anti->anti || anti->from != place || anti->step.op != f->part->reads.data[last].read.op
        || anti->step.key != key || !chosen_before (f->chosen, key, anti->to, place))
      continue;
    struct cert_item item = begin_lemma (f);
    const struct told *a = f->part->clauses->told;
    assume (f, before);
    for (size_t k = 0; k < a->reads.count; k++) // whether a later read counts may be up to a delete
      if (a->reads.data[k].key == key && a->reads.data[k].op > anti->step.op && a->reads.data[k].op <= first
          && a->reads.data[k].unrecorded != OP_NONE && a->reads.data[k].unrecorded != before
          && a->reads.data[k].unrecorded != write->unrecorded)
        assume (f, a->reads.data[k].unrecorded);
    VEC_PUSH (f->c->steps, anti->step);
    VEC_PUSH (f->c->steps,
              (struct cert_step){
                .kind = STEP_VERSION, .from = anti->step.to, .to = anti->step.from, .key = key, .via = INITIAL });
    end_lemma (f, item);
    return;
  }
}

static void find_lost_updates (struct finder *f) {
  struct told *a = f->part->clauses->told;
  for (uint32_t place = 0; place < f->part->count && f->lemmas < MOST_LEMMAS; place++) {
    if (!f->chosen->in[place])
      continue;
    told_add (a, f->part->txn[place]);
    for (size_t i = 0; i < a->writes.count; i++)
      if ((a->writes.data[i].unrecorded == OP_NONE || chosen_delete_wrote (f->chosen, a->writes.data[i].unrecorded))
          && !told_run_divides_cursors (a, &a->writes.data[i]))
        find_lost_update (f, place, &a->writes.data[i]);
  }
}

// ----------------------------------------------------------------------------------------- cycles

static void find_cycles (struct finder *f) {
  index_vec path = VEC_EMPTY;
  for (uint32_t point = 0; point < f->places * f->points && f->lemmas < MOST_LEMMAS; point++)
    if (!f->covered[point / f->points] && find_path (f, point, point, NULL, &path))
      add_lemma (f, &path);
  VEC_FREE (path);
}

// One anti-dependency and a way back without any; of update serializability, one of a transaction
// that only reads.
static void find_ways_back (struct finder *f) {
  const bool only_readers = f->level.family == FAMILY_UPDATE_SERIALIZABLE;
  index_vec path = VEC_EMPTY;
  for (uint32_t i = 0; i < f->steps.count && f->lemmas < MOST_LEMMAS; i++) {
    const struct local_step *anti = &f->steps.data[i];
    if (!anti->anti || f->covered[anti->from] || (only_readers && f->chosen->surely[anti->from])
        || !find_path (f, anti->to, anti->from, anti, &path))
      continue;
    VEC_PUSH (path, i);
    add_lemma (f, &path);
  }
  VEC_FREE (path);
}

void find_forbidden (const struct part *part, const struct chosen *chosen, struct certificate *c) {
  struct finder f = {
    .part = part, .chosen = chosen, .c = c, .level = part->clauses->level, .places = part->count + 1, .points = 1
  };
  if (f.level.family == FAMILY_SNAPSHOT_ISOLATION || f.level.family == FAMILY_PREFIX_CONSISTENCY)
    f.points = 2;
  add_orders (&f);
  add_constraints (&f);
  add_reads (&f);
  if (claim_is_axiomatic (f.level))
    add_axiomatic (&f);
  else {
    add_versions (&f);
    add_overwrites (&f);
  }
  const size_t all = (size_t) f.places * f.points;
  f.came_by = MEM_ARRAY (uint32_t, all);
  f.came_from = MEM_ARRAY (uint32_t, all);
  f.queue = MEM_ARRAY (uint32_t, all);
  f.covered = MEM_ZARRAY (uint8_t, f.places);
  connect (&f);
  find_cycles (&f);
  if (f.level.family == FAMILY_CURSOR_STABILITY)
    find_lost_updates (&f);
  if (f.level.family == FAMILY_MONOTONIC_VIEW || f.level.family == FAMILY_CONSISTENT_VIEW
      || f.level.family == FAMILY_UPDATE_SERIALIZABLE)
    find_ways_back (&f);
  for (size_t i = 0; i < f.steps.count; i++)
    VEC_FREE (f.steps.data[i].path);
  MEM_FREE_ALL (f.steps.data, f.first, f.out, f.came_by, f.came_from, f.queue, f.covered);
}
