#include "mixture.h"

// -------------------------------------------------------------------------------------- operations

// How much of what, one draw per history, so that some have mostly scans and deletes and others
// hardly any.
struct shares {
  unsigned deletes, cas;  // of puts
  unsigned scans, iters;  // of gets
  unsigned other_deletes; // of gets that are left: deletes where nothing may be
  unsigned unrecorded;    // of deletes
  unsigned unbounded;     // of bounds
};

static struct shares draw_shares (struct prng *prng) {
  const bool open = prng_chance (prng, 15); // mostly about deletes that may have done nothing
  return (struct shares){
    .deletes = open ? 40 : 15 * prng_between (prng, 0, 4),
    .cas = 15 * prng_between (prng, 0, 2),
    .scans = open ? 0 : 20 * prng_between (prng, 0, 3),
    .iters = 20 * prng_between (prng, 0, 2),
    .other_deletes = open ? 30 : 8 * prng_between (prng, 0, 2),
    .unrecorded = open ? 90 : 33,
    .unbounded = 30 * prng_between (prng, 0, 2),
  };
}

static void become_delete (struct plan_op *op, struct prng *prng, unsigned unrecorded) {
  op->kind = OP_DEL;
  op->wrote = false;
  op->value = PLAN_ABSENT;
  op->flags = prng_chance (prng, unrecorded) ? 0 : OP_RESULT_KNOWN;
}

// Compares with something small, that is often there.
static void become_cas (struct plan_op *op, struct prng *prng) {
  op->kind = OP_CAS;
  op->wrote = false;
  op->written = op->value == PLAN_ABSENT ? 1 : op->value;
  op->value = prng_chance (prng, 40) ? PLAN_ABSENT : (int) prng_between (prng, 1, 4);
}

// Contains the key, and some of its neighbours; now and then it does not.
static void become_range (struct plan_op *op, struct prng *prng, enum op_kind kind, unsigned unbounded) {
  op->kind = kind;
  op->low = (int) op->key - (int) prng_between (prng, 0, 2);
  op->high = (int) op->key + (int) prng_between (prng, 1, 3);
  if (prng_chance (prng, 3))
    op->high = (int) op->key;
  if (op->low < -1 || prng_chance (prng, unbounded))
    op->low = PLAN_UNBOUNDED;
  if (op->high > PLAN_KEYS || prng_chance (prng, unbounded))
    op->high = PLAN_UNBOUNDED;
  if (kind == OP_SCAN)
    return;
  op->limit = prng_chance (prng, 50) ? PLAN_ITEMS : prng_between (prng, 0, 3);
  op->flags |= prng_chance (prng, 50) ? OP_ITER_REVERSE : 0;
}

static void mix_op (struct plan_op *op, struct prng *prng, const struct shares *shares) {
  const unsigned die = prng_below (prng, 100);
  if (op->kind == OP_PUT) {
    if (die < shares->deletes)
      become_delete (op, prng, shares->unrecorded);
    else if (die < shares->deletes + shares->cas)
      become_cas (op, prng);
  } else if (die < shares->scans)
    become_range (op, prng, OP_SCAN, shares->unbounded);
  else if (die < shares->scans + shares->iters)
    become_range (op, prng, OP_ITER, shares->unbounded);
  else if (op->value != PLAN_UNRECORDED && prng_chance (prng, shares->other_deletes))
    become_delete (op, prng, shares->unrecorded);
  else if (op->value != PLAN_UNRECORDED && prng_chance (prng, shares->cas))
    become_cas (op, prng);
}

// Another operation of the transaction deletes the same key, with no recorded result either; mostly
// something comes between them.
static void repeat_delete (struct plan_txn *txn, struct prng *prng, unsigned o) {
  const unsigned other = prng_below (prng, txn->ops), distance = other < o ? o - other : other - o;
  if (txn->op[o].kind != OP_DEL || txn->op[o].flags & OP_RESULT_KNOWN || !distance
      || (distance == 1 && prng_chance (prng, 60)))
    return;
  txn->op[other].key = txn->op[o].key;
  become_delete (&txn->op[other], prng, 100);
  if (distance == 2)
    txn->op[(o + other) / 2].key = txn->op[o].key;
}

