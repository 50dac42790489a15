/* expects: no module: it has no function krait_module */

#include <krait/module.h>

const int krait_module_abi = KRAIT_MODULE_ABI;
