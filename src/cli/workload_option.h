// What --workload and the options beside it say, for the commands that play a workload.

#ifndef KRAIT_CLI_WORKLOAD_OPTION_H
#define KRAIT_CLI_WORKLOAD_OPTION_H

#include "cli/options.h"
#include "generate/workload.h"

// NULL after setting the error.
const struct workload *workload_named (const char *name, struct error *);

struct workload_options workload_options_of (const struct options *);

#endif
