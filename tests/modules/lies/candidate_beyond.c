/* expects: asks for candidate 1, and there are 1 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  uint32_t writer;
  return host->candidate (model, 0, 1, &writer);
}
