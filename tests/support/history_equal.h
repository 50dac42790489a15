// Do two histories say the same? Keys, values and hints are compared as atoms, whatever their
// numbers; names and warnings are left out.

#ifndef KRAIT_TESTS_HISTORY_EQUAL_H
#define KRAIT_TESTS_HISTORY_EQUAL_H

#include "history/history.h"

// NULL, or where the first difference is (valid until the next call). Both histories are finished.
const char *history_difference (const struct history *, const struct history *);

#endif
