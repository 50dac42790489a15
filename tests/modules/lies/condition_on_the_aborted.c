/* expects: speaks of read 0 of T3 reading from T2, which it cannot */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  const struct krait_condition condition = { 0, 1 };
  return krait_demand_edge_if (host, model, &condition, 1, 0, 2);
}
