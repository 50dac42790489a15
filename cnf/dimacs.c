#include "cnf/dimacs.h"

#include "base/output.h"
#include "cnf/words.h"

#include <inttypes.h>

void formula_make (const struct problem *problem, struct formula_kind kind, struct formula *formula, struct gnf *gnf) {
  *gnf = (struct gnf){ 0 };
  if (kind.acyclicity)
    acyclicity_compile (problem, kind.acyclicity, formula);
  else
    gnf_compile (problem, formula, gnf);
}

static void put_helpers (const struct formula *formula, size_t i, struct output *output) {
  const struct helpers *helpers = &formula->helpers.data[i];
  const uint64_t last = i + 1 < formula->helpers.count ? (uint64_t) helpers[1].first - 1 : formula->variables;
  output_printf (output, "c %" PRId32, helpers->first);
  if (last > (uint64_t) helpers->first)
    output_printf (output, " to %" PRIu64, last);
  output_printf (output, ": (helper) %s\n", helpers->what);
}

static void put_comments (const struct dimacs *d, const struct formula *formula, struct output *output) {
  output_text (output, "c Made by Krait: what a level asks of a history. A model is a witness.\n");
  output_printf (output, "c options: %s\n%s", d->options, d->remarks);
  for (uint32_t v = 1; v <= problem_variables (d->problem); v++) {
    output_printf (output, "c %" PRIu32 ": ", v);
    words_of_variable (d->problem, d->ir, d->names, v, output);
    output_text (output, "\n");
  }
  for (size_t i = 0; i < formula->helpers.count; i++)
    put_helpers (formula, i, output);
}

static void put_literal (void *context, int32_t literal) {
  struct output *output = context;
  if (literal < 0)
    output_write (output, "-", 1);
  output_u64 (output, literal < 0 ? -(uint64_t) literal : (uint64_t) literal);
  output_write (output, literal ? " " : "\n", 1);
}

// Twice the same, since the number of clauses comes first.
bool dimacs_write (const struct dimacs *d, struct output *output, struct error *error) {
  struct formula counted = { 0 }, written = { .take = put_literal, .context = output };
  struct gnf gnf;
  formula_make (d->problem, d->kind, &counted, &gnf);
  gnf_free (&gnf);
  const bool fine = !formula_is_too_large (&counted);
  if (fine) {
    put_comments (d, &counted, output);
    output_printf (output, "p cnf %" PRIu64 " %" PRIu64 "\n", counted.variables, counted.clauses);
    formula_make (d->problem, d->kind, &written, &gnf);
    gnf_write_graphs (&gnf, output);
    gnf_free (&gnf);
  }
  formula_free (&counted);
  formula_free (&written);
  return fine
         || error_set_code (error, ERROR_LIMIT,
                            "the formula has more than %" PRId32
                            " variables or literals (another --acyclicity may need fewer)",
                            INT32_MAX);
}
