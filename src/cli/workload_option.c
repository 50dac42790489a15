#include "cli/workload_option.h"

#include "cli/suggest.h"

#include <string.h>

const struct workload *workload_named (const char *name, struct error *error) {
  const struct workload *workload = workload_find (name);
  if (workload)
    return workload;
  struct suggestion near = suggestion_for (name);
  for (size_t i = 0; workloads[i]; i++)
    suggestion_offer (&near, workloads[i]->name, strlen (workloads[i]->name));
  char hint[128];
  error_set (error, "--workload=%s: no such workload%s (krait generate --help lists them)", name,
             suggestion_words (&near, "", hint, sizeof hint));
  return NULL;
}

struct workload_options workload_options_of (const struct options *options) {
  return (struct workload_options){
    .keys = options->keys, .operations = options->operations, .reads = options->reads, .repetition = options->repetition
  };
}
