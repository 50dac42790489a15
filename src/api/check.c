// The pipeline: ASG, IR, saturation, guess, search, and the checks that stand behind each verdict.

#include "api/decide.h"

#include "asg/asg.h"
#include "base/error.h"
#include "certify/make.h"
#include "cnf/encodings.h"
#include "dialects/dialects.h"
#include "explain/explain.h"
#include "explain/met.h"
#include "hints/hints.h"
#include "history/history.h"
#include "ir/ir.h"
#include "levels/levels.h"
#include "levels/lower.h"
#include "saturate/guess.h"
#include "saturate/overbooked.h"
#include "saturate/pairs.h"
#include "saturate/saturate.h"
#include "saturate/schedule.h"
#include "solve/replay.h"
#include "solve/solve.h"
#include "solve/witness.h"
#include "solve/witness_constraints.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// One decision of one level; everything that it allocates is released by decision_free.
struct decision {
  const struct history *h;
  const struct check_options *options;
  struct given given;
  struct check_result *result;
  struct ir *ir;
  struct graph *graph;
  struct saturation *saturation;
  open_pair_vec pairs;
  uint32_t *rank;
  // per unrecorded delete: it wrote, in the witness at hand; NULL: no unrecorded deletes
  uint8_t *wrote;
  uint32_t *chosen; // per constraint of modules: the alternative of the witness at hand; NULL: any
  struct problem *problem;
  read_vec stuck;                  // open reads that cannot all have a candidate before them
  overbooked_vec overbooked_reads; // open reads that are too many for what they can have read
  overbooked_vec overbooked_nodes; // and who has to do with them
  double mark;                     // start of the phase that is being timed
};

