// Scans and iterators of a part: cut around the keys of reads that are taken out.

#include "core/core_index.h"

#include "asg/asg.h"
#include "base/sort.h"

// The next key of the whole history, in the part; false: there is none, and nothing to see from
// there on. Not one that is made up: a dialect cuts scans where there are keys, and a piece of a
// scan is a read that has its place in time.
static bool key_behind (struct restriction *r, uint32_t key, uint32_t *behind) {
  const uint32_t next = core_keys_in_range (r->index, &(struct op_range){ .low = key, .high = KEY_NONE }).first + 1;
  if (next == history_keys (r->h))
    return false;
  *behind = core_new_key (r, r->index->sorted_keys[next]);
  return true;
}

struct cut {
  struct atom atom;
  uint32_t key;
};

static int by_atom (const void *a, const void *b) {
  return atom_compare (((const struct cut *) a)->atom, ((const struct cut *) b)->atom);
}

typedef VEC (struct cut) cut_vec;

// An operation that is being cut. Its items are in order, or there would be no reads to cut around;
// each goes into the piece at hand or into a later one.
struct cutting {
  struct restriction *r;
  const struct op_range *range;
  uint32_t op;
  bool reverse;
  uint32_t next; // item, in ascending order of keys
};

static uint32_t item_at (const struct cutting *c, uint32_t i) {
  return c->range->first_item + (c->reverse ? c->range->items - 1 - i : i);
}

// A piece [low, high) of the result; bounds are keys of the new history.
static void add_piece (struct cutting *c, uint32_t low, uint32_t high) {
  struct restriction *r = c->r;
  const struct history *h = r->h;
  const char *why = NULL;
  if (low == high && low != KEY_NONE)
    return;
  const uint32_t aux = history_open_range (r->to, low, high);
  for (; c->next < c->range->items; c->next++) {
    const uint32_t item = item_at (c, c->next), key = h->item_keys.data[item];
    if (high != KEY_NONE && atom_compare (atoms_get (&h->keys, key), atoms_get (&r->to->keys, high)) >= 0)
      break;
    if (r->index->key_cut[key] != r->index->cuts)
      history_add_item (r->to, core_new_key (r, key), core_new_value (r, h->item_values.data[item]), &why);
  }
  core_add_op (r, OP_SCAN, history_flags (h, c->op) & (OP_LOCK_UPDATE | OP_LOCK_SHARE), KEY_NONE, VALUE_NONE, aux);
  core_hint_op (r, c->op);
}

// What the result speaks of, as bounds in the new history.
static void covered (struct cutting *c, uint32_t *low, uint32_t *high) {
  struct restriction *r = c->r;
  const struct history *h = r->h;
  *low = core_new_key (r, c->range->low);
  *high = core_new_key (r, c->range->high);
  if (!effects_stopped (h, c->op))
    return;
  const uint32_t last = h->item_keys.data[c->range->first_item + c->range->items - 1];
  if (c->reverse)
    *low = core_new_key (r, last);
  else if (!key_behind (r, last, high))
    *high = KEY_NONE;
}

static void cut_range (struct cutting *c, cut_vec *cuts) {
  uint32_t low, high;
  covered (c, &low, &high);
  VEC_SORT (*cuts, by_atom);
  bool open = true;
  for (size_t i = 0; i < cuts->count && open; i++) {
    add_piece (c, low, core_new_key (c->r, cuts->data[i].key));
    open = key_behind (c->r, cuts->data[i].key, &low);
  }
  if (open)
    add_piece (c, low, high);
}

bool core_range_covers (const struct history *h, size_t number, struct atom atom) {
  const struct op_range *range = &h->ranges.data[number];
  return (range->low == KEY_NONE || atom_compare (atoms_get (&h->keys, range->low), atom) <= 0)
         && (range->high == KEY_NONE || atom_compare (atom, atoms_get (&h->keys, range->high)) < 0);
}

// An iterator that may have been open while later operations of its transaction wrote.
static bool stays_open (const struct restriction *r, uint32_t op) {
  return effects_stay_open (r->h, op) && r->h->op_times.count;
}

// Does the transaction write into the range with an operation that is taken out, before this one,
// or while it was open?
static bool own_write_is_gone (const struct restriction *r, uint32_t op) {
  for (size_t i = 0; i < r->writes_gone.count; i++) {
    const uint32_t other = r->writes_gone.data[i];
    if (other > op && !stays_open (r, op))
      break;
    if (core_range_covers (r->h, history_aux (r->h, op), atoms_get (&r->h->keys, r->h->op_keys.data[other])))
      return true;
  }
  return false;
}

// Keys around which it must be cut. One that stays and that started live must be among those of the
// part, be it only that the scan did not return it.
static void find_cuts (struct restriction *r, uint32_t op, cut_vec *cuts) {
  const struct asg *asg = r->asg;
  const struct core_writes reads = core_reads_of_op (r, r->node, op);
  r->index->cuts++;
  for (uint32_t read = reads.first; read < reads.last; read++) {
    const uint32_t key = asg->read_key[read];
    if (core_keeps_read (r, r->node, read)) {
      if (r->index->in_initial_map && r->index->in_initial_map[key])
        core_new_key (r, key);
      continue;
    }
    r->index->key_cut[key] = r->index->cuts;
    VEC_PUSH (*cuts, (struct cut){ atoms_get (&r->h->keys, key), key });
  }
}

void core_write_range (struct restriction *r, uint32_t op) {
  const struct history *h = r->h;
  if (effects_of (h, op).reads != READS_RANGE)
    return;
  // its own writes are part of what it returned: simpler to leave it out
  if (own_write_is_gone (r, op))
    return;
  cut_vec cuts = VEC_EMPTY;
  find_cuts (r, op, &cuts);
  struct cutting cutting = { .r = r, .range = &h->ranges.data[history_aux (h, op)], .op = op };
  cutting.reverse = effects_reverse (h, op);
  if (!cuts.count)
    core_copy_op (r, op);
  else if (!r->index->tells_events && !stays_open (r, op))
    cut_range (&cutting, &cuts);
  VEC_FREE (cuts);
}
