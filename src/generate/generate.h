// A history from the embedded store: many simulated clients, one step at a time, in simulated time.
// The same options give the same history.

#ifndef KRAIT_GENERATE_GENERATE_H
#define KRAIT_GENERATE_GENERATE_H

#include "base/budget.h"
#include "generate/faults.h"
#include "generate/isolation.h"
#include "generate/workload.h"

struct history;

struct generate_options {
  const struct workload *workload;
  const struct isolation *isolation;
  const struct fault *fault; // or NULL
  double fault_rate;         // 0: what the fault is known for
  uint64_t txns;             // that end with an outcome: aborted ones count, retries too
  unsigned sessions;
  unsigned concurrency; // transactions at a time, at most; 0: as many as sessions
  enum distribution distribution;
  struct workload_options work;
  double aborts;   // share of transactions that their client gives up
  double unknowns; // share whose outcome the client does not learn
  bool times;
  bool group_by_session;
  uint64_t seed;
  void (*progress) (void *context, double fraction); // or NULL
  void *progress_context;
  struct budget *budget; // or NULL
};

struct generate_summary {
  uint64_t committed, aborted, unknown, operations;
  unsigned median_overlap; // transactions in progress, besides the one that ends
  uint64_t keys;           // that there were to choose from
  uint64_t faults;         // how often the fault struck
};

void generate_options_default (struct generate_options *);

// NULL when the budget was spent.
struct history *generate (const struct generate_options *, struct generate_summary *);

#endif
