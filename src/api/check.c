// From an ASG to a verdict: what must be so before a level can be decided, which levels are tried
// in which order, and what is made of their decisions.

#include "api/decide.h"
#include "asg/asg.h"
#include "decide/decide.h"
#include "dialects/dialects.h"
#include "explain/explain.h"
#include "explain/met.h"
#include "explain/violation_words.h"
#include "hints/hints.h"
#include "history/history.h"
#include "ir/builder.h"
#include "levels/levels.h"
#include "levels/lower.h"
#include "verify/certificate.h"

#include <stdio.h>

// --------------------------------------------------------------------------------------- one level

void check_result_add_decision (struct check_result *result, const struct decision *decision) {
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
  check_result_add_decision (result, &decision);
  ir_free (ir);
}

void check_result_forget_attempt (struct check_result *result) {
  violation_free (result->violation);
  result->violation = NULL;
  mem_free (result->reason);
  result->reason = NULL;
  result->verdict = VERDICT_UNKNOWN;
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

// Enough for what is easy, and little against a search that is not.
enum { ATTEMPT_CONFLICTS = 2000 };

struct check_options check_attempt (const struct check_options *options) {
  struct check_options attempt = *options;
  if (!attempt.most_conflicts || attempt.most_conflicts > ATTEMPT_CONFLICTS)
    attempt.most_conflicts = ATTEMPT_CONFLICTS;
  return attempt;
}

// A history that satisfies a stronger level satisfies this one. The stronger one is tried first
// where that is cheaper, or likely to be all.
static void decide_with_stronger_first (struct asg *asg, const struct level *level, struct given given,
                                        const struct check_options *options, struct check_result *result) {
  if (level->stronger && options->steps.stronger_first && sessions_say_something (asg->history) && !asg->faults.count
      && !is_simple (asg, level)) {
    const struct level *stronger = level_find (level->stronger);
    result->by_level = stronger->name;
    const struct check_options attempt = check_attempt (options);
    decide_with_stronger_first (asg, stronger, given, &attempt, result);
    if (result->verdict == VERDICT_VALID)
      return;
    check_result_forget_attempt (result);
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

// Why what is invalid at the level need not be; NULL: there is no other choice.
static const char *other_choice (const struct asg *asg) {
  if (asg->own_cursors)
    return "an iterator that locks may have met its own transaction's write or another's, and no order was found for "
           "the first";
  return asg->delete_runs ? "of several deletes of a key without recorded results the first may have written nothing, "
                            "and no order was found in which all of them wrote or none"
                          : NULL;
}

// For what the ASG takes for granted there is another choice, which may be the better one as far as
// cursors go. Invalid is what is so without any.
static void decide_without_cursors (struct asg *asg, struct given given, const struct check_options *options,
                                    struct check_result *result) {
  static const char with[] = "cursor-stability";
  const char *name = options->level->name;
  char without[64];
  snprintf (without, sizeof without, "%.*sread-committed", (int) (strlen (name) - strlen (with)), name);
  struct check_options weaker = *options;
  weaker.level = level_find (without);
  check_result_forget_attempt (result);
  decide_level (asg, weaker.level, given, &weaker, result);
  if (result->verdict != VERDICT_VALID)
    return;
  check_result_forget_attempt (result);
  certificate_free (result->certificate);
  result->certificate = NULL;
  check_result_say_unknown (result, other_choice (asg));
}

// False: not defined for this history.
static bool is_defined (const struct asg *asg, const struct check_options *options, struct check_result *result) {
  if (!history_has_committed (asg->history) && !asg->forced.count
      && !asg->faults.count) { // facts may say that an unknown one took place
    check_result_say_unknown (result, "no committed transaction");
    return false;
  }
  if (!has_needed_times (asg->history, options->level, result))
    return false;
  if (asg->unsupported)
    check_result_say_unknown (result, asg->unsupported);
  return !asg->unsupported;
}

static void say_fault (struct ir *ir, const struct asg *asg, const struct asg_fault *fault) {
  struct violation *v = explain_fault (asg, fault);
  words w = VEC_EMPTY;
  words_fault (&w, asg->history, &v->fault);
  char *text = words_take (&w);
  ir_say (&ir->fault, text);
  mem_free (text);
  violation_free (v);
}

struct ir *check_lower (struct asg *asg, struct given given, const struct check_options *options) {
  const struct level *level = options->level;
  struct check_result *said = check_result_new (options);
  const bool defined = is_defined (asg, options, said);
  struct ir *ir = NULL;
  if (asg->unsupported) {
    ir = ir_new (&level->rules, level->name);
    ir_finish (ir_builder_new (ir));
  } else {
    const struct asg_fault *fault = first_fault (asg, level);
    ir = lower (asg, level, &given, options->clock_skew);
    lower_names (ir);
    if (fault)
      say_fault (ir, asg, fault);
    if (level->traits.last_read_counts && other_choice (asg))
      ir_say (&ir->tentative, other_choice (asg));
  }
  if (!defined)
    ir_say (&ir->undefined, said->reason);
  check_result_free (said);
  return ir;
}

void check_asg (struct asg *asg, struct given given, const struct check_options *options, struct check_result *result) {
  if (!is_defined (asg, options, result))
    return;
  result->superpositions_initial = asg_superpositions (asg);
  const struct asg_fault *fault = first_fault (asg, options->level);
  if (fault) {
    result->verdict = VERDICT_INVALID;
    result->violation = explain_fault (asg, fault);
    if (options->level->rules.wr.used && !options->dialect)
      note_faults (&result->met, asg);
  } else
    decide_with_stronger_first (asg, options->level, given, options, result);
  if (result->verdict == VERDICT_INVALID && options->level->traits.last_read_counts && !fault && other_choice (asg))
    decide_without_cursors (asg, given, options, result);
  check_asg_conclude (asg, options, result);
}

void check_asg_conclude (const struct asg *asg, const struct check_options *options, struct check_result *result) {
  if (result->verdict != VERDICT_UNKNOWN)
    result->hint_facts =
      asg->hint_facts & ~(options->level->rules.wr.used ? 0u : (unsigned) (FACT_VERSION | FACT_VERSION_SET));
  if (result->verdict == VERDICT_VALID)
    warn_if_history_says_little (asg, result);
  const char *remark = options->level->traits.remark ? options->level->traits.remark (asg) : NULL;
  if (remark)
    check_result_warn (result, remark);
}