static void decision_free (struct decision *d) {
  problem_free (d->problem);
  mem_free (d->rank);
  mem_free (d->wrote);
  mem_free (d->chosen);
  VEC_FREE (d->pairs);
  VEC_FREE (d->stuck);
  VEC_FREE (d->overbooked_reads);
  VEC_FREE (d->overbooked_nodes);
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

static void stopped (struct decision *d) {
  const enum budget_state state = budget_check (d->options->budget);
  check_result_say_unknown (d->result, state == BUDGET_LEFT ? "the search was too long" : budget_reason (state));
}

// ----------------------------------------------------------------------------------------- witness

static bool accept_if (struct decision *d, bool fine, const char *why) {
  if (fine)
    d->result->verdict = VERDICT_VALID;
  else {
    char text[256];
    snprintf (text, sizeof text, "a witness did not survive its check (%s)", why ? why : "?");
    check_result_say_broken (d->result, text);
  }
  return fine;
}

// A certificate speaks of the history, of its hints, of the parts that a dialect makes and of what
// modules demand; not of edges from elsewhere.
static bool is_to_be_certified (const struct decision *d) {
  return d->options->certify && (d->given.program_order || !d->given.edge_count);
}

static bool trusts_commit_ts (const struct hints *hints) {
  return hints && hints->trust_commit_ts && hints->commit_ts;
}

// Per demand of the modules, the alternative that the search took; NULL: it took none.
static uint32_t *preferred_alternatives (const struct decision *d) {
  if (!d->given.certified || !d->chosen || !d->ir->constraints)
    return NULL;
  uint32_t *preferred = MEM_ARRAY (uint32_t, d->given.constraints->list.count);
  memset (preferred, 0xff, d->given.constraints->list.count * sizeof *preferred);
  for (size_t i = 0; i < d->ir->constraints->list.count; i++)
    preferred[d->ir->constraints->list.data[i].number] = d->chosen[i];
  return preferred;
}

static struct certify_claim claim_of (const struct decision *d, const uint32_t *preferred) {
  _Static_assert(OWN_MUST + 0 == POLICY_MUST + 0 && OWN_EXTERNAL + 0 == POLICY_EXTERNAL + 0
                   && OWN_MAY + 0 == POLICY_MAY + 0,
                 "policies go by the same numbers");
  return (struct certify_claim){ .h = d->h,
                                 .claim = { .level = d->options->level->name,
                                            .policy = (enum own_policy) d->options->own_writes,
                                            .clock_skew = d->options->clock_skew,
                                            .trust_commit_ts = trusts_commit_ts (d->ir->asg->hints),
                                            .dialect = d->options->dialect ? d->options->dialect->name : NULL },
                                 .hints = d->ir->asg->hints,
                                 .constraints = d->given.certified,
                                 .preferred = preferred };
}

static const char broken_constraint[] = "the order breaks what a module demands";

// A serial order says by itself whom each read reads from.
static bool serial_order_meets_constraints (const struct decision *d, const node_vec *order) {
  const struct asg *asg = d->ir->asg;
  if (!d->ir->constraints)
    return true;
  ir_edge_vec edges = VEC_EMPTY;
  uint32_t *source = sources_in_order (asg, order->data, order->count, d->wrote);
  uint32_t *position = MEM_ZARRAY (uint32_t, asg->nodes);
  uint8_t *in = MEM_ZARRAY (uint8_t, asg->nodes);
  for (uint32_t i = 0; i < order->count; i++) {
    position[order->data[i]] = i;
    in[order->data[i]] = 1;
  }
  const bool fine = constraints_hold (&(struct constrained){ .constraints = d->ir->constraints,
                                                             .asg = asg,
                                                             .in = in,
                                                             .read_writer = source,
                                                             .position = position,
                                                             .points = 1 },
                                      &edges);
  mem_free (source);
  mem_free (position);
  mem_free (in);
  VEC_FREE (edges);
  return fine;
}

// `order` holds nodes of the graph. `valid` is said only after the history was replayed. `surely`:
// it is an error if that fails.
static bool accept_serial (struct decision *d, const node_vec *order, bool surely) {
  uint32_t *txns = MEM_ARRAY (uint32_t, order->count);
  for (size_t i = 0; i < order->count; i++)
    txns[i] = d->ir->asg->node_txn[order->data[i]];
  const char *why = NULL;
  bool fine = replay_serial_order (d->h, d->ir->asg->hints, d->ir->level, d->options->clock_skew,
                                   d->options->own_writes, txns, (uint32_t) order->count, &why)
              && replay_hints (d->h, d->ir->asg->hints, txns, (uint32_t) order->count, &why)
              && replay_given_edges (d->h, d->given.edges, d->given.edge_count, txns, (uint32_t) order->count, &why);
  if (fine && !serial_order_meets_constraints (d, order)) {
    fine = false;
    why = broken_constraint;
  }
  if (fine && is_to_be_certified (d)) {
    uint32_t *preferred = preferred_alternatives (d);
    const struct certify_claim claim = claim_of (d, preferred);
    d->result->certificate = certify_order (&claim, txns, (uint32_t) order->count);
    mem_free (preferred);
  }
  mem_free (txns);
  return (fine || surely) && accept_if (d, fine, why);
}

static void nodes_in_order (const struct graph *g, node_vec *order) {
  const uint32_t last = (1u << g->shift) - 1;
  for (uint32_t i = 0; i < g->ordered; i++)
    if (!graph_is_slot (g, g->order[i]) && graph_node (g, g->order[i]) && (g->order[i] & last) == last)
      VEC_PUSH (*order, graph_node (g, g->order[i]));
}

// The ASG that a witness speaks of: one without unrecorded deletes. `source` is filled for its
// reads.
static struct asg *asg_of_witness (const struct decision *d, uint32_t **source) {
  const struct graph *g = d->graph;
  const struct asg *asg = d->ir->asg;
  uint32_t *new_install = NULL, *new_read = NULL;
  struct asg *settled = d->wrote ? asg_settle (asg, d->wrote, &new_install, &new_read) : NULL;
  *source = MEM_ARRAY (uint32_t, asg->reads);
  for (uint32_t read = 0; read < asg->reads; read++) {
    const uint32_t at = new_read ? new_read[read] : read, writer = g->read_writer[read];
    if (at == UINT32_MAX)
      continue;
    const uint32_t install =
      writer == NODE_NONE || !writer ? SOURCE_INITIAL : asg_install_of (asg, asg->read_key[read], writer);
    (*source)[at] = install == SOURCE_INITIAL || !new_install ? install : new_install[install];
  }
  mem_free (new_install);
  mem_free (new_read);
  return settled;
}

// Whom each read of those that took place reads from; NODE_NONE for the others.
static uint32_t *sources_of_witness (const struct graph *g) {
  uint32_t *writer = MEM_ARRAY (uint32_t, g->ir->asg->reads);
  for (uint32_t read = 0; read < g->ir->asg->reads; read++)
    writer[read] = g->active[g->read_node[read]] ? g->read_writer[read] : NODE_NONE;
  return writer;
}

// Edges that the order must keep besides those of the level, in `edges`. False: there is no telling
// which, since a module's demand is not met.
static bool collect_given (const struct decision *d, const uint32_t *position, ir_edge_vec *edges) {
  const struct asg *asg = d->ir->asg;
  for (size_t i = 0; i < d->given.edge_count; i++)
    VEC_PUSH (*edges, (struct ir_edge){ asg->txn_node[d->given.edges[i].from], asg->txn_node[d->given.edges[i].to] });
  if (!d->ir->constraints)
    return true;
  uint32_t *source = sources_of_witness (d->graph);
  const bool fine = constraints_hold (&(struct constrained){ .constraints = d->ir->constraints,
                                                             .asg = asg,
                                                             .in = d->graph->active,
                                                             .read_writer = source,
                                                             .position = position,
                                                             .points = d->ir->rules.points,
                                                             .chosen = d->chosen },
                                      edges);
  mem_free (source);
  return fine;
}

// Sources and the order of the graph, as a witness for levels that do not ask for a serial order.
static enum witness_answer check_witness (const struct decision *d, const char **why) {
  const struct graph *g = d->graph;
  uint32_t *source;
  struct asg *settled = asg_of_witness (d, &source);
  uint32_t *position = MEM_ZARRAY (uint32_t, g->first_slot);
  uint32_t placed = 0;
  for (uint32_t i = 0; i < g->ordered; i++)
    if (!graph_is_slot (g, g->order[i]))
      position[g->order[i]] = placed++;
  ir_edge_vec edges = VEC_EMPTY;
  const bool met = collect_given (d, position, &edges);
  const struct witness witness = {
    .asg = settled ? settled : d->ir->asg,
    .level = d->ir->level,
    .clock_skew = d->options->clock_skew,
    .in = g->active,
    .read_source = source,
    .position = position,
    .edges = edges.data,
    .edge_count = edges.count,
    .budget = d->options->budget,
  };
  *why = broken_constraint;
  const enum witness_answer answer = met ? witness_check (&witness, why) : WITNESS_FAILS;
  if (answer == WITNESS_HOLDS && is_to_be_certified (d)) {
    uint32_t *preferred = preferred_alternatives (d);
    const struct certify_claim claim = claim_of (d, preferred);
    d->result->certificate = certify_witness (&claim, &witness, d->ir->asg, d->wrote);
    mem_free (preferred);
  }
  VEC_FREE (edges);
  mem_free (source);
  mem_free (position);
  asg_free (settled);
  return answer;
}

// Everything is decided: any topological order is a witness. `surely`: it is an error if it is
// none.
static bool accept_sorted (struct decision *d, bool surely) {
  if (level_is_serial (d->ir->level, d->ir->asg)) {
    node_vec order = VEC_EMPTY;
    nodes_in_order (d->graph, &order);
    const bool accepted = accept_serial (d, &order, surely);
    VEC_FREE (order);
    return accepted;
  }
  const char *why = NULL;
  const enum witness_answer answer = check_witness (d, &why);
  if (answer == WITNESS_STOPPED)
    stopped (d);
  return (answer == WITNESS_HOLDS || (surely && answer == WITNESS_FAILS))
         && accept_if (d, answer == WITNESS_HOLDS, why);
}

// What is known of unrecorded deletes; the others are taken to have written nothing until somebody
// says otherwise.
static void known_deletes (struct decision *d) {
  const struct ir *ir = d->ir;
  for (uint32_t i = 0; i < ir->deletes; i++)
    d->wrote[i] = d->graph->presence[ir->first_delete + i] == PRESENCE_HOLDS;
}

static void choose_no_alternatives (struct decision *d) {
  const size_t count = d->ir->constraints ? d->ir->constraints->list.count : 0;
  d->chosen = MEM_ARRAY (uint32_t, count);
  for (size_t i = 0; i < count; i++)
    d->chosen[i] = UINT32_MAX;
}

static void accept_presence (struct decision *d, uint32_t entry) {
  const struct presence *presence = &d->ir->presences[entry];
  if (presence->kind == PRESENCE_IN)
    d->graph->active[presence->node] = 1;
  if (presence->kind == PRESENCE_WROTE)
    d->wrote[entry - d->ir->first_delete] = 1;
}

// The model's choices become edges of the graph, whose order is the witness.
static void accept_model (struct decision *d, const int8_t *values) {
  struct graph *g = d->graph;
  const struct problem *problem = d->problem;
  known_deletes (d);
  choose_no_alternatives (d);
  for (size_t v = 1; v < problem->variables.count; v++) {
    const struct variable *variable = &problem->variables.data[v];
    if (values[v] <= 0)
      continue;
    if (variable->kind == VARIABLE_PRESENCE)
      accept_presence (d, variable->a);
    if (variable->kind == VARIABLE_ALTERNATIVE)
      d->chosen[variable->a] = variable->b;
    if (variable->kind == VARIABLE_SOURCE)
      g->read_writer[variable->a] = variable->b == SOURCE_INITIAL ? 0 : g->ir->asg->install_node[variable->b];
  }
  for (size_t i = 0; i < problem->edges.count; i++) {
    const struct guarded_edge *edge = &problem->edges.data[i];
    bool holds = edge->role != ROLE_FORBID && problem->point[edge->to] < g->points;
    for (unsigned k = 0; k < MOST_GUARDS && edge->guard[k]; k++)
      holds = holds && (edge->guard[k] > 0) == (values[edge->guard[k] > 0 ? edge->guard[k] : -edge->guard[k]] > 0);
    if (holds)
      graph_add_extra (g, problem->point[edge->from], problem->point[edge->to], RULE_GIVEN, UINT32_MAX);
  }
  point_vec cycle = VEC_EMPTY;
  if (graph_sort (g, &cycle))
    accept_sorted (d, true);
  else
    check_result_say_broken (d->result, "the search's model has a cycle");
  VEC_FREE (cycle);
}

// ------------------------------------------------------------------------------------------ search

static unsigned thread_count (const struct check_options *options) {
  if (options->threads)
    return options->threads;
  const long cores = sysconf (_SC_NPROCESSORS_ONLN);
  return cores > 0 ? (unsigned) cores : 1;
}

// What the unsat search looks at first.
static size_t find_suspects (struct decision *d, struct suspects suspects[2]) {
  size_t count = 0;
  if (!d->options->steps.unsat_search)
    return 0;
  if (d->stuck.count)
    suspects[count++] = (struct suspects){ .reads = d->stuck.data, .read_count = d->stuck.count };
  if (find_overbooked (d->saturation, &d->overbooked_reads, &d->overbooked_nodes))
    suspects[count++] = (struct suspects){ d->overbooked_reads.data, d->overbooked_nodes.data,
                                           d->overbooked_reads.count, d->overbooked_nodes.count };
  return count;
}

static void search (struct decision *d) {
  const struct check_options *options = d->options;
  progress (d, "encode", -1);
  d->problem = encodings[0].encode (
    &(struct to_encode){ d->saturation, &d->pairs, options->steps.priority ? d->rank : NULL, options->budget });
  if (!d->problem) {
    stopped (d);
    return;
  }
  progress (d, "solve", -1);
  struct suspects suspects[2];
  const struct solve_options how = {
    .components = options->steps.components,
    .static_lemmas = options->steps.static_lemmas,
    .priority = options->steps.priority,
    .propagation = options->steps.propagation,
    .decisions = options->steps.decisions,
    .unsat_search = options->steps.unsat_search,
    .smallest_window = options->smallest_window,
    .suspects = suspects,
    .suspect_count = find_suspects (d, suspects),
    .threads = thread_count (options),
    .seed = options->seed,
    .most_conflicts = options->most_conflicts,
    .budget = options->budget,
  };
  struct solve_result solved;
  solve_problem (d->problem, &how, &solved);
  d->result->used_solver = true;
  d->result->solver.variables += solved.variables;
  d->result->solver.conflicts += solved.conflicts;
  d->result->solver.decisions += solved.decisions;
  d->result->solver.lemmas += solved.lemmas;
  d->result->solver.pieces += solved.pieces;
  d->result->solver.refuted_pieces += solved.refuted_pieces;
  switch (solved.outcome) {
  case SOLVE_SATISFIABLE: accept_model (d, solved.values); break;
  case SOLVE_UNSATISFIABLE:
    d->result->verdict = VERDICT_INVALID;
    phase_done (d, &d->result->seconds.solve);
    d->result->violation = explain_refutation (d->saturation, d->problem, &solved);
    phase_done (d, &d->result->seconds.explain);
    break;
  case SOLVE_STOPPED: stopped (d); break;
  case SOLVE_BROKEN: check_result_say_broken (d->result, solved.broken);
  }
  solve_result_free (&solved);
}

static bool nothing_open (const struct decision *d) {
  if (d->pairs.count || d->saturation->open.count)
    return false;
  for (uint32_t entry = 1; entry < d->ir->first_delete; entry++)
    if (d->graph->presence[entry] == PRESENCE_OPEN)
      return false;
  return true;
}

// The last certain version of the key before the reader in the order, or SOURCE_INITIAL.
static uint32_t last_version_before (const struct graph *g, uint32_t key, uint32_t reader) {
  const struct level *level = g->ir->level;
  const uint32_t limit = g->position[graph_point (g, reader, level->rules.wr.to)];
  uint32_t best = SOURCE_INITIAL, best_place = 0;
  for (uint32_t i = g->ir->asg->key_first[key]; i < g->ir->asg->key_first[key + 1]; i++) {
    if (!graph_installs (g, i) || g->ir->asg->install_node[i] == reader)
      continue;
    const uint32_t place = g->position[graph_point (g, g->ir->asg->install_node[i], level->rules.wr.from)];
    if (place < limit && (best == SOURCE_INITIAL || place > best_place)) {
      best = i;
      best_place = place;
    }
  }
  return best;
}

// An unrecorded delete wrote unless the key was absent when its transaction looked.
static void guess_deletes (struct decision *d) {
  const struct graph *g = d->graph;
  const struct asg *asg = g->ir->asg;
  known_deletes (d);
  for (uint32_t i = 0; i < d->ir->deletes; i++) {
    const struct presence *presence = &d->ir->presences[d->ir->first_delete + i];
    if (g->presence[d->ir->first_delete + i] != PRESENCE_OPEN || !g->active[presence->node])
      continue;
    const uint32_t key = presence->key, last = last_version_before (g, key, presence->node);
    const uint32_t value = last == SOURCE_INITIAL ? d->saturation->init_fixed[key] : asg->install_value[last];
    d->wrote[i] = value != VALUE_ABSENT;
  }
}

static bool can_be_source (const struct decision *d, uint32_t source) {
  const struct graph *g = d->graph;
  if (source >= SOURCE_MANY)
    return source == SOURCE_INITIAL;
  const uint32_t unrecorded = asg_install_unrecorded (g->ir->asg, source);
  return g->active[g->ir->asg->install_node[source]] && (unrecorded == UNRECORDED_NONE || d->wrote[unrecorded]);
}

// Open reads read from the last candidate before them in the order. False: one has none; all are
// open again then.
static bool guess_sources (struct decision *d) {
  struct graph *g = d->graph;
  const struct saturation *s = d->saturation;
  const struct level *level = d->ir->level;
  bool found = true;
  guess_deletes (d);
  for (size_t i = 0; i < s->open.count && found; i++) {
    const struct open_read *open = &s->open.data[i];
    const uint32_t reader = g->read_node[open->read], unrecorded = asg_read_unrecorded (g->ir->asg, open->read);
    if (unrecorded != UNRECORDED_NONE && d->wrote[unrecorded])
      continue;
    uint32_t best = NODE_NONE;
    for (uint32_t c = 0; c < open->count && g->active[reader]; c++) {
      const uint32_t source = s->candidates.data[open->first + c];
      if (!can_be_source (d, source))
        continue;
      const uint32_t writer = source == SOURCE_INITIAL ? 0 : g->ir->asg->install_node[source];
      const uint32_t place = g->position[graph_point (g, writer, level->rules.wr.from)];
      if (place < g->position[graph_point (g, reader, level->rules.wr.to)]
          && (best == NODE_NONE || place > g->position[graph_point (g, best, level->rules.wr.from)]))
        best = writer;
    }
    g->read_writer[open->read] = best;
    found = best != NODE_NONE || !g->active[reader];
  }
  return found;
}

static void forget_sources (struct decision *d) {
  for (size_t i = 0; i < d->saturation->open.count; i++)
    d->graph->read_writer[d->saturation->open.data[i].read] = NODE_NONE;
}

// The order of the known graph is a witness for sure if nothing is open, and else worth a try.
// (Anti-dependencies that are no edges can contradict an order although nothing is open, and so can
// what modules demand.)
static bool decided_by_order (struct decision *d) {
  const bool surely = !d->graph->has_forbidding && !ir_has_open_constraints (d->ir);
  if (nothing_open (d))
    return accept_sorted (d, surely) || surely;
  if (!d->options->steps.guess || level_is_serial (d->ir->level, d->ir->asg))
    return false;
  d->result->used_guess = guess_sources (d) && accept_sorted (d, false);
  if (!d->result->used_guess)
    forget_sources (d);
  return d->result->used_guess;
}

static void decide_open (struct decision *d) {
  progress (d, "pairs", -1);
  known_deletes (d);
  if (!open_pairs (d->saturation, &d->pairs, d->options->budget)) {
    stopped (d);
    return;
  }
  d->result->superpositions_left = d->pairs.count + d->saturation->open.count;
  phase_done (d, &d->result->seconds.saturate);
  if (!schedule_sources (d->saturation, d->options->steps.guess, &d->stuck) || !decided_by_order (d)) {
    d->rank = guess_ranks (d->graph);
    node_vec order = VEC_EMPTY;
    progress (d, "guess", -1);
    if (d->options->steps.guess && level_is_serial (d->ir->level, d->ir->asg)
        && guess_order (d->saturation, d->rank, &order) && accept_serial (d, &order, false))
      d->result->used_guess = true;
    else
      search (d);
    VEC_FREE (order);
  }
  phase_done (d, &d->result->seconds.solve);
}

// --------------------------------------------------------------------------------------- one level

// Where nothing was read, nothing but session order and real time says in which order the versions
// come, and any order that keeps to these is a witness. Saturation would compare every two writers
// of a key with each other for nothing, and needs memory for every two sessions.
static bool accept_unread (struct decision *d) {
  const struct asg *asg = d->ir->asg;
  point_vec cycle = VEC_EMPTY;
  if (asg->reads || asg->unrecorded.count || asg->orders.count || asg->optionals || d->ir->edges.count
      || d->ir->constraints)
    return false;
  // the rows that take the least memory: nobody looks at them
  d->graph = graph_new (d->ir, ROWS_PARTIAL);
  const bool accepted = graph_sort (d->graph, &cycle) && accept_sorted (d, false);
  VEC_FREE (cycle);
  if (accepted)
    return true;
  graph_free (d->graph);
  d->graph = NULL;
  return false;
}

static void decide (struct decision *d) {
  struct check_result *result = d->result;
  progress (d, "lower", -1);
  if (accept_unread (d)) {
    phase_done (d, &result->seconds.solve);
    return;
  }
  d->graph = graph_new (d->ir, d->options->rows);
  d->saturation = saturation_new (d->graph);
  phase_done (d, &result->seconds.lower);
  progress (d, "saturate", -1);
  const enum saturate_outcome outcome = saturate (d->saturation, d->options->steps.saturation, d->options->budget);
  phase_done (d, &result->seconds.saturate);
  switch (outcome) {
  case SATURATE_SETTLED:
    result->violation = explain_forbidden (d->saturation);
    if (!result->violation) {
      decide_open (d);
      return;
    }
    result->verdict = VERDICT_INVALID;
    break;
  case SATURATE_STOPPED: stopped (d); return;
  case SATURATE_CYCLE:
    result->verdict = VERDICT_INVALID;
    result->violation = explain_cycle (d->saturation);
    break;
  case SATURATE_NO_SOURCE:
    result->verdict = VERDICT_INVALID;
    result->violation = explain_lost_read (d->saturation);
    break;
  }
  phase_done (d, &result->seconds.explain);
}

static void decide_level (struct asg *asg, const struct level *level, struct given given,
                          const struct check_options *options, struct check_result *result) {
  struct decision d = {
    .h = asg->history, .options = options, .given = given, .result = result, .mark = clock_seconds ()
  };
  d.ir = lower (asg, level, &given, options->clock_skew);
  if (d.ir->deletes)
    d.wrote = MEM_ZARRAY (uint8_t, d.ir->deletes);
  decide (&d);
  decision_free (&d);
}

// What an attempt at a stronger level said is dropped, except its times and counts.
static void forget_attempt (struct check_result *result) {
  violation_free (result->violation);
  result->violation = NULL;
  mem_free (result->reason);
  result->reason = NULL;
}

static bool sessions_say_something (const struct history *h) {
  return history_sessions (h) < history_txns (h);
}

// Saturation decides, or an order for the sources does: nothing else that is left open could
// matter.
static bool is_simple (const struct asg *asg, const struct level *level) {
  const bool orders_matter = level->rules.ww.from != level->rules.ww.to
                             || (level->rules.rw.used && level->rules.view == VIEW_PATHS && !level->rules.ww_hidden);
  const bool only_sources = !level->rules.rw.used && level->rules.view == VIEW_PATHS && !level->rules.ww_hidden;
  const bool sources_matter = level->rules.wr.used && asg->choices.count && !only_sources;
  return !orders_matter && !sources_matter && !asg->optionals;
}

// What an attempt at a stronger level may cost: enough for what is easy, and little against a
// search that is not.
enum { ATTEMPT_CONFLICTS = 2000 };

// A history that satisfies a stronger level satisfies this one. The stronger one is tried first
// where that is cheaper, or likely to be all.
static void decide_with_stronger_first (struct asg *asg, const struct level *level, struct given given,
                                        const struct check_options *options, struct check_result *result) {
  if (level->stronger && options->steps.stronger_first && sessions_say_something (asg->history) && !asg->faults.count
      && !is_simple (asg, level)) {
    const struct level *stronger = level_find (level->stronger);
    result->by_level = stronger->name;
    struct check_options attempt = *options;
    if (!attempt.most_conflicts || attempt.most_conflicts > ATTEMPT_CONFLICTS)
      attempt.most_conflicts = ATTEMPT_CONFLICTS;
    decide_with_stronger_first (asg, stronger, given, &attempt, result);
    if (result->verdict == VERDICT_VALID)
      return;
    forget_attempt (result);
    // a stronger level that fails says nothing about this one
    if (budget_check (options->budget) != BUDGET_LEFT) {
      result->by_level = level->name;
      check_result_say_unknown (result, budget_reason (budget_check (options->budget)));
      return;
    }
  }
  result->by_level = level->name;
  decide_level (asg, level, given, options, result);
}

// Real time needs times. False: not defined for this history.
static bool has_needed_times (const struct history *h, const struct level *level, struct check_result *result) {
  if (!level->rules.rt.used)
    return true;
  uint32_t timed = 0, relevant = 0;
  for (uint32_t t = 0; t < history_txns (h); t++) {
    if (h->txn_status.data[t] == TXN_ABORTED)
      continue;
    relevant++;
    timed += history_begin_time (h, t) != TIME_NONE_BEGIN || history_end_time (h, t) != TIME_NONE_END;
  }
  if (relevant && !timed) {
    check_result_say_unknown (result, "the level needs begin and end times, and the history has none");
    return false;
  }
  if (timed < relevant)
    check_result_warn (result, "some transactions have no times; they are taken as concurrent with everything");
  return true;
}

static void warn_if_history_says_little (const struct asg *asg, struct check_result *result) {
  for (uint32_t read = 0; read < asg->reads; read++)
    if (asg->read_source[read] != SOURCE_INITIAL)
      return;
  check_result_warn (result, "no transaction reads what another one wrote: the history says little");
}

// A list that cannot be is wrong at every level, other reads only where reads count.
static const struct asg_fault *first_fault (const struct asg *asg, const struct level *level) {
  for (size_t i = 0; i < asg->faults.count; i++)
    if (level->rules.wr.used || asg->faults.data[i].kind == FAULT_LIST)
      return &asg->faults.data[i];
  return NULL;
}

static const char several_deletes[] = "of several deletes of a key without recorded results the first may have written "
                                      "nothing, and no order was found in which all of them wrote or none";

// For what the ASG takes for granted there is another choice, which may be the better one as far as
// cursors go. Invalid is what is so without any.
static void decide_without_cursors (struct asg *asg, struct given given, const struct check_options *options,
                                    struct check_result *result) {
  struct level level = *options->level;
  level.rules.rw.used = false;
  level.traits.mark_reads = NULL;
  level.traits.mark_when = NULL;
  forget_attempt (result);
  result->verdict = VERDICT_UNKNOWN;
  decide_level (asg, &level, given, options, result);
  if (result->verdict != VERDICT_VALID)
    return;
  forget_attempt (result);
  certificate_free (result->certificate);
  result->certificate = NULL;
  check_result_say_unknown (result, asg->own_cursors
                                      ? "an iterator that locks may have met its own transaction's write or another's, "
                                        "and no order was found for the first"
                                      : several_deletes);
}

void check_asg (struct asg *asg, struct given given, const struct check_options *options, struct check_result *result) {
  if (!history_has_committed (asg->history) && !asg->forced.count
      && !asg->faults.count) { // facts may say that an unknown one took place
    check_result_say_unknown (result, "no committed transaction");
    return;
  }
  if (!has_needed_times (asg->history, options->level, result))
    return;
  if (asg->unsupported) {
    check_result_say_unknown (result, asg->unsupported);
    return;
  }
  result->superpositions_initial = asg_superpositions (asg);
  const struct asg_fault *fault = first_fault (asg, options->level);
  if (fault) {
    result->verdict = VERDICT_INVALID;
    result->violation = explain_fault (asg, fault);
    if (options->level->rules.wr.used && !options->dialect)
      note_faults (&result->met, asg);
  } else if (asg->unrecorded.count && options->level->traits.mark_reads && !options->level->traits.mark_when)
    check_result_say_unknown (result, "the level does not say what a delete without a recorded result means");
  else
    decide_with_stronger_first (asg, options->level, given, options, result);
  if (result->verdict == VERDICT_INVALID && options->level->traits.last_read_counts && !fault
      && (asg->own_cursors || asg->delete_runs))
    decide_without_cursors (asg, given, options, result);
  if (result->verdict != VERDICT_UNKNOWN)
    result->hint_facts =
      asg->hint_facts & ~(options->level->rules.wr.used ? 0u : (unsigned) (FACT_VERSION | FACT_VERSION_SET));
  if (result->verdict == VERDICT_VALID)
    warn_if_history_says_little (asg, result);
  const char *remark = options->level->traits.remark ? options->level->traits.remark (asg) : NULL;
  if (remark)
    check_result_warn (result, remark);
}
