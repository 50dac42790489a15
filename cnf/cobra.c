// The encoding of Cobra (Tan et al., OSDI 2020): a polygraph over transactions. Writes are
// combined: whoever reads a version and overwrites it comes right behind it, so that the versions
// of a key are chains. Constraints are coalesced: for every two chains of a key there is one, and
// of its two alternatives the first puts those who read the end of the one chain, or its writer if
// nobody did, before the head of the other; the second is the same the other way round.
//
// Beyond the paper: sources that are open, and transactions and deletes that may not have taken
// place, guard these edges. Such versions are chains by themselves.

#include "cnf/encoder.h"
#include "cnf/encodings.h"

#include "base/sort.h"

struct chains {
  uint32_t *next; // per install: who overwrites it having read it, INSTALL_NONE: nobody
  uint32_t *head; // per install: the first of its chain
  uint32_t *tail; // per head: the last
};

// The transaction that surely read the version and surely overwrites it. There is one at most,
// unless the history is invalid; then the others are chains of their own.
static uint32_t successor_of (const struct encoder *e, uint32_t install) {
  const struct graph *g = e->g;
  const uint32_t key = graph_key (g, install);
  struct graph_readers readers = graph_readers (g, key, install);
  for (uint32_t read; graph_next_reader (g, &readers, &read);) {
    const uint32_t next = ir_install_of (e->ir, key, graph_reader (g, read));
    if (next != INSTALL_NONE && next != install && graph_installs (g, next))
      return next;
  }
  return INSTALL_NONE;
}

static struct chains combine_writes (const struct encoder *e) {
  const uint32_t installs = e->ir->installs;
  struct chains c = { mem_nones (installs), mem_nones (installs), mem_nones (installs) };
  uint8_t *follows = MEM_ZARRAY (uint8_t, (size_t) installs + 1);
  for (uint32_t i = 0; i < installs; i++)
    if (graph_installs (e->g, i)) {
      const uint32_t next = successor_of (e, i);
      if (next == INSTALL_NONE || follows[next])
        continue;
      c.next[i] = next;
      follows[next] = 1;
    }
  for (uint32_t i = 0; i < installs; i++)
    for (uint32_t k = i; !follows[i] && k != INSTALL_NONE; k = c.next[k]) {
      c.head[k] = i;
      c.tail[i] = k;
    }
  for (uint32_t i = 0; i < installs; i++)
    if (c.head[i] == INSTALL_NONE) // they go round: the history is invalid, and each is a chain
      c.head[i] = c.tail[i] = i;
  mem_free (follows);
  return c;
}

// One chain comes before the other if `order` holds.
static void chain_before (struct encoder *e, uint32_t tail, uint32_t head, int32_t order) {
  encoder_readers_before (e, tail, head, order);
  if (!encoder_is_read (e, tail, e->ir->install_node[head]))
    encoder_order_edge (e, tail, head, order);
}

// Two heads, and two installs of theirs whose order is open.
struct chain_pair {
  uint32_t first, second;
  uint32_t first_install, second_install;
};

static void encode_chains (struct encoder *e, const struct chains *c, uint32_t first, uint32_t second, int32_t order) {
  chain_before (e, c->tail[first], second, order);
  chain_before (e, c->tail[second], first, -order);
}

typedef VEC (struct chain_pair) chain_pair_vec;

static size_t encode_chain_pair (struct encoder *e, const struct chains *c, const chain_pair_vec *pairs, size_t at) {
  const uint32_t first = pairs->data[at].first, second = pairs->data[at].second;
  const uint32_t p = e->ir->install_node[first], q = e->ir->install_node[second];
  const int32_t order = encoder_variable (e, VARIABLE_PAIR, p, q, encoder_earlier (e, p, q));
  encode_chains (e, c, first, second, order);
  for (; at < pairs->count && pairs->data[at].first == first && pairs->data[at].second == second; at++) {
    encoder_force_order (e, pairs->data[at].first_install, pairs->data[at].second_install, order);
    encoder_force_order (e, pairs->data[at].second_install, pairs->data[at].first_install, -order);
  }
  return at;
}

// Within a chain the order is clear, even where rows do not know it.
static void list_chain_pairs (struct encoder *e, const struct chains *c, chain_pair_vec *list) {
  const open_pair_vec *pairs = e->input->pairs;
  for (size_t i = 0; i < pairs->count; i++) {
    const uint32_t p = pairs->data[i].first_install, q = pairs->data[i].second_install;
    const uint32_t first = c->head[p], second = c->head[q];
    if (c->next[p] == q)
      encoder_readers_before (e, p, q, encoder_true_literal (e, e->ir->install_node[q]));
    if (c->next[q] == p)
      encoder_readers_before (e, q, p, encoder_true_literal (e, e->ir->install_node[p]));
    if (first < second)
      VEC_PUSH (*list, (struct chain_pair){ first, second, p, q });
    if (second < first)
      VEC_PUSH (*list, (struct chain_pair){ second, first, q, p });
  }
  VEC_SORT (*list, by_u32_pair);
}

struct problem *encode_cobra (const struct to_encode *input) {
  struct encoder e;
  chain_pair_vec pairs = VEC_EMPTY;
  encoder_begin (&e, input);
  encoder_sources (&e);
  struct chains chains = combine_writes (&e);
  list_chain_pairs (&e, &chains, &pairs);
  for (size_t at = 0; at < pairs.count && !encoder_stops (&e);)
    at = encode_chain_pair (&e, &chains, &pairs, at);
  encoder_others (&e);
  MEM_FREE_ALL (chains.next, chains.head, chains.tail, pairs.data);
  return encoder_end (&e);
}
