// Numbering the nodes: T0, then the sessions one after the other, then unknown transactions that
// others of their session follow.

#include "asg/builder.h"

#include <string.h>

static void add_node (struct asg *asg, uint32_t txn, uint32_t chain, bool optional) {
  const uint32_t node = asg->nodes++;
  asg->node_txn[node] = txn;
  asg->node_chain[node] = chain;
  asg->optional[node] = optional;
  asg->optionals += optional;
  if (txn != TXN_NONE)
    asg->txn_node[txn] = node;
}

// An unknown transaction may close its session's chain if nothing with a node follows it there.
static bool is_last_of_session (const struct builder *b, uint32_t txn) {
  const uint32_t end = b->h->session_first.data[b->h->txn_sessions.data[txn] + 1];
  for (uint32_t t = txn + 1; t < end; t++)
    if (builder_has_node (b, t))
      return false;
  return true;
}

void builder_number_nodes (struct builder *b) {
  struct asg *asg = b->asg;
  const struct history *h = b->h;
  const uint32_t txns = history_txns (h), sessions = history_sessions (h);
  asg->node_txn = MEM_ARRAY (uint32_t, (size_t) txns + 1);
  asg->node_chain = MEM_ARRAY (uint32_t, (size_t) txns + 1);
  asg->optional = MEM_ZARRAY (uint8_t, (size_t) txns + 1);
  asg->txn_node = mem_nones (txns);
  VEC (uint32_t) chain_first = VEC_EMPTY;
  VEC (uint32_t) cut_out = VEC_EMPTY; // transaction, then its predecessor's node
  VEC_PUSH (chain_first, 0);
  add_node (asg, TXN_NONE, 0, false);
  for (uint32_t s = 0; s < sessions; s++) {
    const uint32_t chain = (uint32_t) chain_first.count;
    const uint32_t first = asg->nodes;
    for (uint32_t t = h->session_first.data[s]; t < h->session_first.data[s + 1]; t++) {
      if (!builder_has_node (b, t))
        continue;
      const bool optional = builder_is_optional (b, t);
      if (optional && !is_last_of_session (b, t)) {
        VEC_PUSH (cut_out, t);
        VEC_PUSH (cut_out, asg->nodes > first ? asg->nodes - 1 : NODE_NONE);
      } else
        add_node (asg, t, chain, optional);
    }
    if (asg->nodes > first)
      VEC_PUSH (chain_first, first);
  }
  for (size_t i = 0; i < cut_out.count; i += 2) {
    if (!asg->so_before)
      asg->so_before = mem_nones ((size_t) txns + 1);
    asg->so_before[asg->nodes] = cut_out.data[i + 1];
    VEC_PUSH (chain_first, asg->nodes);
    add_node (asg, cut_out.data[i], (uint32_t) chain_first.count - 1, true);
  }
  asg->chains = (uint32_t) chain_first.count;
  VEC_PUSH (chain_first, asg->nodes);
  asg->chain_first = chain_first.data;
  VEC_FREE (cut_out);
}
