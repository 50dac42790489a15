// How far saturation alone gets, for whoever wants to see it.

#include "decide/decide.h"
#include "saturate/result.h"

struct ir *decide_saturated (const struct ir *ir, const struct check_options *options) {
  struct graph *graph = graph_new (ir, options->rows);
  struct saturation *saturation = saturation_new (graph);
  saturate (saturation, options->steps.saturation, options->budget);
  struct ir *saturated = saturated_ir (saturation);
  saturation_free (saturation);
  graph_free (graph);
  return saturated;
}
