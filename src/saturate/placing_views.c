// Which sources a transaction can have that gets the next place: of the candidates that have one,
// such that no read misses a later version that the transaction has in view.
//
// Versions come in the order of places, so that all there is to know of a view is, per key, the
// place of the last version in it: a read must not be from an older one. What a source adds to the
// view depends on that source alone.

#include "saturate/placing_inside.h"

#include "base/search.h"
#include "base/sort.h"

void placing_merge (const struct placing *c, uint32_t *row, uint32_t point) {
  const uint32_t *other = placing_row (c, point);
  for (uint32_t key = 0; key < c->ir->keys; key++)
    row[key] = other[key] > row[key] ? other[key] : row[key];
}

bool placing_has_read (const struct placing *c, uint32_t read) {
  const uint32_t presence = ir_read_presence (c->ir, read);
  const enum presence_state state = graph_presence (c->g, presence);
  // deletes that may have written are taken to have done so
  return state == PRESENCE_OPEN ? presence_wanted (presence) : state == PRESENCE_HOLDS;
}

// ------------------------------------------------------------------------------------- candidates

// Must it read the last version so far? Where overwriting a version is an edge, whoever comes later
// must not have done so.
bool placing_wants_newest (const struct placing *c, uint32_t read) {
  return graph_anti (c->g, read) == ANTI_EDGE || (c->g->read_when && c->g->read_when[read] != NEVER);
}

static void add_source (struct placing *c, struct placing_read *of, uint32_t node, uint32_t source) {
  const uint32_t place = source ? c->place[source] : 0;
  if (place == NO_PLACE || source == node || (placing_wants_newest (c, of->read) && c->newest[of->key] != source))
    return;
  if (!source && c->init[of->key] != INITIAL_OPEN && !ir_accepts (c->ir, of->read, c->init[of->key]))
    return;
  VEC_PUSH (c->sources, (uint64_t) place << 32 | source);
  of->count++;
}

static bool list_sources (struct placing *c, uint32_t node, uint32_t read) {
  const struct ir *ir = c->ir;
  struct placing_read of = { .read = read, .key = ir->read_key[read], .first = (uint32_t) c->sources.count };
  const uint32_t open = c->open_of ? c->open_of[read] : UINT32_MAX;
  if (c->g->read_writer[read] != NODE_NONE)
    add_source (c, &of, node, c->g->read_writer[read]);
  else if (open != UINT32_MAX)
    for (uint32_t i = 0; i < c->s->open.data[open].count; i++)
      add_source (c, &of, node, ir_writer_of (ir, c->s->candidates.data[c->s->open.data[open].first + i]));
  if (!c->rules->events)
    SORT (c->sources.data + of.first, of.count, by_u64);
  c->work += of.count;
  VEC_PUSH (c->reads, of);
  return of.count;
}

static bool list_reads (struct placing *c, uint32_t node) {
  c->reads.count = c->sources.count = 0;
  for (uint32_t read = c->ir->node_first_read[node]; read < c->ir->node_first_read[node + 1]; read++)
    if (placing_has_read (c, read) && !list_sources (c, node, read))
      return false;
  return true;
}

static uint32_t first_not_before (const struct placing *c, const struct placing_read *of, uint32_t place) {
  uint32_t low = 0;
  LOWER_BOUND (low, of->count, middle, placing_source_place (c, of, middle) < place);
  return low;
}

static uint32_t chosen_place (const struct placing *c, const struct placing_read *of) {
  return placing_source_place (c, of, of->chosen);
}

static uint32_t chosen_node (const struct placing *c, const struct placing_read *of) {
  return placing_source_node (c, of, of->chosen);
}

// -------------------------------------------------------------------------------- one look for all

// The last version of the key that comes into view with a source.
static uint32_t shown_by (const struct placing *c, uint32_t source, uint32_t key) {
  if (!source)
    return 0;
  if (c->rows)
    return placing_row (c, source)[key];
  return ir_install_of (c->ir, key, source) != INSTALL_NONE ? c->place[source] : 0;
}

