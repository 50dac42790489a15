#include "decide/pose.h"

#include "cnf/encoder.h"
#include "cnf/encodings.h"
#include "decide/deciding.h"
#include "explain/explain.h"
#include "explain/violation.h"

void posed_free (struct posed *posed) {
  if (!posed)
    return;
  problem_free (posed->problem);
  VEC_FREE (posed->pairs);
  saturation_free (posed->saturation);
  graph_free (posed->graph);
  mem_free (posed);
}

// A problem without variables, edges and clauses; or with one clause, which is empty.
static struct problem *settled_problem (bool possible) {
  struct problem *problem = mem_zalloc (sizeof *problem);
  VEC_PUSH (problem->variables, (struct variable){ 0 });
  VEC_PUSH (problem->phases, 0);
  if (!possible)
    VEC_PUSH (problem->clauses, 0);
  return problem;
}

static void settle (struct posed *posed, bool possible, const char *why) {
  posed->problem = settled_problem (possible);
  posed->settled = why;
}

// Where nothing is read, any order will do: `decide` says why.
static bool settle_unread (struct posed *posed) {
  posed->graph = decide_unread (posed->ir);
  if (posed->graph)
    settle (posed, true, "nothing is read, so that any order will do");
  return posed->graph;
}

static void say_stopped (const struct check_options *options, struct error *error) {
  error_set_code (error, ERROR_LIMIT, "%s", budget_reason (budget_check (options->budget)));
}

// False: nothing is left to be asked.
static bool is_left_open (struct posed *posed, const struct check_options *options, struct error *error) {
  const enum saturate_outcome outcome = saturate (posed->saturation, options->steps.saturation, options->budget);
  if (outcome == SATURATE_CYCLE)
    settle (posed, false, "what is known for certain closes a cycle");
  if (outcome == SATURATE_NO_SOURCE)
    settle (posed, false, "a read has nothing that it can have read from");
  if (outcome == SATURATE_STOPPED)
    say_stopped (options, error);
  if (outcome != SATURATE_SETTLED)
    return false;
  struct violation *violation = explain_forbidden (posed->saturation);
  if (violation)
    settle (posed, false, "what is known for certain leads back to a reader who must not have seen it");
  violation_free (violation);
  return !violation;
}

static void encode (struct posed *posed, const struct check_options *options, struct error *error) {
  const struct encoding *encoding = options->encoding ? options->encoding : &encodings[0];
  const char *refused = encoding->refuses (posed->ir);
  if (refused) {
    error_set (error, "the encoding %s %s", encoding->name, refused);
    return;
  }
  bool too_large = posed->saturation->crowded || !open_pairs (posed->saturation, &posed->pairs, options->budget);
  if (!too_large)
    posed->problem =
      encoding->encode (&(struct to_encode){ posed->saturation, &posed->pairs, NULL, options->budget, &too_large });
  if (posed->problem)
    return;
  if (budget_check (options->budget) != BUDGET_LEFT)
    say_stopped (options, error);
  else
    error_set_code (error, ERROR_LIMIT, "too much is left open to be written down");
}

struct posed *pose (const struct ir *ir, const struct check_options *options, struct error *error) {
  struct posed *posed = mem_zalloc (sizeof *posed);
  posed->ir = ir;
  if (ir_contradiction (ir)) {
    settle (posed, false, ir_contradiction (ir));
    return posed;
  }
  if (settle_unread (posed))
    return posed;
  posed->graph = graph_new (ir, options->rows);
  posed->saturation = saturation_new (posed->graph);
  if (is_left_open (posed, options, error))
    encode (posed, options, error);
  if (posed->problem)
    return posed;
  posed_free (posed);
  return NULL;
}

struct decision posed_accept (struct posed *posed, const struct check_options *options,
                              const struct witness_judge *judge, const int8_t *values) {
  struct decision decision = { .verdict = VERDICT_UNKNOWN };
  struct deciding d = { .ir = posed->ir,
                        .options = options,
                        .judge = judge,
                        .decision = &decision,
                        .graph = posed->graph,
                        .saturation = posed->saturation,
                        .problem = posed->problem };
  if (d.ir->deletes)
    d.wrote = MEM_ZARRAY (uint8_t, d.ir->deletes);
  accept_model (&d, values);
  MEM_FREE_ALL (d.wrote, d.chosen);
  return decision;
}
