// Anti-dependencies that no path may lead back from (ANTI_FORBID): if r read a version of x, and p
// installed a later one, no path leads from p to r. All edges run forward in the order of places,
// hence only a p that stands before r is in doubt. Where versions lead to one another the next one
// is enough, since it leads to all later ones.
//
// Each read in doubt has a bit, which starts at its p's and is handed on along the edges, place by
// place: it must not arrive at the read. A pass over the places deals with as many reads as a word
// has bits, from the first p to the last of these reads.

#include "ir/witness_inside.h"

#include "base/group.h"

#include <string.h>

enum { READS = 64 };

struct paths {
  struct check *c;
  uint32_t *into, *from; // the edges into each place
  uint64_t *bits;        // per place
  // of this pass
  uint32_t low, high, count;
  uint32_t read_place[READS];
};

static bool pass (struct paths *p) {
  bool arrived = false;
  for (uint32_t place = p->low; place <= p->high; place++)
    for (uint32_t i = p->into[place]; i < p->into[place + 1]; i++)
      p->bits[place] |= p->from[i] < p->low ? 0 : p->bits[p->from[i]];
  for (uint32_t i = 0; i < p->count; i++)
    arrived |= p->bits[p->read_place[i]] >> i & 1;
  if (p->count)
    memset (p->bits + p->low, 0, (p->high - p->low + 1) * sizeof *p->bits);
  p->low = UINT32_MAX;
  p->high = p->count = 0;
  return !witness_spent (p->c) && (!arrived || witness_wrong (p->c, "a read misses a later version that leads to it"));
}

static void look_at_read (struct paths *p, uint32_t node, uint32_t read) {
  const struct check *c = p->c;
  const uint32_t end = c->key_end[c->ir->read_key[read]], reader = place_of (c, node, 0), count = p->count;
  for (uint32_t v = later_versions (c, read); v < end; v++) {
    const uint32_t place = place_of (c, c->ir->install_node[c->versions[v]], 0);
    if (place >= reader)
      return;
    p->bits[place] |= (uint64_t) 1 << count;
    p->low = place < p->low ? place : p->low;
    p->count = count + 1;
    p->read_place[count] = c->ir->rules.events ? c->place[ir_event_point (c->ir, read)] : reader;
    p->high = p->read_place[count] > p->high ? p->read_place[count] : p->high;
    if (!c->ir->rules.ww_hidden)
      return;
  }
}

static bool look_at_reads (struct paths *p) {
  const struct check *c = p->c;
  const struct ir *ir = c->ir;
  for (uint32_t position = 0; position < ir->nodes; position++) {
    const uint32_t node = c->at[position];
    if (node == UINT32_MAX)
      continue;
    for (uint32_t read = ir->node_first_read[node]; read < ir->node_first_read[node + 1]; read++) {
      if (c->source[read] != SOURCE_NONE && witness_anti (c, read) == ANTI_FORBID)
        look_at_read (p, node, read);
      if (p->count == READS && !pass (p))
        return false;
    }
  }
  return pass (p);
}

bool ir_witness_paths (struct check *c) {
  if (c->ir->rules.points != 1)
    return true;
  struct grouping by_target = { .groups = (size_t) c->placed + 1 };
  while (grouping_pass (&by_target))
    for (size_t i = 0; i < c->shown.count; i++)
      group_put (&by_target, c->shown.data[i].to, c->shown.data[i].from);
  struct paths p = { .c = c, .into = by_target.first, .from = by_target.items, .low = UINT32_MAX };
  p.bits = MEM_ZARRAY (uint64_t, (size_t) c->placed + 1);
  const bool fine = look_at_reads (&p);
  MEM_FREE_ALL (p.into, p.from, p.bits);
  return fine;
}
