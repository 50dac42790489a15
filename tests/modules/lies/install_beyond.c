/* expects: asks for install 1, and there are 1 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  struct krait_install install;
  return host->install (model, host->installs (model), &install);
}
