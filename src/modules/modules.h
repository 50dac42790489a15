// User modules: shared objects that demand more of a history than its level does
// (include/krait/module.h, docs/modules.md).

#ifndef KRAIT_MODULES_MODULES_H
#define KRAIT_MODULES_MODULES_H

#include "asg/asg.h"
#include "base/error.h"
#include "ir/constraints.h"

struct krait_host;
struct krait_model;
struct module;

// PATH.so, or PATH.so:ARGUMENT. NULL after setting the error: it cannot be loaded, or is no module
// of this version.
struct module *module_load (const char *text, struct error *);
void module_free (struct module *);

// One that is part of the program.
struct module *module_of (const char *name, const char *argument,
                          int (*run) (const struct krait_host *, struct krait_model *));

const char *module_name (const struct module *); // as it was given

// Runs it; what it demands is added to `demands`. The ASG keeps each read by itself
// (asg_options.events). False after setting the error: it failed, or said something that cannot be.
bool module_run (const struct module *, const struct asg *, int64_t clock_skew, struct constraints *, struct error *);

#endif
