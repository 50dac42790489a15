#include "cnf/problem.h"

void problem_free (struct problem *problem) {
  if (!problem)
    return;
  VEC_FREE (problem->variables);
  VEC_FREE (problem->phases);
  VEC_FREE (problem->edges);
  VEC_FREE (problem->clauses);
  mem_free (problem->point);
  mem_free (problem->local_position);
  mem_free (problem->known_first);
  mem_free (problem->known_to);
  mem_free (problem->known_hidden);
  mem_free (problem);
}
