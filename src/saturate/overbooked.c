#include "saturate/overbooked.h"

#include "base/sort.h"

enum { MOST_VERSIONS = 8 }; // more, and to refute it is hard for a solver by itself

// An open read of somebody who installs the key, too.
struct update {
  uint32_t group; // the ASG's range of candidates: one per key and value
  uint32_t open;  // entry of s->open
};

struct overbooked {
  const struct saturation *s;
  const struct graph *g;
  // that the open reads can have read: installs, or SOURCE_INITIAL; ascending
  overbooked_vec versions;
  // reads of these versions that are known, of transactions that install the key
  overbooked_vec settled;
};

static void sort_distinct (overbooked_vec *numbers) {
  numbers->count = sort_distinct_u32 (numbers->data, numbers->count);
}

// A read that no anti-dependency starts from has seen its version like anybody else.
static bool is_update (const struct graph *g, uint32_t read) {
  const uint32_t node = graph_reader (g, read), install = ir_install_of (g->ir, g->ir->read_key[read], node);
  return g->active[node] && graph_anti (g, read) != ANTI_NONE && install < SOURCE_MANY && graph_installs (g, install);
}

static void settled_of_version (struct overbooked *c, uint32_t version, uint32_t key) {
  struct graph_readers readers = graph_readers (c->g, key, version);
  for (uint32_t read; graph_next_reader (c->g, &readers, &read);)
    if (is_update (c->g, read))
      VEC_PUSH (c->settled, read);
}

// Of the updates of one group as many as it takes, or 0 if there are enough versions for all.
static size_t readers_of_overbooked (struct overbooked *c, const struct update *update, size_t count) {
  c->versions.count = c->settled.count = 0;
  for (size_t i = 0; i < count; i++) {
    const struct open_read *open = &c->s->open.data[update[i].open];
    for (uint32_t k = 0; k < open->count; k++)
      VEC_PUSH (c->versions, c->s->candidates.data[open->first + k]);
  }
  sort_distinct (&c->versions);
  if (c->versions.count > MOST_VERSIONS)
    return 0;
  const uint32_t key = c->g->ir->read_key[c->s->open.data[update->open].read];
  for (size_t i = 0; i < c->versions.count; i++)
    settled_of_version (c, c->versions.data[i], key);
  sort_distinct (&c->settled);
  const size_t wanted = c->versions.count + 1;
  return wanted > c->settled.count && wanted - c->settled.count <= count ? wanted - c->settled.count : 0;
}

static void name_overbooked (const struct overbooked *c, const struct update *update, size_t count,
                             overbooked_vec *reads, overbooked_vec *nodes) {
  const struct graph *g = c->g;
  reads->count = nodes->count = 0;
  for (size_t i = 0; i < count; i++)
    VEC_PUSH (*reads, c->s->open.data[update[i].open].read);
  for (size_t i = 0; i < count; i++)
    VEC_PUSH (*nodes, graph_reader (g, reads->data[i]));
  for (size_t i = 0; i < c->settled.count; i++)
    VEC_PUSH (*nodes, graph_reader (g, c->settled.data[i]));
  for (size_t i = 0; i < c->versions.count; i++)
    if (c->versions.data[i] != SOURCE_INITIAL)
      VEC_PUSH (*nodes, g->ir->install_node[c->versions.data[i]]);
  sort_distinct (reads);
  sort_distinct (nodes);
}

typedef VEC (struct update) update_vec;

// A read that several values explain has no group, and one that is there only if a delete wrote
// nothing may not be there.
static void collect_updates (const struct saturation *s, update_vec *updates) {
  const struct graph *g = s->graph;
  const struct ir *ir = g->ir;
  for (uint32_t i = 0; i < s->open.count; i++) {
    const uint32_t read = s->open.data[i].read, source = ir->read_source[read];
    const struct choice *choice = source_is_many (source) ? &ir->choices[source & ~SOURCE_MANY] : NULL;
    if (!choice || choice->listed || choice->first == choice->last || ir_read_presence (ir, read) != ALWAYS
        || !is_update (g, read))
      continue;
    VEC_PUSH (*updates, (struct update){ choice->first, i });
  }
  VEC_SORT (*updates, by_u32_pair);
}

bool find_overbooked (const struct saturation *s, overbooked_vec *reads, overbooked_vec *nodes) {
  struct overbooked c = { .s = s, .g = s->graph };
  update_vec updates = VEC_EMPTY;
  collect_updates (s, &updates);
  size_t fewest = SIZE_MAX;
  for (size_t first = 0, end; first < updates.count; first = end) {
    for (end = first + 1; end < updates.count && updates.data[end].group == updates.data[first].group;)
      end++;
    const size_t size = readers_of_overbooked (&c, updates.data + first, end - first);
    if (!size || c.versions.count >= fewest)
      continue;
    fewest = c.versions.count;
    name_overbooked (&c, updates.data + first, size, reads, nodes);
  }
  MEM_FREE_ALL (updates.data, c.versions.data, c.settled.data);
  return fewest != SIZE_MAX;
}
