// Transactions in the order in which they are worth looking at once some are suspected: these
// first, then whoever they can have read from, then those who read from them, stand beside them in
// their sessions or write the same keys; then the same for those, and so on.

#ifndef KRAIT_CORE_CORE_GROW_H
#define KRAIT_CORE_CORE_GROW_H

#include "core/core_index.h"

struct grower;

// `within`: per transaction, whether it may be met at all; copied.
struct grower *grower_new (struct core_index *, const uint8_t *within, const uint32_t *suspects, size_t count);
void grower_free (struct grower *);

// Goes on until so many were met, or all. How many there are now; *txns: the nearest first.
size_t grower_reach (struct grower *, size_t wanted, const uint32_t **txns);

// The suspects, and whoever they can have read from.
size_t grower_sources (struct grower *, const uint32_t **txns);

#endif
