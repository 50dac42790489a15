// The pipeline: ASG, IR, saturation, guess, search, and the checks that stand behind each verdict.

#include "api/decide.h"

#include "asg/asg.h"
#include "asg/rechain.h"
#include "base/error.h"
#include "cnf/problem.h"
#include "explain/explain.h"
#include "explain/words.h"
#include "history/history.h"
#include "ir/ir.h"
#include "levels/levels.h"
#include "saturate/guess.h"
#include "saturate/pairs.h"
#include "saturate/saturate.h"
#include "solve/replay.h"
#include "solve/solve.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *verdict_name (enum verdict verdict) {
  switch (verdict) {
  case VERDICT_VALID: return "valid";
  case VERDICT_INVALID: return "invalid";
  case VERDICT_UNKNOWN: return "unknown";
  }
  return "?";
}

void check_options_default (struct check_options *options) {
  *options = (struct check_options){ .steps = { true, true, true, true, true, true } };
}

void check_result_free (struct check_result *result) {
  if (!result)
    return;
  for (size_t i = 0; i < result->cycle.count; i++)
    mem_free (result->cycle.data[i].why);
  VEC_FREE (result->cycle);
  VEC_FREE (result->core);
  mem_free (result->reason);
  mem_free (result->explanation);
  mem_free (result->warnings);
  mem_free (result);
}

// One decision of one level; everything that it allocates is released by decision_free.
struct decision {
  const struct history *h;
  const struct check_options *options;
  struct given_edges given;
  struct check_result *result;
  struct ir *ir;
  struct graph *graph;
  struct saturation *saturation;
  open_pair_vec pairs;
  uint32_t *rank;
  struct problem *problem;
  double mark; // start of the phase that is being timed
};

static void decision_free (struct decision *d) {
  problem_free (d->problem);
  mem_free (d->rank);
  VEC_FREE (d->pairs);
  saturation_free (d->saturation);
  graph_free (d->graph);
  ir_free (d->ir);
}

static void phase_done (struct decision *d, double *seconds) {
  const double now = clock_seconds ();
  *seconds += now - d->mark;
  d->mark = now;
}

static void progress (const struct decision *d, const char *phase, double fraction) {
  if (d->options->progress)
    d->options->progress (d->options->progress_context, phase, fraction);
}

static void say_unknown (struct check_result *result, const char *reason) {
  result->verdict = VERDICT_UNKNOWN;
  mem_free (result->reason);
  result->reason = mem_strdup (reason);
}

static void stopped (struct decision *d) {
  say_unknown (d->result, budget_reason (budget_check (d->options->budget)));
}

// ------------------------------------------------------------------------------------------------------------------ witness

// `order` holds nodes of the graph. `valid` is said only after the history was replayed.
static bool accept_witness (struct decision *d, const node_vec *order) {
  uint32_t *txns = MEM_ARRAY (uint32_t, order->count);
  for (size_t i = 0; i < order->count; i++)
    txns[i] = d->ir->asg->node_txn[order->data[i]];
  const char *why = NULL;
  const bool fine = replay_serial_order (d->h, d->ir->level, d->options->clock_skew, d->options->own_writes, txns,
                                         (uint32_t) order->count, &why)
                    && replay_given_edges (d->h, d->given.data, d->given.count, txns, (uint32_t) order->count, &why);
  mem_free (txns);
  if (fine)
    d->result->verdict = VERDICT_VALID;
  else {
    char text[256];
    snprintf (text, sizeof text, "internal error: a witness did not survive its replay (%s)", why ? why : "?");
    say_unknown (d->result, text);
  }
  return fine;
}

// Everything is decided: any topological order is a witness.
static void accept_sorted (struct decision *d) {
  node_vec order = VEC_EMPTY;
  const struct graph *g = d->graph;
  for (uint32_t i = 0; i < g->ordered; i++)
    if (!graph_is_slot (g, g->order[i]) && g->order[i] != 0)
      VEC_PUSH (order, graph_node (g, g->order[i]));
  accept_witness (d, &order);
  VEC_FREE (order);
}

// The model's choices become edges of the graph, whose order is the witness.
static void accept_model (struct decision *d, const int8_t *values) {
  struct graph *g = d->graph;
  const struct problem *problem = d->problem;
  for (size_t v = 1; v < problem->variables.count; v++) {
    const struct variable *variable = &problem->variables.data[v];
    if (values[v] <= 0)
      continue;
    if (variable->kind == VARIABLE_IN)
      g->active[variable->a] = 1;
    if (variable->kind == VARIABLE_SOURCE)
      g->read_writer[variable->a] = variable->b == SOURCE_INITIAL ? 0 : g->asg->install_node[variable->b];
  }
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    bool holds = true;
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      holds = holds && (edge->guard[k] > 0) == (values[edge->guard[k] > 0 ? edge->guard[k] : -edge->guard[k]] > 0);
    if (holds)
      graph_add_extra (g, problem->point[edge->from], problem->point[edge->to], RULE_GIVEN, UINT32_MAX);
  }
  point_vec cycle = VEC_EMPTY;
  if (graph_sort (g, &cycle))
    accept_sorted (d);
  else
    say_unknown (d->result, "internal error: the search's model has a cycle");
  VEC_FREE (cycle);
}

