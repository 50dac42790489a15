#include "api/pose.h"

#include "api/decide.h"
#include "decide/pose.h"
#include "history/history.h"
#include "levels/levels.h"

static bool is_possible (const struct history *h, const struct check_options *options, const struct ir *ir,
                         struct error *error) {
  if (h->incomplete)
    return error_set (error, "%.400s: the history is incomplete, which a formula cannot say", h->name);
  if (ir->undefined)
    return error_set_code (error, ERROR_LIMIT, "%.400s: %s: %s", h->name, options->level->name, ir->undefined);
  return true;
}

static bool ask (struct posed_question *question, const struct history *h, struct error *error) {
  struct error refusal = { 0 };
  if (!is_possible (h, &question->options, question->lowered->ir, error))
    return false;
  question->posed = pose (question->lowered->ir, &question->options, &refusal);
  return question->posed || error_set_code (error, refusal.code, "%.400s: %.300s", h->name, refusal.text);
}

struct posed_question *check_subject_pose (struct check_subject *subject, const struct check_options *asked,
                                           struct error *error) {
  struct posed_question *question = mem_zalloc (sizeof *question);
  question->options = check_subject_options (subject, asked);
  question->lowered = check_subject_lower (subject, asked, false);
  if (!ask (question, check_subject_history (subject), error)) {
    posed_question_free (question);
    return NULL;
  }
  question->problem = question->posed->problem;
  question->settled = question->posed->settled;
  question->ir = question->lowered->ir;
  question->history = question->lowered->history;
  question->doubt = question->ir->tentative;
  return question;
}

void posed_question_free (struct posed_question *question) {
  if (!question)
    return;
  posed_free (question->posed);
  lowered_free (question->lowered);
  mem_free (question);
}

struct check_result *check_subject_believe (struct check_subject *subject, struct posed_question *question,
                                            const int8_t *values) {
  const double start = clock_seconds ();
  const struct check_options *options = &question->options;
  struct check_result *result = check_subject_result (subject, options);
  const struct given given = check_subject_given (subject);
  struct to_accept claim = { .options = options, .given = &given, .certificate = &result->certificate };
  const struct decision decision =
    posed_accept (question->posed, options, &(struct witness_judge){ accept_witness, &claim }, values);
  check_result_add_decision (result, &decision);
  result->by_level = options->level->name;
  check_asg_conclude (question->ir->asg, options, result);
  result->seconds = clock_seconds () - start;
  return result;
}
