#include "generate/workloads/all.h"

const struct workload *const workloads[] = { &workload_blindw, &workload_blindw_mixed, &workload_blindw_repeated,
                                             NULL };
