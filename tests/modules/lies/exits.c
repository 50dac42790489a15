/* expects: called exit instead of returning */
#include <krait/module.h>
#include <stdlib.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  (void) host;
  (void) model;
  exit (0);
}
