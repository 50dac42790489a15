#include "generate/workloads/all.h"

const struct workload *const workloads[] = { &workload_blindw,      &workload_blindw_mixed, &workload_blindw_repeated,
                                             &workload_randombench, &workload_randomrange,  &workload_randomrmwrange,
                                             &workload_list_append, &workload_twitter,      &workload_rubis,
                                             &workload_tpcc,        &workload_retwis,       &workload_bank,
                                             &workload_counters,    &workload_fs_metadata,  NULL };
