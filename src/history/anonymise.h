// Names taken out of a history, so that it can be shown to others.
//
// Keys and values become numbered ones of the same type. Equal stays equal, and keys keep their
// order, because scans depend on it. Hints and the source are free text that may name anything;
// they are dropped.

#ifndef KRAIT_HISTORY_ANONYMISE_H
#define KRAIT_HISTORY_ANONYMISE_H

#include "history/history.h"

void history_anonymise (struct history *);

#endif
