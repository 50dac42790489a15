/* expects: asks for transaction 3, and there are 3 */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  struct krait_transaction transaction;
  return host->transaction (model, 3, &transaction);
}