// The last version of the key in the session before the node, and of those that ended before it
// began.
static uint32_t shown_before (struct placing *c, uint32_t node, uint32_t key) {
  const struct ir *ir = c->ir;
  const uint32_t before = ir->rules.so.used ? ir_session_before (ir, node) : NODE_NONE;
  uint32_t last = 0;
  c->work += ir->key_first[key + 1] - ir->key_first[key];
  for (uint32_t i = ir->key_first[key]; i < ir->key_first[key + 1]; i++) {
    const uint32_t p = ir->install_node[i];
    const bool shown = c->place[p] != NO_PLACE
                       && ((before != NODE_NONE && p <= before && p >= ir->chain_first[ir->node_chain[before]])
                           || (ir->rules.rt.used && ir_ended_before (ir, p, node)));
    last = shown && c->place[p] > last ? c->place[p] : last;
  }
  return last;
}

// What is in view whatever is read.
static void look_before (struct placing *c, uint32_t node) {
  for (size_t i = 0; i < c->reads.count; i++)
    c->row[c->reads.data[i].key] = 0;
  for (size_t i = 0; !c->rows && i < c->reads.count; i++)
    c->row[c->reads.data[i].key] = shown_before (c, node, c->reads.data[i].key);
  if (!c->rows)
    return;
  for (uint32_t key = 0; key < c->ir->keys; key++)
    c->row[key] = 0;
  const uint32_t count = graph_preds_in_view (c->g, node, UINT32_MAX);
  for (uint32_t i = 0; i < count; i++)
    placing_merge (c, c->row, c->g->preds.data[i]);
  for (uint32_t i = c->ir->node_first_install[node]; !c->rules->ww_hidden && i < c->ir->node_first_install[node + 1];
       i++)
    placing_merge (c, c->row, c->newest[graph_key (c->g, c->ir->node_installs[i])]);
}

// Each read as old as it can be: a source that shows a later version of what another one has read
// moves that one up.
static bool choose_from_below (struct placing *c) {
  for (size_t i = 0; i < c->reads.count; i++) {
    struct placing_read *of = &c->reads.data[i];
    of->chosen = first_not_before (c, of, c->row[of->key]);
    if (of->chosen == of->count)
      return false;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < c->reads.count; i++)
      for (size_t k = 0; k < c->reads.count; k++) {
        struct placing_read *of = &c->reads.data[k];
        const uint32_t shown = shown_by (c, chosen_node (c, &c->reads.data[i]), of->key);
        if (shown <= chosen_place (c, of))
          continue;
        of->chosen = first_not_before (c, of, shown);
        changed = true;
        if (of->chosen == of->count)
          return false;
      }
    c->work += c->reads.count * c->reads.count;
  }
  return true;
}

// Does the source show a later version than another read can have, at most?
static bool shows_too_much (const struct placing *c, uint32_t source, uint32_t except) {
  for (size_t k = 0; k < c->reads.count; k++)
    if (k != except && shown_by (c, source, c->reads.data[k].key) > chosen_place (c, &c->reads.data[k]))
      return true;
  return false;
}

// Each read as new as it can be: this finds sources if there are any.
static bool choose_from_above (struct placing *c) {
  for (size_t i = 0; i < c->reads.count; i++)
    c->reads.data[i].chosen = c->reads.data[i].count - 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < c->reads.count; i++) {
      struct placing_read *of = &c->reads.data[i];
      for (; shows_too_much (c, chosen_node (c, of), i); of->chosen--) {
        changed = true;
        c->work += c->reads.count;
        if (!of->chosen)
          return false;
      }
      if (chosen_place (c, of) < c->row[of->key])
        return false;
    }
  }
  return true;
}

// -------------------------------------------------------------------------- one read after another

