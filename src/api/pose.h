// What a level asks of a history as a problem for others to search, and the way back from their
// model to a verdict.

#ifndef KRAIT_API_POSE_H
#define KRAIT_API_POSE_H

#include "api/check.h"

struct posed;
struct problem;

struct posed_question {
  const struct problem *problem;
  const struct ir *ir;           // that the problem's variables speak of
  const struct history *history; // that its keys and values are numbers of
  const char *settled;           // why there was nothing to search; or NULL
  // A model is a witness, but that there is none does not show that the history is invalid: why. Or
  // NULL.
  const char *doubt;
  struct check_options options;
  struct lowered *lowered;
  struct posed *posed;
};

// Of the options, what `check` takes of them: the level, saturation, the encoding. The same subject
// and options make the same problem. NULL after setting the error: the level is not defined for
// this history, the history is incomplete, or the encoding says nothing about it.
struct posed_question *check_subject_pose (struct check_subject *, const struct check_options *, struct error *);
void posed_question_free (struct posed_question *);

// The verdict on a model (per variable of the problem +1 or -1, entry 0 unused): `valid`, if it is
// a witness; else `unknown`, and something is broken if it is a model of the problem. Once.
struct check_result *check_subject_believe (struct check_subject *, struct posed_question *, const int8_t *values);

#endif
