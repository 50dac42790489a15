#include "decide/decide.h"

#include "decide/deciding.h"
#include "explain/explain.h"
#include "saturate/steps.h"

#include <inttypes.h>
#include <stdio.h>

static void deciding_free (struct deciding *d) {
  problem_free (d->problem);
  MEM_FREE_ALL (d->rank, d->wrote, d->chosen, d->pairs.data, d->overbooked_reads.data, d->overbooked_nodes.data);
  saturation_free (d->saturation);
  graph_free (d->graph);
}

void deciding_phase_done (struct deciding *d, double *seconds) {
  const double now = clock_seconds ();
  *seconds += now - d->mark;
  d->mark = now;
}

void deciding_progress (const struct deciding *d, const char *phase) {
  if (d->options->progress)
    d->options->progress (d->options->progress_context, phase, -1);
}

void deciding_stop (struct deciding *d) {
  const enum budget_state state = budget_check (d->options->budget);
  d->decision->verdict = VERDICT_UNKNOWN;
  snprintf (d->decision->reason, sizeof d->decision->reason, "%s",
            state == BUDGET_LEFT ? "the search was too long" : budget_reason (state));
}

void deciding_refuse (struct deciding *d, const char *encoding, const char *why) {
  d->decision->verdict = VERDICT_UNKNOWN;
  snprintf (d->decision->reason, sizeof d->decision->reason, "the encoding %s %s", encoding, why);
}

void deciding_leave_open (struct deciding *d, const char *what, uint64_t most) {
  if (!d->options->most_conflicts && decided_by_long_run (d)) // or stopped
    return;
  d->decision->verdict = VERDICT_UNKNOWN;
  snprintf (d->decision->reason, sizeof d->decision->reason,
            "too much is left open to be searched: more than %" PRIu64 " %s, and no run was found", most, what);
}

void deciding_break (struct deciding *d, const char *what) {
  d->decision->verdict = VERDICT_UNKNOWN;
  d->decision->broken = true;
  snprintf (d->decision->reason, sizeof d->decision->reason, "%s", what);
}

static bool nothing_open (const struct deciding *d) {
  if (d->pairs.count || d->saturation->open.count)
    return false;
  for (uint32_t entry = 1; entry < d->ir->first_delete; entry++)
    if (d->graph->presence[entry] == PRESENCE_OPEN)
      return false;
  return true;
}

// The order of the known graph is a witness for sure if nothing is open, and else worth a try.
// (Anti-dependencies that are no edges can contradict an order although nothing is open, and so can
// what modules demand.)
static bool decided_by_order (struct deciding *d) {
  const bool surely = !d->graph->has_forbidding && !ir_has_open_constraints (d->ir);
  if (nothing_open (d))
    return accept_sorted (d, surely) || surely;
  if (!d->options->steps.guess || d->ir->serial)
    return false;
  d->decision->effort.used_guess = guess_sources (d) && accept_sorted (d, false);
  if (!d->decision->effort.used_guess)
    forget_sources (d);
  if (!d->decision->effort.used_guess)
    d->decision->effort.used_guess = accept_placing (d);
  return d->decision->effort.used_guess;
}

static void decide_open (struct deciding *d) {
  deciding_progress (d, "pairs");
  accept_known_deletes (d);
  if (d->saturation->crowded) {
    deciding_leave_open (d, "candidates of reads", d->saturation->candidates.count);
    return;
  }
  if (!open_pairs (d->saturation, &d->pairs, d->options->budget)) {
    if (d->pairs.count > most_pairs (d->ir))
      deciding_leave_open (d, "pairs of versions", most_pairs (d->ir));
    else
      deciding_stop (d);
    return;
  }
  saturation_let_go (d->saturation);
  d->decision->superpositions_left = d->pairs.count + d->saturation->open.count;
  deciding_phase_done (d, &d->decision->effort.seconds.saturate);
  if (!schedule_sources (d->saturation, d->options->steps.guess) || !decided_by_order (d)) {
    d->rank = guess_ranks (d->graph);
    node_vec order = VEC_EMPTY;
    deciding_progress (d, "guess");
    if (d->options->steps.guess && d->ir->serial && guess_order (d->saturation, d->rank, &order)
        && accept_serial (d, &order, false))
      d->decision->effort.used_guess = true;
    else if (!decided_by_run (d))
      search (d);
    VEC_FREE (order);
  }
  deciding_phase_done (d, &d->decision->effort.seconds.solve);
}