// ------------------------------------------------------------------------------------------------------------------- search

static unsigned thread_count (const struct check_options *options) {
  if (options->threads)
    return options->threads;
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (unsigned) cores : 1;
}

static void search (struct decision *d) {
  const struct check_options *options = d->options;
  progress (d, "encode", -1);
  d->problem = problem_encode (d->saturation, &d->pairs, options->steps.priority ? d->rank : NULL, options->budget);
  if (!d->problem) {
    stopped (d);
    return;
  }
  progress (d, "solve", -1);
  const struct solve_options how = {
    .components = options->steps.components,
    .static_lemmas = options->steps.static_lemmas,
    .priority = options->steps.priority,
    .threads = thread_count (options),
    .seed = options->seed,
    .budget = options->budget,
    .graph = d->graph,
  };
  struct solve_result solved;
  solve_problem (d->problem, &how, &solved);
  d->result->used_solver = true;
  d->result->solver.variables += solved.variables;
  d->result->solver.conflicts += solved.conflicts;
  d->result->solver.decisions += solved.decisions;
  d->result->solver.lemmas += solved.lemmas;
  switch (solved.outcome) {
  case SOLVE_SATISFIABLE: accept_model (d, solved.values); break;
  case SOLVE_UNSATISFIABLE:
    d->result->verdict = VERDICT_INVALID;
    phase_done (d, &d->result->seconds.solve);
    explain_refutation (d->result, d->saturation, d->problem, &solved);
    phase_done (d, &d->result->seconds.explain);
    break;
  case SOLVE_STOPPED: stopped (d); break;
  case SOLVE_BROKEN: {
    char text[256];
    snprintf (text, sizeof text, "internal error: %s", solved.broken);
    say_unknown (d->result, text);
  }
  }
  solve_result_free (&solved);
}

static bool nothing_open (const struct decision *d) {
  if (d->pairs.count || d->saturation->open.count)
    return false;
  for (uint32_t node = 1; d->ir->asg->optionals && node < d->ir->asg->nodes; node++)
    if (!d->graph->active[node])
      return false;
  return true;
}

static void decide_open (struct decision *d) {
  progress (d, "pairs", -1);
  if (!open_pairs (d->saturation, &d->pairs, d->options->budget)) {
    stopped (d);
    return;
  }
  d->result->superpositions_left = d->pairs.count + d->saturation->open.count;
  phase_done (d, &d->result->seconds.saturate);
  if (nothing_open (d)) {
    accept_sorted (d);
    phase_done (d, &d->result->seconds.solve);
    return;
  }
  d->rank = guess_ranks (d->graph);
  node_vec order = VEC_EMPTY;
  progress (d, "guess", -1);
  if (d->options->steps.guess && guess_order (d->saturation, d->rank, &order) && accept_witness (d, &order))
    d->result->used_guess = true;
  else
    search (d);
  VEC_FREE (order);
  phase_done (d, &d->result->seconds.solve);
}

// --------------------------------------------------------------------------------------------------------------- one level

static void decide (struct decision *d) {
  struct check_result *result = d->result;
  progress (d, "lower", -1);
  d->graph = graph_new (d->ir, d->options->rows);
  d->saturation = saturation_new (d->graph);
  phase_done (d, &result->seconds.lower);
  progress (d, "saturate", -1);
  const enum saturate_outcome outcome = saturate (d->saturation, d->options->steps.saturation, d->options->budget);
  phase_done (d, &result->seconds.saturate);
  switch (outcome) {
  case SATURATE_SETTLED: decide_open (d); return;
  case SATURATE_STOPPED: stopped (d); return;
  case SATURATE_CYCLE:
    result->verdict = VERDICT_INVALID;
    explain_cycle (result, d->saturation);
    break;
  case SATURATE_NO_SOURCE:
    result->verdict = VERDICT_INVALID;
    explain_lost_read (result, d->saturation);
    break;
  }
  phase_done (d, &result->seconds.explain);
}

