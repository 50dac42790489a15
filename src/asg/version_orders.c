// Version orders that hints give away: those that are written down key by key, and those of commit
// timestamps that the user trusts.

#include "asg/builder.h"

#include "base/sort.h"

// Is the version surely there? Its transaction may have an unknown outcome, and it may be a delete
// that perhaps wrote nothing.
static bool is_certain (const struct asg *asg, uint32_t install) {
  return !asg->optional[asg->install_node[install]] && asg_install_unrecorded (asg, install) == UNRECORDED_NONE;
}

typedef VEC (uint32_t) install_vec;

// One after the other. A version that may not be there does not stand between its neighbours for
// sure, hence these are ordered too.
static void order_installs (struct asg *asg, const install_vec *installs, install_vec *waiting) {
  waiting->count = 0; // the last one that is certain, and all behind it
  for (size_t i = 0; i < installs->count; i++) {
    const uint32_t install = installs->data[i];
    for (size_t k = 0; k < waiting->count; k++)
      VEC_PUSH (asg->orders, (struct known_order){ waiting->data[k], install, false, 0 });
    if (is_certain (asg, install))
      waiting->count = 0;
    VEC_PUSH (*waiting, install);
  }
}

static void add_written_orders (struct asg *asg, const struct hints *hints, install_vec *installs,
                                install_vec *waiting) {
  for (size_t i = 0; i < hints->orders.count; i++) {
    const struct version_order *order = &hints->orders.data[i];
    installs->count = 0;
    for (uint32_t k = order->first; k < order->first + order->count; k++) {
      const uint32_t install = asg_install_by (asg, order->key, hints->order_txns.data[k]);
      if (install != INSTALL_NONE)
        VEC_PUSH (*installs, install);
    }
    if (installs->count > 1)
      asg->hint_facts |= FACT_VERSION_ORDER;
    order_installs (asg, installs, waiting);
  }
}

struct stamped {
  int64_t time; // sorted by
  uint32_t install;
};

static void add_stamped_orders (struct asg *asg, const struct hints *hints, install_vec *installs,
                                install_vec *waiting) {
  VEC (struct stamped) stamps = VEC_EMPTY;
  for (uint32_t key = 0; key < asg->keys; key++) {
    stamps.count = installs->count = 0;
    for (uint32_t i = asg->key_first[key]; i < asg->key_first[key + 1]; i++) {
      const uint32_t txn = asg->node_txn[asg->install_node[i]];
      if (hints->has_commit_ts[txn])
        VEC_PUSH (stamps, (struct stamped){ hints->commit_ts[txn], i });
    }
    if (stamps.count < 2)
      continue;
    VEC_SORT (stamps, by_i64);
    for (size_t i = 0; i < stamps.count; i++)
      VEC_PUSH (*installs, stamps.data[i].install);
    asg->hint_facts |= FACT_COMMIT_TS;
    order_installs (asg, installs, waiting);
  }
  VEC_FREE (stamps);
}

void version_orders_add (struct builder *b) {
  const struct hints *hints = b->options->hints;
  install_vec installs = VEC_EMPTY, waiting = VEC_EMPTY;
  add_written_orders (b->asg, hints, &installs, &waiting);
  if (hints->trust_commit_ts && hints->commit_ts)
    add_stamped_orders (b->asg, hints, &installs, &waiting);
  MEM_FREE_ALL (installs.data, waiting.data);
}