void mixture_of_all (struct plan *plan, struct prng *prng) {
  const struct shares shares = draw_shares (prng);
  const unsigned again = prng_chance (prng, 25) ? 80 : 0;
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++)
      mix_op (&plan->txn[t].op[o], prng, &shares);
  for (unsigned t = 0; t < plan->txns && again; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++)
      if (prng_chance (prng, again))
        repeat_delete (&plan->txn[t], prng, o);
}

// Mostly up, so that some values repeat; down to 0 now and then. Hardly any is without a result:
// then nobody may look.
static void become_inc (struct plan_op *op, struct prng *prng) {
  op->kind = OP_INC;
  op->wrote = true;
  op->by = prng_chance (prng, 25) ? -1 : (int) prng_between (prng, 1, 2);
  op->value = prng_chance (prng, 4) ? PLAN_UNRECORDED : PLAN_ABSENT;
  op->odd = prng_chance (prng, 1);
}

// Of what is left of plain puts and gets. The other histories of a seed are what they would be
// without.
void mixture_of_incs (struct plan *plan, struct prng *prng) {
  if (plan->byte_values || !prng_chance (prng, 40))
    return;
  const unsigned share = 25 * prng_between (prng, 1, 3);
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++) {
      struct plan_op *op = &plan->txn[t].op[o];
      const bool get = op->kind == OP_GET && op->value != PLAN_UNRECORDED;
      if ((op->kind == OP_PUT && prng_chance (prng, share)) || (get && prng_chance (prng, share / 4)))
        become_inc (op, prng);
    }
}

// The iterator saw, or did not, what `later` wrote.
static void see_later_write (struct plan_op *iterator, struct prng *prng, const struct plan_op *later) {
  for (unsigned i = 0; i < iterator->items; i++) {
    struct plan_item *item = &iterator->item[i];
    if (item->key != (int) later->key || !prng_chance (prng, 50))
      continue;
    if (plan_written (later) != PLAN_ABSENT) {
      item->value = plan_written (later);
      continue;
    }
    iterator->items--;
    for (unsigned k = i; k < iterator->items; k++)
      iterator->item[k] = iterator->item[k + 1];
  }
  const bool fits_at_the_end = !iterator->items || iterator->item[iterator->items - 1].key < (int) later->key;
  if (plan_written (later) != PLAN_ABSENT && fits_at_the_end && plan_in_range (iterator, later->key)
      && !(iterator->flags & OP_ITER_REVERSE) && prng_chance (prng, 30))
    iterator->item[iterator->items++] = (struct plan_item){ (int) later->key, plan_written (later) };
}

void mixture_of_open_iterators (struct plan *plan, struct prng *prng) {
  const unsigned open = prng_chance (prng, 40) ? 70 : 0;
  for (unsigned t = 0; t < plan->txns; t++) {
    struct plan_txn *txn = &plan->txn[t];
    for (unsigned o = 0; o < txn->ops; o++) {
      struct plan_op *op = &txn->op[o];
      op->timed = open && prng_chance (prng, 90);
      op->begin = 10 * (int64_t) o;
      op->end = op->begin + 5;
      if (op->kind != OP_ITER || !prng_chance (prng, open))
        continue;
      const unsigned last = prng_between (prng, o, txn->ops - 1);
      op->end = 10 * (int64_t) last + prng_below (prng, 2);
      op->end = op->end < op->begin ? op->begin : op->end;
      for (unsigned later = o + 1; later <= last && op->value != PLAN_UNRECORDED; later++)
        if (txn->op[later].wrote)
          see_later_write (op, prng, &txn->op[later]);
    }
  }
}