static void decide_level (struct asg *asg, const struct level *level, struct given_edges given,
                          const struct check_options *options, struct check_result *result) {
  struct decision d = {
    .h = asg->history, .options = options, .given = given, .result = result, .mark = clock_seconds ()
  };
  struct asg *chained = level->so.used ? asg : asg_rechain (asg);
  d.ir = ir_lower (chained, level, options->clock_skew);
  d.ir->owns_asg = chained != asg;
  for (size_t i = 0; i < given.count; i++)
    VEC_PUSH (d.ir->edges,
              (struct ir_edge){ chained->txn_node[given.data[i].from], chained->txn_node[given.data[i].to] });
  decide (&d);
  decision_free (&d);
}

// What an attempt at a stronger level said is dropped, except its times and counts.
static void forget_attempt (struct check_result *result) {
  for (size_t i = 0; i < result->cycle.count; i++)
    mem_free (result->cycle.data[i].why);
  result->cycle.count = 0;
  result->core.count = 0;
  result->anomaly = result->anomaly_name = NULL;
  mem_free (result->reason);
  mem_free (result->explanation);
  result->reason = result->explanation = NULL;
}

static bool sessions_say_something (const struct history *h) {
  return history_sessions (h) < history_txns (h);
}

static void decide_with_stronger_first (struct asg *asg, struct given_edges given, const struct check_options *options,
                                        struct check_result *result) {
  const struct level *level = options->level;
  if (level->stronger && options->steps.stronger_first && sessions_say_something (asg->history)) {
    const struct level *stronger = level_find (level->stronger);
    decide_level (asg, stronger, given, options, result);
    if (result->verdict == VERDICT_VALID) {
      result->by_level = stronger->name;
      return;
    }
    if (budget_check (options->budget) != BUDGET_LEFT)
      return;
    forget_attempt (result);
  }
  decide_level (asg, level, given, options, result);
}

static void warn (struct check_result *result, const char *text) {
  words w = VEC_EMPTY;
  if (result->warnings)
    words_add (&w, "%s\n", result->warnings);
  words_add (&w, "%s", text);
  mem_free (result->warnings);
  result->warnings = words_take (&w);
}

// Real time needs times. False: not defined for this history.
static bool has_needed_times (const struct history *h, const struct level *level, struct check_result *result) {
  if (!level->rt.used)
    return true;
  uint32_t timed = 0, relevant = 0;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    relevant++;
    timed += history_begin_time (h, t) != TIME_NONE_BEGIN || history_end_time (h, t) != TIME_NONE_END;
  }
  if (relevant && !timed) {
    say_unknown (result, "the level needs begin and end times, and the history has none");
    return false;
  }
  if (timed < relevant)
    warn (result, "some transactions have no times; they are taken as concurrent with everything");
  return true;
}

static void warn_if_history_says_little (const struct asg *asg, struct check_result *result) {
  for (uint32_t read = 0; read < asg->reads; read++)
    if (asg->read_source[read] != SOURCE_INITIAL)
      return;
  warn (result, "no transaction reads what another one wrote: the history says little");
}

struct check_result *check_result_new (const struct check_options *options) {
  struct check_result *result = mem_zalloc (sizeof *result);
  result->level = result->by_level = options->level->name;
  result->own_writes = own_writes_name (options->own_writes);
  result->verdict = VERDICT_UNKNOWN;
  return result;
}

void check_asg (struct asg *asg, struct given_edges given, const struct check_options *options,
                struct check_result *result) {
  if (!has_needed_times (asg->history, options->level, result))
    return;
  if (asg->unsupported) {
    say_unknown (result, asg->unsupported);
    return;
  }
  struct ir view = { .level = options->level, .asg = asg };
  result->superpositions_initial = ir_superpositions (&view);
  if (asg->faults.count) {
    result->verdict = VERDICT_INVALID;
    explain_fault (result, asg);
  } else
    decide_with_stronger_first (asg, given, options, result);
  if (result->verdict == VERDICT_VALID)
    warn_if_history_says_little (asg, result);
}

struct check_result *check_history (const struct history *h, const struct check_options *asked) {
  const double start = clock_seconds ();
  struct check_options options = *asked;
  if (asked->own_writes == OWN_INFER)
    options.own_writes = asg_infer_own_writes (h);
  struct check_result *result = check_result_new (&options);
  result->own_writes_inferred = asked->own_writes == OWN_INFER;
  if (h->warnings)
    warn (result, h->warnings);
  struct asg *asg = asg_build (h, &(struct asg_options){ .merge_equal_reads = true, .own_writes = options.own_writes });
  result->seconds.lower = clock_seconds () - start;
  check_asg (asg, (struct given_edges){ NULL, 0 }, &options, result);
  asg_free (asg);
  result->seconds.total = clock_seconds () - start;
  return result;
}
