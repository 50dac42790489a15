// Cases as words: for people who know databases, and no theory of them.

#ifndef KRAIT_EXPLAIN_CASES_WORDS_H
#define KRAIT_EXPLAIN_CASES_WORDS_H

#include "explain/cases.h"
#include "explain/words.h"

// Why the first transaction of an edge must come before the second. `elsewhere`: the cases are told apart from this, so that what one assumes is said to
// follow from the others.
void words_case_edge (words *, const struct cases *, const struct case_edge *, bool elsewhere);

// "T1 wrote x before T2", and all that is assumed for a case, with "and".
void words_assumption (words *, const struct cases *, const struct one_case *);
void words_assumptions (words *, const struct cases *, uint32_t at);

// The whole tree, several lines.
void words_cases (words *, const struct cases *);

#endif
