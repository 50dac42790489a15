/* Session order as a module: a client's transactions take effect in the order in which it ran them.
 *
 * krait check --level=serializable --module=session_order.so is what krait check --level=strong-session-serializable is, and so for every other level
 * that has such a form; the tests hold them against each other.
 *
 *   cc -std=c11 -shared -fPIC -I PREFIX/include -o session_order.so session_order.c */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  uint32_t last = KRAIT_INITIAL; /* the last committed one of the session so far */
  for (uint32_t t = 0; t < host->transactions (model); t++) {
    struct krait_transaction now;
    if (host->transaction (model, t, &now))
      return 1;
    if (now.position == 0)
      last = KRAIT_INITIAL;
    if (now.status == KRAIT_ABORTED)
      continue;
    if (last != KRAIT_INITIAL && krait_demand_edge (host, model, last, t))
      return 1;
    /* Whoever sent a transaction and never heard of it again does not know that it is over: nothing has to come after it. */
    if (now.status == KRAIT_COMMITTED)
      last = t;
  }
  return 0;
}
