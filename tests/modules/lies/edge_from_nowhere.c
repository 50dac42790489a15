/* expects: asks for an edge at transaction 4294967295, and there are 3 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  return krait_demand_edge (host, model, UINT32_MAX, 0);
}
