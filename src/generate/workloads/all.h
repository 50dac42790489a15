// Every workload, declared once; table.c lists them in the order of the help.

#ifndef KRAIT_GENERATE_WORKLOADS_ALL_H
#define KRAIT_GENERATE_WORKLOADS_ALL_H

#include "generate/workload.h"

extern const struct workload workload_blindw, workload_blindw_mixed, workload_blindw_repeated;
extern const struct workload workload_randombench, workload_randomrange, workload_randomrmwrange;
extern const struct workload workload_list_append;
extern const struct workload workload_twitter, workload_rubis, workload_tpcc, workload_retwis;
extern const struct workload workload_bank, workload_counters, workload_fs_metadata;

#endif
