// What the variables of a problem say, in words, for whoever reads a formula: transactions by their
// ids.

#ifndef KRAIT_CNF_WORDS_H
#define KRAIT_CNF_WORDS_H

#include "cnf/problem.h"

struct kir_names;
struct output;

// Keys and values by the names that the history has for them, or by their numbers (NULL).
void words_of_variable (const struct problem *, const struct ir *, const struct kir_names *, uint32_t variable,
                        struct output *);

#endif
