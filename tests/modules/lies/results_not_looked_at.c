/* expects: asks for an edge at transaction 17, and there are 3 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  krait_demand_edge (host, model, 0, 17); /* what this returns is thrown away */
  krait_demand_edge (host, model, 0, 18);
  return 0;
}
