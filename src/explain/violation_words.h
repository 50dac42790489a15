// Violations as words, for people who know databases and no theory of them. The history is the one
// that the violation's keys and values are numbers of (violation_history), or the one that was
// judged, where that is said.

#ifndef KRAIT_EXPLAIN_VIOLATION_WORDS_H
#define KRAIT_EXPLAIN_VIOLATION_WORDS_H

#include "explain/violation.h"

// All that there is to say, several lines; the caller frees it. NULL: there is no violation.
char *violation_explanation (const struct violation *, const struct history *judged);

// Why the first transaction of an edge must come before the second. `elsewhere`: the cases are told
// apart from this, so that what one assumes is said to follow from the others.
void words_edge (words *, const struct history *, const struct violation *, const struct violation_edge *,
                 bool elsewhere);

// All that is assumed for a case: "T1 wrote x before T2 and …".
void words_case (words *, const struct history *, const struct violation *, uint32_t at);

// What the transactions of a small history did, a line each; `which` has an entry per transaction,
// NULL: all. Long ones and many are cut, and that is said.
void words_summary (words *, const struct history *, const uint8_t *which);

// A sentence.
void words_fault (words *, const struct history *, const struct violation_fault *);

#endif
