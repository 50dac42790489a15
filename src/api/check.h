// From a history to a verdict: the pipeline as one call. The command line, the public API and the
// tests all go through here.

#ifndef KRAIT_API_CHECK_H
#define KRAIT_API_CHECK_H

#include "explain/met.h"
#include "verdict/verdict.h"

struct cert_constraints;
struct certificate;

struct check_result {
  enum verdict verdict;
  const char *level; // canonical name
  // The policy that was used; OWN_INFER: worked in already (.kir), or not inferred yet.
  enum own_writes own_writes;
  bool own_writes_inferred;
  const char *dialect;  // its name, or NULL
  VEC (char *) modules; // their names: the verdict rests on what they demand
  bool verified;        // of `invalid`: the verifier takes a refutation
  char *reason;         // for unknown; or NULL
  bool internal_error;  // that is the reason
  // the history's hints are malformed or contradict it: the reason says where
  bool bad_input;
  // reads and list elements that nothing recorded explains, in an incomplete history
  uint64_t excused;
  char *excused_example; // words; or NULL
  // what the verdict rests on besides the history, a line; or NULL
  char *assumption;
  unsigned hint_facts;                // FACT_… (hints/hints.h): the hints that the verdict rests on
  struct violation *violation;        // what is wrong; NULL unless the verdict is `invalid`
  bool anomalies_listed;              // all violations were asked for …
  VEC (struct violation *) anomalies; // … and these were found, the one that is explained first
  bool anomalies_complete;            // without their transactions, nothing is wrong
  struct met_reads met;               // reads that nothing explains, met on the way
  uint64_t others;                    // so many of these have nothing to do with the violation
  VEC (char *) warnings;              // a line each
  uint64_t superpositions_initial, superpositions_left;
  struct effort effort;
  double seconds; // in all
  // of modules, if certificates are wanted and the verdict is `invalid`; or NULL
  struct cert_constraints *constraints;
  // of `valid`, if asked for (api/certify.h makes those of `invalid`); or NULL
  struct certificate *certificate;
  // the level whose check decided, when a stronger one did; else the level
  const char *by_level;
};

// Never NULL. `verdict` is VERDICT_UNKNOWN when a limit was hit or the history holds what the level
// does not define.
struct check_result *check_history (const struct history *, const struct check_options *);

// The same for several levels, with one ASG. `events`: some of them ask for these
// (level_needs_events). The own-write policy and the dialect are those of the options given first,
// and so are the modules, which are run here; the history must outlive the subject, and so must the
// modules.
struct check_subject;
struct check_subject *check_subject_new (const struct history *, const struct check_options *, bool events);
struct check_result *check_subject_judge (struct check_subject *, const struct check_options *);
// What is wrong with the history's hints, or what a module did wrong; NULL: nothing. There is
// nothing to judge then.
const struct error *check_subject_error (const struct check_subject *);
void check_subject_free (struct check_subject *);

// What a level makes of a subject, which must outlive it: as `check` has it, with hints, modules
// and what a dialect made of the history. `saturated`: as saturation leaves it.
struct lowered {
  struct ir *ir;
  const struct history *history; // that its keys and values are numbers of
  struct ir *base;               // that saturation began with; NULL: it did not
};
struct lowered *check_subject_lower (struct check_subject *, const struct check_options *, bool saturated);
void lowered_free (struct lowered *);

// A small history to name what an IR speaks of, which a .kir file calls k0, v3 and T7; the caller
// frees it after the IR.
struct history *ir_history (struct ir *, const char *name);

// The same for an IR that came from a .kir file (ir/kir.h).
struct check_result *check_ir (struct ir *, const struct check_options *);

void check_result_free (struct check_result *);
struct check_result *check_result_copy (const struct check_result *); // without a certificate

// An empty result for the level, and what is to be said of it: that there is no verdict, and
// further warnings, a line each.
struct check_result *check_result_new (const struct check_options *);
void check_result_say_unknown (struct check_result *, const char *reason);
void check_result_warn (struct check_result *, const char *lines);

const char *check_result_policy (const struct check_result *); // for own writes, its name; or NULL

// A warning that the verifier did not see why the verdict is `invalid`, unless there is one.
void check_result_say_not_verified (struct check_result *, const char *why);

// The result follows from another one, for what that tells of.
void check_result_explain_like (struct check_result *, const struct check_result *other);

#endif
