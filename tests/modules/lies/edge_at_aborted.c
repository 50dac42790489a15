/* expects: asks for an edge at T2, which was aborted */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  return krait_demand_edge (host, model, 0, 1);
}
