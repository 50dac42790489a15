#include "api/decide.h"
#include "asg/asg.h"

struct check_result *check_ir (struct ir *ir, const struct check_options *options) {
  const double start = clock_seconds ();
  struct check_options own = *options;
  own.level = ir->level;
  own.clock_skew = 0;        // the time slots have it already
  own.own_writes = OWN_MUST; // reads that the policy made external stand before the writes
  struct check_result *result = check_result_new (&own);
  result->own_writes = OWN_INFER;
  VEC (struct ir_edge) edges = VEC_EMPTY;
  for (size_t i = 0; i < ir->edges.count; i++) {
    const struct ir_edge edge = ir->edges.data[i];
    VEC_PUSH (edges, (struct ir_edge){ ir->asg->node_txn[edge.from], ir->asg->node_txn[edge.to] });
  }
  check_asg (ir->asg, (struct given){ edges.data, edges.count, false, NULL, NULL }, &own, result);
  VEC_FREE (edges);
  result->seconds = clock_seconds () - start;
  return result;
}