// A transaction that aborts after appending what another one appends as well.
static void retry_appends (struct plan *plan, struct prng *prng) {
  struct plan_txn *tried = &plan->txn[prng_below (prng, plan->txns)];
  const struct plan_txn *again = &plan->txn[prng_below (prng, plan->txns)];
  tried->status = TXN_ABORTED;
  for (unsigned o = 0; o < tried->ops; o++)
    for (unsigned k = 0; k < again->ops && tried->op[o].kind == OP_APPEND; k++)
      if (again->op[k].kind == OP_APPEND && again->op[k].key == tried->op[o].key && prng_chance (prng, 70))
        tried->op[o].value = again->op[k].value;
}

void mixture_of_lists (struct plan *plan, struct prng *prng) {
  int next[PLAN_KEYS] = { 1, 1, 1, 1 };
  plan->init = INIT_ABSENT;
  for (unsigned key = 0; key < plan->keys; key++) {
    plan->is_list[key] = prng_chance (prng, 85);
    plan->mapped[key] &= !plan->is_list[key];
    if (!plan->mapped[key])
      plan->initial[key] = PLAN_ABSENT;
  }
  for (unsigned t = 0; t < plan->txns; t++)
    for (unsigned o = 0; o < plan->txn[t].ops; o++) {
      struct plan_op *op = &plan->txn[t].op[o];
      if (!plan->is_list[op->key])
        continue;
      op->kind = op->kind == OP_PUT ? OP_APPEND : OP_LIST;
      if (op->kind == OP_APPEND)
        op->value = next[op->key]++;
    }
  if (prng_chance (prng, 40))
    retry_appends (plan, prng);
}

// ---------------------------------------------------------------------------------- random results

static void fill_range (struct plan *plan, struct prng *prng, unsigned reader, struct plan_op *op,
                        mixture_value value_of) {
  const bool reverse = op->flags & OP_ITER_REVERSE;
  bool more = true;
  for (unsigned i = 0; i < plan->keys && more; i++) {
    const unsigned key = reverse ? plan->keys - 1 - i : i;
    if (plan_in_range (op, key))
      more = plan_answer_range (op, key, value_of (plan, prng, reader, key));
  }
  if (op->kind == OP_ITER && op->items < op->limit)
    op->flags |= OP_ITER_END;
  plan_spoil_items (op, prng, 2);
}

// Some of the other transactions' appends, mostly the first ones; then the own ones.
static void fill_list (struct plan *plan, struct prng *prng, unsigned reader, unsigned o) {
  struct plan_op *op = &plan->txn[reader].op[o];
  const unsigned seen = prng_below (prng, plan->txns + 1);
  const bool gaps = prng_chance (prng, 10);
  for (unsigned t = 0; t < seen; t++)
    if (t != reader && (plan->txn[t].status != TXN_ABORTED || prng_chance (prng, 5))
        && !(gaps && prng_chance (prng, 30)))
      plan_add_appends (op, &plan->txn[t], op->key, plan->txn[t].ops);
  if (op->items && prng_chance (prng, 5))
    op->items = prng_below (prng, op->items);
  if (prng_chance (prng, 95))
    plan_add_appends (op, &plan->txn[reader], op->key, o);
  plan_spoil_items (op, prng, 3);
}

void mixture_fill (struct plan *plan, struct prng *prng, unsigned txn, unsigned o, mixture_value value_of) {
  struct plan_op *op = &plan->txn[txn].op[o];
  switch (op->kind) {
  case OP_DEL: plan_answer_delete (op, prng, value_of (plan, prng, txn, op->key)); break;
  case OP_INC: plan_answer_inc (op, value_of (plan, prng, txn, op->key)); break;
  case OP_CAS: plan_answer_cas (op, value_of (plan, prng, txn, op->key)); break;
  case OP_LIST: fill_list (plan, prng, txn, o); break;
  default: fill_range (plan, prng, txn, op, value_of); break;
  }
}
