// The same graph under other chains, for levels without session order: nodes are numbered anew so
// that chains follow known reads.

#ifndef KRAIT_ASG_RECHAIN_H
#define KRAIT_ASG_RECHAIN_H

#include "asg/asg.h"

// A copy whose chains are paths of known write-read edges (each node in one chain; unknown
// transactions alone). If these are not wanted, or have a cycle, chains are single nodes and the
// cycle is left to be found by whoever sorts the graph.
struct asg *asg_rechain (const struct asg *, bool along_reads);

#endif