// Where nothing was read, nothing but session order and real time says in which order the versions
// come, and any order that keeps to these is a witness. Saturation would compare every two writers
// of a key with each other for nothing, and needs memory for every two sessions.
struct graph *decide_unread (const struct ir *ir) {
  point_vec cycle = VEC_EMPTY;
  if (ir->reads || ir->deletes || ir->order_count || ir_has_unknown (ir) || ir->edges.count || ir->constraints)
    return NULL;
  // the rows that take the least memory: nobody looks at them
  struct graph *graph = graph_new (ir, ROWS_PARTIAL);
  const bool sorted = graph_sort (graph, &cycle);
  VEC_FREE (cycle);
  if (sorted)
    return graph;
  graph_free (graph);
  return NULL;
}

static bool accept_unread (struct deciding *d) {
  d->graph = decide_unread (d->ir);
  if (d->graph && accept_sorted (d, false))
    return true;
  graph_free (d->graph);
  d->graph = NULL;
  return false;
}

// Where readers see single steps and all sources are known, an order is found without saturation.
// If there is none, that is left to find out why.
static bool accept_steps (struct deciding *d) {
  const struct check_options *options = d->options;
  if (!options->steps.saturation || options->rows != ROWS_AUTO)
    return false;
  deciding_progress (d, "saturate");
  d->graph = steps_in_order (d->ir, options->budget);
  deciding_phase_done (d, &d->decision->effort.seconds.saturate);
  if (d->graph && accept_sorted (d, false))
    return true;
  graph_free (d->graph);
  d->graph = NULL;
  return false;
}

static void saturate_and_go_on (struct deciding *d) {
  struct decision *decision = d->decision;
  d->graph = graph_new (d->ir, d->options->rows);
  d->saturation = saturation_new (d->graph);
  deciding_phase_done (d, &decision->effort.seconds.lower);
  const bool run = decided_by_early_run (d);
  deciding_phase_done (d, &decision->effort.seconds.solve);
  if (run)
    return;
  deciding_progress (d, "saturate");
  const enum saturate_outcome outcome = saturate (d->saturation, d->options->steps.saturation, d->options->budget);
  deciding_phase_done (d, &decision->effort.seconds.saturate);
  switch (outcome) {
  case SATURATE_SETTLED: decision->violation = explain_forbidden (d->saturation); break;
  case SATURATE_STOPPED: deciding_stop (d); return;
  case SATURATE_CYCLE: decision->violation = explain_cycle (d->saturation); break;
  case SATURATE_NO_SOURCE: decision->violation = explain_lost_read (d->saturation); break;
  }
  if (outcome == SATURATE_SETTLED && !decision->violation) {
    decide_open (d);
    return;
  }
  decision->verdict = VERDICT_INVALID;
  deciding_phase_done (d, &decision->effort.seconds.explain);
}

struct decision decide (const struct ir *ir, const struct check_options *options, const struct witness_judge *judge) {
  struct decision decision = { .verdict = VERDICT_UNKNOWN };
  struct deciding d = { .ir = ir, .options = options, .judge = judge, .decision = &decision, .mark = clock_seconds () };
  if (ir->deletes)
    d.wrote = MEM_ZARRAY (uint8_t, ir->deletes);
  deciding_progress (&d, "lower");
  if (accept_unread (&d) || accept_steps (&d))
    deciding_phase_done (&d, &decision.effort.seconds.solve);
  else
    saturate_and_go_on (&d);
  deciding_free (&d);
  return decision;
}

struct ir *decide_saturated (const struct ir *ir, const struct check_options *options) {
  struct graph *graph = graph_new (ir, options->rows);
  struct saturation *saturation = saturation_new (graph);
  saturate (saturation, options->steps.saturation, options->budget);
  struct ir *saturated = saturated_ir (saturation);
  saturation_free (saturation);
  graph_free (graph);
  return saturated;
}
