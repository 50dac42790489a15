// All levels at a glance: a row per level, a column per form of it, and below that what matters
// most.

#ifndef KRAIT_CLI_LEVEL_TABLE_H
#define KRAIT_CLI_LEVEL_TABLE_H

#include "api/lattice_order.h"
#include "formats/text.h"

// `name` is the history's.
void level_table (const struct level_results *, const char *name, bool colour, struct text *);

#endif
