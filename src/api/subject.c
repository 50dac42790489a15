// A history made ready for several levels: its hints, what a dialect makes of it, its ASG and what
// modules demand. An incomplete history has two ASGs, one as if it were complete and one with what
// nothing recorded explains left out (SEMANTICS 8).

#include "api/decide.h"

#include "asg/asg.h"
#include "base/parallel.h"
#include "base/search.h"
#include "base/sort.h"
#include "certify/make.h"
#include "decide/decide.h"
#include "dialects/dialects.h"
#include "explain/violation.h"
#include "hints/hints.h"
#include "history/effects.h"
#include "ir/builder.h"
#include "levels/levels.h"
#include "modules/modules.h"

#include <inttypes.h>

// A graph of the history, and what modules demand of it, for the search and as certificates tell
// it; or NULL.
struct question {
  struct asg *asg;
  struct constraints *constraints;
  struct cert_constraints *certified;
};

struct check_subject {
  const struct history *history; // as it was given
  const struct dialect *dialect; // or NULL
  struct rewriting parts;        // what the dialect made of it,
  uint32_t *origin;              // where each comes from,
  struct hints *part_hints;      // and their hints, or NULL
  VEC (struct ir_edge) edges;    // from part to part
  const char *too_big;           // why that could not be done; or NULL
  struct hints *hints;           // of the history as it was given; or NULL
  struct question as_it_is;      // no ASG: there is an error in the hints
  struct question excusing;      // of an incomplete history, once it is needed
  struct error error;            // in the hints, or a module's
  enum own_writes own_writes;
  bool inferred;  // by the history itself
  double seconds; // that making the ASG took; the first verdict's times include them
};

// False: there is an error in the hints.
static bool rewrite (struct check_subject *subject, const struct check_options *options) {
  struct rewriting *parts = &subject->parts;
  subject->dialect = options->dialect;
  if (!subject->dialect->rewrite (subject->history, subject->own_writes, parts, &subject->too_big))
    return subject->too_big;
  subject->origin = MEM_ARRAY (uint32_t, parts->origins.count);
  for (size_t i = 0; i < parts->origins.count; i++)
    subject->origin[i] = parts->origins.data[i].txn;
  const struct hints_options how = { options->trust_commit_ts, subject->origin };
  if (!hints_read (parts->history, &how, &subject->part_hints, &subject->error))
    return false;
  for (uint32_t t = 0; t < history_txns (parts->history); t++)
    if (rewriting_follows (parts, t))
      VEC_PUSH (subject->edges, (struct ir_edge){ t - 1, t });
  return true;
}

// Which transactions of the history those come from that a dialect made and that are in conflict.
static void name_fragments (const struct check_subject *subject, struct violation *v) {
  const struct rewriting *now = &subject->parts;
  if (!subject->dialect || !v || !v->involved.count)
    return;
  const size_t count = v->involved.count;
  uint64_t *ids = sorted_u64 (v->involved.data, count);
  for (uint32_t t = 0; t < history_txns (now->history); t++) {
    const struct origin *origin = &now->origins.data[t];
    const uint64_t id = now->history->txn_ids.data[t], of = subject->history->txn_ids.data[origin->txn];
    if (origin->part && has_u64 (ids, count, id))
      VEC_PUSH (v->fragments, (struct txn_fragment){ id, of, origin->part });
  }
  mem_free (ids);
}

static struct constraints *run_modules (struct check_subject *subject, const struct asg *asg,
                                        const struct check_options *options) {
  if (!options->module_count || asg->unsupported)
    return NULL;
  struct constraints *constraints = constraints_new ();
  for (size_t i = 0; i < options->module_count && !subject->error.code; i++)
    module_run (options->modules[i], asg, options->clock_skew, constraints, &subject->error);
  return constraints;
}

static struct question make_question (struct check_subject *subject, const struct check_options *options, bool events,
                                      bool excuse) {
  struct question question = { .asg = asg_build (subject->dialect ? subject->parts.history : subject->history,
                                                 &(struct asg_options){
                                                   .merge_equal_reads = !events,
                                                   .events = events,
                                                   .own_writes = subject->own_writes,
                                                   .hints = subject->dialect ? subject->part_hints : subject->hints,
                                                   .excuse = excuse,
                                                   .threads = parallel_threads (options->threads) }) };
  question.constraints = run_modules (subject, question.asg, options);
  if (question.constraints && !subject->error.code)
    question.certified = certify_constraints (question.constraints, question.asg);
  return question;
}

