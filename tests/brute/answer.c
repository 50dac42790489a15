// What operations return, given what they see: the same for a run and for results that are drawn at
// random.

#include "plan.h"

// A delete without a recorded result may write even if there is nothing to delete.
void plan_answer_delete (struct plan_op *op, struct prng *prng, int value) {
  const bool found = value != PLAN_ABSENT;
  op->wrote = found;
  if (op->flags & OP_RESULT_KNOWN)
    op->flags |= found ? OP_RESULT_TRUE : 0;
  else
    op->wrote |= prng_chance (prng, 30);
}

void plan_answer_cas (struct plan_op *op, int value) {
  op->wrote = value == op->value;
  op->flags |= OP_RESULT_KNOWN | (op->wrote ? OP_RESULT_TRUE : 0);
}

// Numbers below 0 mean something else here.
void plan_answer_inc (struct plan_op *op, int value) {
  const int before = value == PLAN_ABSENT ? 0 : value;
  if (before + op->by < 0)
    op->by = 1;
  op->written = before + op->by;
}

bool plan_answer_range (struct plan_op *op, unsigned key, int value) {
  if (op->kind == OP_ITER && op->items == op->limit)
    return false;
  if (value != PLAN_ABSENT)
    op->item[op->items++] = (struct plan_item){ (int) key, value };
  return true;
}

void plan_spoil_items (struct plan_op *op, struct prng *prng, unsigned percent) {
  if (!prng_chance (prng, percent))
    return;
  const unsigned at = prng_below (prng, op->items + 1);
  if (at == op->items) { // one more
    op->item[at] = at ? op->item[0] : (struct plan_item){ 0, 1 };
    op->items++;
  } else if (at) {
    const struct plan_item item = op->item[at];
    op->item[at] = op->item[at - 1];
    op->item[at - 1] = item;
  } else
    op->items--;
}

void plan_add_appends (struct plan_op *op, const struct plan_txn *txn, unsigned key, unsigned before) {
  for (unsigned o = 0; o < before; o++)
    if (txn->op[o].kind == OP_APPEND && txn->op[o].key == key)
      op->item[op->items++] = (struct plan_item){ 0, txn->op[o].value };
}
