#include "core/core_index.h"

#include "asg/asg.h"
#include "base/group.h"

// Of one read's candidates, or one version's readers, the first so many: with more, it is unlikely
// that one of them alone matters.
enum { MOST_OF_ONE_KIND = 64 };

struct grower {
  struct core_index *index;
  uint8_t *open; // per transaction: may be met, and has not been
  VEC (uint32_t) met;
  size_t ring_first, ring_end; // of the distance that is being left
  size_t next;                 // in the ring
  bool others;                 // the ring's sources are done
  uint32_t rest;               // transactions below are met, whatever their distance
};

static void meet (struct grower *g, uint32_t txn) {
  if (!g->open[txn])
    return;
  g->open[txn] = 0;
  VEC_PUSH (g->met, txn);
}

struct grower *grower_new (struct core_index *index, const uint8_t *within, const uint32_t *suspects, size_t count) {
  const uint32_t txns = history_txns (index->h);
  struct grower *g = mem_zalloc (sizeof *g);
  g->index = index;
  g->open = MEM_ARRAY (uint8_t, txns);
  if (txns)
    memcpy (g->open, within, txns);
  for (size_t i = 0; i < count; i++)
    meet (g, suspects[i]);
  g->ring_end = g->met.count;
  return g;
}

void grower_free (struct grower *g) {
  MEM_FREE_ALL (g->open, g->met.data, g);
}

static void meet_install (struct grower *g, uint32_t install) {
  const struct asg *asg = g->index->asg;
  meet (g, asg->node_txn[asg->install_node[install]]);
}

// ----------------------------------------------------------------------------------------- sources

// Nobody who can have been the source, but somebody who wrote it all the same.
static void meet_writers (struct grower *g, uint32_t read) {
  const struct asg *asg = g->index->asg;
  const bool several = asg_read_flags (asg, read) & READ_SEVERAL;
  const uint32_t key = asg->read_key[read];
  const struct core_writes all =
    several ? core_writes_of_key (g->index, key) : core_writes_of_value (g->index, key, asg->read_value[read]);
  for (uint32_t i = all.first; i < all.last && i < all.first + MOST_OF_ONE_KIND; i++)
    meet (g, history_txn_of_op (g->index->h, g->index->writes[i]));
}

static void meet_candidates (struct grower *g, uint32_t read) {
  const struct asg *asg = g->index->asg;
  const struct choice *choice = &asg->choices.data[asg->read_source[read] & ~SOURCE_MANY];
  const uint32_t key = asg->read_key[read];
  for (uint32_t k = choice->first; k < choice->last && k < choice->first + MOST_OF_ONE_KIND; k++)
    meet_install (g, asg->value_installs[k]);
  if (asg->read_flags && (asg->read_flags[read] & READ_OTHER))
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1] && i < asg->key_first[key] + MOST_OF_ONE_KIND;
         i++)
      if (asg_accepts (asg, read, asg->install_value[i]))
        meet_install (g, i);
}

static void meet_sources (struct grower *g, uint32_t node) {
  const struct asg *asg = g->index->asg;
  for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++) {
    const uint32_t source = asg->read_source[read];
    if (source < SOURCE_MANY)
      meet_install (g, source);
    else if (source_is_many (source))
      meet_candidates (g, read);
    else if (source == SOURCE_NONE)
      meet_writers (g, read);
  }
}

// ------------------------------------------------------------------------------------------ others

static void find_readers (struct core_index *x) {
  const struct asg *asg = x->asg;
  struct grouping by_source = { .groups = asg->installs };
  while (grouping_pass (&by_source))
    for (uint32_t node = 1; node < asg->nodes; node++)
      for (uint32_t read = asg->node_first_read[node]; read < asg->node_first_read[node + 1]; read++)
        if (asg->read_source[read] < SOURCE_MANY)
          group_put (&by_source, asg->read_source[read], node);
  x->install_first_reader = by_source.first;
  x->readers = by_source.items;
}

static void meet_around_install (struct grower *g, uint32_t install) {
  const struct asg *asg = g->index->asg;
  const uint32_t *first = &g->index->install_first_reader[install];
  for (uint32_t i = first[0]; i < first[1] && i < first[0] + MOST_OF_ONE_KIND; i++)
    meet (g, asg->node_txn[g->index->readers[i]]);
  // of the same key: they ascend
  if (install && asg->install_node[install - 1] < asg->install_node[install])
    meet_install (g, install - 1);
  if (install + 1 < asg->installs && asg->install_node[install + 1] > asg->install_node[install])
    meet_install (g, install + 1);
}

static void meet_others (struct grower *g, uint32_t txn) {
  const struct history *h = g->index->h;
  const struct asg *asg = g->index->asg;
  const uint32_t node = asg->txn_node[txn];
  if (!g->index->install_first_reader)
    find_readers (g->index);
  if (txn && h->txn_sessions.data[txn - 1] == h->txn_sessions.data[txn])
    meet (g, txn - 1);
  if (txn + 1 < history_txns (h) && h->txn_sessions.data[txn + 1] == h->txn_sessions.data[txn])
    meet (g, txn + 1);
  for (uint32_t i = node == NODE_NONE ? 0 : asg->node_first_install[node];
       node != NODE_NONE && i < asg->node_first_install[node + 1]; i++)
    meet_around_install (g, asg->node_installs[i]);
}

// ----------------------------------------------------------------------------------------- growing

// One transaction of the ring; false: there is nobody left to meet this way.
static bool step (struct grower *g) {
  if (g->next == g->ring_end && !g->others) {
    g->others = true;
    g->next = g->ring_first;
  }
  if (g->next == g->ring_end) {
    if (g->met.count == g->ring_end)
      return false;
    g->ring_first = g->next = g->ring_end;
    g->ring_end = g->met.count;
    g->others = false;
  }
  const uint32_t txn = g->met.data[g->next++], node = g->index->asg->txn_node[txn];
  if (g->others)
    meet_others (g, txn);
  else if (node != NODE_NONE)
    meet_sources (g, node);
  return true;
}

size_t grower_reach (struct grower *g, size_t wanted, const uint32_t **txns) {
  while (g->met.count < wanted && step (g)) {
  }
  for (; g->met.count < wanted && g->rest < history_txns (g->index->h); g->rest++)
    meet (g, g->rest);
  *txns = g->met.data;
  return g->met.count < wanted ? g->met.count : wanted;
}

size_t grower_sources (struct grower *g, const uint32_t **txns) {
  while (!g->others && g->next < g->ring_end && step (g)) {
  }
  *txns = g->met.data;
  return g->met.count;
}
