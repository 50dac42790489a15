/* expects: speaks of read 0 of T3 reading from the initial state, which it cannot */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

int krait_module (const struct krait_host *host, struct krait_model *model) {
  const struct krait_condition condition = { 0, KRAIT_INITIAL };
  return krait_forbid (host, model, &condition, 1);
}
