/* expects: asks for a read from transaction 4, and there are 3 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  const struct krait_condition condition = { 0, 4 };
  return krait_forbid (host, model, &condition, 1);
}
