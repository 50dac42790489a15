/* expects: failed with result 7 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  (void) host;
  (void) model;
  return 7;
}
