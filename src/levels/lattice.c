// The lattice is a list of direct steps; what follows by several of them is left out.
// tests/brute/lattice tries each step on random histories, and tests/golden has, for each, a
// history that satisfies the weaker level only. docs/lattice.md shows the whole.

#include "levels/lattice.h"

#include <string.h>

#define SESSION "strong-session-"
#define STRICT "strict-"

#define STATED(strong, weak)                                                                                           \
  { strong, weak, false }
#define OURS(strong, weak)                                                                                             \
  { strong, weak, true }

// A level with all three forms, from the strongest down.
#define FORMS_OF(level) STATED (STRICT level, SESSION level), STATED (SESSION level, level)

// Of the levels that have session order by themselves there is no form in between.
#define STRICT_FORM_OF(level) STATED (STRICT level, level)

// The prefixes add the same edges on both sides, hence an implication between two levels is one
// between their forms.
#define WITH_FORMS(strong, weak)                                                                                       \
  STATED (strong, weak), OURS (SESSION strong, SESSION weak), OURS (STRICT strong, STRICT weak)

#define WITH_STRICT(strong, weak) STATED (strong, weak), OURS (STRICT strong, STRICT weak)

// Two names for one level.
#define OURS_SAME(one, other) OURS (one, other), OURS (other, one)

const struct level_step level_steps[] = {
  FORMS_OF ("serializable"),
  FORMS_OF ("snapshot-isolation"),
  FORMS_OF ("repeatable-read"),
  FORMS_OF ("consistent-view"),
  FORMS_OF ("monotonic-view"),
  FORMS_OF ("cursor-stability"),
  FORMS_OF ("read-committed"),
  FORMS_OF ("read-uncommitted"),
  STRICT_FORM_OF ("prefix-consistency"),
  STRICT_FORM_OF ("causal"),
  STRICT_FORM_OF ("read-atomic"),
  STRICT_FORM_OF ("read-committed-axiomatic"),
  STATED (SESSION "forward-consistent-view", "forward-consistent-view"),

  STATED ("serializable", "snapshot-isolation"),
  STATED (SESSION "serializable", SESSION "snapshot-isolation"),
  OURS (STRICT "serializable", STRICT "snapshot-isolation"),
  STATED ("serializable", "repeatable-read"),
  STATED (SESSION "serializable", SESSION "repeatable-read"),
  OURS (STRICT "serializable", STRICT "repeatable-read"),
  STATED ("serializable", "update-serializable"),
  WITH_FORMS ("snapshot-isolation", "consistent-view"),
  STATED ("update-serializable", "consistent-view"),
  WITH_FORMS ("consistent-view", "monotonic-view"),
  WITH_FORMS ("consistent-view", "cursor-stability"),
  STATED ("monotonic-view", "read-committed"),
  WITH_FORMS ("cursor-stability", "read-committed"),
  WITH_FORMS ("read-committed", "read-uncommitted"),

  // A lost update is a cycle of one item anti-dependency and one ww.
  OURS ("repeatable-read", "cursor-stability"),
  OURS (SESSION "repeatable-read", SESSION "cursor-stability"),
  OURS (STRICT "repeatable-read", STRICT "cursor-stability"),

  STATED ("parallel-snapshot-isolation", SESSION "consistent-view"),
  STATED (SESSION "consistent-view", "parallel-snapshot-isolation"),
  OURS_SAME (STRICT "parallel-snapshot-isolation", STRICT "consistent-view"),
  OURS_SAME (STRICT "consistent-view", SESSION "forward-consistent-view"),
  STATED ("forward-consistent-view", "consistent-view"),

  STATED (SESSION "snapshot-isolation", "prefix-consistency"),
  OURS (STRICT "snapshot-isolation", STRICT "prefix-consistency"),
  WITH_STRICT ("prefix-consistency", "causal"),
  WITH_STRICT ("parallel-snapshot-isolation", "causal"),
  WITH_STRICT ("causal", "read-atomic"),
  WITH_STRICT ("read-atomic", "read-committed-axiomatic"),

  // A version order that no read of a transaction contradicts is what the axioms ask of their total
  // order, and that order is one that contains all of ww, wr and session order.
  OURS (SESSION "monotonic-view", "read-committed-axiomatic"),
  OURS (STRICT "monotonic-view", STRICT "read-committed-axiomatic"),
  OURS ("read-committed-axiomatic", SESSION "read-committed"),
  OURS (STRICT "read-committed-axiomatic", STRICT "read-committed"),
};

enum { STEPS = sizeof level_steps / sizeof *level_steps };

const size_t level_step_count = STEPS;

// Levels that are the same make cycles of steps, so each step is taken once.
static bool reaches (const char *strong, const char *weak, bool *taken) {
  if (!strcmp (strong, weak))
    return true;
  for (size_t i = 0; i < STEPS; i++) {
    if (taken[i] || strcmp (level_steps[i].strong, strong))
      continue;
    taken[i] = true;
    if (reaches (level_steps[i].weak, weak, taken))
      return true;
  }
  return false;
}

bool level_name_implies (const char *strong, const char *weak) {
  bool taken[STEPS] = { false };
  return reaches (strong, weak, taken);
}

bool level_implies (const struct level *strong, const struct level *weak) {
  return level_name_implies (strong->name, weak->name);
}