// What a read shows counts for later operations only: from the last one back, each as new as it can
// be.
static bool choose_backwards (struct placing *c) {
  for (size_t i = c->reads.count; i-- > 0;) {
    struct placing_read *of = &c->reads.data[i];
    for (of->chosen = of->count; of->chosen-- > 0;) {
      bool fine = true;
      for (size_t k = i + 1; fine && k < c->reads.count; k++)
        fine = c->ir->read_op[c->reads.data[k].read] == c->ir->read_op[of->read]
               || shown_by (c, chosen_node (c, of), c->reads.data[k].key) <= chosen_place (c, &c->reads.data[k]);
      c->work += c->reads.count - i;
      if (fine)
        break;
    }
    if (of->chosen == UINT32_MAX)
      return false;
  }
  return true;
}

// The same of a list that is not sorted.
static uint32_t oldest_not_before (const struct placing *c, const struct placing_read *of, uint32_t place) {
  uint32_t best = of->count;
  for (uint32_t i = 0; i < of->count; i++)
    if (placing_source_place (c, of, i) >= place
        && (best == of->count || placing_source_place (c, of, i) < placing_source_place (c, of, best)))
      best = i;
  return best;
}

static void sort_installs (struct placing *c, uint32_t node) {
  const struct ir *ir = c->ir;
  c->installs.count = 0;
  for (uint32_t i = ir->node_first_install[node]; i < ir->node_first_install[node + 1]; i++) {
    const uint32_t install = ir->node_installs[i];
    VEC_PUSH (c->installs, (uint64_t) ir->install_last_op[install] << 32 | install);
  }
  VEC_SORT (c->installs, by_u64);
}

// The view grows read by read, and with each last write of a key by what it overwrites. Each read
// as old as it can be.
static bool choose_by_events (struct placing *c, uint32_t node) {
  const struct ir *ir = c->ir;
  size_t written = 0;
  for (uint32_t key = 0; key < ir->keys; key++)
    c->row[key] = 0;
  const uint32_t before = ir->rules.so.used ? ir_session_before (ir, node) : NODE_NONE;
  if (before != NODE_NONE)
    placing_merge (c, c->row, before);
  if (ir->time_before && ir->time_before[node] != SLOT_NONE)
    placing_merge (c, c->row, c->g->first_slot + ir->time_before[node]);
  for (uint32_t i = c->g->extra_head[node]; i != UINT32_MAX; i = c->g->extra.data[i].next)
    if (c->g->extra.data[i].rule == RULE_GIVEN)
      placing_merge (c, c->row, c->g->extra.data[i].from);
  sort_installs (c, node);
  for (size_t i = 0; i <= c->reads.count; i++) {
    struct placing_read *of = i < c->reads.count ? &c->reads.data[i] : NULL;
    for (; written < c->installs.count && (!of || c->installs.data[written] >> 32 < ir->read_op[of->read]); written++)
      placing_merge (c, c->row, c->newest[graph_key (c->g, (uint32_t) c->installs.data[written])]);
    if (!of)
      break;
    of->chosen = oldest_not_before (c, of, c->row[of->key]);
    if (of->chosen == of->count)
      return false;
    placing_merge (c, c->row, chosen_node (c, of));
    c->work += ir->keys;
  }
  return true;
}

// ------------------------------------------------------------------------------------------ public

bool placing_choose_sources (struct placing *c, uint32_t node) {
  if (!list_reads (c, node))
    return false;
  for (size_t i = 0; i < c->reads.count; i++)
    c->reads.data[i].chosen = c->reads.data[i].count - 1;
  if (c->rules->events)
    return choose_by_events (c, node);
  if (c->rules->view == VIEW_EARLIER_READS)
    return choose_backwards (c);
  if (c->rules->view == VIEW_PATHS && !c->rows)
    return true;
  look_before (c, node);
  return choose_from_below (c) || choose_from_above (c);
}
