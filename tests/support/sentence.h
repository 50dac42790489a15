// What `krait encode --expand` writes, taken at its word: every choice of alternatives is tried. It
// knows points, edges, superpositions and implications, and nothing of transactions or levels.

#ifndef KRAIT_TESTS_SUPPORT_SENTENCE_H
#define KRAIT_TESTS_SUPPORT_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

enum sentence_answer { SENTENCE_HOLDS, SENTENCE_FAILS, SENTENCE_TOO_LARGE };

// Gives up after so many choices.
enum sentence_answer sentence_decide (const char *text, size_t length, uint64_t most_choices);

#endif
