// The judge that explanations are handed: it checks.

#ifndef KRAIT_API_JUDGE_H
#define KRAIT_API_JUDGE_H

#include "verdict/verdict.h"

extern const struct judge check_judge;

#endif
