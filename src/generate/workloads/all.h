// Every workload, declared once; table.c lists them in the order of the help.

#ifndef KRAIT_GENERATE_WORKLOADS_ALL_H
#define KRAIT_GENERATE_WORKLOADS_ALL_H

#include "generate/faults.h"
#include "generate/workload.h"

extern const struct workload workload_blindw, workload_blindw_mixed, workload_blindw_repeated;

#endif
