// What is asked of a history, what may be answered, and how to ask: for rooms that need verdicts
// and need not know how they come about.

#ifndef KRAIT_VERDICT_VERDICT_H
#define KRAIT_VERDICT_VERDICT_H

#include "asg/asg.h"
#include "base/budget.h"
#include "base/vec.h"
#include "saturate/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dialect;
struct encoding;
struct history;
struct level;
struct module;
struct violation;

enum verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_UNKNOWN };

const char *verdict_name (enum verdict); // "valid", "invalid", "unknown"

// Switches of the ablation options; all on by default.
struct check_steps {
  bool stronger_first, saturation, guess, run_search, components, priority, propagation, decisions, static_lemmas,
    unsat_search;
};

struct check_options {
  const struct level *level;           // level_find (…) of levels/levels.h
  const struct dialect *dialect;       // dialect_find (…) of dialects/dialects.h, or NULL
  const struct module *const *modules; // module_load (…) of modules/modules.h
  size_t module_count;
  enum own_writes own_writes;
  int64_t clock_skew;
  bool certify;         // keep what a certificate of `valid` needs
  bool trust_commit_ts; // commit timestamps of hints are facts
  unsigned threads;     // 0: one per core
  uint64_t seed;
  // of a search's part, 0: as many as it takes; beyond, the verdict is unknown
  uint64_t most_conflicts;
  struct check_steps steps;
  const struct encoding *encoding; // of what is left to search (cnf/encodings.h); NULL: the first
  enum rows_kind rows;             // ROWS_AUTO but in tests
  struct budget *budget;           // or NULL
  // or NULL; fraction < 0: not known
  void (*progress) (void *context, const char *phase, double fraction);
  void *progress_context;
};

void check_options_default (struct check_options *);

// What it took to decide, over all levels that were tried on the way.
struct effort {
  struct {
    double lower, saturate, encode, solve, explain;
  } seconds;
  uint64_t variables, conflicts, decisions, lemmas; // of the solver
  uint64_t pieces, refuted_pieces;                  // of the unsat search
  uint64_t runs, runs_found;                        // searches for a run, and those that found a witness
  bool used_guess, used_solver;
};

void effort_add (struct effort *, const struct effort *);

// A verdict, and what is wrong if it is `invalid`, which whoever asked owns then.
struct judgement {
  enum verdict verdict;
  struct violation *violation; // or NULL
  bool rests_on_hints;         // on facts that the history's hints state
};

typedef VEC (const char *) level_name_vec;

// Whoever wants a violation explained hands this in.
struct judge {
  struct judgement (*decide) (const struct history *, const struct check_options *);
  // Of a small history: the weakest levels that it breaks and the strongest that it keeps.
  void (*find_levels) (const struct history *, const struct check_options *, level_name_vec *violated,
                       level_name_vec *holding);
};

#endif
