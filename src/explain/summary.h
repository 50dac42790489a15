// What a transaction did, as a sentence: "T3 (session 2) read x = 1; wrote y = 4".

#ifndef KRAIT_EXPLAIN_SUMMARY_H
#define KRAIT_EXPLAIN_SUMMARY_H

#include "explain/words.h"

// Transactions of a small history, a line each; `which` has an entry per transaction, NULL: all.
// Long ones and many are cut, and that is said.
void words_summary (words *, const struct history *, const uint8_t *which);

#endif
