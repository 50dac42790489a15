// Facts of hints (docs/hints.md) as assumptions: orders of versions pair by pair, and sources of reads.

#include "certify/make.h"

#include "hints/hints.h"

#include <stdlib.h>

struct versioned {
  uint32_t key, txn;
  bool certain; // the version is surely there
  int64_t time;
};
typedef VEC (struct versioned) versioned_vec;

static bool find_version (struct account *a, uint32_t key, uint32_t txn, struct versioned *found) {
  if (!account_takes_part (a, txn))
    return false;
  a->writes_only = true;
  account_tell (a, txn);
  a->writes_only = false;
  const struct account_write *write = account_find_write (a, key);
  if (!write)
    return false;
  *found = (struct versioned){ key, txn, account_committed (a, txn) && write->doubt == NO_OP, 0 };
  return true;
}

// One after the other; one that may not be there does not stand between its neighbours for sure, so these are ordered too.
static void assume_order (struct certificate *c, const versioned_vec *versions) {
  size_t waiting = 0; // the last one that is certain
  for (size_t i = 0; i < versions->count; i++) {
    for (size_t k = waiting; k < i; k++)
      VEC_PUSH (c->assumptions, (struct assumption){ ASSUME_ORDER, 0, versions->data[i].key, versions->data[k].txn,
                                                     versions->data[i].txn });
    if (versions->data[i].certain)
      waiting = i;
  }
}

static void assume_written_orders (struct certificate *c, const struct hints *hints, struct account *a,
                                   const uint8_t *inside) {
  versioned_vec versions = VEC_EMPTY;
  for (size_t i = 0; i < hints->orders.count; i++) {
    const struct version_order *order = &hints->orders.data[i];
    versions.count = 0;
    for (uint32_t k = order->first; k < order->first + order->count; k++) {
      const uint32_t txn = hints->order_txns.data[k];
      struct versioned version;
      if ((!inside || inside[txn]) && find_version (a, order->key, txn, &version))
        VEC_PUSH (versions, version);
    }
    assume_order (c, &versions);
  }
  VEC_FREE (versions);
}

static int by_key_and_time (const void *x, const void *y) {
  const struct versioned *a = x, *b = y;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return (a->time > b->time) - (a->time < b->time);
}

static void assume_commit_times (struct certificate *c, const struct hints *hints, struct account *a,
                                 const uint8_t *inside) {
  versioned_vec all = VEC_EMPTY;
  a->writes_only = true;
  for (uint32_t txn = 0; txn < history_txns (a->h); txn++) {
    if (!account_takes_part (a, txn) || !hints->has_commit_ts[txn] || (inside && !inside[txn]))
      continue;
    account_tell (a, txn);
    for (size_t i = 0; i < a->writes.count; i++)
      VEC_PUSH (all, (struct versioned){ a->writes.data[i].key, txn,
                                         account_committed (a, txn) && a->writes.data[i].doubt == NO_OP,
                                         hints->commit_ts[txn] });
  }
  a->writes_only = false;
  if (all.count)
    qsort (all.data, all.count, sizeof *all.data, by_key_and_time);
  for (size_t first = 0, end; first < all.count; first = end) {
    for (end = first; end < all.count && all.data[end].key == all.data[first].key;)
      end++;
    const versioned_vec of_key = { all.data + first, end - first, end - first };
    assume_order (c, &of_key);
  }
  VEC_FREE (all);
}

void certify_assumptions (struct certificate *c, const struct certify_claim *claim, struct account *a,
                          const uint8_t *inside) {
  const struct hints *hints = claim->hints;
  if (!hints)
    return;
  assume_written_orders (c, hints, a, inside);
  if (hints->trust_commit_ts && hints->commit_ts)
    assume_commit_times (c, hints, a, inside);
  for (size_t i = 0; i < hints->sources.count; i++) {
    const struct source_hint *hint = &hints->sources.data[i];
    if (inside && !inside[history_txn_of_op (a->h, hint->op)])
      continue;
    VEC_PUSH (c->assumptions, (struct assumption){ ASSUME_SOURCE, hint->op, hint->key,
                                                   hint->source == HINT_INITIAL ? INITIAL : hint->source, 0 });
  }
}
