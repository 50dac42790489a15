/* expects: called exit instead of returning */
#include <krait/module.h>
#include <stdlib.h>

const int krait_module_abi = KRAIT_MODULE_ABI;

static void at_once (void) __attribute__ ((constructor));
static void at_once (void) {
  exit (1);
}

int krait_module (const struct krait_host *host, struct krait_model *model) {
  (void) host;
  (void) model;
  return 0;
}