static void question_free (struct question *question) {
  asg_free (question->asg);
  constraints_free (question->constraints);
  certify_constraints_free (question->certified);
}

static struct given given_of (const struct check_subject *subject, const struct question *question) {
  return (struct given){ subject->edges.data,   subject->edges.count, true,
                         question->constraints, question->certified,  subject->history };
}

// Modules see each read by itself, at whatever level.
struct check_subject *check_subject_new (const struct history *h, const struct check_options *options, bool events) {
  const double start = clock_seconds ();
  struct check_subject *subject = mem_zalloc (sizeof *subject);
  subject->history = h;
  subject->own_writes = options->own_writes;
  if (!hints_read (h, &(struct hints_options){ .trust_commit_ts = options->trust_commit_ts }, &subject->hints,
                   &subject->error))
    return subject;
  subject->inferred = options->own_writes == OWN_INFER;
  subject->own_writes = subject->inferred ? asg_infer_own_writes (h, subject->hints) : options->own_writes;
  events = events || options->module_count;
  if (options->dialect && !rewrite (subject, options))
    return subject;
  subject->as_it_is = make_question (subject, options, events, false);
  const struct asg *asg = subject->as_it_is.asg;
  budget_add_work (options->budget, (uint64_t) asg->reads + asg->installs + asg->nodes);
  subject->seconds = clock_seconds () - start;
  return subject;
}

void check_subject_free (struct check_subject *subject) {
  if (!subject)
    return;
  question_free (&subject->as_it_is);
  question_free (&subject->excusing);
  hints_free (subject->hints);
  rewriting_free (&subject->parts);
  mem_free (subject->origin);
  hints_free (subject->part_hints);
  MEM_FREE_ALL (subject->edges.data, subject);
}

const struct error *check_subject_error (const struct check_subject *subject) {
  return subject->error.code ? &subject->error : NULL;
}

const struct history *check_subject_history (const struct check_subject *subject) {
  return subject->history;
}

struct given check_subject_given (const struct check_subject *subject) {
  return given_of (subject, &subject->as_it_is);
}

struct check_options check_subject_options (const struct check_subject *subject, const struct check_options *asked) {
  struct check_options options = *asked;
  options.own_writes = subject->own_writes;
  options.dialect = subject->dialect;
  return options;
}

struct check_result *check_subject_result (const struct check_subject *subject, const struct check_options *options) {
  struct check_result *result = check_result_new (options);
  result->own_writes_inferred = subject->inferred;
  if (subject->history->warnings)
    check_result_warn (result, subject->history->warnings);
  if (subject->hints && subject->hints->warnings)
    check_result_warn (result, subject->hints->warnings);
  return result;
}

static void judge_question (const struct check_subject *subject, const struct question *question,
                            const struct check_options *options, struct check_result *result) {
  check_asg (question->asg, given_of (subject, question), options, result);
  if (result->verdict == VERDICT_INVALID)
    result->constraints = certify_constraints_copy (question->certified);
}

// ------------------------------------------------------------------------------------------ an IR

struct lowered *check_subject_lower (struct check_subject *subject, const struct check_options *options,
                                     bool saturated) {
  struct lowered *to = mem_zalloc (sizeof *to);
  const struct question *question = &subject->as_it_is;
  struct check_options own = *options;
  own.own_writes = subject->own_writes;
  to->history = question->asg->history;
  to->ir = check_lower (question->asg, given_of (subject, question), &own);
  if (subject->too_big)
    ir_say (&to->ir->undefined, subject->too_big);
  if (saturated && !to->ir->undefined && !ir_contradiction (to->ir)) {
    to->base = to->ir;
    to->ir = decide_saturated (to->base, options);
  }
  return to;
}

void lowered_free (struct lowered *lowered) {
  ir_free (lowered->ir);
  ir_free (lowered->base);
  mem_free (lowered);
}

// Words for each reason on one line.
static void add_reasons (words *w, const struct history *h) {
  for (const char *at = h->incomplete; at && *at;) {
    const size_t length = strcspn (at, "\n");
    words_add (w, "%s%.*s", at == h->incomplete ? "" : "; ", (int) length, at);
    at += length + (at[length] == '\n');
  }
}

// Where reads do not count, lists do. What had to be excused is not known if some reads are vague:
// these count where nothing else does.
static uint64_t count_excused (const struct asg *asg, const struct level *level) {
  const struct asg_excused *excused = &asg->excused;
  const uint64_t count = level->rules.wr.used ? excused->reads + excused->elements : excused->elements;
  return count || !level->rules.wr.used ? count : excused->vague;
}

