// Cores of a history one after the other, no two of which share a transaction.

#ifndef KRAIT_CORE_CORE_SERIES_H
#define KRAIT_CORE_CORE_SERIES_H

#include "core/core.h"

struct core_series;

// NULL: the history cannot be checked at all, or there are modules, whose demands nobody can tell
// of a part. `own_writes` is not OWN_INFER.
struct core_series *core_series_new (const struct judge *, const struct history *, const struct check_options *);
void core_series_free (struct core_series *);

// No core to come shares a transaction with this one.
void core_series_use (struct core_series *, const struct history *core);

// The next core, each invalid by itself and minimal. NULL: there is none, or the budget is spent.
struct history *core_series_next (struct core_series *);

// After the last one: what is left over is valid.
bool core_series_is_complete (const struct core_series *);

#endif
