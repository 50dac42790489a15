// What the table of workloads (workloads.def) is made of.

#ifndef KRAIT_GENERATE_WORKLOADS_ALL_H
#define KRAIT_GENERATE_WORKLOADS_ALL_H

#include "generate/workload.h"
#include "generate/workloads/rows.h"

typedef void script_writer (struct script *);
extern script_writer write_bank, write_bench, write_blindw, write_counters, write_lists, write_mixed, write_pairs,
  write_ranges;

extern const struct application application_fs_metadata, application_retwis, application_rubis, application_tpcc,
  application_twitter;

#endif
