#include "verdict/verdict.h"

const char *verdict_name (enum verdict verdict) {
  switch (verdict) {
  case VERDICT_VALID: return "valid";
  case VERDICT_INVALID: return "invalid";
  case VERDICT_UNKNOWN: return "unknown";
  }
  return "?";
}

void check_options_default (struct check_options *options) {
  *options = (struct check_options){ .steps = { .stronger_first = true,
                                                .saturation = true,
                                                .guess = true,
                                                .run_search = true,
                                                .components = true,
                                                .priority = true,
                                                .propagation = true,
                                                .static_lemmas = true,
                                                .unsat_search = true } };
}

void effort_add (struct effort *all, const struct effort *more) {
  all->seconds.lower += more->seconds.lower;
  all->seconds.saturate += more->seconds.saturate;
  all->seconds.encode += more->seconds.encode;
  all->seconds.solve += more->seconds.solve;
  all->seconds.explain += more->seconds.explain;
  all->variables += more->variables;
  all->conflicts += more->conflicts;
  all->decisions += more->decisions;
  all->lemmas += more->lemmas;
  all->pieces += more->pieces;
  all->refuted_pieces += more->refuted_pieces;
  all->runs += more->runs;
  all->runs_found += more->runs_found;
  all->used_guess |= more->used_guess;
  all->used_solver |= more->used_solver;
}