static char *example_of_excused (const struct asg *asg) {
  const struct asg_excused *excused = &asg->excused;
  const struct history *h = asg->history;
  words w = VEC_EMPTY;
  words_add (&w, "T%" PRIu64 " ", h->txn_ids.data[excused->txn]);
  const struct shown_read read = show_read (h, excused->op, excused->key, excused->value, excused->flags);
  SAY (&w, h, effects_of (h, excused->op).reads == READS_LIST ? "found %v in the list %k" : "%r", .key = excused->key,
       .value = excused->value, .read = &read);
  return words_take (&w);
}

static char *words_of_missing (const struct history *h, const char *end) {
  words w = VEC_EMPTY;
  words_add (&w, "the history is incomplete (");
  add_reasons (&w, h);
  words_add (&w, ")%s", end);
  return words_take (&w);
}

// The excuses suffice: whether the database is at fault cannot be told.
static void say_excused (const struct asg *asg, const struct level *level, struct check_result *result) {
  result->excused = count_excused (asg, level);
  result->excused_example = result->excused ? example_of_excused (asg) : NULL;
  char *end = result->excused ? mem_format (", and what is missing may explain what nothing recorded does: %" PRIu64
                                            " of its reads; for example, %s",
                                            result->excused, result->excused_example)
                              : mem_strdup (", and what is missing may explain it");
  char *reason = words_of_missing (asg->history, end);
  check_result_say_unknown (result, reason);
  MEM_FREE_ALL (end, reason);
  certificate_free (result->certificate);
  result->certificate = NULL;
}

static void forget_warnings (struct check_result *result, size_t from) {
  while (result->warnings.count > from)
    mem_free (result->warnings.data[--result->warnings.count]);
}

// There may be further transactions (SEMANTICS 8). If the history holds as it is, they do not
// matter; else what they might explain is excused.
static void allow_for_what_is_missing (struct check_subject *subject, const struct check_options *options,
                                       struct check_result *result) {
  if (!subject->excusing.asg)
    subject->excusing = make_question (subject, options, subject->as_it_is.asg->events, true);
  const size_t warnings = result->warnings.count;
  violation_free (result->violation);
  result->violation = NULL;
  certify_constraints_free (result->constraints);
  result->constraints = NULL;
  judge_question (subject, &subject->excusing, options, result);
  if (result->verdict == VERDICT_VALID) {
    say_excused (subject->excusing.asg, options->level, result);
    forget_warnings (result, warnings); // of a valid history
  } else if (result->verdict == VERDICT_INVALID)
    result->assumption = words_of_missing (
      subject->history, "; what is missing is taken to have written only what no recorded transaction could explain");
}

static void judge (struct check_subject *subject, const struct check_options *options, struct check_result *result) {
  const size_t warnings = result->warnings.count;
  judge_question (subject, &subject->as_it_is, options, result);
  if (subject->history->incomplete && result->verdict == VERDICT_VALID) {
    char *text = words_of_missing (subject->history, "; but every read is explained without what is missing");
    check_result_warn (result, text);
    mem_free (text);
  }
  if (subject->history->incomplete && result->verdict == VERDICT_INVALID) {
    forget_warnings (result, warnings); // they come again
    allow_for_what_is_missing (subject, options, result);
  }
}

struct check_result *check_subject_judge (struct check_subject *subject, const struct check_options *asked) {
  const double start = clock_seconds ();
  const struct check_options options = check_subject_options (subject, asked);
  struct check_result *result = check_subject_result (subject, &options);
  if (subject->error.code && !subject->as_it_is.asg) {
    check_result_say_unknown (result, subject->error.text);
    result->bad_input = true;
    return result;
  }
  if (level_needs_events (options.level) && !subject->as_it_is.asg->unsupported && !subject->as_it_is.asg->events)
    misuse (__func__, "a level that needs events, and a subject without");
  result->effort.seconds.lower = subject->seconds;
  if (subject->too_big)
    check_result_say_unknown (result, subject->too_big);
  else if (subject->error.code)
    check_result_say_unknown (result, subject->error.text);
  else
    judge (subject, &options, result);
  name_fragments (subject, result->violation);
  result->seconds = clock_seconds () - start + subject->seconds;
  subject->seconds = 0;
  return result;
}

struct check_result *check_history (const struct history *h, const struct check_options *options) {
  struct check_subject *subject = check_subject_new (h, options, level_needs_events (options->level));
  struct check_result *result = check_subject_judge (subject, options);
  check_subject_free (subject);
  return result;
}
