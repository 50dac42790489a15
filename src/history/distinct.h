// Are all of these different? Asked once per loaded file, about millions of numbers.

#ifndef KRAIT_HISTORY_DISTINCT_H
#define KRAIT_HISTORY_DISTINCT_H

#include "history/atoms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool numbers_distinct (const uint64_t *numbers, size_t count);

// The columns have been found well-formed before.
bool atoms_distinct (const struct atoms *);

#endif
