// What a module is handed: the functions of struct krait_host over an ASG.

#ifndef KRAIT_MODULES_HOST_H
#define KRAIT_MODULES_HOST_H

#include "asg/asg.h"
#include "base/error.h"
#include "ir/constraints.h"
#include "krait/module.h"

// The error's text begins with the module's name.
bool host_run (krait_module_function *, const char *argument, int64_t clock_skew, const struct asg *,
               struct constraints *, uint32_t module, struct error *);

#endif
