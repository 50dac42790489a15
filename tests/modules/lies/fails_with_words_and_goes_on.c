/* expects: the moon is full */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  host->fail (model, "the moon is full");
  return 0;
}
