#include "cnf/problem.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>

void problem_free (struct problem *problem) {
  if (!problem)
    return;
  MEM_FREE_ALL (problem->variables.data, problem->phases.data, problem->edges.data, problem->clauses.data,
                problem->replaced.data, problem->point, problem->local_position, problem->known_first,
                problem->known_to, problem->known_hidden, problem);
}

// --------------------------------------------------------------------------------------------- log

static void log_variable (const struct problem *problem, const struct ir *ir, uint32_t number) {
  const struct variable *v = &problem->variables.data[number];
  if (v->kind == VARIABLE_PAIR)
    LOG_SUPERPOSITION ("cnf", 2, "%u says that T%" PRIu64 " comes before T%" PRIu64, number, ir_txn_id (ir, v->a),
                       ir_txn_id (ir, v->b));
  else if (v->kind == VARIABLE_SOURCE)
    LOG_TRANSACTION ("cnf", ir_name (ir, ir_writer_of (ir, v->b)), "%u says that r%u read from it", number, v->a);
  else if (v->kind == VARIABLE_PRESENCE)
    LOG_TRANSACTION ("cnf", ir_name (ir, ir->presences[v->a].node), "%u says that presence %u holds", number, v->a);
}

static void put_literals (char *text, size_t size, const int32_t *literals, size_t most) {
  size_t length = 0;
  *text = 0;
  for (size_t i = 0; i < most && literals[i] && length < size; i++)
    length += (size_t) snprintf (text + length, size - length, " %d", literals[i]);
}

// The transaction of a local point. Time slots and events have no names.
static uint64_t name_of_point (const struct problem *problem, const struct ir *ir, uint32_t local) {
  const uint32_t node = problem->point[local] / ir->rules.points;
  return node < ir->nodes ? ir_name (ir, node) : LOG_INITIAL;
}

void problem_log (const struct problem *problem, const struct ir *ir) {
  char text[256];
  if (!LOG_IS_HEARD ("cnf"))
    return;
  for (uint32_t v = 1; v < problem->variables.count; v++)
    log_variable (problem, ir, v);
  for (size_t first = 0, i = 0; i < problem->clauses.count; first = ++i) {
    while (problem->clauses.data[i])
      i++;
    put_literals (text, sizeof text, problem->clauses.data + first, i - first);
    LOG_SUPERPOSITION ("cnf", i - first, "clause%s", text);
  }
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    put_literals (text, sizeof text, edge->guard, MOST_GUARDS);
    LOG_EDGE ("cnf", name_of_point (problem, ir, edge->from), edge_kind_name (edge->kind),
              name_of_point (problem, ir, edge->to), "if%s", text);
  }
}
