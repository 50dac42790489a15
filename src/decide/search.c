// What is left for the solver.

#include "base/parallel.h"
#include "cnf/encoder.h"
#include "cnf/encodings.h"
#include "decide/deciding.h"
#include "explain/explain.h"
#include "solve/solve.h"

static void solve (struct deciding *d, struct solve_result *solved) {
  const struct check_options *options = d->options;
  const bool suspicious =
    options->steps.unsat_search && find_overbooked (d->saturation, &d->overbooked_reads, &d->overbooked_nodes);
  const struct suspects overbooked = { d->overbooked_reads.data, d->overbooked_nodes.data, d->overbooked_reads.count,
                                       d->overbooked_nodes.count };
  const struct solve_options how = {
    .components = options->steps.components,
    .static_lemmas = options->steps.static_lemmas,
    .priority = options->steps.priority,
    .propagation = options->steps.propagation,
    .decisions = options->steps.decisions,
    .suspects = suspicious ? &overbooked : NULL,
    .threads = parallel_threads (options->threads),
    .seed = options->seed,
    .most_conflicts = options->most_conflicts,
    .budget = options->budget,
  };
  solve_problem (d->problem, &how, solved);
  d->decision->effort.used_solver = true;
  d->decision->effort.variables += solved->variables;
  d->decision->effort.conflicts += solved->conflicts;
  d->decision->effort.decisions += solved->decisions;
  d->decision->effort.lemmas += solved->lemmas;
  d->decision->effort.pieces += solved->pieces;
  d->decision->effort.refuted_pieces += solved->refuted_pieces;
}

// False: the budget is spent.
static bool encode (struct deciding *d, const struct encoding *encoding) {
  const uint32_t *rank = d->options->steps.priority ? d->rank : NULL;
  deciding_progress (d, "encode");
  problem_free (d->problem);
  bool too_large = false;
  d->problem = encoding->encode (&(struct to_encode){ d->saturation, &d->pairs, rank, d->options->budget, &too_large });
  if (d->problem)
    problem_log (d->problem, d->ir);
  else if (too_large)
    deciding_leave_open (d, "edges under guards", MOST_GUARDED_EDGES);
  else
    deciding_stop (d);
  return d->problem;
}

static void conclude (struct deciding *d, const struct solve_result *solved) {
  switch (solved->outcome) {
  case SOLVE_SATISFIABLE: accept_model (d, solved->values); break;
  case SOLVE_UNSATISFIABLE:
    d->decision->verdict = VERDICT_INVALID;
    deciding_phase_done (d, &d->decision->effort.seconds.solve);
    d->decision->violation = explain_refutation (d->saturation, d->problem, solved);
    deciding_phase_done (d, &d->decision->effort.seconds.explain);
    break;
  case SOLVE_STOPPED: deciding_stop (d); break;
  case SOLVE_BROKEN: deciding_break (d, solved->broken);
  }
}

// Explanations speak of Krait's own variables: what another encoding refutes is refuted once more.
static void refute_again (struct deciding *d) {
  struct solve_result solved;
  deciding_phase_done (d, &d->decision->effort.seconds.solve);
  if (!encode (d, &encodings[0]))
    return;
  solve (d, &solved);
  deciding_phase_done (d, &d->decision->effort.seconds.explain);
  if (solved.outcome == SOLVE_SATISFIABLE)
    deciding_break (d, "the encodings disagree");
  else
    conclude (d, &solved);
  solve_result_free (&solved);
}

void search (struct deciding *d) {
  const struct encoding *encoding = d->options->encoding ? d->options->encoding : &encodings[0];
  const char *refused = encoding->refuses (d->ir);
  if (refused) {
    deciding_refuse (d, encoding->name, refused);
    return;
  }
  deciding_phase_done (d, &d->decision->effort.seconds.solve); // the guess
  const bool encoded = encode (d, encoding);
  deciding_phase_done (d, &d->decision->effort.seconds.encode);
  if (!encoded)
    return;
  deciding_progress (d, "solve");
  struct solve_result solved;
  solve (d, &solved);
  if (solved.outcome == SOLVE_UNSATISFIABLE && encoding != &encodings[0])
    refute_again (d);
  else
    conclude (d, &solved);
  solve_result_free (&solved);
}
