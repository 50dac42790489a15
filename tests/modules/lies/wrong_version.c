/* expects: made for modules of version 1000, this is version 1 */

#include <krait/module.h>

const int krait_module_abi = 1000;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  (void) host;
  (void) model;
  return 0;
}
