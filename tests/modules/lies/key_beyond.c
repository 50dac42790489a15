/* expects: asks for key 4294967295, and there are 1 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  struct krait_key key;
  return host->key (model, UINT32_MAX, &key);
}
