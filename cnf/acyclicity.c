#include "cnf/acyclicity.h"

#include <string.h>

const struct acyclicity acyclicities[] = {
#define ACYCLICITY(name, summary) { #name, summary, state_##name },
#include "cnf/acyclicity.def"
#undef ACYCLICITY
  { NULL, NULL, NULL },
};

const struct acyclicity *acyclicity_find (const char *name) {
  for (const struct acyclicity *a = acyclicities; a->name; a++)
    if (!strcmp (a->name, name))
      return a;
  return NULL;
}

void formula_of_clauses (const struct problem *problem, struct formula *formula) {
  formula->variables = problem_variables (problem);
  for (size_t i = 0; i < problem->clauses.count; i++) {
    for (; problem->clauses.data[i]; i++)
      formula_literal (formula, problem->clauses.data[i]);
    formula_end (formula);
  }
}

struct stating {
  struct formula *formula;
  void (*state) (struct formula *, const struct arc_component *);
};

static void state (void *context, const struct arc_component *component) {
  const struct stating *stating = context;
  stating->state (stating->formula, component);
}

void acyclicity_compile (const struct problem *problem, const struct acyclicity *acyclicity, struct formula *formula) {
  struct arc_maker maker;
  formula_of_clauses (problem, formula);
  arc_maker_open (&maker, problem, formula);
  arcs_each_component (&maker, ARCS_OF_ORDER, state, &(struct stating){ formula, acyclicity->state });
  arcs_each_component (&maker, ARCS_IN_VIEW, state, &(struct stating){ formula, state_forbids });
  arc_maker_close (&maker);
}
