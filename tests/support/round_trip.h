// A history written in one format and read back, in memory.

#ifndef KRAIT_TESTS_ROUND_TRIP_H
#define KRAIT_TESTS_ROUND_TRIP_H

#include "formats/formats.h"

// NULL after filling the error. The text that was written stays until the next call, for messages.
struct history *round_trip (const struct history *, const struct format *, struct error *);
const char *round_trip_text (size_t *length);

#endif
