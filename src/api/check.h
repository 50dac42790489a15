// From a history to a verdict: the pipeline as one call. The command line, the public API and the tests all go through here.

#ifndef KRAIT_API_CHECK_H
#define KRAIT_API_CHECK_H

#include "asg/asg.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/vec.h"
#include "saturate/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cert_demands;
struct certificate;
struct dialect;
struct history;
struct ir;
struct level;
struct module;

enum verdict { VERDICT_VALID, VERDICT_INVALID, VERDICT_UNKNOWN };

const char *verdict_name (enum verdict); // "valid", "invalid", "unknown"

// Switches of the ablation options; all on by default.
struct check_steps {
  bool stronger_first, saturation, guess, components, priority, static_lemmas, unsat_search;
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
  uint64_t most_conflicts; // of a search's part, 0: as many as it takes; beyond, the verdict is unknown
  struct check_steps steps;
  uint32_t smallest_window;                                             // 0 but in tests (solve/solve.h)
  enum rows_kind rows;                                                  // ROWS_AUTO but in tests
  struct budget *budget;                                                // or NULL
  void (*progress) (void *context, const char *phase, double fraction); // or NULL; fraction < 0: not known
  void *progress_context;
};

void check_options_default (struct check_options *);

// One edge of the reported cycle. Ids are the history's transaction ids; node 0 of the cycle may be the initial state.
struct cycle_edge {
  bool from_initial, to_initial;
  uint64_t from, to;
  const char *type; // so, rt, ww, wr, rw, …
  uint32_t key;     // of the history, or KEY_NONE
  char *why;        // words
};
typedef VEC (struct cycle_edge) cycle_edge_vec;

// What the history leaves open, decided one way, and the cycle that this closes; none: a read that nothing explains then.
struct cycle_case {
  char *assumption; // words: "T1 wrote x before T2"
  cycle_edge_vec cycle;
};

typedef VEC (const char *) level_name_vec;

// One of several violations that have nothing to do with each other.
struct found_anomaly {
  const char *anomaly, *anomaly_name;
  VEC (uint64_t) core; // no transaction is in two of them
  cycle_edge_vec cycle;
};

// A transaction of the core that is a part of one of the history's: the dialect made it.
struct part_of {
  uint64_t id, of;
  const char *part; // words
};

struct check_result {
  enum verdict verdict;
  const char *level; // canonical name
  const char
    *own_writes; // the policy that was used, never `infer`; NULL: worked in already (.kir), or not inferred yet
  bool own_writes_inferred;
  const char *dialect;        // its name, or NULL
  VEC (char *) modules;       // their names: the verdict rests on what they demand
  VEC (struct part_of) parts; // of the core
  char *reason;               // for unknown; or NULL
  bool
    bad_input; // the history's hints are malformed, or it contradicts them: there is no verdict, and the reason says where
  uint64_t excused;         // reads and list elements that nothing recorded explains, in an incomplete history
  char *excused_example;    // words; or NULL
  char *assumptions;        // lines: what the verdict rests on besides the history; or NULL
  unsigned hint_facts;      // FACT_… (hints/hints.h): the hints that the verdict rests on
  const char *anomaly;      // Adya class, garbage-read, own-write; or NULL
  const char *anomaly_name; // lost-update, …; or NULL
  char *explanation;        // words, several lines; or NULL
  cycle_edge_vec cycle;
  cycle_edge_vec beside;            // edges that show what is wrong where no cycle does
  VEC (struct cycle_case) cases;    // where the cycle rests on choices: each way to make them
  VEC (uint64_t) core;              // ids of the transactions in conflict
  level_name_vec violated, holding; // by the core: the weakest levels that it breaks, and the strongest that it keeps
  bool anomalies_listed;            // all violations were asked for …
  VEC (struct found_anomaly) anomalies; // … and these were found, the one that is explained first
  bool anomalies_complete;              // without their transactions, nothing is wrong
  VEC (uint64_t) met; // reads that nothing explains, met on the way: ids of each and of those who wrote what it read …
  VEC (uint32_t) met_end; // … of each up to here; each is wrong by itself, and no transaction is in two of them
  uint64_t others;        // so many of these have nothing to do with the core
  char *warnings;         // lines; or NULL
  uint64_t superpositions_initial, superpositions_left;
  struct {
    double lower, saturate, solve, explain, total;
  } seconds;
  struct {
    uint64_t variables, conflicts, decisions, lemmas;
    uint64_t pieces, refuted_pieces; // of the unsat search
  } solver;
  bool used_guess, used_solver;
  struct cert_demands *demands;    // of modules, if certificates are wanted and the verdict is `invalid`; or NULL
  struct certificate *certificate; // of `valid`, if asked for (api/certify.h makes those of `invalid`); or NULL
  const char *by_level;            // the level whose check decided, when a stronger one did; else the level
};

// Never NULL. `verdict` is VERDICT_UNKNOWN when a limit was hit or the history holds what the level does not define.
struct check_result *check_history (const struct history *, const struct check_options *);

// The same for several levels, with one ASG. `events`: some of them ask for these (level_needs_events). The own-write policy and the dialect are those of
// the options given first, and so are the modules, which are run here; the history must outlive the subject, and so must the modules.
struct check_subject;
struct check_subject *check_subject_new (const struct history *, const struct check_options *, bool events);
struct check_result *check_subject_judge (struct check_subject *, const struct check_options *);
// What is wrong with the history's hints, or what a module did wrong; NULL: nothing. There is nothing to judge then.
const struct error *check_subject_error (const struct check_subject *);
void check_subject_free (struct check_subject *);

// The same for an IR that came from a .kir file (ir/kir.h).
struct check_result *check_ir (struct ir *, const struct check_options *);

void check_result_free (struct check_result *);
struct check_result *check_result_copy (const struct check_result *); // without a certificate

// One more line of warnings.
void check_result_warn (struct check_result *, const char *line);

// Drops what it says about the violation: anomaly, words, cycle, core.
void check_result_forget (struct check_result *);
// The violation is the one that the other result tells of.
void check_result_explain_like (struct check_result *, const struct check_result *other);
void cycle_edges_free (cycle_edge_vec *);
void found_anomaly_free (struct found_anomaly *);

void check_result_name_modules (struct check_result *, const struct module *const *, size_t count);

#endif
