// Facts take the place of the walk over the operations and of the lists. Candidates, initial values
// and unknown transactions that cannot matter are worked out as for any history.

#include "asg/facts.h"

#include "asg/builder.h"
#include "base/search.h"

void asg_facts_free (struct asg_facts *f) {
  VEC_FREE (f->reads);
  VEC_FREE (f->installs);
  VEC_FREE (f->orders);
  VEC_FREE (f->implied);
  VEC_FREE (f->forced);
  VEC_FREE (f->faults);
}

static void take_install (struct builder *b, uint32_t node, const struct install_fact *fact) {
  const uint32_t slot = (uint32_t) b->pending.count;
  const bool has_unrecorded = fact->unrecorded_op != OP_NONE,
             itself = has_unrecorded && fact->unrecorded_op >= fact->first_op;
  if (has_unrecorded) {
    b->own_unrecorded[fact->key] = (uint32_t) b->unrecorded.count;
    VEC_PUSH (b->unrecorded, (struct pending_unrecorded){ node, fact->unrecorded_op, itself ? slot : INSTALL_NONE,
                                                          false, false, UNRECORDED_NONE });
  }
  VEC_PUSH (b->pending, (struct pending_install){ fact->key, fact->value,
                                                  itself ? b->own_unrecorded[fact->key] : UNRECORDED_NONE });
  b->asg->delete_runs |= itself && fact->first_op != fact->last_op;
  if (b->options->events) {
    VEC_PUSH (b->first_op, fact->first_op);
    VEC_PUSH (b->last_op, fact->last_op);
  }
}

void facts_walk (struct builder *b, uint32_t node) {
  const struct asg_facts *f = b->facts;
  const uint32_t txn = b->asg->node_txn[node];
  size_t first_install = 0, first_read = 0;
  LOWER_BOUND (first_install, f->installs.count, middle, f->installs.data[middle].txn < txn);
  LOWER_BOUND (first_read, f->reads.count, middle, f->reads.data[middle].txn < txn);
  for (size_t i = first_install; i < f->installs.count && f->installs.data[i].txn == txn; i++)
    take_install (b, node, &f->installs.data[i]);
  for (size_t i = first_read; i < f->reads.count && f->reads.data[i].txn == txn; i++) {
    const struct read_fact *read = &f->reads.data[i];
    const uint32_t unrecorded = read->undeleted ? b->own_unrecorded[read->key] : UNRECORDED_NONE;
    // It may be that of another delete, which the file does not tell from other reads.
    b->asg->delete_runs |= unrecorded != UNRECORDED_NONE && b->options->events
                           && read->op > b->unrecorded.data[unrecorded].op
                           && b->unrecorded.data[unrecorded].install == INSTALL_NONE;
    builder_external_read (b, node, read->op, read->key, read->value, read->flags, unrecorded);
  }
}

static void take_order (struct asg *asg, const struct order_fact *fact) {
  const uint32_t before = asg_install_by (asg, fact->key, fact->before),
                 after = asg_install_by (asg, fact->key, fact->after);
  const uint32_t reader = fact->reader == TXN_NONE ? 0 : asg->txn_node[fact->reader];
  if (before != INSTALL_NONE && after != INSTALL_NONE && reader != NODE_NONE)
    VEC_PUSH (asg->orders, (struct known_order){ before, after, fact->by_absence, reader });
}

void facts_compare (struct builder *b) {
  const struct asg_facts *f = b->facts;
  struct asg *asg = b->asg;
  for (size_t i = 0; i < f->faults.count; i++)
    builder_fault (b, f->faults.data[i]);
  for (size_t i = 0; i < f->orders.count; i++)
    take_order (asg, &f->orders.data[i]);
  for (size_t i = 0; i < f->implied.count; i++) {
    const uint32_t reader = asg->txn_node[f->implied.data[i].reader], other = asg->txn_node[f->implied.data[i].other];
    if (reader != NODE_NONE && other == NODE_NONE)
      builder_exclude (b, f->implied.data[i].reader);
    else if (reader != NODE_NONE)
      VEC_PUSH (asg->implied, (struct unknown_claim){ reader, other });
  }
  for (size_t i = 0; i < f->forced.count; i++) {
    const uint32_t txn = f->forced.data[i];
    if (asg->txn_node[txn] != NODE_NONE)
      VEC_PUSH (asg->forced, asg->txn_node[txn]);
    else
      VEC_PUSH (
        asg->faults,
        (struct asg_fault){
          .kind = FAULT_LEFT_OUT, .txn = txn, .op = OP_NONE, .key = KEY_NONE, .value = VALUE_NONE, .other = OP_NONE });
  }
}
