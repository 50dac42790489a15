/* expects: cannot be loaded */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_check_everything (void); /* nobody defines it */

int krait_module (const struct krait_host *host, struct krait_model *model) {
  (void) host;
  (void) model;
  return krait_check_everything ();
}
