/* expects: asks for a condition on read 5, and there are 1 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  const struct krait_condition condition = { 5, 0 };
  return krait_forbid (host, model, &condition, 1);
}
