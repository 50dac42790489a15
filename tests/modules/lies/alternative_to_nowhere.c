/* expects: asks for an edge at transaction 9, and there are 3 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  const struct krait_edge good[] = { { 0, 2 } }, bad[] = { { 2, 0 }, { 9, 0 } };
  const struct krait_alternative either[] = { { good, 1 }, { bad, 2 } };
  return krait_demand_one_of (host, model, either, 2);
}
