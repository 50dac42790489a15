// From an ASG to a verdict: what must be so before a level can be decided, which levels are tried in
// which order, and what is made of their decisions.

#include "api/accept.h"
#include "api/decide.h"
#include "asg/asg.h"
#include "base/error.h"
#include "certify/certificate.h"
#include "decide/decide.h"
#include "dialects/dialects.h"
#include "explain/explain.h"
#include "explain/met.h"
#include "hints/hints.h"
#include "history/history.h"
#include "ir/ir.h"
#include "levels/levels.h"
#include "levels/lower.h"

// ---------------------------------------------------------------------------------------- one level

// Times and counts are those of all levels that were tried.
static void add_decision (struct check_result *result, const struct decision *decision) {
  result->verdict = decision->verdict;
  result->violation = decision->violation;
  if (decision->broken)
    check_result_say_broken (result, decision->reason);
  else if (decision->verdict == VERDICT_UNKNOWN)
    check_result_say_unknown (result, decision->reason);
  result->superpositions_left = decision->superpositions_left;
  effort_add (&result->effort, &decision->effort);
}

static void decide_level (struct asg *asg, const struct level *level, struct given given,
                          const struct check_options *options, struct check_result *result) {
  const double start = clock_seconds ();
  struct ir *ir = lower (asg, level, &given, options->clock_skew);
  result->effort.seconds.lower += clock_seconds () - start;
  struct to_accept claim = { .options = options, .given = &given, .certificate = &result->certificate };
  const struct decision decision = decide (ir, options, &(struct witness_judge){ accept_witness, &claim });
  add_decision (result, &decision);
  ir_free (ir);
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
